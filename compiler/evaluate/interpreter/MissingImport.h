// Imports of modules and names that do not exist or were not found.
#pragma once

#include "language/values/Value.h"
#include "text/SourceText.h"

namespace gluond::evaluate {

// A module or name of an import statement that does not exist or was not found.
struct MissingImport {
  enum class Kind : uint8_t {
    Name,     // the names of the module are known, and this is not one of them
    Module,   // Triton has no such module
    NotFound, // no such module was found; it may be installed where the program runs
  } kind;
  text::Range range;                            // of the name or of the module's name
  llvm::StringRef module;                       // dotted, as in Python
  Name name = {};                               // for Kind::Name
  const language::ModuleObject* from = nullptr; // for Kind::Name
  const language::ModuleObject* importer = nullptr;
  bool isCertain = false; // the statement certainly runs, and no handler catches its exception
};

} // namespace gluond::evaluate
