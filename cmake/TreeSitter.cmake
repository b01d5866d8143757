# tree-sitter's core and its Python grammar, from npm, pinned by version and SHA-256. Nothing is vendored.
#
# npm because its package of the grammar is whole (PyPI's lacks scanner.c) and because `npm pack` fetches one archive and
# runs nothing from it. The archives are kept in GLUOND_DOWNLOADS (by default ~/.cache/gluond), so that a second build tree
# or a machine without network configures from there; npm is asked only for what is missing.
#
# Gives the targets gluond_tree_sitter (the core, with its header <tree_sitter/api.h>) and gluond_tree_sitter_python.

if(DEFINED ENV{XDG_CACHE_HOME})
  set(default_downloads "$ENV{XDG_CACHE_HOME}/gluond")
elseif(DEFINED ENV{HOME})
  set(default_downloads "$ENV{HOME}/.cache/gluond")
else()
  set(default_downloads "${CMAKE_BINARY_DIR}/downloads")
endif()
set(GLUOND_DOWNLOADS "${default_downloads}" CACHE PATH "Where fetched archives are kept")

# npm_archive(NAME VERSION SHA256 SUBFOLDER OUT): sets OUT to SUBFOLDER of the unpacked archive, fetched when it is not there.
function(npm_archive name version sha256 subfolder out)
  set(archive "${GLUOND_DOWNLOADS}/${name}-${version}.tgz")
  set(folder "${CMAKE_BINARY_DIR}/third_party/${name}-${version}")
  set(${out} "${folder}/package/${subfolder}" PARENT_SCOPE)
  if(EXISTS "${folder}/.${sha256}")
    return()
  endif()
  if(EXISTS "${archive}")
    file(SHA256 "${archive}" found)
  endif()
  if(NOT "${found}" STREQUAL "${sha256}")
    find_program(NPM npm)
    if(NOT NPM)
      message(FATAL_ERROR "${name} ${version} is fetched with npm, which is missing (Debian: apt-get install npm)")
    endif()
    message(STATUS "Fetching ${name} ${version} with npm")
    string(RANDOM LENGTH 12 unique)
    set(staging "${GLUOND_DOWNLOADS}/.fetch-${unique}") # others may be fetching at the same time
    file(MAKE_DIRECTORY "${staging}")
    execute_process(COMMAND "${NPM}" pack --silent "${name}@${version}" WORKING_DIRECTORY "${staging}"
                    RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
    set(fetched "${staging}/${name}-${version}.tgz")
    if(failed OR NOT EXISTS "${fetched}")
      file(REMOVE_RECURSE "${staging}")
      message(FATAL_ERROR "npm pack ${name}@${version} failed:\n${log}")
    endif()
    file(SHA256 "${fetched}" found)
    if(NOT "${found}" STREQUAL "${sha256}")
      file(REMOVE_RECURSE "${staging}")
      message(FATAL_ERROR "${name} ${version} from npm has SHA-256 ${found}, expected ${sha256}")
    endif()
    file(RENAME "${fetched}" "${archive}")
    file(REMOVE_RECURSE "${staging}")
  endif()
  file(REMOVE_RECURSE "${folder}")
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${folder}" PATTERNS "package/${subfolder}")
  file(WRITE "${folder}/.${sha256}" "")
endfunction()

npm_archive(tree-sitter 0.25.0
  016448ee8e2c23aed7e1155c118cd66cd026e6436f7394b3f3606d30bf9aaa4a vendor/tree-sitter/lib core)
npm_archive(tree-sitter-python 0.25.0
  63b76b3fa8181fd79eaad4abcdb21e2babcb504dbfc7710a89934fa456d26096 src python)

# Foreign C: optimised in every configuration, its warnings are not ours.
add_library(gluond_tree_sitter STATIC ${core}/src/lib.c)
target_include_directories(gluond_tree_sitter SYSTEM PUBLIC ${core}/include PRIVATE ${core}/src)
target_compile_definitions(gluond_tree_sitter PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200112L)
add_library(gluond_tree_sitter_python STATIC ${python}/parser.c ${python}/scanner.c)
target_include_directories(gluond_tree_sitter_python PRIVATE ${python})
foreach(target gluond_tree_sitter gluond_tree_sitter_python)
  target_compile_options(${target} PRIVATE -w -O3)
endforeach()
