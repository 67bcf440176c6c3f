# All tests, as ctest entries:
#   x_test.cc beside its source, or below tests/    GoogleTest; one program a module, tests/test.<module>, because each links
#                                                   the whole library, but one entry a source, <folder>.<x>, so that they
#                                                   run side by side
#   x_test.py below tests/ or tools/                a unittest module, run by Python
# Labels: `threads` for the tests of sources that share work between threads (they run under the thread sanitizer);
# `python` for the Python tests.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# The tests of what shares work between threads: those that run under the thread sanitizer.
set(threaded_names
    align.adapt.adapter align.unsupervised.icp align.unsupervised.similarity_profiles align.unsupervised.sinkhorn
    base.atomic_file evaluation.analogy io.byte_stream io.section_file linalg.blas linalg.blas_core
    optimize.contrastive optimize.rcsls_objective parallel.context parallel.job_queue parallel.thread_pool
    retrieval.cancellation retrieval.criterion_contract retrieval.csls.bounds retrieval.csls.csls_memory
    retrieval.csls.lazy_csls retrieval.csls.mutual_pairs retrieval.csls.neighbor_list_ranking retrieval.gc.rank_bounds
    retrieval.gc.ranks retrieval.globally_corrected retrieval.inverted_softmax retrieval.rerank.candidates
    retrieval.rerank.cross_fitting retrieval.rerank.listwise retrieval.shifted_ranking search.int8.int8_table
    search.neighbor_search search.pruning.cluster_bounds search.search_tasks search.sharded_search
    search.two_sided_search search.warm_start.warm_start_search space.common_space space.csls_statistics
    space.lazy_rows space.mapped_rows space.table_search space.unit_rows studio.bench studio.jobs studio.layout
    vectors.formats.fasttext_model vectors.formats.native vectors.formats.text vectors.inspection vectors.normalizer
    vectors.word_vectors)

# Test sources share this main() and, under x_test_support.{h,cc}, helpers.
file(GLOB_RECURSE support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*_test_support.cc)
add_library(wordbridge_test_support STATIC ${PROJECT_SOURCE_DIR}/cmake/gtest_main.cc ${support_sources})
target_link_libraries(wordbridge_test_support PUBLIC wordbridge GTest::gtest GTest::gmock wordbridge_build_options
                      wordbridge::dependencies)
string(COMPARE NOTEQUAL "${WORDBRIDGE_SANITIZE}" "" sanitized)
target_compile_definitions(wordbridge_test_support PUBLIC WORDBRIDGE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                           WORDBRIDGE_SANITIZED=${sanitized})
# Tests take longer to optimize than to run without; but most of the time of a test is that of the slow twins in here,
# which fast code is compared with.
target_compile_options(wordbridge_test_support PRIVATE -O1 INTERFACE -O0)
set_target_properties(wordbridge_test_support PROPERTIES UNITY_BUILD "${WORDBRIDGE_UNITY}")
# The faster linker of binutils takes a quarter of the time.
find_program(WORDBRIDGE_GOLD ld.gold)
mark_as_advanced(WORDBRIDGE_GOLD)
if(WORDBRIDGE_GOLD)
  target_link_options(wordbridge_test_support PUBLIC -fuse-ld=gold)
