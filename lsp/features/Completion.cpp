#include "lsp/features/Completion.h"

#include "lsp/features/Meaning.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::lsp {

namespace lang = gluond::language;
using namespace syntax;

namespace {

CompletionKind kindOf(const lang::Builtin& builtin) {
  switch (builtin.kind) {
  case lang::BuiltinKind::Layout:
  case lang::BuiltinKind::Class:
  case lang::BuiltinKind::Dtype:
    return CompletionKind::Class;
  case lang::BuiltinKind::Property:
    return CompletionKind::Property;
  case lang::BuiltinKind::Constant:
    return CompletionKind::Constant;
  default:
    return CompletionKind::Function;
  }
}

void addMembers(const lang::BuiltinModule& module, std::vector<Completion>& out) {
  llvm::SmallVector<const lang::Builtin*> rows;
  lang::namesOf(module.id, rows);
  llvm::StringSet<> seen;
  for (const lang::Builtin* row : rows) {
    if (row->kind == lang::BuiltinKind::Removed || row->kind == lang::BuiltinKind::Inert) continue;
    if (!seen.insert(row->name).second) continue;
    bool isPrivate = row->name.starts_with("_");
    out.push_back({row->name.str(), kindOf(*row), signatureText(*row), documentation(*row).str(),
                   isPrivate ? 2u : 0u});
  }
  for (const lang::BuiltinModule& other : lang::builtinModules()) {
    llvm::StringRef name = other.name;
    if (other.isClass || !name.consume_front(module.name) || !name.consume_front(".") ||
        name.contains('.'))
      continue;
    if (name.starts_with("_") || !seen.insert(name).second) continue;
    out.push_back({name.str(), CompletionKind::Module, other.name.str(), "", 0});
  }
}

// The text of a function's parameters as they stand in the file, one after another.
std::vector<std::string> parameterTexts(const FunctionDef& def, const text::SourceText& source,
                                        const Interner& names) {
  std::vector<std::string> texts;
  for (const syntax::Parameter& parameter : def.parameters) {
    std::string text = names.text(parameter.name.name).str();
    if (parameter.kind == syntax::ParameterKind::VarArgs) text = "*" + text;
    if (parameter.kind == syntax::ParameterKind::KwArgs) text = "**" + text;
    if (parameter.annotation) text += ": " + source.slice(parameter.annotation->range).str();
    if (parameter.defaultValue) text += "=" + source.slice(parameter.defaultValue->range).str();
    texts.push_back(std::move(text));
  }
  return texts;
}

const FunctionDef* functionOf(const Meaning& meaning) {
  return meaning.entity ? llvm::dyn_cast_or_null<FunctionDef>(meaning.entity->node) : nullptr;
}

void addArguments(const Meaning& meaning, const OpenCall& call, const text::SourceText& source,
                  const Interner& names, std::vector<Completion>& out) {
  auto add = [&](std::string name, std::string detail, std::string doc) {
    if (!llvm::is_contained(call.keywords, name))
      out.push_back({name + "=", CompletionKind::Argument, detail, doc, 0});
  };
  if (const lang::Builtin* builtin = meaning.builtin) {
    for (const lang::Parameter& parameter : builtin->parameters)
      if (parameter.name != "self" && parameter.kind != lang::ParameterKind::VarArgs &&
          parameter.kind != lang::ParameterKind::KwArgs)
        add(std::string(parameter.name),
            parameter.defaultText.empty() ? "" : "= " + std::string(parameter.defaultText),
            parameterDocumentation(*builtin, parameter.name).str());
  } else if (const FunctionDef* def = functionOf(meaning)) {
    for (const syntax::Parameter& parameter : def->parameters)
      if (parameter.kind != syntax::ParameterKind::VarArgs &&
          parameter.kind != syntax::ParameterKind::KwArgs)
        add(names.text(parameter.name.name).str(),
            parameter.annotation ? source.slice(parameter.annotation->range).str() : "", "");
  }
}

CompletionKind kindOf(const Entity& entity) {
  switch (entity.kind) {
  case EntityKind::Function:
    return CompletionKind::Function;
  case EntityKind::Class:
    return CompletionKind::Class;
  case EntityKind::Import:
    return CompletionKind::Module;
  default:
    return CompletionKind::Variable;
  }
}

// The module whose names complete `from X import |`; null elsewhere.
const lang::BuiltinModule* importedModule(const text::SourceText& source, text::Offset offset) {
  llvm::StringRef line = source.line(source.lineOf(offset)).ltrim();
  if (!line.consume_front("from ")) return nullptr;
  auto [module, rest] = line.split(" import");
  return rest.empty() && !line.ends_with(" import") ? nullptr : lang::findModule(module.trim());
}

} // namespace

