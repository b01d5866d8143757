// What a program finds around it and evaluation cannot know: the user says it, in settings.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::evaluate {

struct ProgramEnvironment {
  std::vector<std::string> variables; // "NAME=VALUE": variables in os.environ
  std::vector<std::string> constants; // "package.module.NAME=VALUE": names of modules
  std::vector<std::string> aliases;   // "NAME=MODULE": modules that are imported by other names
};

// A constant: "package.module", "NAME" and a number, a string in quotes, True, False or None.
struct ModuleConstant {
  llvm::StringRef module, name, value;
};
// Returns nullopt if the text is not such a constant.
std::optional<ModuleConstant> readConstant(llvm::StringRef text);
// Whether constants of `module` are those of the module that Python calls `dottedName`: its name
// may be given from any package on.
bool isMeant(llvm::StringRef module, llvm::StringRef dottedName);

// An alias: both are names of modules, with dots. Returns nullopt if the text is no alias.
struct ModuleAlias {
  llvm::StringRef name, module;
};
std::optional<ModuleAlias> readAlias(llvm::StringRef text);
// Returns the name of a module under an alias: "a.b.c" is "x.c" if "a.b" stands for "x".
std::optional<std::string> under(const ModuleAlias& alias, llvm::StringRef dottedName);

} // namespace gluond::evaluate
