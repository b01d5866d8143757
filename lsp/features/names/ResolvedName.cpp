#include "lsp/features/names/ResolvedName.h"

#include "evaluate/triton/EarlierCalls.h"
#include "syntax/tree/Ast.h"

namespace gluond::lsp {

using namespace syntax;
namespace lang = gluond::language;

namespace {

std::string dottedPath(llvm::ArrayRef<Identifier> path, const Interner& names) {
  std::string text;
  for (const Identifier& part : path)
    text += (text.empty() ? "" : ".") + names.text(part.name).str();
  return text;
}

ResolvedName member(const lang::BuiltinModule& module, llvm::StringRef name) {
  if (const lang::Builtin* builtin = lang::findBuiltin(module.id, name))
    return {nullptr, builtin, nullptr};
  return {lang::findSubmodule(module, name), nullptr, nullptr};
}

ResolvedName ofImport(const Entity& entity, const Interner& names) {
  if (auto* from = llvm::dyn_cast<ImportFrom>(entity.node)) {
    if (from->level > 0) return {nullptr, nullptr, &entity};
    const lang::BuiltinModule* module = lang::findModule(dottedPath(from->module, names));
    if (!module) return {nullptr, nullptr, &entity};
    return member(*module, names.text(entity.alias->path.front().name));
  }
  // import a.b.c binds a; import a.b.c as d binds a.b.c
  llvm::ArrayRef<Identifier> path = entity.alias->path;
  if (!entity.alias->asName.name) path = path.take_front(1);
  const lang::BuiltinModule* module = lang::findModule(dottedPath(path, names));
  return module ? ResolvedName{module, nullptr, nullptr} : ResolvedName{nullptr, nullptr, &entity};
}

} // namespace

ResolvedName resolveName(const SyntaxTree& tree, const NameIndex& index, llvm::StringRef dotted,
                         text::Offset offset) {
  auto [first, rest] = dotted.split('.');
  Name name = tree.interner().intern(first);
  const Entity* entity = index.lookup(name, offset);
  if (!entity) return {};
  ResolvedName meaning{nullptr, nullptr, entity};
  if (entity->kind == EntityKind::Import && entity->alias)
    meaning = ofImport(*entity, tree.interner());
  while (!rest.empty()) {
    if (!meaning.module) return {};
    auto [part, after] = rest.split('.');
    meaning = member(*meaning.module, part);
    rest = after;
  }
  return meaning;
}

std::string signatureText(const lang::Builtin& builtin, releases::Release release,
                          std::vector<text::Range>* parameters) {
  std::string text = builtin.name.str();
  if (!builtin.hasParameters()) return text;
  text += "(";
  bool first = true, sawKeywordOnly = false;
  for (const lang::Parameter& parameter : evaluate::parametersIn(release, builtin)) {
    if (!first) text += ", ";
    first = false;
    if (parameter.kind == lang::ParameterKind::KeywordOnly && !sawKeywordOnly) {
      text += "*, ";
      sawKeywordOnly = true;
    }
    auto begin = static_cast<text::Offset>(text.size());
    if (parameter.kind == lang::ParameterKind::VarArgs) {
      text += "*";
      sawKeywordOnly = true;
    }
    if (parameter.kind == lang::ParameterKind::KwArgs) text += "**";
    text += parameter.name;
    if (!parameter.defaultText.empty()) text += "=" + std::string(parameter.defaultText);
    if (parameters) parameters->push_back({begin, static_cast<text::Offset>(text.size())});
  }
  return text + ")";
}

llvm::StringRef documentation(const lang::Builtin& builtin) {
  llvm::StringRef doc = builtin.doc;
  size_t list = doc.starts_with("- ") ? 0 : doc.find("\n- ");
  return doc.substr(0, list).trim();
}

llvm::StringRef parameterDocumentation(const lang::Builtin& builtin, llvm::StringRef parameter) {
  llvm::StringRef rest = builtin.doc;
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    rest = after;
    if (line.consume_front("- ") && line.consume_front(parameter) && line.consume_front(":"))
      return line.trim();
  }
  return "";
}

} // namespace gluond::lsp
