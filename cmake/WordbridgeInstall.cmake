# cmake --install: the library with find_package(wordbridge), the headers, the program.
