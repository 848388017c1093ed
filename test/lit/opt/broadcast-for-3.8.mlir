// Until 3.8 a broadcast kept its layout, and a reshape its copies in registers.
// RUN: kernelscope opt --release=3.8 %s | FileCheck %s
// RUN: kernelscope opt --release=3.9 %s | FileCheck %s --check-prefix=SAME

#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#narrow = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @f
  // SAME-LABEL: @f
  // SAME-NOT: convert_layout
  // SAME-NOT: expand_dims
  tt.func @f(%x: tensor<16x1xf32, #narrow>, %row: tensor<16xf32, #ttg.slice<{dim = 1, parent = #wide}>>,
             %other: tensor<16xf32, #ttg.slice<{dim = 1, parent = #narrow}>>) {
    // CHECK: tt.broadcast %arg0 : tensor<16x1xf32, [[NARROW:#[a-z0-9]+]]> -> tensor<16x64xf32, [[NARROW]]>
    %0 = tt.broadcast %x : tensor<16x1xf32, #narrow> -> tensor<16x64xf32, #narrow>
    // CHECK: [[SOURCE:%[a-z0-9_]+]] = ttg.convert_layout %arg0 : tensor<16x1xf32, [[NARROW]]> -> tensor<16x1xf32, [[WIDE:#[a-z0-9]+]]>
    // CHECK: tt.broadcast [[SOURCE]] : tensor<16x1xf32, [[WIDE]]> -> tensor<16x64xf32, [[WIDE]]>
    %1 = tt.broadcast %x : tensor<16x1xf32, #narrow> -> tensor<16x64xf32, #wide>
    // CHECK: tt.expand_dims %arg1 {axis = 1 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = [[WIDE]]}>> -> tensor<16x1xf32, [[WIDE]]>
    %2 = tt.reshape %row : tensor<16xf32, #ttg.slice<{dim = 1, parent = #wide}>> -> tensor<16x1xf32, #wide>
    // CHECK: tt.reshape %arg2
    %3 = tt.reshape %other : tensor<16xf32, #ttg.slice<{dim = 1, parent = #narrow}>> -> tensor<16x1xf32, #narrow>
    tt.return
  }
}
