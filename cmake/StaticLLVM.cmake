# Debian's MLIR targets link the shared libLLVM. A static program starts in a third of the time and
# travels alone, so `LLVM` in their interfaces becomes the static components that we use.

llvm_map_components_to_libnames(KS_LLVM_LIBS
  AsmParser AsmPrinter BitReader BitWriter CodeGen Core IPO IRReader Linker MC Option Passes
  Support Target TargetParser TransformUtils NVPTX AMDGPU FrontendOpenMP LTO DTLTO DebugInfoDWARF)
list(FILTER KS_LLVM_LIBS EXCLUDE REGEX "^LLVM$|AsmParsers$")
list(APPEND KS_LLVM_LIBS LLVMAMDGPUAsmParser LLVMAMDGPUDisassembler)
list(REMOVE_DUPLICATES KS_LLVM_LIBS)

function(ks_use_static_llvm)
  add_library(ks_llvm INTERFACE IMPORTED GLOBAL)
  target_link_libraries(ks_llvm INTERFACE ${KS_LLVM_LIBS})
  foreach(target ${MLIR_EXPORTED_TARGETS} lldELF lldCommon)
    if(NOT TARGET ${target})
      continue()
    endif()
    get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
    if(libs)
      list(TRANSFORM libs REPLACE "^LLVM$" "ks_llvm")
      list(TRANSFORM libs REPLACE "^zstd::libzstd_shared$" "zstd::libzstd_static")
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libs}")
    endif()
  endforeach()
  foreach(target LLVMSupport LLVMObject LLVMDebugInfoDWARF)
    get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
    list(TRANSFORM libs REPLACE "zstd::libzstd_shared" "zstd::libzstd_static")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libs}")
  endforeach()
  set_target_properties(ZLIB::ZLIB PROPERTIES IMPORTED_LOCATION_RELEASE "${KS_LIBZ}" IMPORTED_LOCATION "${KS_LIBZ}")
endfunction()
find_library(KS_LIBZ libz.a REQUIRED)
ks_use_static_llvm()
