# lanecut_verilate(NAME TOP top SOURCES files... [PARAMS Name=value...] [OPTIMIZE 1]): a library with the C++ class V<NAME>.
#
# OPTIMIZE 1 is for what takes longer to compile than to run.
# One call per configuration; every program that needs the configuration links the same library.

set(LANECUT_VERILATE_DIR ${CMAKE_CURRENT_LIST_DIR})

find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)

# Verilator's run time is compiled once, not with every configuration: all of them want the same of it.
function(lanecut_share_runtime name)
  get_target_property(sources ${name} SOURCES)
  set(runtime ${sources})
  list(FILTER runtime INCLUDE REGEX "^${VERILATOR_ROOT}/include/")
  list(REMOVE_ITEM sources ${runtime})
  set_target_properties(${name} PROPERTIES SOURCES "${sources}")
  if(NOT TARGET lanecut_verilator_runtime)
    get_target_property(definitions ${name} COMPILE_DEFINITIONS)
    add_library(lanecut_verilator_runtime STATIC ${runtime})
    target_include_directories(lanecut_verilator_runtime SYSTEM PRIVATE
      ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
    target_compile_definitions(lanecut_verilator_runtime PRIVATE ${definitions})
    target_compile_options(lanecut_verilator_runtime PRIVATE -w)
  endif()
  target_link_libraries(${name} PUBLIC lanecut_verilator_runtime)
endfunction()

function(lanecut_verilate name)
  cmake_parse_arguments(ARG "" "TOP;OPTIMIZE" "SOURCES;PARAMS" ${ARGN})
  if(NOT ARG_OPTIMIZE)
    set(ARG_OPTIMIZE 3)
  endif()
  # -O3 would copy every module into the top one; see lanecut.vlt. Lookup tables are numbered, which makes ports differ.
  set(args -Wall --assert -O3 --inline-mult 2000 -fno-table --x-assign fast --x-initial fast
      ${LANECUT_VERILATE_DIR}/lanecut.vlt)
  foreach(param ${ARG_PARAMS})
    list(APPEND args -G${param})
  endforeach()
  add_library(${name} STATIC)
  verilate(${name} PREFIX V${name} TOP_MODULE ${ARG_TOP} SOURCES ${ARG_SOURCES} VERILATOR_ARGS ${args})
  target_compile_options(${name} PRIVATE -O${ARG_OPTIMIZE} -w)
  lanecut_share_runtime(${name})
  # Generated code and Verilator's own headers are not ours to warn about.
  get_target_property(includes ${name} INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(${name} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${includes}")
endfunction()
