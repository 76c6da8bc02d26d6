# How every target of the project is built: ccache, warnings as errors, optional sanitizers.
#
#   lanecut_library(NAME sources... [LINK libs...])   a static library; headers are included from the project's root
#   lanecut_test(NAME sources... [LINK libs...] LABEL unit|rtl|system)  a GoogleTest program; one ctest entry per program

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
foreach(label unit rtl system)
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
  lanecut_warnings(${name})
endfunction()

function(lanecut_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${LANECUT_ROOT})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  lanecut_warnings(${name})
  # Tests of one program name their helpers alike.
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABEL}")
  add_dependencies(${ARG_LABEL}_tests ${name})
  if(ARG_TIMEOUT)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  endif()
endfunction()

find_package(GTest REQUIRED)
find_package(fmt REQUIRED)
