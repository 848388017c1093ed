//===- CheckFilesTest.cpp - files that kill or hold up their checker ------===//

#include "server/jobs/CheckFiles.h"

#include "server/ipc/Message.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <unistd.h>

using namespace kernelscope;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

/// Long enough for all but `h` on a machine that is busy with other tests.
constexpr auto limit = 1s;

/// Each letter of a text is a function: `c` crashes, `h` hangs, `e` has an
/// error, all others are sound. Spaces are only there.
Json checkLetters(const Json &request, JobProgress &progress) {
  for (const Json &file : request["files"]) {
    std::string text = file["text"];
    Json diagnostics = Json::array();
    auto add = [&](size_t offset, const char *code) {
      diagnostics.push_back({{"span", {offset, offset + 1}},
                             {"severity", Severity::Error},
                             {"code", code},
                             {"message", code},
                             {"related", Json::array()}});
    };
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ')
        continue;
      bool isLeftOut = false;
      for (size_t offset : file["quarantine"])
        isLeftOut |= offset == i;
      if (isLeftOut) {
        add(i, "stopped");
        continue;
      }
      if (text[i] != '?') // dies without having said where
        progress.place(i);
      if (text[i] == 'c' || text[i] == '?') {
        // A sanitizer's handler would take longer over its report than the
        // limit allows.
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
      }
      while (text[i] == 'h')
        pause();
      if (text[i] == 'e')
        add(i, "error");
    }
    progress.part(std::move(diagnostics));
  }
  return Json::object();
}

constexpr Job jobs[] = {{"check", checkLetters, {}}};

std::vector<std::string> codesOf(const std::vector<Diagnostic> &diagnostics) {
  std::vector<std::string> codes;
  for (const Diagnostic &diagnostic : diagnostics)
    codes.push_back(diagnostic.code + "@" +
                    std::to_string(diagnostic.span.begin));
  return codes;
}

std::vector<std::vector<std::string>>
check(const std::vector<std::string> &texts) {
  std::vector<FileToCheck> files;
  for (const std::string &text : texts)
    files.push_back({"f", text});
  std::vector<std::vector<std::string>> codes;
  for (const auto &diagnostics : checkFiles(files, limit))
    codes.push_back(codesOf(diagnostics));
  return codes;
}

TEST(CheckFiles, ACrashLosesOnlyItsPartOfTheFile) {
  EXPECT_THAT(check({"se", "ece", "e"}),
              ElementsAre(ElementsAre("error@1"),
                          ElementsAre("error@0", "stopped@1", "error@2"),
                          ElementsAre("error@0")));
}

TEST(CheckFiles, AHangEndsAtTheLimit) {
  std::vector<Diagnostic> diagnostics = checkFiles({{"f", "she"}}, limit)[0];
  ASSERT_THAT(codesOf(diagnostics), ElementsAre("stopped@1", "error@2"));
  ASSERT_THAT(diagnostics[0].related, SizeIs(1));
  EXPECT_THAT(diagnostics[0].related[0].message, HasSubstr("limit"));
}

TEST(CheckFiles, SeveralCrashesInOneFile) {
  EXPECT_THAT(check({"cchc"}),
              ElementsAre(ElementsAre("stopped@0", "stopped@1", "stopped@2",
                                      "stopped@3")));
}

TEST(CheckFiles, AFileThatKeepsCrashingIsGivenUp) {
  EXPECT_THAT(
      check({"cccccccc", "e", "s"}),
      ElementsAre(ElementsAre("stopped@4"), ElementsAre("error@0"), IsEmpty()));
}

TEST(CheckFiles, ACrashWithoutAPlaceIsReportedForTheFile) {
  EXPECT_THAT(check({"?s", "e"}),
              ElementsAre(ElementsAre("stopped@0"), ElementsAre("error@0")));
}

TEST(CheckFiles, MoreThanOneBatch) {
  std::vector<std::string> texts(5, std::string(200'000, ' ') + "e");
  for (const auto &codes : check(texts))
    EXPECT_THAT(codes, ElementsAre("error@200000"));
}

} // namespace

const Job *kernelscope::findJob(std::string_view name) {
  return name == jobs[0].name ? &jobs[0] : nullptr;
}

void kernelscope::prewarmJobs() {}
void kernelscope::prewarmJobs(const std::string &) {}
