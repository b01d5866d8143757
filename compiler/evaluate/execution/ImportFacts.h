// What the text of a module says of its imports, whatever happens when it runs. It is found once
// for each syntax tree: a module of a large project runs for each file that imports it.
#pragma once

#include "evaluate/interpreter/InterpreterOptions.h"
#include "evaluate/interpreter/WrongLanguageImport.h"

#include <memory>
#include <string>
#include <vector>

namespace gluond::evaluate {

struct ImportFacts {
  // Packages whose Gluon it imports: `from vendored_triton.experimental import gluon`.
  std::vector<std::string> copiesOfTriton;
  llvm::SmallVector<WrongLanguageImport, 1> wrongLanguage;
};

// May be called from any thread. The result refers to the module's tree.
std::shared_ptr<const ImportFacts> importFactsOf(const ModuleSource& module, Interner& names);

} // namespace gluond::evaluate
