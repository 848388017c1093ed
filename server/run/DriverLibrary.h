//===- DriverLibrary.h - A driver opened at run time -----------*- C++ -*-===//
//
// dlopen and dlsym, with errors that say what is missing.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_DRIVERLIBRARY_H
#define KERNELSCOPE_SERVER_RUN_DRIVERLIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/DynamicLibrary.h"
#include <string>

namespace kernelscope::run {

/// A shared library's functions, by name.
class DriverLibrary {
public:
  explicit DriverLibrary(const char *name)
      : library(
            llvm::sys::DynamicLibrary::getPermanentLibrary(name, &openError)) {}

  bool isOpen() const { return library.isValid(); }
  /// Why it did not open.
  const std::string &error() const { return openError; }

  /// Sets `function` to the symbol `name`; the first that is not there is
  /// remembered.
  template <typename T> void load(T *&function, const char *name) {
    function = reinterpret_cast<T *>(library.getAddressOfSymbol(name));
    if (!function && missing.empty())
      missing = name;
  }
  /// The same for one that may be missing: it is null then.
  template <typename T> void loadIfThere(T *&function, const char *name) {
    function = reinterpret_cast<T *>(library.getAddressOfSymbol(name));
  }
  /// The first function that the library lacks; empty when it has all.
  const std::string &missingFunction() const { return missing; }

private:
  std::string openError;
  llvm::sys::DynamicLibrary library;
  std::string missing;
};

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_DRIVERLIBRARY_H
