// Stages of a warp pipeline: the second half of eight warps is one border behind the first.
// RUN: kernelscope opt %s --split-input-file --verify-diagnostics --allocate-shared-memory --lower-warp-pipelines --insert-barriers | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [8], order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<512xf32, #plain, #smem, mutable>
!ring = !ttg.memdesc<3x512xf32, #plain, #smem, mutable>
!tile = tensor<512xf32, #b>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @no_shared_memory
  // CHECK: %[[WARP:.*]] = ttg.warp_id
  // CHECK: %[[LATER:.*]] = arith.cmpi sge, %[[WARP]], %c4_i32
  // CHECK-NEXT: amdg.cond_barrier %[[LATER]] {warp_pipeline.shift}
  // CHECK-NEXT: rocdl.s.setprio 2
  // CHECK: scf.for
  // CHECK-NEXT: tt.load
  // CHECK-NEXT: rocdl.sched.barrier 1
  // CHECK-NEXT: rocdl.s.setprio 0
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: rocdl.sched.barrier 1
  // CHECK-NEXT: rocdl.s.setprio 2
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: }
  // CHECK-NEXT: rocdl.s.setprio 0
  // CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi slt, %[[WARP]], %c4_i32
  // CHECK-NEXT: amdg.cond_barrier %[[FIRST]] {warp_pipeline.join}
  tt.func public @no_shared_memory(%p: tensor<512x!tt.ptr<f32>, #b>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = scf.execute_region -> !tile no_inline {
        %l = tt.load %p : tensor<512x!tt.ptr<f32>, #b>
        scf.yield %l : !tile
      } {triton.warp_pipeline.priority = 2 : i32, triton.warp_pipeline.stage = "load"}
      scf.execute_region no_inline {
        tt.store %p, %x : tensor<512x!tt.ptr<f32>, #b>
        scf.yield
      } {triton.warp_pipeline.stage = "store"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }

  // A function in which warps do not meet, nor use shared memory, is called out of phase.
  // CHECK-LABEL: @calls
  // CHECK: amdg.cond_barrier
  // CHECK: tt.call @each_warp
  tt.func public @calls(%p: tensor<512x!tt.ptr<f32>, #b>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = scf.execute_region -> !tile no_inline {
        %l = tt.load %p : tensor<512x!tt.ptr<f32>, #b>
        scf.yield %l : !tile
      } {triton.warp_pipeline.stage = "load"}
      scf.execute_region no_inline {
        %y = tt.call @each_warp(%x) : (!tile) -> !tile
        tt.store %p, %y : tensor<512x!tt.ptr<f32>, #b>
        scf.yield
      } {triton.warp_pipeline.stage = "store"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }
  tt.func private @each_warp(%x: !tile) -> !tile attributes {noinline = true} {
    %y = arith.addf %x, %x : !tile
    tt.return %y : !tile
  }

  // An atomic that releases is one of all warps: they stay in phase.
  // CHECK-LABEL: @releases
  // CHECK-NOT: amdg.cond_barrier
  // CHECK: ttg.barrier local|global_write
  // CHECK-NEXT: tt.atomic_rmw
  // CHECK: tt.return
  tt.func public @releases(%p: tensor<512x!tt.ptr<f32>, #b>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = scf.execute_region -> !tile no_inline {
        %l = tt.load %p : tensor<512x!tt.ptr<f32>, #b>
        scf.yield %l : !tile
      } {triton.warp_pipeline.stage = "load"}
      scf.execute_region no_inline {
        %old = tt.atomic_rmw fadd, release, gpu, %p, %x : (tensor<512x!tt.ptr<f32>, #b>, !tile) -> !tile
        scf.yield
      } {triton.warp_pipeline.stage = "add"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }

  // One stage stores while the other half is in the next one: there, one barrier more lets them pass in turn. A
  // barrier in front orders what was before.
  // CHECK-LABEL: @neighbours
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK: amdg.cond_barrier
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: rocdl.sched.barrier 1
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: ttg.local_load
  // CHECK: rocdl.sched.barrier 0
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK: amdg.cond_barrier
  tt.func public @neighbours(%x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : !tile -> !buffer
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region no_inline {
        ttg.local_store %x, %m : !tile -> !buffer
        scf.yield
      } {triton.warp_pipeline.stage = "store"}
      %y = scf.execute_region -> !tile no_inline {
        %l = ttg.local_load %m : !buffer -> !tile
        scf.yield %l : !tile
      } {triton.warp_pipeline.stage = "load"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }

  // With a stage between, the first of two barriers waits for shared memory, the second does not; after the load there
  // are two at once.
  // CHECK-LABEL: @next_but_one
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.local_store
  // CHECK: ttg.barrier local
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: ttg.local_load
  // CHECK: ttg.barrier local
  // CHECK-NEXT: rocdl.s.barrier
  tt.func public @next_but_one(%x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !buffer
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region no_inline {
        ttg.local_store %x, %m : !tile -> !buffer
        scf.yield
      } {triton.warp_pipeline.stage = "store"}
      scf.execute_region no_inline {
        %y = arith.mulf %x, %x : !tile
        scf.yield
      } {triton.warp_pipeline.stage = "math"}
      scf.execute_region no_inline {
        %l = ttg.local_load %m : !buffer -> !tile
        scf.yield
      } {triton.warp_pipeline.stage = "load"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }

  // A ring: slot k is loaded while slot k + 1 is stored, and read two barriers later. Counters tell slots apart; the load
  // of a slot is ordered before the store into it by the barriers of an iteration.
  // CHECK-LABEL: @ring
  // CHECK: scf.for
  // CHECK: ttg.local_load
  // CHECK-NOT: barrier local
  // CHECK: ttg.local_store
  // CHECK: rocdl.sched.barrier 0
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: scf.yield
  tt.func public @ring(%x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !ring
    scf.for %i = %c0 to %n step %c1 iter_args(%consumer = %c0, %producer = %c1) -> (i32, i32) : i32 {
      %next:2 = scf.execute_region -> (i32, i32) no_inline {
        %s = arith.remsi %consumer, %c3 : i32
        %from = ttg.memdesc_index %m[%s] : !ring -> !buffer
        %l = ttg.local_load %from : !buffer -> !tile
        %o = arith.addi %producer, %c1 : i32
        %wraps = arith.cmpi eq, %o, %c3 : i32
        %p = arith.select %wraps, %c0, %o : i32
        %to = ttg.memdesc_index %m[%producer] : !ring -> !buffer
        ttg.local_store %x, %to : !tile -> !buffer
        %c = arith.addi %consumer, %c1 : i32
        scf.yield %c, %p : i32, i32
      } {triton.warp_pipeline.stage = "memory"}
      scf.execute_region no_inline {
        %y = arith.mulf %x, %x : !tile
        scf.yield
      } {triton.warp_pipeline.stage = "math"}
      scf.yield %next#0, %next#1 : i32, i32
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }

  // A wait of the text is at the border, with the barrier that follows it.
  // CHECK-LABEL: @waits
  // CHECK: scf.for
  // CHECK: amdg.buffer_load_to_local
  // CHECK: rocdl.sched.barrier 0
  // CHECK-NEXT: amdg.async_wait
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: }
  // CHECK: amdg.cond_barrier
  tt.func public @waits(%p: !tt.ptr<f32>, %at: tensor<512xi32, #b>, %x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !buffer
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region no_inline {
        %l = ttg.local_load %m : !buffer -> !tile
        %t = amdg.buffer_load_to_local %p[%at] into %m : !tt.ptr<f32>[tensor<512xi32, #b>] -> <512xf32, #plain, #smem, mutable>
        ttg.async_commit_group tokens %t
        scf.yield
      } {triton.warp_pipeline.stage = "memory"}
      amdg.async_wait {num_inst = 0 : i32}
      scf.execute_region no_inline {
        %y = arith.mulf %x, %x : !tile
        scf.yield
      } {triton.warp_pipeline.stage = "math"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }

  // Stages in a row, as an unrolled loop leaves them.
  // CHECK-LABEL: @row
  // CHECK: amdg.cond_barrier %{{.*}} {warp_pipeline.shift}
  // CHECK-NEXT: ttg.local_store
  // CHECK: ttg.barrier local
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: ttg.local_load
  // CHECK: amdg.cond_barrier %{{.*}} {warp_pipeline.join}
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  tt.func public @row(%x: !tile) {
    %m = ttg.local_alloc : () -> !buffer
    scf.execute_region no_inline {
      ttg.local_store %x, %m : !tile -> !buffer
      scf.yield
    } {triton.warp_pipeline.stage = "store"}
    scf.execute_region no_inline {
      %l = ttg.local_load %m : !buffer -> !tile
      scf.yield
    } {triton.warp_pipeline.stage = "load"}
    ttg.local_store %x, %m : !tile -> !buffer
    tt.return
  }

  // All warps meet in a reduction across them, so they stay in phase.
  // CHECK-LABEL: @meets
  // CHECK-NOT: cond_barrier
  // CHECK: rocdl.s.setprio 1
  // CHECK: tt.reduce
  // CHECK: rocdl.s.setprio 0
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NOT: cond_barrier
  tt.func public @meets(%x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %s = scf.execute_region -> f32 no_inline {
        %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%a: f32, %b: f32):
          %add = arith.addf %a, %b : f32
          tt.reduce.return %add : f32
        }) : (!tile) -> f32
        scf.yield %sum : f32
      } {triton.warp_pipeline.priority = 1 : i32, triton.warp_pipeline.stage = "sum"}
      scf.execute_region no_inline {
        %y = arith.mulf %x, %x : !tile
        scf.yield
      } {triton.warp_pipeline.stage = "math"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<256xf32, #plain, #smem, mutable>
!tile = tensor<256xf32, #b>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // Four warps have no second half: barriers are where shared memory needs them.
  // CHECK-LABEL: @four_warps
  // CHECK-NOT: cond_barrier
  // CHECK-NOT: rocdl.s.barrier
  // CHECK: ttg.local_store
  // CHECK: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  tt.func public @four_warps(%x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !buffer
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region no_inline {
        ttg.local_store %x, %m : !tile -> !buffer
        scf.yield
      } {triton.warp_pipeline.stage = "store"}
      scf.execute_region no_inline {
        %y = arith.mulf %x, %x : !tile
        scf.yield
      } {triton.warp_pipeline.stage = "math"}
      scf.execute_region no_inline {
        %l = ttg.local_load %m : !buffer -> !tile
        scf.yield
      } {triton.warp_pipeline.stage = "load"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @between(%p: tensor<512x!tt.ptr<f32>, #b>, %x: tensor<512xf32, #b>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region no_inline {
        scf.yield
      } {triton.warp_pipeline.stage = "one"}
      // expected-error @+1 {{'tt.store' op accesses memory between the stages of a warp pipeline; it must be in a stage}}
      tt.store %p, %x : tensor<512x!tt.ptr<f32>, #b>
      scf.execute_region no_inline {
        scf.yield
      } {triton.warp_pipeline.stage = "two"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @alone(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-error @+1 {{'scf.for' op is a warp pipeline, which needs at least two stages, but it has 1}}
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region no_inline {
        scf.yield
      } {triton.warp_pipeline.stage = "one"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @urgent(%n: i32) {
    // expected-error @+1 {{'scf.execute_region' op has priority 70000 in its warp pipeline; it must be 0 to 3}}
    scf.execute_region no_inline {
      scf.yield
    } {triton.warp_pipeline.priority = 70000 : i32, triton.warp_pipeline.stage = "one"}
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [8], order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<512xf32, #plain, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // Inner stages become plain code first, and the outer ones run in phase: halves cannot fall back twice.
  // CHECK-LABEL: @nested
  // CHECK: scf.for
  // CHECK: amdg.cond_barrier {{.*}} {warp_pipeline.shift}
  // CHECK: amdg.cond_barrier {{.*}} {warp_pipeline.join}
  // CHECK-NOT: {{s.barrier|cond_barrier}}
  // CHECK: tt.return
  tt.func public @nested(%p: tensor<512x!tt.ptr<f32>, #b>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region no_inline {
        scf.execute_region no_inline {
          %x = tt.load %p : tensor<512x!tt.ptr<f32>, #b>
          scf.yield
        } {triton.warp_pipeline.stage = "inner 1"}
        scf.execute_region no_inline {
          %y = tt.load %p : tensor<512x!tt.ptr<f32>, #b>
          scf.yield
        } {triton.warp_pipeline.stage = "inner 2"}
        scf.yield
      } {triton.warp_pipeline.stage = "outer 1"}
      scf.execute_region no_inline {
        scf.yield
      } {triton.warp_pipeline.stage = "outer 2"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }

  // What the second wait completes needs two barriers after it, whatever the copies passed before.
  // CHECK-LABEL: @waits_twice
  // CHECK: ttg.async_wait {num = 1 : i32}
  // CHECK-NEXT: ttg.barrier local
  // CHECK: ttg.async_wait {num = 0 : i32}
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: ttg.local_load
  tt.func public @waits_twice(%p: tensor<512x!tt.ptr<f32>, #b>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = ttg.local_alloc : () -> !buffer
    %second = ttg.local_alloc : () -> !buffer
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region no_inline {
        %t1 = ttg.async_copy_global_to_local %p, %first : tensor<512x!tt.ptr<f32>, #b> -> !buffer
        %g1 = ttg.async_commit_group tokens %t1
        %t2 = ttg.async_copy_global_to_local %p, %second : tensor<512x!tt.ptr<f32>, #b> -> !buffer
        %g2 = ttg.async_commit_group tokens %t2
        scf.yield
      } {triton.warp_pipeline.stage = "copy"}
      %w1 = ttg.async_wait {num = 1 : i32}
      scf.execute_region no_inline {
        %w2 = ttg.async_wait {num = 0 : i32}
        %x = ttg.local_load %second : !buffer -> tensor<512xf32, #b>
        scf.yield
      } {triton.warp_pipeline.stage = "read"}
    } {triton.warp_pipeline.pipelined_for}
    tt.return
  }
}
