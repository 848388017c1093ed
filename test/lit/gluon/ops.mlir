// RUN: kernelscope opt --verify-diagnostics --split-input-file %s | FileCheck %s

// An open layout stays open through tt's ops.
// CHECK-LABEL: @open
tt.func @open(%a: tensor<4x8xf32, #gluon.auto_encoding>) -> tensor<1x4x8xf32, #gluon.auto_encoding> {
  // CHECK: tt.expand_dims %{{.*}} {axis = 0 : i32} : tensor<4x8xf32, #gluon.auto_encoding> -> tensor<1x4x8xf32, #gluon.auto_encoding>
  %0 = tt.expand_dims %a {axis = 0 : i32} : tensor<4x8xf32, #gluon.auto_encoding> -> tensor<1x4x8xf32, #gluon.auto_encoding>
  // CHECK: gluon.set_auto_layout %{{.*}} : tensor<4x8xf32, #gluon.auto_encoding> -> tensor<4x8xf32, #gluon.coalesced_encoding>
  %1 = gluon.set_auto_layout %a : tensor<4x8xf32, #gluon.auto_encoding> -> tensor<4x8xf32, #gluon.coalesced_encoding>
  tt.return %0 : tensor<1x4x8xf32, #gluon.auto_encoding>
}

// -----

tt.func @source(%a: tensor<8xf32, #gluon.coalesced_encoding>) {
  // expected-error @below {{needs a source with #gluon.auto_encoding}}
  %0 = gluon.set_auto_layout %a : tensor<8xf32, #gluon.coalesced_encoding> -> tensor<8xf32, #gluon.coalesced_encoding>
  tt.return
}

// -----

tt.func @result(%a: tensor<8xf32, #gluon.auto_encoding>) {
  // expected-error @below {{needs a result with a concrete layout}}
  %0 = gluon.set_auto_layout %a : tensor<8xf32, #gluon.auto_encoding> -> tensor<8xf32, #gluon.auto_encoding>
  tt.return
}
