//===- Libraries.h - What nearly every unit includes -----------*- C++ -*-===//
//
// LLVM's and MLIR's headers and nlohmann's JSON, parsed once per build tree
// instead of once per unit. Only what rarely changes belongs here; every file
// still includes what it uses.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_CMAKE_PRECOMPILED_LIBRARIES_H
#define KERNELSCOPE_CMAKE_PRECOMPILED_LIBRARIES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "nlohmann/json.hpp"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#endif // KERNELSCOPE_CMAKE_PRECOMPILED_LIBRARIES_H
