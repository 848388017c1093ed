// RUN: kernelscope opt %s --split-input-file --verify-diagnostics --inline-into-kernels

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @nested() {
    ttg.warp_specialize()
    default {
      // expected-note @below {{called here}}
      tt.call @callee() : () -> ()
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
  tt.func private @callee() {
    // expected-error @below {{is in a function that a region of 'ttg.warp_specialize' calls, which cannot be inlined; only a kernel itself can have it}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @kernel() {
    tt.call @a() : () -> ()
    tt.return
  }
  tt.func private @a() {
    // expected-error @below {{is in a function that calls itself}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    // expected-note @below {{called here}}
    tt.call @b() : () -> ()
    tt.return
  }
  tt.func private @b() {
    tt.call @a() : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @loop(%n: i32, %skip: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-note @below {{called here}}
      tt.call @early(%skip) : (i1) -> ()
    }
    tt.return
  }
  tt.func private @early(%skip: i1) {
    cf.cond_br %skip, ^early, ^work
  ^early:
    tt.return
  ^work:
    // expected-error @below {{is in a function of several blocks that is called inside 'scf.for', which cannot be inlined}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}
