// Copies in registers: until 3.8 a reshape kept them, and since 3.9 it keeps those that #ttg.linear says.
// RUN: kernelscope opt --release=3.8 %s | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: kernelscope opt --release=3.9 %s | FileCheck %s --check-prefixes=CHECK,NEW

#wide = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#none = #ttg.linear<{register = [], lane = [[0], [0], [0], [0], [1]], warp = [[0], [0]], block = []}>
#copies = #ttg.linear<{register = [[0]], lane = [[0], [0], [0], [0], [1]], warp = [[0], [0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @f
  tt.func @f(%x: tensor<2xi32, #none>, %y: tensor<2xi32, #copies>) {
    // OLD: [[KEPT:%[a-z0-9_]+]] = tt.reshape %{{.*}} -> tensor<2x1xi32, #ttg.linear<{register = []{{.*}}>>
    // OLD: ttg.convert_layout [[KEPT]] : tensor<2x1xi32, #ttg.linear<{{.*}}>> -> tensor<2x1xi32, [[WIDE:#[a-z0-9]+]]>
    // NEW: tt.reshape %{{.*}} -> tensor<2x1xi32, [[WIDE:#[a-z0-9]+]]>
    %0 = tt.reshape %x : tensor<2xi32, #none> -> tensor<2x1xi32, #wide>
    // NEW: [[KEPT:%[a-z0-9_]+]] = tt.reshape %{{.*}} -> tensor<2x1xi32, #ttg.linear<{register = {{.*}}[0, 0]{{.*}}>>
    // NEW: ttg.convert_layout [[KEPT]] : tensor<2x1xi32, #ttg.linear<{{.*}}>> -> tensor<2x1xi32, [[WIDE]]>
    // OLD: tt.reshape %{{.*}} -> tensor<2x1xi32, [[WIDE]]>
    %1 = tt.reshape %y : tensor<2xi32, #copies> -> tensor<2x1xi32, #wide>
    tt.return
  }

  // A new dimension whose size is less than the layout's elements, as compilers of 3.9 make it of a row of scales.
  // CHECK-LABEL: @g
  tt.func @g(%x: tensor<2xi32, #ttg.slice<{dim = 1, parent = #wide}>>) {
    // OLD: tt.expand_dims %{{[a-z0-9]+}} {axis = 1 : i32} : tensor<2xi32
    // NEW: tt.reshape %{{[a-z0-9]+}} efficient_layout : tensor<2xi32
    %0 = tt.reshape %x efficient_layout : tensor<2xi32, #ttg.slice<{dim = 1, parent = #wide}>> -> tensor<2x1xi32, #wide>
    tt.return
  }
}
