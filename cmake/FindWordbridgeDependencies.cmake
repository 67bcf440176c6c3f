# Everything the library links against, behind one target: wordbridge_dependencies.
include(FindPackageHandleStandardArgs)

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

find_path(OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas-pthread openblas)
find_library(OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread)
find_path(LAPACKE_INCLUDE_DIR lapacke.h)
find_library(LAPACKE_LIBRARY lapacke)
find_path(ZSTD_INCLUDE_DIR zstd.h)
find_library(ZSTD_LIBRARY zstd)
find_path(XXHASH_INCLUDE_DIR xxhash.h)
find_path(UTF8PROC_INCLUDE_DIR utf8proc.h)
find_library(UTF8PROC_LIBRARY utf8proc)
find_package_handle_standard_args(WordbridgeDependencies REQUIRED_VARS
  OPENBLAS_INCLUDE_DIR OPENBLAS_LIBRARY LAPACKE_INCLUDE_DIR LAPACKE_LIBRARY ZSTD_INCLUDE_DIR ZSTD_LIBRARY
  XXHASH_INCLUDE_DIR UTF8PROC_INCLUDE_DIR UTF8PROC_LIBRARY)

if(NOT TARGET wordbridge_dependencies)
  add_library(wordbridge_dependencies INTERFACE)
  target_include_directories(wordbridge_dependencies SYSTEM INTERFACE ${OPENBLAS_INCLUDE_DIR} ${LAPACKE_INCLUDE_DIR}
    ${ZSTD_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR} ${UTF8PROC_INCLUDE_DIR})
  target_link_libraries(wordbridge_dependencies INTERFACE Threads::Threads OpenSSL::Crypto ZLIB::ZLIB BZip2::BZip2
    LibLZMA::LibLZMA fmt::fmt nlohmann_json::nlohmann_json ${OPENBLAS_LIBRARY} ${LAPACKE_LIBRARY} ${ZSTD_LIBRARY}
    ${UTF8PROC_LIBRARY})
endif()
