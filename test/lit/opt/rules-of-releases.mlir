// What all releases have, but some reject by a rule of their own, stays, with a warning on its line.
// RUN: kernelscope opt --release=3.5 %s 2>&1 >/dev/null | FileCheck %s --check-prefix=UNTIL35 --implicit-check-not=warning
// RUN: kernelscope opt --release=3.7 %s 2>&1 >/dev/null | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: kernelscope opt --release=3.8 %s 2>&1 >/dev/null | FileCheck %s --check-prefixes=ONLY38,SINCE38 --implicit-check-not=warning
// RUN: kernelscope opt --release=3.9 %s 2>&1 >/dev/null | FileCheck %s --check-prefix=SINCE38 --implicit-check-not=warning
// RUN: kernelscope check --release=3.8 %s | FileCheck %s --check-prefix=HINT
// NONE-NOT: warning
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#square = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#lanes = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#narrow = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  tt.func @f(%acc: !ttg.memdesc<128x128xf32, #wide, #tmem, mutable>, %bytes: !ttg.memdesc<4096xi8, #shared, #smem, mutable>) {
    // SINCE38-DAG: :[[@LINE+1]]: warning: Triton 3.{{[89]}} rejects this 'ttng.tmem_subslice': the source and the result must have the same layout
    %narrow = ttng.tmem_subslice %acc {offset = 0 : i32} : !ttg.memdesc<128x128xf32, #wide, #tmem, mutable> -> !ttg.memdesc<128x64xf32, #narrow, #tmem, mutable, 128x128>
    %part = ttng.tmem_subslice %acc {offset = 64 : i32} : !ttg.memdesc<128x128xf32, #wide, #tmem, mutable> -> !ttg.memdesc<128x64xf32, #wide, #tmem, mutable, 128x128>
    // UNTIL35-DAG: :[[@LINE+1]]: warning: Triton 3.5 rejects this 'ttng.tmem_load': a part of a buffer must be as wide as a block of its layout
    %sum = ttng.tmem_load %part : !ttg.memdesc<128x64xf32, #wide, #tmem, mutable, 128x128> -> tensor<128x64xf32, #lanes>
    %half = ttg.memdesc_subslice %bytes[0] : !ttg.memdesc<4096xi8, #shared, #smem, mutable> -> !ttg.memdesc<2048xi8, #shared, #smem, mutable, 4096>
    // ONLY38-DAG: :[[@LINE+2]]: warning: Triton 3.8 rejects this 'ttg.memdesc_reinterpret': the source must not be a part of a buffer
    // HINT: :[[@LINE+1]]:{{.*}} hint: Triton 3.8 rejects this 'ttg.memdesc_reinterpret'
    %words = ttg.memdesc_reinterpret %half : !ttg.memdesc<2048xi8, #shared, #smem, mutable, 4096> -> !ttg.memdesc<32x16xi32, #square, #smem, mutable>
    tt.return
  }
}
