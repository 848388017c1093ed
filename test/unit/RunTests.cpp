//===- RunTests.cpp - the main function of a test program -----------------===//

#include "test/unit/RunTests.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

/// A filter for the tests that stand in `file`; empty if none does.
static std::string testsIn(std::string_view file) {
  std::string filter;
  const testing::UnitTest &all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite &suite = *all.GetTestSuite(i);
    std::string tests;
    bool isWhole = true;
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo &test = *suite.GetTestInfo(j);
      std::string_view path = test.file();
      if (path.substr(path.rfind('/') + 1) == file)
        tests += std::string(suite.name()) + "." + test.name() + ":";
      else
        isWhole = false;
    }
    if (!tests.empty())
      filter += isWhole ? std::string(suite.name()) + ".*:" : tests;
  }
  return filter;
}

int kernelscope::runTests(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view option = "--source=";
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (!argument.starts_with(option)) {
      std::fprintf(stderr, "unknown option: %s\n", argv[i]);
      return 2;
    }
    std::string filter = testsIn(argument.substr(option.size()));
    if (filter.empty()) {
      std::fprintf(stderr, "no test stands in %s\n", argv[i] + option.size());
      return 1;
    }
    testing::GTEST_FLAG(filter) = filter;
  }
  return RUN_ALL_TESTS();
}