endif()

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*_test.cc
     ${PROJECT_SOURCE_DIR}/cli/*_test.cc ${PROJECT_SOURCE_DIR}/tests/*_test.cc)
if(WORDBRIDGE_STUDIO)
  file(GLOB studio_test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studio/*_test.cc)
  list(APPEND test_sources ${studio_test_sources})
endif()
add_custom_target(threaded_tests)
foreach(source IN LISTS test_sources)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  string(REGEX REPLACE "^(src/)?(.*)_test\\.cc$" "\\2" name ${name})
  string(REPLACE "/" "." name ${name})
  set(threaded OFF)
  if(name IN_LIST threaded_names)
    set(threaded ON)
    list(REMOVE_ITEM threaded_names ${name})
  elseif(WORDBRIDGE_SANITIZE STREQUAL "thread")
    continue() # It finds nothing there, and compiling takes time.
  endif()
  string(REGEX REPLACE "\\.[^.]*$" "" folder ${name})
  string(REGEX REPLACE "\\..*$" "" module ${name})
  set(program test.${module})
  if(NOT TARGET ${program})
    list(APPEND test_programs ${program})
    add_executable(${program})
    target_link_libraries(${program} PRIVATE wordbridge_test_support)
    if(module MATCHES "^(cli|tests)$")
      target_link_libraries(${program} PRIVATE wordbridge_cli)
    elseif(module STREQUAL studio)
      target_link_libraries(${program} PRIVATE wordbridge_studio)
    elseif(NOT precompiling_program)
      # The headers of GoogleTest are most of what a test compiles.
      wordbridge_precompile(${program} <gmock/gmock.h> <gtest/gtest.h>)
      set(precompiling_program ${program})
    elseif(WORDBRIDGE_PRECOMPILES)
      target_precompile_headers(${program} REUSE_FROM ${precompiling_program})
    endif()
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  endif()
  target_sources(${program} PRIVATE ${source})
  if(NOT TARGET test.${folder})
    add_custom_target(test.${folder} DEPENDS ${program}) # for who thinks of a folder
  endif()
  get_filename_component(file ${source} NAME)
  add_test(NAME ${name} COMMAND ${program} --source ${file})
  if(threaded)
    set_tests_properties(${name} PROPERTIES LABELS threads)
    add_dependencies(threaded_tests ${program})
  endif()
endforeach()
if(threaded_names)
  message(FATAL_ERROR "No such tests: ${threaded_names}; mend the list of tests that run under the thread sanitizer")
endif()
foreach(program IN LISTS test_programs)
  wordbridge_join_sources(${program})
endforeach()

# The programs of the documentation, which tests/readme runs.
file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cc)
foreach(source IN LISTS example_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(example.${name} ${source})
  target_link_libraries(example.${name} PRIVATE $<IF:$<TARGET_EXISTS:wordbridge_shared>,wordbridge_shared,wordbridge>)
  set_target_properties(example.${name} PROPERTIES OUTPUT_NAME ${name}
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
endforeach()

# What tests/hostile preloads to make system calls fail; the sanitizers want to be loaded first themselves.
if(NOT WORDBRIDGE_SANITIZE)
  add_library(fault_injection MODULE ${PROJECT_SOURCE_DIR}/tests/hostile/fault_injection.cc)
  target_link_libraries(fault_injection PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(fault_injection PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()

# Python tests find the program under test in the environment variable WORDBRIDGE.
file(GLOB_RECURSE python_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*_test.py
     ${PROJECT_SOURCE_DIR}/tools/*_test.py)
if(NOT WORDBRIDGE_STUDIO)
  list(FILTER python_tests EXCLUDE REGEX "/tests/studio/|/browser/studio_test")
endif()
if(WORDBRIDGE_SANITIZE)
  # What commands do with the library, its own tests do under sanitizers; of the commands, those run that meet damaged
  # files, and those that read and write. The others are about the program that users run: bytes, signals, terminals,
  # pages, documents, installing.
  list(FILTER python_tests INCLUDE REGEX
       "/tests/cli/(damage|vectors|streams|matrix|model)_test|/hostile/mutations_test|/tools/")
endif()
foreach(source IN LISTS python_tests)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  string(REGEX REPLACE "_test\\.py$" "" name ${name})
  string(REPLACE "/" "." name ${name})
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(module ${source} NAME_WE)
  add_test(NAME ${name} COMMAND Python3::Interpreter -B -m unittest ${module} WORKING_DIRECTORY ${folder})
  set(environment WORDBRIDGE=$<TARGET_FILE:wordbridge_program> WORDBRIDGE_SANITIZED=${sanitized}
                  WORDBRIDGE_SOURCE_DIR=${PROJECT_SOURCE_DIR} WORDBRIDGE_BINARY_DIR=${PROJECT_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES LABELS python ENVIRONMENT "${environment}")
endforeach()

# The longest start first, so that none of them runs alone at the end.
foreach(name tests.readme.readme tests.cli.reproduce tests.browser.report tests.browser.studio tests.studio.project tests.cli.align tests.cli.unsupervised
        tests.cli.usage tests.cli.same_bytes tests.hostile.memory tests.install.install tests.hostile.faults tests.hostile.signals tests.hostile.mutations
        search.two_sided_search search.int8.int8_table vectors.formats align.aligner_contract io.byte_stream
        vectors.formats.text search.neighbor_search)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endforeach()

# benchmarks/run builds the benchmarks. Here they only have to compile, so that a change which breaks one shows.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT WORDBRIDGE_BENCHMARKS)
  file(GLOB benchmark_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*.cc)
  add_library(benchmark_sources OBJECT ${benchmark_sources})
  target_compile_options(benchmark_sources PRIVATE -O0)
  target_include_directories(benchmark_sources PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(benchmark_sources PRIVATE wordbridge wordbridge_build_options wordbridge::dependencies)
endif()
