# Installs the library, its header, a package for CMake (find_package(simmer_runtime), target simmer::runtime) and one for
# pkg-config.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/simmer_runtime)

install(TARGETS simmer_runtime EXPORT simmer_runtime INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES simmer_runtime.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT simmer_runtime FILE simmer_runtimeConfig.cmake NAMESPACE simmer:: DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/simmer_runtimeConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/simmer_runtimeConfigVersion.cmake DESTINATION ${package})

# What stands in the .pc is relative to where it lies, so that `cmake --install --prefix` may choose the place.
file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
get_target_property(kind simmer_runtime TYPE)
set(libs_private "")
if(UNIX)
  set(libs_private -lm)
endif()
set(libs "")
if(kind STREQUAL "STATIC_LIBRARY")
  set(libs ${libs_private})  # nobody says --static where there is nothing else
endif()
configure_file(simmer_runtime.pc.in simmer_runtime.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/simmer_runtime.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
