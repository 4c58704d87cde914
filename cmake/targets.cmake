# One library a folder: stepwise_library(base SOURCES ... DEPS ...) makes stepwise_base.
function(stepwise_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(stepwise_${name} STATIC ${ARG_SOURCES})
  target_include_directories(stepwise_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(stepwise_${name} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
endfunction()

# What the run under TSan builds: the tests of code that several threads enter.
add_custom_target(stepwise_thread_tests)

# A test binary, one ctest entry. Unit tests stand beside the code they test; tests/catch.h is the shim over Catch2.
# THREADS: it is run under TSan too.
function(stepwise_test name)
  cmake_parse_arguments(ARG "THREADS" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE stepwise_catch_main ${ARG_DEPS})
  if(STEPWISE_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)  # most of it is asserts, and those are slow to optimize
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1200)
  if(ARG_THREADS)
    set_tests_properties(${name} PROPERTIES LABELS threads)
    add_dependencies(stepwise_thread_tests ${name})
  endif()
endfunction()

# What the program loads when it runs, besides itself: ninja stepwise stepwise_plugins.
add_custom_target(stepwise_plugins)

# Files that stay by themselves where many are compiled as one (the sanitizers' presets): names that only they see are
# also those of another file of their library. (Tests of plugins are compiled by plugin_test, in the SDK's folder.)
function(stepwise_alone)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_source_files_properties(${ARGN} DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/plugins/sdk
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# An analyzer: shared library and plugin.json side by side in <build>/plugins/<name>/. It sees the SDK only. SOURCES:
# what stands beside plugin.cc; compiled once, for the library and for plugin_test. TESTS: files of plugin_test.
# FOLDER, for tests: another place than plugins, where the program finds it only when told to.
function(stepwise_plugin name)
  cmake_parse_arguments(ARG "" "FOLDER" "SOURCES;TESTS" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER plugins)
    add_dependencies(stepwise_plugins stepwise_plugin_${name})
    set(is_own ON)
  endif()
  set(dir ${PROJECT_BINARY_DIR}/${ARG_FOLDER}/${name})
  set(hidden C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  add_library(stepwise_plugin_${name} MODULE plugin.cc)
  target_link_libraries(stepwise_plugin_${name} PRIVATE stepwise::sdk)
  set_target_properties(stepwise_plugin_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${dir} ${hidden})
  if(ARG_SOURCES)
    set(parts stepwise_plugin_${name}_parts)
    add_library(${parts} OBJECT ${ARG_SOURCES})
    set_target_properties(${parts} PROPERTIES ${hidden})
    target_link_libraries(${parts} PRIVATE stepwise::sdk)
    target_link_libraries(stepwise_plugin_${name} PRIVATE ${parts})
    target_link_libraries(plugin_test PRIVATE ${parts})
  endif()
  if(ARG_TESTS)
    list(TRANSFORM ARG_TESTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    target_sources(plugin_test PRIVATE ${ARG_TESTS})
  endif()
  if(NOT STEPWISE_SANITIZE)
    target_link_options(stepwise_plugin_${name} PRIVATE -Wl,-z,defs)
  endif()
  # binary_id ties manifest and library together: both get the hash of the plugin's own sources.
  set(hash "")
  foreach(source IN LISTS ARG_SOURCES ITEMS plugin.cc plugin.json)
    file(SHA256 ${CMAKE_CURRENT_SOURCE_DIR}/${source} one)
    string(APPEND hash ${one})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
  string(SHA256 hash "${hash}")
  string(SUBSTRING ${hash} 0 16 STEPWISE_BINARY_ID)
  target_compile_definitions(stepwise_plugin_${name} PRIVATE STEPWISE_BINARY_ID="${STEPWISE_BINARY_ID}")
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/plugin.json ${dir}/plugin.json @ONLY)
  if(is_own)
    install(TARGETS stepwise_plugin_${name} LIBRARY DESTINATION lib/stepwise/plugins/${name})
    install(FILES ${dir}/plugin.json DESTINATION lib/stepwise/plugins/${name})
  endif()
endfunction()
