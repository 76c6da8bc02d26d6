# How every target of the project is built: ccache, warnings as errors, optional sanitizers.
#
#   lanecut_library(NAME sources... [LINK libs...])   a static library; headers are included from the project's root; several
#       sources are compiled as one, because most of the time goes into the headers they share
#   lanecut_test(NAME sources... [LINK libs...] LABEL unit|rtl|system [SHARDS n] [TIMEOUT seconds])  a GoogleTest program:
#       one ctest entry, or n that run side by side with a part of its tests each

set(LANECUT_ROOT ${CMAKE_CURRENT_LIST_DIR}/..)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

if(LANECUT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Each builds the tests with its label.
foreach(label unit rtl system interop)
  add_custom_target(${label}_tests)
endforeach()

function(lanecut_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
  # The sanitizers' instrumentation makes g++ suspect uninitialized values that are not; the plain build judges warnings.
  if(NOT LANECUT_SANITIZE)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

function(lanecut_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC ${LANECUT_ROOT})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON)
  lanecut_warnings(${name})
endfunction()

function(lanecut_test name)
  cmake_parse_arguments(ARG "" "LABEL;SHARDS;TIMEOUT" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${LANECUT_ROOT})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  lanecut_warnings(${name})
  # Tests take longer to optimize than to run; what they test is optimized.
  target_compile_options(${name} PRIVATE $<IF:$<BOOL:${LANECUT_SANITIZE}>,-O0,-O1>)
  add_dependencies(${ARG_LABEL}_tests ${name})
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 1500)
  endif()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    set(entry ${name})
    if(ARG_SHARDS GREATER 1)
      string(APPEND entry _${shard})
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${entry} COMMAND ${name})
    # A long program must not begin last, when the other cores have nothing left to do.
    set_tests_properties(${entry} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT} COST ${ARG_SHARDS}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

find_package(GTest REQUIRED)
find_package(fmt REQUIRED)