Completions completionsAt(const driver::Snapshot& snapshot, const driver::File& file,
                          text::Offset offset, CancellationToken token) {
  const text::SourceText& source = file.text();
  CursorContext context = contextAt(source, offset);
  Completions result{context.word, {}};
  if (context.inText) return result;
  if (const lang::BuiltinModule* module = importedModule(source, offset)) {
    addMembers(*module, result.items);
    return result;
  }
  auto tree = file.tree(snapshot.names(), token);
  if (!tree) return result;
  NameIndex index = NameIndex::build(*tree);
  if (context.inImport && context.afterDot) {
    if (const lang::BuiltinModule* module = lang::findModule(source.slice(context.base)))
      addMembers(*module, result.items);
    return result;
  }
  if (context.afterDot) {
    if (context.base.end > context.base.begin)
      if (Meaning meaning = meaningOf(*tree, index, source.slice(context.base), offset);
          meaning.module)
        addMembers(*meaning.module, result.items);
    return result;
  }

  if (!context.calls.empty() && context.calls.back().keyword.empty()) {
    const OpenCall& call = context.calls.back();
    if (call.bracket == '(' && call.callee.end > call.callee.begin)
      addArguments(meaningOf(*tree, index, source.slice(call.callee), offset), call, source,
                   snapshot.names(), result.items);
  }
  for (uint32_t visible : index.visibleAt(offset)) {
    const Entity& entity = index.entities()[visible];
    std::string name = snapshot.names().text(entity.name).str();
    // The word being typed is itself in the tree; alone, it is no suggestion.
    std::vector<Occurrence> places = index.of(visible);
    if (llvm::all_of(places, [&](const Occurrence& o) { return o.range == context.word; }))
      continue;
    std::string detail;
    if (auto* def = llvm::dyn_cast_or_null<FunctionDef>(entity.node))
      detail = name + "(" + llvm::join(parameterTexts(*def, source, snapshot.names()), ", ") + ")";
    result.items.push_back({name, kindOf(entity), detail, "", entity.scope == 0 ? 2u : 1u});
  }
  return result;
}

std::optional<Signature> signatureAt(const driver::Snapshot& snapshot, const driver::File& file,
                                     text::Offset offset, CancellationToken token) {
  const text::SourceText& source = file.text();
  CursorContext context = contextAt(source, offset);
  auto tree = file.tree(snapshot.names(), token);
  if (!tree) return std::nullopt;
  NameIndex index = NameIndex::build(*tree);
  for (const OpenCall& call : llvm::reverse(context.calls)) {
    if (call.bracket != '(' || call.callee.end <= call.callee.begin) continue;
    Meaning meaning = meaningOf(*tree, index, source.slice(call.callee), offset);
    Signature signature;
    std::vector<std::string> names; // of the parameters, without stars
    bool takesMore = false;
    if (meaning.builtin && meaning.builtin->hasParameters()) {
      std::vector<text::Range> ranges;
      signature.label = signatureText(*meaning.builtin, &ranges);
      signature.documentation = documentation(*meaning.builtin).str();
      for (auto [parameter, range] : llvm::zip(meaning.builtin->parameters, ranges)) {
        signature.parameters.push_back(
            {range, parameterDocumentation(*meaning.builtin, parameter.name).str()});
        names.emplace_back(parameter.name);
        takesMore |= parameter.kind == lang::ParameterKind::VarArgs;
      }
    } else if (const FunctionDef* def = functionOf(meaning)) {
      signature.label = snapshot.names().text(def->name.name).str() + "(";
      for (const std::string& text : parameterTexts(*def, source, snapshot.names())) {
        if (!signature.parameters.empty()) signature.label += ", ";
        auto begin = static_cast<text::Offset>(signature.label.size());
        signature.label += text;
        signature.parameters.push_back(
            {{begin, static_cast<text::Offset>(signature.label.size())}, ""});
      }
      signature.label += ")";
      signature.documentation = def->docstring.str();
      for (const syntax::Parameter& parameter : def->parameters) {
        names.push_back(snapshot.names().text(parameter.name.name).str());
        takesMore |= parameter.kind == syntax::ParameterKind::VarArgs;
      }
    } else {
      continue;
    }
    signature.active = call.argument;
    if (!call.keyword.empty())
      signature.active = static_cast<unsigned>(llvm::find(names, call.keyword) - names.begin());
    else if (takesMore)
      signature.active =
          std::min<unsigned>(signature.active, static_cast<unsigned>(names.size() - 1));
    return signature;
  }
  return std::nullopt;
}

} // namespace gluond::lsp
