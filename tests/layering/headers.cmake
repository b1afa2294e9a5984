# simmer_headers: every header of the tree compiled alone and twice in a row, one with a C interface also as C. An
# object library, so that only what changed is compiled again; a header that needs another one first breaks the build.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/cache/*.h ${PROJECT_SOURCE_DIR}/cooker/*.h ${PROJECT_SOURCE_DIR}/gui/*.h
     ${PROJECT_SOURCE_DIR}/plugins/*.h ${PROJECT_SOURCE_DIR}/tests/*.h)

set(sources "")
foreach(header ${headers})
  set(languages cpp)
  file(STRINGS ${PROJECT_SOURCE_DIR}/${header} c_interface REGEX "extern \"C\"")
  if(c_interface)
    list(APPEND languages c)
  endif()
  foreach(language ${languages})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.${language})
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
endforeach()

add_library(simmer_headers OBJECT ${sources})
target_compile_options(simmer_headers PRIVATE -O0 -g0)
target_include_directories(simmer_headers PRIVATE ${PROJECT_SOURCE_DIR}
                                                  $<TARGET_PROPERTY:simmer_cache,INCLUDE_DIRECTORIES>)
target_link_libraries(simmer_headers PRIVATE simmer_warnings Qt6::Core fmt::fmt tl::expected)
