# Unit tests: every *_test.cc beside the sources is one program and one ctest entry per test suite file.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
include(GoogleTest)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/wordbridge/*_test.cc
     ${PROJECT_SOURCE_DIR}/cli/*_test.cc)
file(GLOB_RECURSE support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/wordbridge/*_test_support.cc)
add_library(wordbridge_test_support STATIC ${PROJECT_SOURCE_DIR}/cmake/gtest_main.cc ${support_sources})
target_link_libraries(wordbridge_test_support PUBLIC wordbridge GTest::gtest GTest::gmock wordbridge_build_options
                                                     wordbridge_dependencies)
target_compile_definitions(wordbridge_test_support PUBLIC WORDBRIDGE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
foreach(source IN LISTS test_sources)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  string(REGEX REPLACE "^(src/wordbridge/)?(.*)_test\\.cc$" "\\2" name ${name})
  string(REPLACE "/" "." name ${name})
  add_executable(test.${name} ${source})
  target_link_libraries(test.${name} PRIVATE wordbridge_test_support)
  set_target_properties(test.${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND test.${name})
endforeach()
