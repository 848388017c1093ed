//===- TTNGTypes.td - Types of ttng ------------------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTNG_TYPES_TD
#define KERNELSCOPE_TTNG_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/tt/TTInterfaces.td"
include "dialects/ttng/TTNGDialect.td"

def TTNG_TensorDescIm2ColType
    : TypeDef<TTNG_Dialect, "TensorDescIm2Col", [TT_TensorDescInterface]> {
  let mnemonic = "tensordesc_im2col";
  let summary = "TMA descriptor that unrolls the windows of a convolution";
  let description = [{
    `!ttng.tensordesc_im2col<64x128xf16, #shared>`: a descriptor of an image of
    three to five dimensions. Its copies produce a matrix of pixels by channels with
    the given block shape, as TMA's im2col mode produces it.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    OptionalParameter<"::mlir::Attribute">:$sharedLayout
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // KERNELSCOPE_TTNG_TYPES_TD
