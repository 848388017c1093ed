// Printing is a call of C's printf, from one thread for each element, in the words of a run on the CPU; a failed
// assertion says where it stands.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s --check-prefixes=CHECK,NV
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1201 | FileCheck %s --check-prefixes=CHECK,AMD

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-DAG: "{{.*}}must hold{{[^,]*}}"
  // CHECK-DAG: "{{.*}}must hold, too
  // CHECK-DAG: "program (%u, %u, %u), warp %u, thread %u, element [%u] 100%%: 0x%08x\0A\00"
  // CHECK-DAG: "program (%u, %u, %u), warp %u, thread %u x: %f\0A\00"
  // CHECK-DAG: "program (%u, %u, %u), warp %u, thread %u x: %lld\0A\00"
  // Four elements of a thread have one format.
  // CHECK: "program (%u, %u, %u), warp %u, thread %u, element [%u] each: %d\0A\00"
  // CHECK-NOT: each:
  // CHECK-LABEL: kernelcc @print(
  // NV: llvm.alloca
  // CHECK: llvm.cond_br
  // NV: llvm.call @vprintf
  // AMD: llvm.call @__ockl_printf_begin
  // AMD: llvm.call @__ockl_printf_append_string_n
  // AMD: llvm.call @__ockl_printf_append_args
  // CHECK: llvm.return
  tt.func public @print(%x: f16, %n: i64, %bits: tensor<128xi32, #line>, %holds: i1,
                            %four: tensor<512xi32, #line>) {
    tt.print " each: " {hex = false, isSigned = array<i32: 1>} : %four : tensor<512xi32, #line>
    tt.print " x: " {hex = false, isSigned = array<i32: 0, 1>} : %x, %n : f16, i64
    tt.print " 100%: " {hex = true, isSigned = array<i32: 1>} : %bits : tensor<128xi32, #line>
    tt.assert %holds, "must hold" : i1
    cf.assert %holds, "must hold, too"
    tt.return
  }
}
