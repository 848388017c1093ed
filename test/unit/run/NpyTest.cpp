//===- NpyTest.cpp - Reading and writing .npy files -----------------------===//

#include "server/run/Npy.h"
#include "gmock/gmock.h"
#include <filesystem>
#include <fstream>

using namespace kernelscope::run;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class Npy : public testing::Test {
protected:
  void SetUp() override {
    path = std::filesystem::path(testing::TempDir()) / "kernelscope.npy";
  }
  void TearDown() override { std::filesystem::remove(path); }

  /// The error of reading a file of these bytes.
  std::string errorOf(const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    llvm::Expected<NpyArray> array = readNpy(path.string());
    return array ? "" : llvm::toString(array.takeError());
  }
  static std::string file(const std::string &header, const std::string &data) {
    return std::string("\x93NUMPY\1\0", 8) + char(header.size()) + '\0' +
           header + data;
  }

  std::filesystem::path path;
};

TEST_F(Npy, WhatIsWrittenIsRead) {
  NpyArray array{"f4", {2, 3}, std::vector<char>(24, 'x')};
  ASSERT_FALSE(writeNpy(path.string(), array));
  EXPECT_EQ(std::filesystem::file_size(path), 128u + 24u)
      << "elements begin at 64 or 128";
  llvm::Expected<NpyArray> read = readNpy(path.string());
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->type, "f4");
  EXPECT_THAT(read->shape, ElementsAre(2, 3));
  EXPECT_EQ(read->bytes, array.bytes);
}

TEST_F(Npy, ReadsWhatNumpyWrites) {
  const std::string header =
      "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }\n";
  std::ofstream(path, std::ios::binary) << file(header, std::string(16, '\1'));
  llvm::Expected<NpyArray> read = readNpy(path.string());
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->type, "i8");
  EXPECT_THAT(read->shape, ElementsAre(2));
}

TEST_F(Npy, ErrorsNameTheFileAndTheReason) {
  EXPECT_THAT(errorOf("hello"), HasSubstr("magic number"));
  EXPECT_THAT(errorOf(std::string("\x93NUMPY\1\0\xff\xff", 10)),
              HasSubstr("its header is truncated"));
  EXPECT_THAT(
      errorOf(file("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
                   "1234")),
      HasSubstr("big-endian"));
  EXPECT_THAT(
      errorOf(file("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }",
                   "1234")),
      HasSubstr("Fortran order"));
  EXPECT_THAT(
      errorOf(file("{'descr': '<f4', 'fortran_order': False, 'shape': (9,), }",
                   "1234")),
      HasSubstr("it has 4 bytes of elements, but its shape needs 36"));
  EXPECT_THAT(llvm::toString(readNpy("/no/such.npy").takeError()),
              HasSubstr("'/no/such.npy'"));
  EXPECT_THAT(llvm::toString(writeNpy("/no/such.npy", {})),
              HasSubstr("'/no/such.npy'"));
}

} // namespace
