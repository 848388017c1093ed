// If nothing in the input shows its release, as in the generic form, opt prints the newest spelling.
// RUN: kernelscope opt %s | FileCheck %s --check-prefix=NEWEST
// RUN: kernelscope opt %s --release=3.8 | FileCheck %s --check-prefix=OLDER

// NEWEST: tt.load %arg0 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal>} : !tt.ptr<f32>
// OLDER: tt.load %arg0 cacheModifier = cg : !tt.ptr<f32>
tt.func public @copy(%from: !tt.ptr<f32>) {
  %v = "tt.load"(%from) <{cache = 3 : i32, evict = 1 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<f32>) -> f32
  tt.return
}
