// Where the text waits for copies to LDS, loads of LDS are marked as not aliasing them, and barriers wait for the wave's own accesses only:
// LLVM adds no wait for copies.
// RUN: kernelscope preview %s --emit llvm | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK: call void @llvm.amdgcn.global.load.lds({{.*}}!alias.scope ![[SCOPE:[0-9]+]]
  // CHECK: load <8 x half>, ptr addrspace(3) {{.*}}!noalias ![[SCOPE]]
  // CHECK: load <8 x half>, ptr addrspace(3) {{.*}}!noalias ![[SCOPE]]
  // CHECK: ret void
  tt.func public @loads(%src: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %dst: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %which: i1) {
    %i = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>
    %from = tt.splat %src : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #b>
    %at = tt.addptr %from, %i : tensor<512x!tt.ptr<f16>, #b>, tensor<512xi32, #b>
    %to = tt.splat %dst : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #b>
    %place = tt.addptr %to, %i : tensor<512x!tt.ptr<f16>, #b>, tensor<512xi32, #b>
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<512xf16, #shared, #smem, mutable>
    %other = ttg.local_alloc : () -> !ttg.memdesc<512xf16, #shared, #smem, mutable>
    %copy = ttg.async_copy_global_to_local %at, %buffer {contiguity = 8 : i32} : tensor<512x!tt.ptr<f16>, #b> -> <512xf16, #shared, #smem, mutable>
    %group = ttg.async_commit_group tokens %copy
    %token = scf.if %which -> (!ttg.async.token) {
      %near = ttg.async_wait %group {num = 0 : i32}
      scf.yield %near : !ttg.async.token
    } else {
      %far = ttg.async_wait %group {num = 0 : i32}
      scf.yield %far : !ttg.async.token
    }
    %x = ttg.local_load %buffer token %token : !ttg.memdesc<512xf16, #shared, #smem, mutable> -> tensor<512xf16, #b>
    %y = ttg.local_load %other : !ttg.memdesc<512xf16, #shared, #smem, mutable> -> tensor<512xf16, #b>
    %sum = arith.addf %x, %y : tensor<512xf16, #b>
    tt.store %place, %sum : tensor<512x!tt.ptr<f16>, #b>
    tt.return
  }
}
