// Stores to LDS whose addresses differ in a constant stand beside each other, so that LLVM joins each two of them.
// RUN: kernelscope preview %s --emit amdgcn | FileCheck %s
// RUN: kernelscope run %s --device sim --arch gfx942 --compare | FileCheck %s --check-prefix=SIM
// CHECK-LABEL: stored:
// CHECK-NOT: ds_write_b64
// CHECK-COUNT-2: ds_write2st64_b64
// CHECK-NOT: ds_write_b64
// SIM: differs from the CPU executor by at most 0.000e+00
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
#columns = #ttg.slice<{dim = 0, parent = #blocked}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @stored(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %stride = arith.constant dense<32> : tensor<128x1xi32, #blocked>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #rows>
    %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #columns>
    %row = tt.expand_dims %i {axis = 1 : i32} : tensor<128xi32, #rows> -> tensor<128x1xi32, #blocked>
    %column = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #columns> -> tensor<1x32xi32, #blocked>
    %start = arith.muli %row, %stride : tensor<128x1xi32, #blocked>
    %a = tt.broadcast %start : tensor<128x1xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %b = tt.broadcast %column : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %offsets = arith.addi %a, %b : tensor<128x32xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %q = tt.addptr %ps, %offsets : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %to = tt.addptr %outs, %offsets : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %x = tt.load %q : tensor<128x32x!tt.ptr<f16>, #blocked>
    %m = ttg.local_alloc %x : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
    %y = ttg.local_load %m : !ttg.memdesc<128x32xf16, #shared, #smem> -> tensor<128x32xf16, #blocked>
    tt.store %to, %y : tensor<128x32x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
