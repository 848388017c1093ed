//===- Cluster.h - How CTAs split or share a tensor -------------*- C++ -*-===//
//
// Written inside other layouts as `CGALayout = [[1, 0], ...]` and never alone,
// hence not in ODS.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_TTG_CLUSTER_H
#define KERNELSCOPE_DIALECTS_TTG_CLUSTER_H

#include "dialects/layout/LinearLayout.h"

#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Diagnostics.h"

namespace kernelscope::ttg {

namespace detail {
struct CGAEncodingAttrStorage : public mlir::AttributeStorage {
  using KeyTy = LinearLayout;
  CGAEncodingAttrStorage(LinearLayout layout) : layout(std::move(layout)) {}
  bool operator==(const KeyTy &key) const { return key == layout; }
  static llvm::hash_code hashKey(const KeyTy &key) { return hash_value(key); }
  static CGAEncodingAttrStorage *
  construct(mlir::AttributeStorageAllocator &allocator, const KeyTy &key) {
    return new (allocator.allocate<CGAEncodingAttrStorage>())
        CGAEncodingAttrStorage(key);
  }
  LinearLayout layout;
};
} // namespace detail

/// A linear map from the CTA id in its cluster (`block`) to the tensor's
/// dimensions. Each basis says which way the tensor moves when that bit of the
/// number is set: `[[1, 0]]` splits rows over two CTAs, `[[0, 0]]` gives both
/// the same data.
class CGAEncodingAttr
    : public mlir::Attribute::AttrBase<CGAEncodingAttr, mlir::Attribute,
                                       detail::CGAEncodingAttrStorage> {
public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "ttg.cga_encoding";

  /// Of a layout that `verifyInvariants` accepts.
  static CGAEncodingAttr get(mlir::MLIRContext *context,
                             const LinearLayout &layout);
  /// Null, with the error given, for one that it does not.
  static CGAEncodingAttr
  getChecked(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
             mlir::MLIRContext *context, const LinearLayout &layout);
  static llvm::LogicalResult
  verifyInvariants(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                   const LinearLayout &layout);

  /// With the given bases, one value per dimension each, which are valid.
  static CGAEncodingAttr fromBases(mlir::MLIRContext *context, unsigned rank,
                                   std::vector<std::vector<int32_t>> bases);
  /// The layout of a cluster of one CTA over `rank` dimensions.
  static CGAEncodingAttr get1CTALayout(mlir::MLIRContext *context,
                                       unsigned rank);
  /// `numCTAs` (a power of two) along the only dimension.
  static CGAEncodingAttr get1DLayout(mlir::MLIRContext *context,
                                     unsigned numCTAs);
  /// From the spelling of Triton 3.5 and older. Null unless all three have one
  /// length, `CTAOrder` is a permutation, and the counts are powers of two with
  /// each split dividing its count.
  static CGAEncodingAttr fromSplitParams(mlir::MLIRContext *context,
                                         llvm::ArrayRef<unsigned> CTAsPerCGA,
                                         llvm::ArrayRef<unsigned> CTASplitNum,
                                         llvm::ArrayRef<unsigned> CTAOrder);

  const LinearLayout &getLinearLayout() const;
  unsigned getRank() const;
  /// The number of CTAs in the cluster.
  unsigned getNumCTAs() const;
  /// Along each dimension, how many different pieces the tensor is cut into.
  llvm::SmallVector<unsigned> getCTASplitNum() const;
};

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_CLUSTER_H
