// What a run works out for kernels whose buffers must hold certain things.
// RUN: kernelscope run %s --kernel through_pointers --device cpu | FileCheck %s --check-prefix=POINTERS
// RUN: kernelscope run %s --kernel scatters --device cpu
// RUN: kernelscope run %s --kernel asserts --device cpu
// RUN: kernelscope run %s --kernel waits_for_a_flag --device cpu | FileCheck %s --check-prefix=FLAG
// RUN: kernelscope run %s --kernel heads --device cpu | FileCheck %s --check-prefix=HEADS
// RUN: kernelscope run %s --kernel parts --device cpu | FileCheck %s --check-prefix=PARTS
// RUN: kernelscope run %s --kernel gathers --device cpu
// RUN: kernelscope run %s --kernel cells --device cpu | FileCheck %s --check-prefix=CELLS
// RUN: kernelscope run %s --kernel rows --device cpu | FileCheck %s --check-prefix=ROWS
// RUN: kernelscope run %s --kernel described --device cpu | FileCheck %s --check-prefix=DESCRIBED
// RUN: kernelscope run %s --kernel copies --device cpu | FileCheck %s --check-prefix=COPIES
// RUN: kernelscope run %s --kernel flags --device cpu | FileCheck %s --check-prefix=FLAGS
// RUN: kernelscope run %s --kernel calls --device cpu | FileCheck %s --check-prefix=CALLS
// RUN: kernelscope run %s --kernel segments --device cpu | FileCheck %s --check-prefix=SEGMENTS
// RUN: kernelscope run %s --kernel planes --device cpu | FileCheck %s --check-prefix=PLANES
// RUN: kernelscope run %s --kernel before_passes --device cpu | FileCheck %s --check-prefix=BEFORE
// RUN: kernelscope run %s --kernel labels --device cpu | FileCheck %s --check-prefix=LABELS
// RUN: kernelscope run %s --kernel slots --device cpu | FileCheck %s --check-prefix=SLOTS
// RUN: kernelscope run %s --kernel scales --device cpu | FileCheck %s --check-prefix=SCALES
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

  // Each element of an array of pointers gets a buffer.
  // POINTERS: pointers {{ *}}i64[3] {{ *}}pointers
  // POINTERS: pointers.0 {{ *}}f32[16]
  // POINTERS: pointers.2 {{ *}}f32[16]
  tt.func public @through_pointers(%pointers: !tt.ptr<i64> loc("pointers"), %groups: i32 loc("groups")) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %x = arith.constant dense<2.0> : tensor<16xf32>
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    scf.for %group = %0 to %groups step %1 : i32 {
      %at = tt.addptr %pointers, %group : !tt.ptr<i64>, i32
      %address = tt.load %at : !tt.ptr<i64>
      %pointer = tt.int_to_ptr %address : i64 -> !tt.ptr<f32>
      %all = tt.splat %pointer : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
      %to = tt.addptr %all, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      tt.store %to, %x : tensor<16x!tt.ptr<f32>>
    }
    tt.return
  }

  // Exponents of powers of two near 1, which a loop loads and multiplies by: shifted to where bf16 has them.
  // SCALES: scales {{ *}}i8[16] {{ *}}uniform [124, 128)
  tt.func public @scales(%scales: !tt.ptr<i8> loc("scales"), %out: !tt.ptr<bf16> loc("out")) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %seven = arith.constant dense<7> : tensor<16xi16, #line>
    %step = arith.constant dense<0> : tensor<16xi32, #line>
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #line>
    %all = tt.splat %scales : !tt.ptr<i8> -> tensor<16x!tt.ptr<i8>, #line>
    %first = tt.addptr %all, %i : tensor<16x!tt.ptr<i8>, #line>, tensor<16xi32, #line>
    %outs = tt.splat %out : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>, #line>
    %to = tt.addptr %outs, %i : tensor<16x!tt.ptr<bf16>, #line>, tensor<16xi32, #line>
    scf.for %k = %0 to %1 step %1 iter_args(%from = %first) -> tensor<16x!tt.ptr<i8>, #line> : i32 {
      %bytes = tt.load %from : tensor<16x!tt.ptr<i8>, #line>
      %moved = ttg.convert_layout %bytes : tensor<16xi8, #line> -> tensor<16xi8, #line>
      %wide = arith.extui %moved : tensor<16xi8, #line> to tensor<16xi16, #line>
      %exponents = arith.shli %wide, %seven : tensor<16xi16, #line>
      %factors = tt.bitcast %exponents : tensor<16xi16, #line> -> tensor<16xbf16, #line>
      tt.store %to, %factors : tensor<16x!tt.ptr<bf16>, #line>
      %next = tt.addptr %from, %step : tensor<16x!tt.ptr<i8>, #line>, tensor<16xi32, #line>
      scf.yield %next : tensor<16x!tt.ptr<i8>, #line>
    }
    tt.return
  }

  // `offsets` has the begin of each program's segment, which is the end of the one before.
  // SEGMENTS: offsets {{ *}}i32[65] {{ *}}ascending by [0, 28]
  tt.func public @segments(%offsets: !tt.ptr<i32> loc("offsets"), %out: !tt.ptr<i32> loc("out")) {
    %1 = arith.constant 1 : i32
    %id = tt.get_program_id x : i32
    %at = tt.addptr %offsets, %id : !tt.ptr<i32>, i32
    %begin = tt.load %at : !tt.ptr<i32>
    %next = tt.addptr %at, %1 : !tt.ptr<i32>, i32
    %end = tt.load %next : !tt.ptr<i32>
    scf.for %i = %begin to %end step %1 : i32 {
      %to = tt.addptr %out, %i : !tt.ptr<i32>, i32
      tt.store %to, %id : !tt.ptr<i32>
    }
    tt.return
  }

  // `read` and `equal` name columns of a row: the one is in an address, the other is compared with them.
  // LABELS: read {{ *}}i64[64] {{ *}}uniform [0, 27)
  // LABELS: equal {{ *}}i32[64] {{ *}}uniform [0, 27)
  // LABELS: columns {{ *}}i32 {{ *}}27
  tt.func public @labels(%x: !tt.ptr<i32> loc("x"), %read: !tt.ptr<i64> loc("read"), %equal: !tt.ptr<i32> loc("equal"), %columns: i32 loc("columns")) {
    %id = tt.get_program_id x : i32
    %begin = arith.muli %id, %columns : i32
    %row = tt.addptr %x, %begin : !tt.ptr<i32>, i32
    %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %all = tt.splat %columns : i32 -> tensor<32xi32>
    %live = arith.cmpi slt, %c, %all : tensor<32xi32>
    %rows = tt.splat %row : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %from = tt.addptr %rows, %c : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %0 = tt.load %from, %live : tensor<32x!tt.ptr<i32>>
    %at = tt.addptr %read, %id : !tt.ptr<i64>, i32
    %label = tt.load %at : !tt.ptr<i64>
    %labelled = tt.addptr %row, %label : !tt.ptr<i32>, i64
    %1 = tt.load %labelled : !tt.ptr<i32>
    %at2 = tt.addptr %equal, %id : !tt.ptr<i32>, i32
    %label2 = tt.load %at2 : !tt.ptr<i32>
    %same = tt.splat %label2 : i32 -> tensor<32xi32>
    %hit = arith.cmpi eq, %c, %same : tensor<32xi32>
    %2 = arith.extui %hit : tensor<32xi1> to tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %4 = arith.addi %2, %3 : tensor<32xi32>
    %5 = arith.addi %4, %0 : tensor<32xi32>
    tt.store %from, %5, %live : tensor<32x!tt.ptr<i32>>
    tt.return
  }

  // Each program's row in a cache is another.
  // SLOTS: slots {{ *}}i64[64] {{ *}}arange
  tt.func public @slots(%cache: !tt.ptr<i64> loc("cache"), %slots: !tt.ptr<i64> loc("slots")) {
    %8 = arith.constant 8 : i64
    %id = tt.get_program_id x : i32
    %at = tt.addptr %slots, %id : !tt.ptr<i64>, i32
    %slot = tt.load %at : !tt.ptr<i64>
    %begin = arith.muli %slot, %8 : i64
    %to = tt.addptr %cache, %begin : !tt.ptr<i64>, i64
    tt.store %to, %slot : !tt.ptr<i64>
    tt.return
  }

  // Before any pass the number of blocks is computed in a function, and bounds are cast.
  // BEFORE: K {{ *}}i32 {{ *}}96
  tt.func public @before_passes(%out: !tt.ptr<i32> loc("out"), %K: i32 loc("K")) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %blocks = tt.call @blocks_of_32(%K) : (i32) -> i32
    %end = arith.bitcast %blocks : i32 to i32
    %step = arith.bitcast %1 : i32 to i32
    scf.for %i = %0 to %end step %step : i32 {
      %to = tt.addptr %out, %i : !tt.ptr<i32>, i32
      tt.store %to, %i : !tt.ptr<i32>
    }
    tt.return
  }
  tt.func private @blocks_of_32(%size: i32) -> i32 {
    %31 = arith.constant 31 : i32
    %32 = arith.constant 32 : i32
    %sum = arith.addi %size, %31 : i32
    %blocks = arith.divsi %sum, %32 : i32
    tt.return %blocks : i32
  }

  // Both factors of a loop's bound together make a few rounds: 28 x 28 is 768 or more.
  // PLANES: rows {{ *}}i32 {{ *}}28
  // PLANES: columns {{ *}}i32 {{ *}}28
  tt.func public @planes(%out: !tt.ptr<i32> loc("out"), %rows: i32 loc("rows"), %columns: i32 loc("columns")) {
    %0 = arith.constant 0 : i32
    %256 = arith.constant 256 : i32
    %size = arith.muli %rows, %columns : i32
    scf.for %i = %0 to %size step %256 : i32 {
      %to = tt.addptr %out, %i : !tt.ptr<i32>, i32
      tt.store %to, %i : !tt.ptr<i32>
    }
    tt.return
  }

  // The kernel only compares `begins` with zero; it uses `both` in other ways, too.
  // FLAGS: begins {{ *}}i32[64] {{ *}}uniform [0, 2)
  // FLAGS: both {{ *}}i32[64] {{ *}}uniform [0, 1000)
  tt.func public @flags(%begins: !tt.ptr<i32> loc("begins"), %both: !tt.ptr<i32> loc("both"), %out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %zero = arith.constant dense<0> : tensor<64xi32>
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %p = tt.splat %begins : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %pi = tt.addptr %p, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %flags = tt.load %pi : tensor<64x!tt.ptr<i32>>
    %q = tt.splat %both : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %qi = tt.addptr %q, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %numbers = tt.load %qi : tensor<64x!tt.ptr<i32>>
    %is = arith.cmpi ne, %numbers, %zero : tensor<64xi32>
    %x = arith.select %is, %numbers, %i : tensor<64xi1>, tensor<64xi32>
    %sums:2 = "tt.scan"(%x, %flags) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %fa: i32, %b: i32, %fb: i32):
      %begin = arith.cmpi ne, %fb, %c0 : i32
      %sum = arith.addi %a, %b : i32
      %s = arith.select %begin, %b, %sum : i32
      %f = arith.ori %fa, %fb : i32
      tt.scan.return %s, %f : i32, i32
    }) : (tensor<64xi32>, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>)
    %o = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %oi = tt.addptr %o, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %oi, %sums#0 : tensor<64x!tt.ptr<i32>>
    tt.return
  }

  // Programs store to other rows if the ids are different.
  tt.func public @scatters(%ids: !tt.ptr<i32>, %out: !tt.ptr<f32>) {
    %16 = arith.constant 16 : i32
    %x = arith.constant dense<2.0> : tensor<16xf32>
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %program = tt.get_program_id x : i32
    %first = arith.muli %program, %16 : i32
    %firsts = tt.splat %first : i32 -> tensor<16xi32>
    %index = arith.addi %firsts, %i : tensor<16xi32>
    %from = tt.splat %ids : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %at = tt.addptr %from, %index : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %rows = tt.load %at : tensor<16x!tt.ptr<i32>>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %to = tt.addptr %base, %rows : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %to, %x : tensor<16x!tt.ptr<f32>>
    tt.return
  }

  tt.func public @asserts(%in: !tt.ptr<f32>) {
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %from = tt.splat %in : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %at = tt.addptr %from, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %x = tt.load %at : tensor<16x!tt.ptr<f32>>
    %good = arith.cmpf oge, %x, %zero : tensor<16xf32>
    tt.assert %good, "negative" : tensor<16xi1>
    tt.return
  }

  // The default region waits in a loop for what a partition stores. The flag has no memory while the run measures.
  // FLAG: flag {{ *}}i32[1] {{ *}}zeros
  // FLAG: outputs
  // FLAG: out {{ *}}i32[1]
  // FLAG-NEXT: first 1
  tt.func public @waits_for_a_flag(%flag: !tt.ptr<i32> loc("flag"), %out: !tt.ptr<i32> loc("out")) {
    ttg.warp_specialize(%flag)
    default {
      %0 = arith.constant 0 : i32
      %seen = scf.while (%old = %0) : (i32) -> i32 {
        %now = tt.load %flag {isVolatile = true} : !tt.ptr<i32>
        %again = arith.cmpi eq, %now, %0 : i32
        scf.condition(%again) %now : i32
      } do {
      ^bb0(%now: i32):
        scf.yield %now : i32
      }
      tt.store %out, %seen : !tt.ptr<i32>
      ttg.warp_yield
    }
    partition0(%to: !tt.ptr<i32>) num_warps(4) {
      %1 = arith.constant 1 : i32
      tt.store %to, %1 : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>) -> ()
    tt.return
  }

  // The rows of a head, T, are at least those that its programs store.
  // HEADS: T {{ *}}i32 {{ *}}512
  tt.func public @heads(%out: !tt.ptr<f32> loc("out"), %T: i32 {tt.divisibility = 16 : i32} loc("T")) {
    %0 = arith.constant 0 : i32
    %16 = arith.constant 16 : i32
    %64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64xf32>
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %block = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %x = scf.for %t = %0 to %T step %16 iter_args(%sum = %zero) -> (tensor<64xf32>) : i32 {
      %more = arith.addf %sum, %sum : tensor<64xf32>
      scf.yield %more : tensor<64xf32>
    }
    %first = arith.muli %head, %T : i32
    %offset = arith.muli %block, %64 : i32
    %at = arith.addi %first, %offset : i32
    %ats = tt.splat %at : i32 -> tensor<64xi32>
    %index = arith.addi %ats, %i : tensor<64xi32>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %to = tt.addptr %base, %index : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %to, %x : tensor<64x!tt.ptr<f32>>
    tt.return
  }

  // A fourth program would store to the second part of the buffer.
  // PARTS: grid 3 x 1 x 1
  tt.func public @parts(%out: !tt.ptr<f32>) {
    %64 = arith.constant 64 : i32
    %192 = arith.constant 192 : i32
    %x = arith.constant dense<2.0> : tensor<64xf32>
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %program = tt.get_program_id x : i32
    %first = arith.muli %program, %64 : i32
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %index = arith.addi %firsts, %i : tensor<64xi32>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %to = tt.addptr %base, %index : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %to, %x : tensor<64x!tt.ptr<f32>>
    %second = tt.addptr %out, %192 : !tt.ptr<f32>, i32
    %base2 = tt.splat %second : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %to2 = tt.addptr %base2, %index : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %to2, %x : tensor<64x!tt.ptr<f32>>
    tt.return
  }

  // Indices are below the size of what they index.
  tt.func public @gathers(%ids: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %from = tt.splat %ids : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %at = tt.addptr %from, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %picked = tt.load %at : tensor<16x!tt.ptr<i32>>
    %r = tt.gather %i[%picked] {axis = 0 : i32} : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %to = tt.addptr %base, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    tt.store %to, %r : tensor<16x!tt.ptr<i32>>
    tt.return
  }

  // Every cell of a vector in shared memory gets a value.
  // CELLS: cells {{ *}}i32[256] {{ *}}arange
  tt.func public @cells(%cells: !tt.ptr<i32> loc("cells"), %out: !tt.ptr<i32>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<256xi32, #bar, #smem, mutable>
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #line>
    %from = tt.splat %cells : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #line>
    %at = tt.addptr %from, %i : tensor<256x!tt.ptr<i32>, #line>, tensor<256xi32, #line>
    %cell = tt.load %at : tensor<256x!tt.ptr<i32>, #line>
    ttg.local_scatter %m[%cell], %i {axis = 0 : i32} : !ttg.memdesc<256xi32, #bar, #smem, mutable>, tensor<256xi32, #line>, tensor<256xi32, #line>
    ttg.barrier local
    %x = ttg.local_load %m : !ttg.memdesc<256xi32, #bar, #smem, mutable> -> tensor<256xi32, #line>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #line>
    %to = tt.addptr %base, %i : tensor<256x!tt.ptr<i32>, #line>, tensor<256xi32, #line>
    tt.store %to, %x : tensor<256x!tt.ptr<i32>, #line>
    tt.return
  }

  // Rows of a descriptor that the device makes are multiples of 16 bytes.
  // ROWS: columns {{ *}}i32 {{ *}}72
  tt.func public @rows(%in: !tt.ptr<f16>, %columns: i32 loc("columns")) {
    %c1 = arith.constant 1 : i64
    %0 = arith.constant 0 : i32
    %32 = arith.constant 32 : i32
    %scratch = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %c1_i32 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i64
    %wide = arith.extsi %columns : i32 to i64
    %bytes = arith.muli %wide, %c2 : i64
    ttng.tensormap_create %scratch, %in, [%32, %32], [%columns, %32], [%bytes], [%c1_i32, %c1_i32] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    scf.for %k = %0 to %columns step %32 : i32 {
    }
    tt.return
  }

  // What is only loaded through a descriptor that the device makes is no output.
  // DESCRIBED: outputs
  // DESCRIBED-NEXT: out
  tt.func public @described(%in: !tt.ptr<f16> loc("in"), %out: !tt.ptr<f16> loc("out")) {
    %true = arith.constant true
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %32 = arith.constant 32 : i32
    %bytes = arith.constant 64 : i64
    %scratch = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %scratch, %in, [%32, %32], [%32, %32], [%bytes], [%1, %1] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %scratch : !tt.ptr<i8>
    %desc = ttng.reinterpret_tensor_descriptor %scratch : !tt.ptr<i8> to !tt.tensordesc<32x32xf16, #shared>
    %barrier = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %barrier, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %barrier, 2048, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %memory = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc[%0, %0] %memory, %barrier, %true : !tt.tensordesc<32x32xf16, #shared>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    ttng.wait_barrier %barrier, %0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %x = ttg.local_load %memory : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16>
    %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f16, %b: f16):
      %sum = arith.addf %a, %b : f16
      tt.reduce.return %sum : f16
    }) : (tensor<32x32xf16>) -> tensor<32xf16>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %base = tt.splat %out : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>>
    %to = tt.addptr %base, %i : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
    tt.store %to, %r : tensor<32x!tt.ptr<f16>>
    tt.return
  }

  // What is only stored through a descriptor, or added to, starts as zeros.
  // COPIES: in{{ +}}f32[16x16]{{ +}}normal
  // COPIES: out{{ +}}f32[16x16]{{ +}}zeros
  // COPIES: sum{{ +}}f32[16x16]{{ +}}zeros
  tt.func public @copies(%in: !tt.tensordesc<16x16xf32> loc("in"), %out: !tt.tensordesc<16x16xf32> loc("out"), %sum: !tt.tensordesc<16x16xf32> loc("sum")) {
    %0 = arith.constant 0 : i32
    %x = tt.descriptor_load %in[%0, %0] : !tt.tensordesc<16x16xf32> -> tensor<16x16xf32>
    tt.descriptor_store %out[%0, %0], %x : !tt.tensordesc<16x16xf32>, tensor<16x16xf32>
    tt.descriptor_reduce add, %sum[%0, %0], %x : !tt.tensordesc<16x16xf32>, tensor<16x16xf32>
    tt.return
  }

  // What a function does with an argument, before passes have inlined it and removed casts that change nothing.
  // CALLS: rounds {{ *}}i32 {{ *}}3
  // CALLS: ids {{ *}}i32[1] {{ *}}arange
  tt.func public @calls(%rounds: i32 loc("rounds"), %ids: !tt.ptr<i32> loc("ids"), %out: !tt.ptr<i32> loc("out")) {
    tt.call @stores_often(%rounds, %ids, %out) : (i32, !tt.ptr<i32>, !tt.ptr<i32>) -> ()
    tt.return
  }
  tt.func private @stores_often(%rounds: i32, %ids: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %end = arith.bitcast %rounds : i32 to i32
    scf.for %i = %0 to %end step %1 : i32 {
      %all = tt.splat %ids : !tt.ptr<i32> -> tensor<1x!tt.ptr<i32>>
      %id = tt.load %all : tensor<1x!tt.ptr<i32>>
      %base = tt.splat %out : !tt.ptr<i32> -> tensor<1x!tt.ptr<i32>>
      %to = tt.addptr %base, %id : tensor<1x!tt.ptr<i32>>, tensor<1xi32>
      tt.store %to, %id : tensor<1x!tt.ptr<i32>>
    }
    tt.return
  }
}
