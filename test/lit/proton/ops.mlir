// RUN: kernelscope opt %s | kernelscope opt | FileCheck %s

// CHECK-LABEL: @ops
tt.func @ops() {
  // CHECK: proton.record start "work"
  proton.record start "work"
  // CHECK: %[[E:.*]] = proton.allocate_event "copy" : i32
  %0 = proton.allocate_event "copy" : i32
  // CHECK: proton.event start %[[E]] : i32
  proton.event start %0 : i32
  // CHECK: proton.event end %[[E]] : i32
  proton.event end %0 : i32
  // CHECK: proton.record end "work"
  proton.record end "work"
  tt.return
}
