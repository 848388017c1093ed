// AMD's data mover: a scatter of fewer rows than the memory has moves the first ones, and a block that begins before the tensor is
// outside of it, so that a load of it returns zeros.
// RUN: kernelscope run %s --kernel scatters --device cpu --spec %s.json | FileCheck %s --check-prefix=ROWS
// RUN: kernelscope run %s --kernel before --device cpu --spec %s.json | FileCheck %s --check-prefix=BEFORE
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<16x32xi16, #s>
!memory = !ttg.memdesc<16x32xi16, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Rows 0 and 1 of 16 go to rows 0 and 1 of the tensor.
  // ROWS: outputs
  // ROWS: out {{ *}}i16[64]
  // ROWS-NEXT: first 7 7 7 7
  // ROWS-NEXT: minimum 7, maximum 7
  tt.func public @scatters(%in: !tt.ptr<i16> {tt.divisibility = 16 : i32} loc("in"), %out: !tt.ptr<i16> {tt.divisibility = 16 : i32} loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %stride = arith.constant 32 : i64
    %one = arith.constant 1 : i64
    %m = ttg.local_alloc : () -> !memory
    %from = tt.make_tensor_descriptor %in, [%c16, %c32], [%stride, %one] : !tt.ptr<i16>, !desc
    %copy = amdg.async_tdm_copy_global_to_local %from into %m : !desc -> !memory
    %loaded = amdg.async_tdm_wait {num = 0 : i32}
    %to = tt.make_tensor_descriptor %out, [%c2, %c32], [%stride, %one] : !tt.ptr<i16>, !desc
    %i = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %scatter = amdg.async_tdm_scatter %to[%i] from %m : tensor<2xi32, #ttg.slice<{dim = 1, parent = #rows}>>, !memory -> !desc
    %stored = amdg.async_tdm_wait {num = 0 : i32}
    tt.return
  }

  // BEFORE: outputs
  // BEFORE: out {{ *}}i16[512]
  // BEFORE-NEXT: first 0 0 0 0
  // BEFORE-NEXT: minimum 0, maximum 0
  tt.func public @before(%in: !tt.ptr<i16> {tt.divisibility = 16 : i32} loc("in"), %out: !tt.ptr<i16> {tt.divisibility = 16 : i32} loc("out")) {
    %back = arith.constant -1 : i32
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %width = arith.constant dense<32> : tensor<16x1xi32, #b>
    %stride = arith.constant 32 : i64
    %one = arith.constant 1 : i64
    %m = ttg.local_alloc : () -> !memory
    %from = tt.make_tensor_descriptor %in, [%c16, %c32], [%stride, %one] : !tt.ptr<i16>, !desc
    %moved = amdg.update_tensor_descriptor %from add_offsets = [%back, %c0] {clamp_bounds} : !desc
    %copy = amdg.async_tdm_copy_global_to_local %moved into %m : !desc -> !memory
    %loaded = amdg.async_tdm_wait {num = 0 : i32}
    %v = ttg.local_load %m : !memory -> tensor<16x32xi16, #b>
    %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %j = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<16x1xi32, #b>
    %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
    %down = arith.muli %rows, %width : tensor<16x1xi32, #b>
    %x = tt.broadcast %down : tensor<16x1xi32, #b> -> tensor<16x32xi32, #b>
    %y = tt.broadcast %columns : tensor<1x32xi32, #b> -> tensor<16x32xi32, #b>
    %place = arith.addi %x, %y : tensor<16x32xi32, #b>
    %base = tt.splat %out : !tt.ptr<i16> -> tensor<16x32x!tt.ptr<i16>, #b>
    %to = tt.addptr %base, %place : tensor<16x32x!tt.ptr<i16>, #b>, tensor<16x32xi32, #b>
    tt.store %to, %v : tensor<16x32x!tt.ptr<i16>, #b>
    tt.return
  }
}
