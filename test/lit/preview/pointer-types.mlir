// A pointer type of a buffer access that is not the operand's is an error of a preview and of a run, also where another word of the file
// is put into our spelling.
// RUN: not kernelscope preview %s --arch gfx950 2>&1 | FileCheck %s
// RUN: not kernelscope run %s --device cpu 2>&1 | FileCheck %s
// RUN: not kernelscope check %s 2>&1 | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @kernel(%p: !tt.ptr<f16>) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>
    // CHECK: pointer-types.mlir:[[#@LINE+1]]:{{.*}}: error: '%p' is used as '!tt.ptr<f32>', but its type is '!tt.ptr<f16>'
    %x = amdg.buffer_load %p[%i] : !tt.ptr<f32> -> tensor<1024xf16, #b>
    amdg.buffer_store %x, %p[%i] {cachePolicy = #tt.cache_policy<cache_modifier = cs, eviction_policy = evict_normal>} : !tt.ptr<f16> -> tensor<1024xf16, #b>
    tt.return
  }
}
