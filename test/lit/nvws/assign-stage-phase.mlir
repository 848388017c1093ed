// Each owner of a side counts the stages that it enters; a stage goes where its token goes.
// RUN: kernelscope opt %s --nvws-assign-stage-phase --split-input-file --verify-diagnostics | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x8x8xf16, #shared, #smem, mutable>
!tile = !ttg.memdesc<8x8xf16, #shared, #smem, mutable>
!aref = !nvws.aref<[!ring]>
!token = !ttg.async.token
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // The first put is at stage 0 with phase 1, the first get with phase 0.
  // CHECK-LABEL: @loop
  tt.func @loop(%ring: !ring, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: %[[AREF:[a-z0-9_]+]] = nvws.aref.create
    %aref = nvws.aref.create %ring : !aref
    // CHECK: %[[LASTG:[a-z0-9_]+]] = arith.constant 1 : i32
    // CHECK: %[[BEFOREG:[a-z0-9_]+]] = arith.constant 1 : i32
    // CHECK: %[[LASTP:[a-z0-9_]+]] = arith.constant 1 : i32
    // CHECK: %[[BEFOREP:[a-z0-9_]+]] = arith.constant 0 : i32
    // CHECK: scf.for {{.*}} iter_args(%[[PS:[a-z0-9_]+]] = %[[LASTP]], %[[PP:[a-z0-9_]+]] = %[[BEFOREP]], %[[GS:[a-z0-9_]+]] = %[[LASTG]], %[[GP:[a-z0-9_]+]] = %[[BEFOREG]])
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: %[[NEXT:[a-z0-9_]+]] = arith.addi %[[PS]],
      // CHECK: %[[WRAPS:[a-z0-9_]+]] = arith.cmpi eq, %[[NEXT]],
      // CHECK: %[[FLIPPED:[a-z0-9_]+]] = arith.xori %[[PP]],
      // CHECK: %[[STAGE:[a-z0-9_]+]] = arith.select %[[WRAPS]], {{.*}}, %[[NEXT]]
      // CHECK: %[[PHASE:[a-z0-9_]+]] = arith.select %[[WRAPS]], %[[FLIPPED]], %[[PP]]
      // CHECK: nvws.aref.put.enter %[[AREF]][%[[STAGE]], %[[PHASE]]]
      %w, %p = nvws.aref.put.enter %aref : !aref -> !tile, !token
      // CHECK: nvws.aref.put.exit %[[AREF]][%[[STAGE]]]
      nvws.aref.put.exit %aref, %p [#nvws.async_op<none>] : !aref, !token
      // CHECK: nvws.aref.get.enter %[[AREF]][%[[GSTAGE:[a-z0-9_]+]], %[[GPHASE:[a-z0-9_]+]]]
      %r, %g = nvws.aref.get.enter %aref : !aref -> !tile, !token
      // CHECK: nvws.aref.get.exit %[[AREF]][%[[GSTAGE]]]
      nvws.aref.get.exit %aref, %g [#nvws.async_op<none>] : !aref, !token
      // CHECK-NEXT: scf.yield %[[STAGE]], %[[PHASE]], %[[GSTAGE]], %[[GPHASE]]
    }
    tt.return
  }

  // A region that spans iterations: its stage goes around the loop, as its token does.
  // CHECK-LABEL: @across
  tt.func @across(%ring: !ring, %n: i32, %last: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %aref = nvws.aref.create %ring : !aref
    // CHECK: nvws.aref.put.enter %{{.*}}[%[[S0:[a-z0-9_]+]], %[[P0:[a-z0-9_]+]]]
    %w, %first = nvws.aref.put.enter %aref : !aref -> !tile, !token
    // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[S:[a-z0-9_]+]] = %[[S0]], %[[P:[a-z0-9_]+]] = %[[P0]], %[[OPEN:[a-z0-9_]+]] = %[[S0]])
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%open = %first) -> (!token) : i32 {
      // CHECK: nvws.aref.buffer %{{.*}}[%[[OPEN]]]
      %b = nvws.aref.buffer %aref, %open : !aref, !token -> !tile
      // CHECK: %[[IF:[a-z0-9_]+]]:4 = scf.if
      %next = scf.if %last -> (!token) {
        nvws.aref.put.exit %aref, %open [#nvws.async_op<none>] : !aref, !token
        // CHECK: nvws.aref.put.enter %{{.*}}[%[[S1:[a-z0-9_]+]], %[[P1:[a-z0-9_]+]]]
        %x, %token = nvws.aref.put.enter %aref : !aref -> !tile, !token
        // CHECK: scf.yield %{{.*}}, %[[S1]], %[[P1]], %[[S1]]
        scf.yield %token : !token
      } else {
        // CHECK: scf.yield %{{.*}}, %[[S]], %[[P]], %[[OPEN]]
        scf.yield %open : !token
      }
      // CHECK: scf.yield %[[IF]]#0, %[[IF]]#1, %[[IF]]#2, %[[IF]]#3
      scf.yield %next : !token
    }
    nvws.aref.put.exit %aref, %end [#nvws.async_op<none>] : !aref, !token
    tt.return
  }

  // While loops carry them through both regions.
  // CHECK-LABEL: @while
  tt.func @while(%ring: !ring, %go: i1) {
    %aref = nvws.aref.create %ring : !aref
    // CHECK: scf.while (%[[S:[a-z0-9_]+]] = %{{.*}}, %[[P:[a-z0-9_]+]] = %{{.*}}) : (i32, i32) -> (i32, i32)
    scf.while : () -> () {
      // CHECK: scf.condition(%{{.*}}) %[[S]], %[[P]]
      scf.condition(%go)
    } do {
      // CHECK: nvws.aref.get.enter %{{.*}}[%[[S1:[a-z0-9_]+]], %[[P1:[a-z0-9_]+]]]
      %r, %g = nvws.aref.get.enter %aref : !aref -> !tile, !token
      nvws.aref.get.exit %aref, %g [#nvws.async_op<none>] : !aref, !token
      // CHECK: scf.yield %[[S1]], %[[P1]]
      scf.yield
    }
    tt.return
  }

  // New values belong to the partition that counts; those that are computed stay.
  // CHECK-LABEL: @marked
  tt.func @marked(%ring: !ring, %n: i32, %s: i32, %p: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %aref = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %w, %put = nvws.aref.put.enter %aref {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
      // CHECK: arith.select {{.*}} {ttg.partition = array<i32: 1>}
      // CHECK: nvws.aref.get.enter %{{.*}}[%{{.*}}, %{{.*}}] {ttg.partition = array<i32: 0>}
      %r, %get = nvws.aref.get.enter %aref[%s, %p] {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
      // CHECK: ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]
      scf.yield
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>}
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
!ring = !ttg.memdesc<2x8x8xf16, #shared, #ttg.shared_memory, mutable>
!tile = !ttg.memdesc<8x8xf16, #shared, #ttg.shared_memory, mutable>
!aref = !nvws.aref<[!ring]>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @restarts(%ring: !ring, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-note @below {{created here}}
    %aref = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-error @below {{starts its warps again in every iteration of a loop, but uses a reference from outside the loop; create the reference in the loop}}
      nvws.warp_group
      partition0 num_warps(4) {
        %w, %put = nvws.aref.put.enter %aref : !aref -> !tile, !ttg.async.token
        nvws.warp_group.return
      }
    }
    tt.return
  }

  tt.func @unknown(%ring: !ring, %token: !ttg.async.token) {
    %aref = nvws.aref.create %ring : !aref
    %w, %put = nvws.aref.put.enter %aref : !aref -> !tile, !ttg.async.token
    nvws.aref.put.exit %aref, %token [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
}
