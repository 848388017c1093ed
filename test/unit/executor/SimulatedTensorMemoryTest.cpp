//===- SimulatedTensorMemoryTest.cpp - The simulator's tensor memory ------===//
//
// Who has which columns, and what tcgen05.ld, .st, .cp and .shift move, cell by
// cell.
//
//===----------------------------------------------------------------------===//

#include "StoredMatrix.h"
#include "gmock/gmock.h"

using namespace kernelscope;
using namespace kernelscope::wave::nvidia;
using testing::HasSubstr;

namespace {

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

TEST(SimulatedTensorMemory, Allocation) {
  TensorMemory memory;
  EXPECT_EQ(*llvm::cantFail(memory.allocate(128)), 0u);
  EXPECT_EQ(*llvm::cantFail(memory.allocate(256)), 256u);
  EXPECT_FALSE(llvm::cantFail(memory.allocate(256))); // it would wait
  EXPECT_EQ(memory.leftOver(),
            "128 columns from column 0, 256 columns from column 256");
  EXPECT_EQ(errorOf(memory.deallocate(0, 64)),
            "tcgen05.dealloc of 64 columns where 128 are allocated");
  EXPECT_EQ(errorOf(memory.deallocate(64, 64)),
            "tcgen05.dealloc at 0x40, where no allocation begins");
  EXPECT_EQ(errorOf(memory.deallocate(0, 128)), "");
  EXPECT_EQ(*llvm::cantFail(memory.allocate(32)), 0u);
  for (uint32_t count : {16u, 96u, 1024u})
    EXPECT_THAT(errorOf(memory.allocate(count)),
                HasSubstr("it needs a power of two from 32 to 512"));
  memory.relinquish();
  EXPECT_THAT(errorOf(memory.allocate(32)),
              HasSubstr("after the CTA has given up its permit"));
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

TensorMemoryMessage messageOf(const char *modifiers) {
  auto message = TensorMemoryMessage::parse(modifiers);
  EXPECT_TRUE(message) << modifiers;
  return message.value_or(TensorMemoryMessage{&tensorMemoryShapes()[0]});
}

/// Each cell has its own number: lane * 512 + column.
TensorMemory numberedMemory() {
  TensorMemory memory = wholeMemory();
  for (uint32_t lane = 0; lane < 128; ++lane)
    for (uint32_t column = 0; column < 512; ++column)
      memory.at(lane, column) = lane * 512 + column;
  return memory;
}

/// The places that registers of a lane come from, "lane:column".
std::string placesOf(const char *modifiers, unsigned lane, uint32_t address,
                     unsigned warp, int32_t halfOffset = 0) {
  TensorMemory memory = numberedMemory();
  TensorMemoryMessage message = messageOf(modifiers);
  message.halfOffset = halfOffset;
  auto registers = loadMessage(memory, message, warp, address);
  if (!registers)
    return toString(registers.takeError());
  std::string text;
  for (unsigned i = 0; i < message.registers(); ++i) {
    const uint32_t word = (*registers)[lane * message.registers() + i];
    text += (i ? " " : "") + std::to_string(word / 512) + ":" +
            std::to_string(word % 512);
  }
  return text;
}

TEST(SimulatedTensorMemory, Shapes) {
  EXPECT_EQ(placesOf(".32x32b.x2.b32", 5, 0x00200010, 1), "37:16 37:17");
  EXPECT_EQ(placesOf(".16x64b.x2.b32", 0, 0, 0), "0:0 0:2");
  EXPECT_EQ(placesOf(".16x64b.x2.b32", 1, 0, 0), "8:0 8:2");
  EXPECT_EQ(placesOf(".16x64b.x2.b32", 2, 0, 0), "0:1 0:3");
  EXPECT_EQ(placesOf(".16x64b.x1.b32", 31, 0, 0), "15:1");
  EXPECT_EQ(placesOf(".16x128b.x2.b32", 6, 0, 0), "1:2 9:2 1:6 9:6");
  EXPECT_EQ(placesOf(".16x256b.x1.b32", 6, 0x00100000, 0),
            "17:4 17:5 25:4 25:5");
  EXPECT_EQ(placesOf(".16x256b.x2.b32", 4, 0, 0),
            "1:0 1:1 9:0 9:1 1:8 1:9 9:8 9:9");
  EXPECT_EQ(placesOf(".16x32bx2.x2.b32", 3, 0, 0, 64), "3:0 3:1");
  EXPECT_EQ(placesOf(".16x32bx2.x2.b32", 19, 0, 0, 64), "3:64 3:65");
  EXPECT_EQ(messageOf(".16x256b.x32.b32").registers(), 128u);
  EXPECT_FALSE(TensorMemoryMessage::parse(".16x256b.x64.b32"));
  EXPECT_FALSE(TensorMemoryMessage::parse(".16x512b.x1.b32"));
}

TEST(SimulatedTensorMemory, Packing) {
  TensorMemory memory = numberedMemory();
  auto registers = llvm::cantFail(
      loadMessage(memory, messageOf(".32x32b.x2.pack::16b.b32"), 0, 8));
  EXPECT_EQ(registers[0], 9u << 16 | 8);
  EXPECT_EQ(registers[1], 11u << 16 | 10);
  // Two columns of 16 bits become one of 32 in the shape's drawing.
  registers = llvm::cantFail(
      loadMessage(memory, messageOf(".16x256b.x1.pack::16b.b32"), 0, 0));
  EXPECT_EQ(registers[4], 5u << 16 | 4);
  EXPECT_EQ(registers[5], 7u << 16 | 6);
  memory.endLoads(0);
  ASSERT_EQ(errorOf(storeMessage(memory, messageOf(".32x32b.x1.unpack::16b"), 0,
                                 0, WarpRegisters(32, 0x00070003))),
            "");
  EXPECT_EQ(memory.at(31, 0), 3u);
  EXPECT_EQ(memory.at(31, 1), 7u);
  EXPECT_EQ(memory.at(31, 2), 31u * 512 + 2);
}

TEST(SimulatedTensorMemory, StoresAreTheReverseOfLoads) {
  for (const char *shape :
       {".32x32b.x4", ".16x64b.x8", ".16x128b.x4", ".16x256b.x2",
        ".16x32bx2.x4", ".16x256b.x2.pack::16b"}) {
    TensorMemory memory = wholeMemory();
    TensorMemoryMessage message = messageOf(shape);
    message.halfOffset = 32;
    WarpRegisters registers(size_t{32} * message.registers());
    for (size_t i = 0; i < registers.size(); ++i)
      registers[i] = static_cast<uint32_t>(0x10001 * i);
    ASSERT_EQ(errorOf(storeMessage(memory, message, 7, 96 << 16, registers)),
              "");
    EXPECT_EQ(llvm::cantFail(loadMessage(memory, message, 3, 96 << 16)),
              registers)
        << shape;
  }
}

TEST(SimulatedTensorMemory, WrongAccesses) {
  EXPECT_EQ(placesOf(".32x32b.x1.b32", 0, 0, 5),
            "tcgen05.ld.32x32b at lane 0 by warp 5, which reaches lanes 32 to "
            "63; the address must have lane 32");
  EXPECT_THAT(placesOf(".16x64b.x1.b32", 0, 8 << 16, 0),
              HasSubstr("must have lane 0 or that plus 16"));
  EXPECT_THAT(placesOf(".32x32b.x128.b32", 0, 448, 0),
              HasSubstr("accesses columns 448 to 575 of tensor memory, which "
                        "has 512"));
  TensorMemory memory;
  (void)llvm::cantFail(memory.allocate(32));
  EXPECT_EQ(errorOf(loadMessage(memory, messageOf(".32x32b.x64"), 0, 0)),
            "tcgen05.ld.32x32b accesses columns 0 to 63 of tensor memory; "
            "column 32 is not allocated");
}

TEST(SimulatedTensorMemory, WhatALoadReadsStays) {
  TensorMemory memory = wholeMemory();
  const TensorMemoryMessage message = messageOf(".32x32b.x4");
  const WarpRegisters registers(size_t{32} * 4);
  (void)llvm::cantFail(loadMessage(memory, message, 1, 32 << 16 | 8));
  EXPECT_EQ(errorOf(storeMessage(memory, message, 1, 32 << 16 | 11, registers)),
            "tcgen05.st.32x32b changes columns that a tcgen05.ld of warp 1 may "
            "still read; that warp has not waited with tcgen05.wait::ld");
  EXPECT_EQ(errorOf(storeMessage(memory, message, 1, 32 << 16 | 12, registers)),
            "");
  EXPECT_EQ(errorOf(storeMessage(memory, message, 0, 8, registers)), "");
  EXPECT_THAT(errorOf(memory.deallocate(0, 512)),
              HasSubstr("tcgen05.dealloc changes columns"));
  memory.endLoads(1);
  EXPECT_EQ(errorOf(storeMessage(memory, message, 1, 32 << 16 | 11, registers)),
            "");
}

TEST(SimulatedTensorMemory, Shift) {
  TensorMemory memory = numberedMemory();
  ASSERT_EQ(errorOf(memory.shiftDown(32 << 16 | 4)), "");
  EXPECT_EQ(memory.at(32, 4), 33u * 512 + 4);
  EXPECT_EQ(memory.at(62, 11), 63u * 512 + 11);
  EXPECT_EQ(memory.at(63, 4), 63u * 512 + 4);
  EXPECT_EQ(memory.at(32, 12), 32u * 512 + 12);
  EXPECT_EQ(errorOf(memory.shiftDown(16 << 16)),
            "tcgen05.shift from lane 16 on; it must be a multiple of 32");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// After a copy of rows of 32 bytes, each of which has its row and its number.
TensorMemory copied(const char *modifiers, uint32_t address, Mode mode = {0}) {
  Stored source(mode, 128, 32, 1);
  std::vector<char> shared(sharedBytes);
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned byte = 0; byte < 32; ++byte)
      source.put(shared, row, byte,
                 static_cast<uint8_t>(byte % 4 ? byte : row));
  TensorMemory memory = wholeMemory();
  auto copy = TensorMemoryCopy::parse(modifiers);
  EXPECT_TRUE(copy) << modifiers;
  if (copy)
    EXPECT_EQ(errorOf(copyMatrix(memory, *copy, address, shared,
                                 source.descriptor())),
              "");
  return memory;
}
uint32_t rowAt(TensorMemory &memory, uint32_t lane, uint32_t column) {
  return memory.at(lane, column) & 0xff;
}

TEST(SimulatedTensorMemory, Copies) {
  for (unsigned swizzle : {0u, 2u, 4u, 6u}) {
    TensorMemory whole = copied(".128x256b", 16, {swizzle});
    EXPECT_EQ(whole.at(90, 16 + 3), 0x0f0e0d00u | 90);
    EXPECT_EQ(whole.at(90, 16 + 7), 0x1f1e1d00u | 90);
  }
  TensorMemory narrow = copied(".128x128b", 0);
  EXPECT_EQ(rowAt(narrow, 127, 3), 127u);
  EXPECT_EQ(narrow.at(127, 4), ~0u);
  TensorMemory quarters = copied(".32x128b.warpx4", 8);
  for (unsigned warp = 0; warp < 4; ++warp)
    EXPECT_EQ(rowAt(quarters, 32 * warp + 9, 8), 9u);
  TensorMemory alternating = copied(".64x128b.warpx2::02_13", 0);
  EXPECT_EQ(rowAt(alternating, 40, 0), 40u);
  EXPECT_EQ(rowAt(alternating, 104, 0), 40u);
  TensorMemory neighbours = copied(".64x128b.warpx2::01_23", 0);
  EXPECT_EQ(rowAt(neighbours, 40, 0), 8u);
  EXPECT_EQ(rowAt(neighbours, 104, 0), 40u);
  TensorMemory few = copied(".4x256b", 31 << 16);
  EXPECT_EQ(rowAt(few, 31, 7), 0u);
  EXPECT_EQ(rowAt(few, 127, 7), 3u);
  EXPECT_EQ(few.at(30, 0), ~0u);
  EXPECT_FALSE(TensorMemoryCopy::parse(".64x128b"));
  EXPECT_FALSE(TensorMemoryCopy::parse(".128x256b.warpx4"));
}

TEST(SimulatedTensorMemory, CopiesThatDecompress) {
  Stored source({0}, 128, 16, 1);
  std::vector<char> shared(sharedBytes);
  // Of 4 bits 5, 0xa, 5, ...; of 6 bits 1, 2, 3, 4, 1, ...
  for (unsigned byte = 0; byte < 8; ++byte)
    source.put(shared, 0, byte, uint8_t{0xa5});
  for (unsigned byte = 0; byte < 12; byte += 3) {
    const uint32_t four = 1 | 2 << 6 | 3 << 12 | 4 << 18;
    for (unsigned i = 0; i < 3; ++i)
      source.put(shared, 1, byte + i, static_cast<uint8_t>(four >> (8 * i)));
  }
  TensorMemory memory = wholeMemory();
  ASSERT_EQ(errorOf(copyMatrix(
                memory, *TensorMemoryCopy::parse(".128x128b.b8x16.b4x16_p64"),
                0, shared, source.descriptor())),
            "");
  EXPECT_EQ(memory.at(0, 3), 0x28142814u);
  ASSERT_EQ(errorOf(copyMatrix(
                memory, *TensorMemoryCopy::parse(".128x128b.b8x16.b6x16_p32"),
                0, shared, source.descriptor())),
            "");
  EXPECT_EQ(memory.at(1, 0), 0x04030201u);
  EXPECT_EQ(memory.at(1, 3), 0x04030201u);
}

} // namespace
