//===- ClusterBarriers.h - CTAs that wait for each other --------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_CLUSTERBARRIERS_H
#define KERNELSCOPE_PASSES_MEMORY_CLUSTERBARRIERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::memory {

/// Where the CTAs of a cluster signal each other's mbarriers, or work in pairs:
/// makes them wait for each other once the barriers are initialised, and before
/// the kernel `function` ends. PTX ISA, "Cluster" and "mbarrier.init".
void insertClusterBarriers(mlir::FunctionOpInterface function);

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_CLUSTERBARRIERS_H
