//===- CudaTensorMap.h - Tensors described to TMA ---------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_RUN_CUDATENSORMAP_H
#define KERNELSCOPE_SERVER_RUN_CUDATENSORMAP_H

#include "server/run/DeviceLaunch.h"
#include "server/run/DriverLibrary.h"

namespace kernelscope::run {

/// The driver's encoders of tensor maps; drivers before CUDA 12 have none.
/// Declared as in cuda.h, with enumerations as integers.
struct CudaTensorMapFunctions {
  int (*encodeTiled)(TensorMap *, int type, uint32_t rank, void *address,
                     const uint64_t *sizes, const uint64_t *strides,
                     const uint32_t *box, const uint32_t *steps, int interleave,
                     int swizzle, int promotion, int fill) = nullptr;
  int (*encodeIm2col)(TensorMap *, int type, uint32_t rank, void *address,
                      const uint64_t *sizes, const uint64_t *strides,
                      const int *lower, const int *upper, uint32_t channels,
                      uint32_t pixels, const uint32_t *steps, int interleave,
                      int swizzle, int promotion, int fill) = nullptr;

  void load(DriverLibrary &library) {
    library.loadIfThere(encodeTiled, "cuTensorMapEncodeTiled");
    library.loadIfThere(encodeIm2col, "cuTensorMapEncodeIm2col");
  }
  bool isSupported() const { return encodeTiled && encodeIm2col; }
};

/// What the encoders take of a dense tensor: dimensions from the fastest on.
struct CudaTensorMap {
  int type; ///< a CUtensorMapDataType
  std::vector<uint64_t> sizes;
  /// In bytes, of all dimensions but the first.
  std::vector<uint64_t> strides;
  /// Of a block; of an im2col block, channels and pixels.
  std::vector<uint32_t> box;
  int swizzle; ///< a CUtensorMapSwizzle
  bool isIm2Col;

  /// Of `argument`, which the kernel takes as `parameter`. An error names what
  /// TMA cannot copy.
  static llvm::Expected<CudaTensorMap> of(const ArgumentValue &argument,
                                          const KernelArgument &parameter);
  /// Returns the driver's error code.
  int encode(const CudaTensorMapFunctions &driver, uint64_t pointer,
             TensorMap &encoded) const;
};

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_CUDATENSORMAP_H
