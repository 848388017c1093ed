// Accesses that no hardware has.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 --verify-diagnostics -o /dev/null

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @modifiers(%a: !tt.ptr<i32>) {
    // expected-error @below {{does not support the cache modifier 'wb'; it supports 'ca', 'cg', 'cs', 'cv'}}
    %x = tt.load %a cacheModifier = wb : !tt.ptr<i32>
    // expected-error @below {{does not support the cache modifier 'cv'; it supports 'wb', 'cg', 'cs', 'wt'}}
    tt.store %a, %x cacheModifier = cv : !tt.ptr<i32>
    tt.return
  }
}
