// A comment or an option turns a warning off.
// RUN: kernelscope check %s | FileCheck %s
// RUN: kernelscope check --allow barrier-arrivals %s | count 0
// RUN: kernelscope check --allow phase-parity --format=json %s | FileCheck %s --check-prefix=JSON
// RUN: kernelscope check --format=sarif %s | FileCheck %s --check-prefix=SARIF
// JSON: "severity": "warning",
// JSON-NEXT: "code": "barrier-arrivals",
// SARIF: "ruleId": "barrier-arrivals",
// SARIF-NEXT: "level": "warning",
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @f(%i: i32) {
    %a = ttg.local_alloc : () -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: {{.*}} [barrier-arrivals]
    ttng.init_barrier %a, 1 : !barrier
    ttng.arrive_barrier %a, 2 : !barrier
    // CHECK-NOT: warning:
    %b = ttg.local_alloc : () -> !barrier
    // kernelscope: allow(barrier-arrivals)
    ttng.init_barrier %b, 1 : !barrier
    ttng.arrive_barrier %b, 2 : !barrier
    %c = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %c, 1 : !barrier // kernelscope: allow(phase-parity, barrier-arrivals)
    ttng.arrive_barrier %c, 2 : !barrier
    tt.return
  }
}
// CHECK: 1 warning{{$}}
