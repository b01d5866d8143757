// Where the parts of vendors' toolkits are searched that gluond uses: in the user's places, never
// in a project's.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace gluond::backend {

struct Installation {
  std::string folder, from; // "from" says how it was found: "CUDA_HOME"
};

// A program or a library.
struct FoundTool {
  std::string path;       // empty if there is none
  std::string from;       // the source of the place: "CUDA_HOME", "PATH"
  std::string passedOver; // an earlier one that was skipped because it is in the workspace
};

// The folders that these environment variables name.
std::vector<Installation> namedBy(std::initializer_list<const char*> variables);
// The folders of a back end ("nvidia", "amd") in the Triton wheels of the virtual environment, of
// the Pythons on PATH and of the system's.
std::vector<Installation> tritonBackends(llvm::StringRef backend);

// Identifies a version of a tool without running it; "" if there is no file.
std::string identityOf(llvm::StringRef path);

} // namespace gluond::backend
