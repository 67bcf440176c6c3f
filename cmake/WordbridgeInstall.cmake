# cmake --install: the library with find_package(wordbridge), its public headers, the program with its completion and the
# experiments of the paper, the licence.
include(CMakePackageConfigHelpers)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/wordbridge)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/wordbridgeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/wordbridgeConfig.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wordbridgeConfigVersion.cmake COMPATIBILITY SameMinorVersion)

# wordbridge::wordbridge, the shared library; and wordbridge::static, for those who ask for the component `static`,
# because it wants the libraries that the other one has inside.
if(TARGET wordbridge_shared)
  install(TARGETS wordbridge_shared EXPORT wordbridgeTargets)
  install(EXPORT wordbridgeTargets NAMESPACE wordbridge:: DESTINATION ${config_folder})
endif()
install(TARGETS wordbridge EXPORT wordbridgeStaticTargets)
install(EXPORT wordbridgeStaticTargets NAMESPACE wordbridge:: DESTINATION ${config_folder})
install(FILES ${PROJECT_BINARY_DIR}/wordbridgeConfig.cmake ${PROJECT_BINARY_DIR}/wordbridgeConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindWordbridgeDependencies.cmake DESTINATION ${config_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/wordbridge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS wordbridge_program)
if(TARGET wordbridge_mpi)
  install(TARGETS wordbridge_mpi)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/wordbridge)

# The completion script, as the program itself prints it.
set(completion ${PROJECT_BINARY_DIR}/completion/wordbridge)
add_custom_command(TARGET wordbridge_program POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
  COMMAND wordbridge_program completion bash > ${completion} VERBATIM)
install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
