// Words of bytes that are read from LDS one by one: three v_perm_b32 for four bytes where memory has ECC, so that no load fills half
// of a register.
// RUN: kernelscope preview %s --emit amdgcn | FileCheck %s
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=SIM
// CHECK-COUNT-8: ds_read_u8
// CHECK-COUNT-6: v_perm_b32
// CHECK-NOT: {{v_perm|v_lshl_or|v_lshlrev_b16}}
// CHECK: v_mfma_f32_16x16x32_fp8_fp8
// SIM: differs from the CPU executor by at most 0.000e+00
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [16, 16, 32], isTransposed = false}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [32, 2], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @product(%p: !tt.ptr<f8E4M3FNUZ> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32>) {
    %width = arith.constant dense<16> : tensor<32x1xi32, #rows>
    %m = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %n = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %row = tt.expand_dims %m {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<32x1xi32, #rows>
    %start = arith.muli %row, %width : tensor<32x1xi32, #rows>
    %column = tt.expand_dims %n {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x16xi32, #rows>
    %i = tt.broadcast %start : tensor<32x1xi32, #rows> -> tensor<32x16xi32, #rows>
    %j = tt.broadcast %column : tensor<1x16xi32, #rows> -> tensor<32x16xi32, #rows>
    %at = arith.addi %i, %j : tensor<32x16xi32, #rows>
    %x = amdg.buffer_load %p[%at] : tensor<32x16xf8E4M3FNUZ, #rows>
    %memory = ttg.local_alloc %x : (tensor<32x16xf8E4M3FNUZ, #rows>) -> !ttg.memdesc<32x16xf8E4M3FNUZ, #s, #smem>
    %right = ttg.local_load %memory : !ttg.memdesc<32x16xf8E4M3FNUZ, #s, #smem> -> tensor<32x16xf8E4M3FNUZ, #b>
    %left = arith.constant dense<1.0> : tensor<16x32xf8E4M3FNUZ, #a>
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #mma>
    %d = tt.dot %left, %right, %zero : tensor<16x32xf8E4M3FNUZ, #a> * tensor<32x16xf8E4M3FNUZ, #b> -> tensor<16x16xf32, #mma>
    %to = tt.splat %q : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #mma>
    %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %c = tt.expand_dims %r {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x16xi32, #mma>
    %places = tt.broadcast %c : tensor<1x16xi32, #mma> -> tensor<16x16xi32, #mma>
    %target = tt.addptr %to, %places : tensor<16x16x!tt.ptr<f32>, #mma>, tensor<16x16xi32, #mma>
    tt.store %target, %d : tensor<16x16x!tt.ptr<f32>, #mma>
    tt.return
  }
}
