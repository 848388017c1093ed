# How this project's targets are made: warnings, sanitizers, the precompiled header, libraries, dialects.

add_library(ks_options INTERFACE)
target_compile_options(ks_options INTERFACE
  -Wall -Wextra -Werror -Wno-unused-parameter
  -ffunction-sections -fdata-sections)
set(KS_SANITIZE_FLAGS)
if(KS_SANITIZE)
  set(KS_SANITIZE_FLAGS
    -fsanitize=address,undefined -fno-sanitize=vptr,function -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  if(KS_FUZZ)
    list(APPEND KS_SANITIZE_FLAGS -fsanitize=fuzzer-no-link)
  endif()
  target_compile_options(ks_options INTERFACE ${KS_SANITIZE_FLAGS})
  target_link_options(ks_options INTERFACE -fsanitize=address,undefined)
  target_sources(ks_options INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${CMAKE_SOURCE_DIR}/cmake/asan_options.c>)
endif()

# Headers that many units include are parsed once: that halves the time of most units. CMake's own precompiled headers hold the
# path of the build tree, so no two trees could share ccache's results; the checksum beside ours (CCACHE_PCH_EXTSUM) is of the text.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
separate_arguments(cxx_flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
# ks_precompile(NAME HEADER [ON NAME] [FLAGS flags...] [DEPENDS targets...])
# ${NAME}.pch in the build tree, of a header of this project. ON: what has been parsed before it, with the same flags.
# A folder says in KS_PRECOMPILED which one its units are compiled with; a target WITHOUT_MLIR has none.
function(ks_precompile name header)
  cmake_parse_arguments(ARG "" "ON" "FLAGS;DEPENDS" ${ARGN})
  set(output ${CMAKE_BINARY_DIR}/${name}.pch)
  set(on)
  if(ARG_ON)
    set(on -include-pch ${CMAKE_BINARY_DIR}/${ARG_ON}.pch)
    list(APPEND ARG_DEPENDS ks_${ARG_ON} ${CMAKE_BINARY_DIR}/${ARG_ON}.pch)
  endif()
  set(precompile ${CMAKE_CXX_COMPILER} ${LLVM_DEFINITIONS_LIST} -I ${CMAKE_SOURCE_DIR} -I ${CMAKE_BINARY_DIR} -isystem ${LLVM_INCLUDE_DIRS}
    ${cxx_flags} ${ARG_FLAGS} ${KS_SANITIZE_FLAGS} -std=c++20 -x c++-header ${CMAKE_SOURCE_DIR}/${header})
  add_custom_command(OUTPUT ${output} ${output}.sum
    COMMAND ${precompile} ${on} -o ${output} -Xclang -fno-pch-timestamp -Xclang -fpch-instantiate-templates
            -MD -MF ${output}.d -MT ${output}
    COMMAND ${precompile} -E -P -o ${output}.text
    COMMAND ${CMAKE_COMMAND} -E chdir ${CMAKE_BINARY_DIR} ${CMAKE_COMMAND} -E sha256sum ${name}.pch.text > ${output}.sum
    DEPENDS ${CMAKE_SOURCE_DIR}/${header} ${ARG_DEPENDS}
    DEPFILE ${output}.d
    COMMENT "Precompiling ${header}"
    VERBATIM)
  add_custom_target(ks_${name} DEPENDS ${output})
endfunction()
# ks_use_precompiled(TARGET): the folder's.
function(ks_use_precompiled target)
  add_dependencies(${target} ks_${KS_PRECOMPILED})
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include-pch ${CMAKE_BINARY_DIR}/${KS_PRECOMPILED}.pch>")
endfunction()
ks_precompile(Libraries cmake/precompiled/Libraries.h)
set(KS_PRECOMPILED Libraries)

# ks_join(TARGET): in a unity build (CMAKE_UNITY_BUILD), which units of this folder's target are compiled as one text: at most
# eight, all with the same namespaces opened of LLVM and MLIR, which have many names in common. What units share is compiled once.
function(ks_join target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(source ${source} ABSOLUTE)
    if(NOT CMAKE_UNITY_BUILD OR NOT EXISTS ${source})
      continue() # a source that does not exist yet is written by the build
    endif()
    file(STRINGS ${source} opened REGEX "^using namespace (llvm|mlir);")
    string(MAKE_C_IDENTIFIER "opens ${opened}" group)
    list(APPEND ${group} ${source})
    list(LENGTH ${group} members)
    math(EXPR batch "(${members} - 1) / 8")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
  endforeach()
endfunction()

# ks_add_library(NAME sources... [WITHOUT_MLIR] LINK libraries... DEPENDS targets...)
# A static library of this project; WITHOUT_MLIR: it can be linked where MLIR is not.
function(ks_add_library name)
  cmake_parse_arguments(ARG "WITHOUT_MLIR" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  ks_join(${name})
  target_link_libraries(${name} PRIVATE ks_options)
  if(NOT ARG_WITHOUT_MLIR)
    ks_use_precompiled(${name})
  endif()
  if(ARG_LINK)
    target_link_libraries(${name} PUBLIC ${ARG_LINK})
  endif()
  # Headers that tblgen writes must exist before anything that includes them compiles.
  get_property(headers GLOBAL PROPERTY KS_GENERATED_HEADERS)
  if(headers OR ARG_DEPENDS)
    add_dependencies(${name} ${headers} ${ARG_DEPENDS})
  endif()
endfunction()

# ks_add_dialect(DIALECT PREFIX
#                [OPS] [TYPES] [ATTRS] [ENUMS] [OP_INTERFACES] [TYPE_INTERFACES] [ATTR_INTERFACES]
#                SOURCES files... [LINK libraries...])
# A dialect in this folder: `${PREFIX}Ops.td`, `${PREFIX}Types.td`, `${PREFIX}Attrs.td`,
# `${PREFIX}Enums.td`, `${PREFIX}Interfaces.td` are read for the parts that are named. Makes the library
# `ks_dialect_${DIALECT}` and the documentation table `${PREFIX}Docs.inc` from the
# descriptions; an op, type or attribute without a description stops the build.
function(ks_add_dialect dialect prefix)
  cmake_parse_arguments(ARG "OPS;TYPES;ATTRS;ENUMS;OP_INTERFACES;TYPE_INTERFACES;ATTR_INTERFACES" ""
                        "SOURCES;LINK" ${ARGN})
  set(MLIR_TABLEGEN_FLAGS -I ${CMAKE_SOURCE_DIR} -I ${MLIR_INCLUDE_DIRS})
  set(LLVM_TARGET_DEFINITIONS ${prefix}Ops.td)
  if(ARG_OPS)
    mlir_tablegen(${prefix}Ops.h.inc -gen-op-decls ${MLIR_TABLEGEN_FLAGS})
    mlir_tablegen(${prefix}Ops.cpp.inc -gen-op-defs ${MLIR_TABLEGEN_FLAGS})
  endif()
  mlir_tablegen(${prefix}Dialect.h.inc -gen-dialect-decls -dialect=${dialect} ${MLIR_TABLEGEN_FLAGS})
  mlir_tablegen(${prefix}Dialect.cpp.inc -gen-dialect-defs -dialect=${dialect} ${MLIR_TABLEGEN_FLAGS})
  if(ARG_TYPES)
    set(LLVM_TARGET_DEFINITIONS ${prefix}Types.td)
    mlir_tablegen(${prefix}Types.h.inc -gen-typedef-decls -typedefs-dialect=${dialect} ${MLIR_TABLEGEN_FLAGS})
    mlir_tablegen(${prefix}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${dialect} ${MLIR_TABLEGEN_FLAGS})
  endif()
  if(ARG_ATTRS)
    set(LLVM_TARGET_DEFINITIONS ${prefix}Attrs.td)
    mlir_tablegen(${prefix}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${dialect} ${MLIR_TABLEGEN_FLAGS})
    mlir_tablegen(${prefix}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${dialect} ${MLIR_TABLEGEN_FLAGS})
  endif()
  if(ARG_ENUMS)
    # A file of their own: tblgen writes every enum it reads, so one that is included comes twice.
    set(LLVM_TARGET_DEFINITIONS ${prefix}Enums.td)
    mlir_tablegen(${prefix}Enums.h.inc -gen-enum-decls ${MLIR_TABLEGEN_FLAGS})
    mlir_tablegen(${prefix}Enums.cpp.inc -gen-enum-defs ${MLIR_TABLEGEN_FLAGS})
  endif()
  foreach(kind Op Type Attr)
    string(TOUPPER ${kind} upper)
    if(ARG_${upper}_INTERFACES)
      string(TOLOWER ${kind} lower)
      set(LLVM_TARGET_DEFINITIONS ${prefix}Interfaces.td)
      mlir_tablegen(${prefix}${kind}Interfaces.h.inc -gen-${lower}-interface-decls ${MLIR_TABLEGEN_FLAGS})
      mlir_tablegen(${prefix}${kind}Interfaces.cpp.inc -gen-${lower}-interface-defs ${MLIR_TABLEGEN_FLAGS})
    endif()
  endforeach()
  ks_add_docs(${prefix}Docs.inc ${CMAKE_CURRENT_SOURCE_DIR}/${prefix}Ops.td ${dialect} REQUIRE)
  add_public_tablegen_target(ks_${dialect}_headers)
  add_dependencies(ks_${dialect}_headers ks_${dialect}_docs)
  set_property(GLOBAL APPEND PROPERTY KS_GENERATED_HEADERS ks_${dialect}_headers)
  ks_add_library(ks_dialect_${dialect} ${ARG_SOURCES} LINK MLIRIR ${ARG_LINK})
endfunction()

# ks_add_docs(OUTPUT TD_FILE DIALECT [REQUIRE])
# Turns the summaries and descriptions of a dialect's ODS into a C++ table that hover reads.
function(ks_add_docs output td dialect)
  cmake_parse_arguments(ARG "REQUIRE" "" "" ${ARGN})
  set(require)
  if(ARG_REQUIRE)
    set(require --require-descriptions)
  endif()
  file(GLOB local_td CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.td)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/dialect_docs.py
            --tblgen ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen --dialect ${dialect} ${require}
            -I ${CMAKE_SOURCE_DIR} -I ${MLIR_INCLUDE_DIRS}
            -o ${CMAKE_CURRENT_BINARY_DIR}/${output} ${td}
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/dialect_docs.py ${CMAKE_SOURCE_DIR}/cmake/op_syntax.py ${local_td}
    VERBATIM)
  add_custom_target(ks_${dialect}_docs DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${output})
  file(RELATIVE_PATH include ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/${output})
  set_property(GLOBAL APPEND_STRING PROPERTY KS_DOCS_INCLUDES "#include \"${include}\"\n")
  set_property(GLOBAL APPEND PROPERTY KS_DOCS_TARGETS ks_${dialect}_docs)
endfunction()
