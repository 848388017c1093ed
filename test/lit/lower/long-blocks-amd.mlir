// A long block with more values than a thread has registers is put in an order
// that needs fewer, and what is still too much is spilled before LLVM's register
// allocation. For LLVM's code generator such blocks are split, and those of a
// chip that computes two values at once. Others stay as they are.
// RUN: sed -e 's/@ROWS/64/g; s/@EACH/4/g; s/@LANES/32/g; s/@CHIP/gfx1100/g' %s > %t.gfx1100.ttgir
// RUN: sed -e 's/@ROWS/256/g; s/@EACH/2/g; s/@LANES/64/g; s/@CHIP/gfx950/g' %s > %t.gfx950.ttgir
// RUN: sed -e 's/@ROWS/128/g; s/@EACH/2/g; s/@LANES/64/g; s/@CHIP/gfx950/g' %s > %t.fits.ttgir
// RUN: sed -e 's/@ROWS/64/g; s/@EACH/4/g; s/@LANES/32/g; s/@CHIP/gfx1250/g' %s > %t.gfx1250.ttgir
// RUN: sed -e 's/@ROWS/256/g; s/@EACH/1/g; s/@LANES/64/g; s/@CHIP/gfx950/g; s/tt.load .source :/tt.load %%source, %%mask :/' %s > %t.masked.ttgir
// RUN: kernelscope preview --emit llvm %t.gfx1100.ttgir | FileCheck %s --check-prefix=SCRATCH
// RUN: kernelscope preview --emit llvm %t.gfx950.ttgir | FileCheck %s --check-prefix=AGPRS
// RUN: kernelscope preview --emit llvm %t.fits.ttgir | FileCheck %s --check-prefix=FITS
// RUN: kernelscope preview %t.gfx1100.ttgir | FileCheck %s --check-prefix=CODE
// RUN: kernelscope preview --emit llvm %t.gfx1250.ttgir | FileCheck %s --check-prefix=FITS
// RUN: kernelscope preview %t.gfx1250.ttgir | FileCheck %s --check-prefix=CODE
// RUN: kernelscope preview --emit llvm %t.masked.ttgir | FileCheck %s --check-prefix=ONE
// RUN: kernelscope preview %t.masked.ttgir | FileCheck %s --check-prefix=MASKED
// RUN: kernelscope preview %t.fits.ttgir | FileCheck %s --check-prefix=WHOLE
// RUN: kernelscope run %t.gfx1100.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %t.masked.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %t.gfx950.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM

// SCRATCH: [[MEMORY:%.*]] = alloca i32, i32 {{[0-9]+}}, align 4, addrspace(5)
// SCRATCH: [[OPAQUE:%.*]] = call ptr addrspace(5) asm "", "=s,0"(ptr addrspace(5) [[MEMORY]])
// SCRATCH: load <4 x float>, ptr addrspace(1)
// SCRATCH: store {{.*}}, ptr addrspace(5)
// SCRATCH: store <4 x float> {{.*}}, ptr addrspace(1)
// SCRATCH: getelementptr i8, ptr addrspace(5) [[OPAQUE]]
// SCRATCH: load {{.*}}, ptr addrspace(5)

// AGPRS-NOT: amdgpu-agpr-alloc
// AGPRS: asm "", "=a,0"
// AGPRS: store {{.*}}, ptr addrspace(5)
// AGPRS: asm "", "=v,0"
// AGPRS-NOT: amdgpu-agpr-alloc

// FITS-NOT: asm
// FITS-NOT: addrspace(5)
// FITS: store <{{[24]}} x float>

// The branches between pieces are no instructions.
// CODE-NOT: {{s_c?branch}}
// CODE: s_endpgm
// CODE: Inline asm indirect target
// CODE: ; codeLenInByte
// CODE: .vgpr_spill_count: 0

// WHOLE-NOT: Inline asm indirect target
// WHOLE: ; codeLenInByte

// Assembly takes no vector of one element.
// ONE: call <1 x i32> @llvm.masked.load
// ONE: call i32 asm "", "=a,0"(i32
// ONE-NOT: call <1 x i32> asm

// MASKED: s_and_saveexec_b64
// MASKED: ; codeLenInByte

// SIM: differs from the CPU executor by at most {{.*}}: within

#rows = #ttg.blocked<{sizePerThread = [1, @EACH], threadsPerWarp = [1, @LANES], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = @LANES : i32, ttg.target = "hip:@CHIP"} {
  tt.func public @rows(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %row = tt.make_range {end = @ROWS : i32, start = 0 : i32} : tensor<@ROWSxi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %column = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %width = arith.constant dense<128> : tensor<@ROWSx1xi32, #rows>
    %r = tt.expand_dims %row {axis = 1 : i32} : tensor<@ROWSxi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<@ROWSx1xi32, #rows>
    %c = tt.expand_dims %column {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x128xi32, #rows>
    %start = arith.muli %r, %width : tensor<@ROWSx1xi32, #rows>
    %starts = tt.broadcast %start : tensor<@ROWSx1xi32, #rows> -> tensor<@ROWSx128xi32, #rows>
    %columns = tt.broadcast %c : tensor<1x128xi32, #rows> -> tensor<@ROWSx128xi32, #rows>
    %offsets = arith.addi %starts, %columns : tensor<@ROWSx128xi32, #rows>
    %bound = arith.constant dense<100> : tensor<@ROWSx128xi32, #rows>
    %mask = arith.cmpi slt, %columns, %bound : tensor<@ROWSx128xi32, #rows>
    %sources = tt.splat %from : !tt.ptr<f32> -> tensor<@ROWSx128x!tt.ptr<f32>, #rows>
    %source = tt.addptr %sources, %offsets : tensor<@ROWSx128x!tt.ptr<f32>, #rows>, tensor<@ROWSx128xi32, #rows>
    %x = tt.load %source : tensor<@ROWSx128x!tt.ptr<f32>, #rows>
    %e = math.exp %x : tensor<@ROWSx128xf32, #rows>
    %sum = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %both = arith.addf %a, %b : f32
      tt.reduce.return %both : f32
    }) : (tensor<@ROWSx128xf32, #rows>) -> tensor<@ROWSxf32, #ttg.slice<{dim = 1, parent = #rows}>>
    %s = tt.expand_dims %sum {axis = 1 : i32} : tensor<@ROWSxf32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<@ROWSx1xf32, #rows>
    %all = tt.broadcast %s : tensor<@ROWSx1xf32, #rows> -> tensor<@ROWSx128xf32, #rows>
    %y = arith.divf %e, %all : tensor<@ROWSx128xf32, #rows>
    %targets = tt.splat %to : !tt.ptr<f32> -> tensor<@ROWSx128x!tt.ptr<f32>, #rows>
    %place = tt.addptr %targets, %offsets : tensor<@ROWSx128x!tt.ptr<f32>, #rows>, tensor<@ROWSx128xi32, #rows>
    tt.store %place, %y : tensor<@ROWSx128x!tt.ptr<f32>, #rows>
    tt.return
  }
}
