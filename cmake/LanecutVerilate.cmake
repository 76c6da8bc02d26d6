# lanecut_verilate(NAME TOP top SOURCES files... [PARAMS Name=value...] [OPTIMIZE 1] [TRACE 1]): a library with the C++ class
# V<NAME>.
#
# OPTIMIZE 1 is for what takes longer to compile than to run. With TRACE it can write waves (FST); it has no assertions then,
# because it runs beside an instance that has them.
# One call per configuration; every program that needs the configuration links the same library.

set(LANECUT_VERILATE_DIR ${CMAKE_CURRENT_LIST_DIR})

find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)
find_package(ZLIB REQUIRED)

# Verilator's run time is compiled once, not with every configuration: all of them want the same of it.
function(lanecut_share_runtime name)
  get_target_property(sources ${name} SOURCES)
  set(runtime ${sources})
  list(FILTER runtime INCLUDE REGEX "^${VERILATOR_ROOT}/include/")
  list(REMOVE_ITEM sources ${runtime})
  set_target_properties(${name} PROPERTIES SOURCES "${sources}")
  set(waves ${runtime})
  list(FILTER waves INCLUDE REGEX "_fst_c.cpp$")
  list(REMOVE_ITEM runtime ${waves})
  lanecut_runtime_library(lanecut_verilator_runtime ${name} ${runtime})
  target_link_libraries(${name} PUBLIC lanecut_verilator_runtime)
  if(waves)
    lanecut_runtime_library(lanecut_verilator_waves ${name} ${waves})
    target_link_libraries(lanecut_verilator_waves PUBLIC ZLIB::ZLIB)
    target_link_libraries(${name} PUBLIC lanecut_verilator_waves)
  endif()
endfunction()

# The library of these sources, if it is not there yet, compiled as those of the target `like`.
function(lanecut_runtime_library name like)
  if(TARGET ${name})
    return()
  endif()
  get_target_property(definitions ${like} COMPILE_DEFINITIONS)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} SYSTEM PRIVATE ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_compile_definitions(${name} PRIVATE ${definitions})
  target_compile_options(${name} PRIVATE -w)
endfunction()

function(lanecut_verilate name)
  cmake_parse_arguments(ARG "" "TOP;OPTIMIZE;TRACE" "SOURCES;PARAMS" ${ARGN})
  if(NOT ARG_OPTIMIZE)
    set(ARG_OPTIMIZE 3)
  endif()
  # -O3 would copy every module into the top one; see lanecut.vlt. Lookup tables are numbered, which makes ports differ.
  set(args -Wall -O3 --inline-mult 2000 -fno-table --x-assign fast --x-initial fast
      ${LANECUT_VERILATE_DIR}/lanecut.vlt)
  foreach(param ${ARG_PARAMS})
    list(APPEND args -G${param})
  endforeach()
  if(ARG_TRACE)
    list(APPEND args --no-trace-params)
    set(options TRACE_FST OPT_SLOW -O0)
  else()
    list(APPEND args --assert)
    set(options "")
  endif()
  add_library(${name} STATIC)
  verilate(${name} PREFIX V${name} TOP_MODULE ${ARG_TOP} SOURCES ${ARG_SOURCES} VERILATOR_ARGS ${args} ${options})
  target_compile_options(${name} PRIVATE -O${ARG_OPTIMIZE} -w)
  lanecut_share_runtime(${name})
  # Generated code and Verilator's own headers are not ours to warn about.
  get_target_property(includes ${name} INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(${name} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${includes}")
endfunction()
