// The attributes by which a module says how it is launched.
// RUN: kernelscope opt --verify-diagnostics --split-input-file %s -o /dev/null

// expected-error @below {{has ttg.num-warps = 3; it must be a power of two}}
module attributes {"ttg.num-warps" = 3 : i32} {}

// -----

// expected-error @below {{has ttg.num-warps = 0 : i32; it must be a positive 32-bit integer}}
module attributes {"ttg.num-warps" = 0 : i32} {}

// -----

// expected-error @below {{has ttg.threads-per-warp = "32"; it must be a positive 32-bit integer}}
module attributes {"ttg.threads-per-warp" = "32"} {}

// -----

// expected-error @below {{has ttg.num-ctas = 99999999999 : i64; it must be a positive 32-bit integer}}
module attributes {"ttg.num-ctas" = 99999999999 : i64} {}

// -----

// expected-error @below {{it must be a string such as "cuda:90" or "hip:gfx942"}}
module attributes {ttg.target = 90 : i32} {}

// -----

// expected-error @below {{has ttg.target = "cuda:sm_90"; it must be a string such as "cuda:90" or "hip:gfx942"}}
module attributes {ttg.target = "cuda:sm_90"} {}

// -----

// expected-error @below {{has ttg.target = "cuda:95"; no GPU has that compute capability; the nearest are "cuda:90" and "cuda:100"}}
module attributes {ttg.target = "cuda:95"} {}

// -----

// Future chips have higher numbers.
module attributes {ttg.target = "cuda:130"} {}

// -----

// expected-error @below {{has ttg.target = "cudda:90"; it must be a string such as "cuda:90" or "hip:gfx942"}}
module attributes {ttg.target = "cudda:90"} {}

// -----

// Forks have chips of other vendors.
// expected-remark @below {{has ttg.target = "xpu", which is not the name of a known chip}}
module attributes {ttg.target = "xpu"} {}

// -----

// expected-error @below {{has ttg.target = "gfx950"; it must be "hip:gfx950"}}
module attributes {ttg.target = "gfx950"} {}

// -----

// expected-error @below {{has ttg.target = "100"; it must be "cuda:100"}}
module attributes {ttg.target = "100"} {}

// -----

// expected-remark @below {{has ttg.target = "xpu:90", which is not the name of a known chip, such as "cuda:90" or "hip:gfx942"; rules about chips are not checked}}
module attributes {ttg.target = "xpu:90"} {}

// -----

// Triton's own tests name no chip so.
module attributes {ttg.target = "cuda:0"} {}

// -----

// A chip that we do not compile for is no error.
module attributes {ttg.target = "cuda:75"} {}

// -----

module attributes {ttg.target = "hip:gfx90a:sramecc+:xnack-"} {}

// -----

// expected-error @below {{carries 'ttg.num-ctas', which belongs on the module}}
tt.func @f() attributes {"ttg.num-ctas" = 1 : i32} {
  tt.return
}
