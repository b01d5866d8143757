#include "evaluate/interpreter/ProgramEnvironment.h"

#include "syntax/parser/Keywords.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace gluond::evaluate {

static bool isDotted(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, '.');
  return llvm::all_of(parts, syntax::isIdentifier);
}

static bool isLiteral(llvm::StringRef text) {
  if (text == "True" || text == "False" || text == "None") return true;
  int64_t integer;
  double real;
  if (!text.getAsInteger(0, integer) || !text.getAsDouble(real)) return true;
  char quote = text.empty() ? '\0' : text.front();
  return text.size() >= 2 && (quote == '"' || quote == '\'') && text.back() == quote;
}

std::optional<ModuleConstant> readConstant(llvm::StringRef text) {
  auto [path, value] = text.split('=');
  auto [module, name] = path.trim().rsplit('.');
  value = value.trim();
  if (name.empty() || !isDotted(path.trim()) || !isLiteral(value)) return std::nullopt;
  return ModuleConstant{module, name, value};
}

bool isMeant(llvm::StringRef module, llvm::StringRef dottedName) {
  return dottedName.consume_back(module) && (dottedName.empty() || dottedName.ends_with("."));
}

std::optional<ModuleAlias> readAlias(llvm::StringRef text) {
  auto [name, module] = text.split('=');
  if (!isDotted(name.trim()) || !isDotted(module.trim())) return std::nullopt;
  return ModuleAlias{name.trim(), module.trim()};
}

std::optional<std::string> under(const ModuleAlias& alias, llvm::StringRef dottedName) {
  if (!dottedName.consume_front(alias.name)) return std::nullopt;
  if (!dottedName.empty() && !dottedName.starts_with(".")) return std::nullopt;
  return (alias.module + dottedName).str();
}

} // namespace gluond::evaluate
