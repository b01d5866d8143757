#include "evaluate/interpreter/WrongLanguageImport.h"

#include "evaluate/triton/TritonModules.h"
#include "language/types/Builtin.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

namespace {

constexpr llvm::StringLiteral language = "triton.experimental.gluon.language";
constexpr llvm::StringLiteral others[] = {"triton", "triton.experimental",
                                          "triton.experimental.gluon", "triton.language"};

struct Candidate {
  const syntax::Alias* alias;
  Name bound;
  llvm::StringRef module;
  llvm::SmallVector<Name, 8> members; // that the file uses
};

std::string dotted(llvm::ArrayRef<syntax::Identifier> path, const Interner& names) {
  std::string result;
  for (const syntax::Identifier& part : path)
    (result += result.empty() ? "" : ".") += names.text(part.name);
  return result;
}

bool has(llvm::StringRef module, llvm::StringRef member) {
  const language::BuiltinModule* known = language::findModule(module);
  return known &&
         (language::findBuiltin(known->id, member) || language::findSubmodule(*known, member));
}

bool certainlyLacks(llvm::StringRef module, llvm::StringRef member) {
  bool isModule = isTritonModule((module + "." + member).str()).value_or(true);
  return !isModule && !has(module, member) && tritonHas(module, member) == false;
}

} // namespace

llvm::SmallVector<WrongLanguageImport, 1>
wrongLanguageImports(llvm::ArrayRef<const syntax::Stmt*> body, const Interner& names) {
  llvm::SmallVector<WrongLanguageImport, 1> found;
  llvm::SmallVector<Candidate, 2> candidates;
  bool importsLanguage = false;
  auto note = [&](const syntax::Alias& alias, const std::string& module, Name bound) {
    importsLanguage |= llvm::StringRef(module).starts_with(language);
    const auto* known = llvm::find(others, module);
    if (bound && known != std::end(others)) candidates.push_back({&alias, bound, *known, {}});
  };
  for (const syntax::Stmt* stmt : body) {
    if (auto* import = llvm::dyn_cast<syntax::Import>(stmt)) {
      for (const syntax::Alias& alias : import->names)
        note(alias, dotted(alias.path, names), alias.asName.name);
    } else if (auto* from = llvm::dyn_cast<syntax::ImportFrom>(stmt); from && !from->level) {
      std::string package = dotted(from->module, names);
      importsLanguage |= llvm::StringRef(package).starts_with(language);
      for (const syntax::Alias& alias : from->names)
        if (!alias.path.empty())
          note(alias, package + "." + names.text(alias.path[0].name).str(),
               alias.asName.name ? alias.asName.name : alias.path[0].name);
    }
  }
  if (importsLanguage || candidates.empty()) return found;
  for (const syntax::Stmt* stmt : body)
    syntax::walk(stmt, [&](const syntax::Node* node) {
      auto* attribute = llvm::dyn_cast<syntax::Attribute>(node);
      auto* name = attribute ? llvm::dyn_cast<syntax::NameExpr>(attribute->value) : nullptr;
      for (Candidate& each : candidates)
        if (name && name->name == each.bound) each.members.push_back(attribute->attribute.name);
      return true;
    });
  for (const Candidate& each : candidates) {
    Name lacking;
    bool isLanguage = llvm::all_of(each.members, [&](Name member) {
      llvm::StringRef text = names.text(member);
      if (!lacking && certainlyLacks(each.module, text)) lacking = member;
      return has(language, text);
    });
    if (isLanguage && lacking) found.push_back({each.alias, each.module.str(), lacking});
  }
  return found;
}

bool haveSameWrongLanguageImports(llvm::ArrayRef<const syntax::Stmt*> before,
                                  llvm::ArrayRef<const syntax::Stmt*> after,
                                  const Interner& names) {
  return llvm::equal(wrongLanguageImports(before, names), wrongLanguageImports(after, names),
                     [](const WrongLanguageImport& a, const WrongLanguageImport& b) {
                       return a.module == b.module && a.lacking == b.lacking;
                     });
}

} // namespace gluond::evaluate
