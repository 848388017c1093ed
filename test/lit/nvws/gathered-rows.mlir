// A partition gathers rows by numbers that are laid out for anything: TMA takes four neighbours in each thread.
// RUN: kernelscope opt --nvws-to-ttgir %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: echo '{"grid": [1], "arguments": {"arg0": {"shape": [64, 32]}, "arg1": {"shape": [32, 32]}, "arg2": 4}}' > %t.json
// RUN: kernelscope run %s --device cpu --sanitize=none --spec %t.json > %t.txt
// RUN: kernelscope run %t.mlir --device cpu --schedule seed:5 --spec %t.json >> %t.txt
// RUN: kernelscope run %t.mlir --device sim --spec %t.json >> %t.txt
// RUN: FileCheck %s --check-prefix=SAME < %t.txt
#off = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#r = #ttg.slice<{dim = 1, parent = #b}>
#c = #ttg.slice<{dim = 0, parent = #b}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // SAME: checksum [[SUM:[0-9a-f]+]]
  // SAME: checksum [[SUM]]
  // SAME: on sim
  // SAME: checksum [[SUM]]
  // CHECK: partition0(
  // CHECK: %[[ROWS:.*]] = ttg.convert_layout %{{.*}} -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #{{.*}}}>>
  // CHECK: ttng.async_tma_gather %{{.*}}[%[[ROWS]],
  tt.func public @rows(%d: !tt.tensordesc<1x32xf32, #shared>, %to: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #off>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #r>
    %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #c>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32, #r> -> tensor<32x1xi32, #b>
    %je = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #c> -> tensor<1x32xi32, #b>
    %w = arith.constant dense<32> : tensor<32x1xi32, #b>
    %il = arith.muli %ie, %w : tensor<32x1xi32, #b>
    %ib = tt.broadcast %il : tensor<32x1xi32, #b> -> tensor<32x32xi32, #b>
    %jb = tt.broadcast %je : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
    %at = arith.addi %ib, %jb : tensor<32x32xi32, #b>
    %p = tt.splat %to : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
    %ps = tt.addptr %p, %at : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #b>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32, #b>) : i32 {
      %ks = tt.splat %k {ttg.partition = array<i32: 1>} : i32 -> tensor<32xi32, #off>
      %xs = arith.addi %x, %ks {ttg.partition = array<i32: 1>} : tensor<32xi32, #off>
      %v = tt.descriptor_gather %d[%xs, %c0] {ttg.partition = array<i32: 1>} : (!tt.tensordesc<1x32xf32, #shared>, tensor<32xi32, #off>, i32) -> tensor<32x32xf32, #b>
      %next = arith.addf %s, %v {ttg.partition = array<i32: 0>} : tensor<32x32xf32, #b>
      scf.yield {ttg.partition = array<i32: 0, 1>} %next : tensor<32x32xf32, #b>
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.store %ps, %sum : tensor<32x32x!tt.ptr<f32>, #b>
    tt.return
  }
}
