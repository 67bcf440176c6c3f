# What the library links against, behind one target: wordbridge::dependencies. Installed beside wordbridgeConfig.cmake,
# because whoever links the static library links these too.
include(FindPackageHandleStandardArgs)
include(CMakeFindDependencyMacro)

find_dependency(Threads)
find_dependency(OpenSSL COMPONENTS Crypto)
find_dependency(ZLIB)
find_dependency(BZip2)
find_dependency(LibLZMA)
find_dependency(fmt)
find_dependency(ICU COMPONENTS uc i18n)

# A BLAS of our own, inside, apart from the one that others in the same process may use and configure. The variant that can
# have threads, because the serial one must not be called by several at once; it is told to start none
# (linalg/blas_core.cc).
find_path(OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas-pthread openblas)
find_library(OPENBLAS_LIBRARY libopenblas.a PATH_SUFFIXES openblas-pthread)
find_path(LAPACKE_INCLUDE_DIR lapacke.h)
find_library(LAPACKE_LIBRARY liblapacke.a)
find_library(GFORTRAN_LIBRARY NAMES gfortran libgfortran.so.5)
find_path(ZSTD_INCLUDE_DIR zstd.h)
find_library(ZSTD_LIBRARY zstd)
find_path(UTF8PROC_INCLUDE_DIR utf8proc.h)
find_library(UTF8PROC_LIBRARY utf8proc)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h)
find_library(TOMLPLUSPLUS_LIBRARY tomlplusplus)
mark_as_advanced(OPENBLAS_INCLUDE_DIR OPENBLAS_LIBRARY LAPACKE_INCLUDE_DIR LAPACKE_LIBRARY GFORTRAN_LIBRARY
                 ZSTD_INCLUDE_DIR ZSTD_LIBRARY UTF8PROC_INCLUDE_DIR UTF8PROC_LIBRARY TOMLPLUSPLUS_INCLUDE_DIR
                 TOMLPLUSPLUS_LIBRARY)
find_package_handle_standard_args(WordbridgeDependencies REQUIRED_VARS
  OPENBLAS_LIBRARY OPENBLAS_INCLUDE_DIR LAPACKE_LIBRARY LAPACKE_INCLUDE_DIR GFORTRAN_LIBRARY
  ZSTD_LIBRARY ZSTD_INCLUDE_DIR UTF8PROC_LIBRARY UTF8PROC_INCLUDE_DIR TOMLPLUSPLUS_LIBRARY TOMLPLUSPLUS_INCLUDE_DIR)

if(WordbridgeDependencies_FOUND AND NOT TARGET wordbridge::dependencies)
  add_library(wordbridge::dependencies INTERFACE IMPORTED GLOBAL)
  target_include_directories(wordbridge::dependencies SYSTEM INTERFACE ${OPENBLAS_INCLUDE_DIR} ${LAPACKE_INCLUDE_DIR}
    ${ZSTD_INCLUDE_DIR} ${UTF8PROC_INCLUDE_DIR} ${TOMLPLUSPLUS_INCLUDE_DIR})
  target_link_libraries(wordbridge::dependencies INTERFACE Threads::Threads OpenSSL::Crypto ZLIB::ZLIB BZip2::BZip2
    LibLZMA::LibLZMA fmt::fmt ICU::i18n ICU::uc ${LAPACKE_LIBRARY} ${OPENBLAS_LIBRARY} ${GFORTRAN_LIBRARY} ${ZSTD_LIBRARY}
    ${UTF8PROC_LIBRARY} ${TOMLPLUSPLUS_LIBRARY})
endif()
