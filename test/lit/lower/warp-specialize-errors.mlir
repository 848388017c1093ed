// RUN: kernelscope opt %s --ttgir-to-llvm --split-input-file --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @too_many() {
    // expected-error @below {{needs 36 warps; a block can have 32}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(32) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @twice() {
    // expected-error @below {{assigns warp 5 to partitions 0 and 1; a warp runs only one}}
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4, 5>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(2) {
      ttg.warp_return
    }
    partition1() num_warps(2) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @own() {
    // expected-error @below {{starts partition 0 at warp 2; partitions can start only from warp 4 on}}
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 2>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(2) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @greedy() {
    // expected-error @below {{leaves fewer than 24 registers to each thread of the default region: a block with 12 warps has 168 per thread}}
    ttg.warp_specialize() attributes {requestedRegisters = array<i32: 256>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(8) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @uneven() {
    // expected-error @below {{requests registers for 2 partitions; it has 1}}
    ttg.warp_specialize() attributes {requestedRegisters = array<i32: 24, 24>}
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

#four = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @tensor(%x: tensor<128xi32, #four>) {
    // expected-error @below {{but each warp holds only a part of it; pass a buffer in shared memory instead}}
    ttg.warp_specialize(%x)
    default {
      ttg.warp_yield
    }
    partition0(%y: tensor<128xi32, #four>) num_warps(4) {
      ttg.warp_return
    } : (tensor<128xi32, #four>) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @amd() {
    // expected-error @below {{'ttg.warp_specialize' has no instruction on gfx942; it has one on sm_80, sm_86,}}
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
