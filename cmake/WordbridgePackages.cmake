# Says at once, and by Debian's names, which packages are missing: CMake's own message names one variable at a time.

# wordbridge_require_packages("zlib.h=zlib1g-dev" ...): stops where one of the headers cannot be found.
function(wordbridge_require_packages)
  set(missing)
  foreach(entry IN LISTS ARGN)
    string(REGEX MATCH "^(.+)=(.+)$" entry "${entry}")
    set(header "${CMAKE_MATCH_1}")
    set(package "${CMAKE_MATCH_2}")
    unset(folder)
    find_path(folder "${header}" PATH_SUFFIXES openblas-pthread openblas NO_CACHE)
    if(NOT folder)
      list(APPEND missing "${package}")
    endif()
  endforeach()
  if(missing)
    list(JOIN missing " " names)
    message(FATAL_ERROR "packages are missing: ${names}\n"
      "On Debian, 'apt install ${names}' installs them; packages.txt lists all that are needed.")
  endif()
endfunction()
