// Padded 4-bit floats come from a tensor of bytes, each of two. Triton 3.6 wrote coordinates, which count floats; newer releases, whose
// modules have ttng.two-ctas, index bytes.
// RUN: kernelscope run %s --device cpu --spec %s.json | FileCheck %s --check-prefix=COORDINATE
// RUN: sed 's/num-ctas" = 1 : i32/&, "ttng.two-ctas" = false/' %s > %t.mlir
// RUN: kernelscope run %t.mlir --device cpu --spec %s.json | FileCheck %s --check-prefix=BYTE
// COORDINATE: first 16 17 18 19
// BYTE: first 32 33 34 35
#padded = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#r = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
!padded = !ttg.memdesc<64x64xi8, #padded, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @load(%from: !tt.tensordesc<64x64xui8, #padded>, %out: !tt.ptr<i8>) {
    %row = arith.constant 0 : i32
    %column = arith.constant 32 : i32
    %true = arith.constant true
    %m = ttg.local_alloc : () -> !padded
    %b = ttg.local_alloc : () -> !bar
    ttng.init_barrier %b, 1 : !bar
    ttng.barrier_expect %b, 4096, %true : !bar
    ttng.async_tma_copy_global_to_local %from[%row, %column] %m, %b, %true : !tt.tensordesc<64x64xui8, #padded>, !bar -> !padded
    ttng.wait_barrier %b, %row : !bar
    ttng.inval_barrier %b : !bar
    %x = ttg.local_load %m : !padded -> tensor<64x64xi8, #r>
    %width = arith.constant dense<64> : tensor<64x1xi32, #r>
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #r}>>
    %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #r}>> -> tensor<64x1xi32, #r>
    %j = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #r}>>
    %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #r}>> -> tensor<1x64xi32, #r>
    %down = arith.muli %rows, %width : tensor<64x1xi32, #r>
    %y = tt.broadcast %down : tensor<64x1xi32, #r> -> tensor<64x64xi32, #r>
    %z = tt.broadcast %columns : tensor<1x64xi32, #r> -> tensor<64x64xi32, #r>
    %at = arith.addi %y, %z : tensor<64x64xi32, #r>
    %base = tt.splat %out : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #r>
    %to = tt.addptr %base, %at : tensor<64x64x!tt.ptr<i8>, #r>, tensor<64x64xi32, #r>
    tt.store %to, %x : tensor<64x64x!tt.ptr<i8>, #r>
    tt.return
  }
}
