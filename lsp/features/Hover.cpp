#include "lsp/features/Hover.h"

#include "lsp/features/Budget.h"
#include "lsp/features/Facts.h"
#include "lsp/features/Meaning.h"
#include "syntax/Children.h"

namespace gluond::lsp {

namespace lang = gluond::language;
using namespace syntax;

namespace {

std::string code(llvm::StringRef text) {
  return "```python\n" + text.str() + "\n```\n";
}

std::string describe(const lang::Builtin& builtin) {
  std::string markdown = code(signatureText(builtin));
  if (builtin.kind == lang::BuiltinKind::Removed)
    markdown += "\nRemoved in an earlier version; use `" + builtin.text.str() + "`.\n";
  if (llvm::StringRef doc = documentation(builtin); !doc.empty())
    markdown += "\n" + doc.str() + "\n";
  std::string parameters;
  for (const lang::Parameter& parameter : builtin.parameters)
    if (llvm::StringRef doc = parameterDocumentation(builtin, parameter.name); !doc.empty())
      parameters += "- `" + std::string(parameter.name) + "`: " + doc.str() + "\n";
  if (!parameters.empty()) markdown += "\n" + parameters;
  return markdown;
}

std::string describe(const FunctionDef& def, const text::SourceText& source) {
  std::string text;
  for (const Expr* decorator : def.decorators)
    text += "@" + source.slice(decorator->range).str() + "\n";
  text += source.slice(def.header).rtrim(" \t:").str();
  std::string markdown = code(text);
  if (!def.docstring.empty()) markdown += "\n" + def.docstring.str() + "\n";
  return markdown;
}

std::string describe(const ClassDef& def, const text::SourceText& source, const Interner& names) {
  std::string text;
  for (const Expr* decorator : def.decorators)
    text += "@" + source.slice(decorator->range).str() + "\n";
  text += "class " + names.text(def.name.name).str();
  std::string markdown = code(text);
  if (!def.docstring.empty()) markdown += "\n" + def.docstring.str() + "\n";
  return markdown;
}

std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

std::string bytesText(uint64_t bytes) {
  if (bytes >= 1024 && bytes % 1024 == 0) return std::to_string(bytes / 1024) + " KiB";
  return std::to_string(bytes) + " bytes";
}

// What an expression is in the selected specialization: type, layout, size; the value of a
// constant.
std::string describe(const Fact& fact, llvm::StringRef expression) {
  const codegen::TypeFact& type = fact.type;
  bool isShort = expression.size() <= 60 && !expression.contains('\n');
  std::string name = isShort ? expression.str() : "...";
  std::string markdown;
  if (type.kind == codegen::FactKind::Constexpr)
    markdown = code(name + " = " + type.text);
  else if (type.shape.empty())
    markdown = code(name + ": " + type.text);
  else
    markdown = code(name + ": " + shortText(type));
  if (!type.layout.empty()) markdown += "\n" + code(type.layout);
  if (!type.shape.empty()) {
    markdown += "\nshape " + shapeText(type.shape);
    if (type.bytes) markdown += ", " + bytesText(type.bytes);
    markdown += "\n";
  }
  return markdown + "\n*" + fact.kernel + "*: " + fact.label + "\n";
}

// The dotted name that ends at the part under the cursor: in gl.nvidia.hop|per.tma it is
// gl.nvidia.hopper.
struct DottedName {
  text::Range whole; // from the first part
  text::Range part;  // the one under the cursor
};
std::optional<DottedName> dottedAt(const SyntaxTree& tree, text::Offset offset) {
  auto path = pathTo(tree.body(), offset);
  if (path.empty()) return std::nullopt;
  const Node* node = path.back();
  if (auto* name = llvm::dyn_cast<NameExpr>(node)) return DottedName{name->range, name->range};
  auto* attribute = llvm::dyn_cast<Attribute>(node);
  if (!attribute || !attribute->attribute.range.touches(offset)) return std::nullopt;
  const Expr* base = attribute->value;
  while (auto* inner = llvm::dyn_cast<Attribute>(base))
    base = inner->value;
  if (!llvm::isa<NameExpr>(base)) return std::nullopt;
  return DottedName{{base->range.begin, attribute->attribute.range.end},
                    attribute->attribute.range};
}

} // namespace

std::optional<HoverInfo> hoverAt(const driver::Snapshot& snapshot,
                                 const std::shared_ptr<const driver::File>& file,
                                 text::Offset offset, driver::Worker& worker,
                                 CancellationToken token) {
  auto tree = file->tree(snapshot.names(), token);
  if (!tree) return std::nullopt;
  NameIndex index = NameIndex::build(*tree);
  HoverInfo info;
  if (auto dotted = dottedAt(*tree, offset)) {
    std::string text; // without blanks and line breaks inside
    for (char c : file->text().slice(dotted->whole))
      if (!isspace(static_cast<unsigned char>(c))) text += c;
    Meaning meaning = meaningOf(*tree, index, text, offset);
    info.range = dotted->part;
    if (meaning.builtin)
      info.markdown = describe(*meaning.builtin);
    else if (meaning.module)
      info.markdown =
          code((meaning.module->isClass ? "class " : "module ") + meaning.module->name.str());
  }
  if (info.markdown.empty()) {
    if (const Occurrence* here = index.at(offset)) {
      info.range = here->range;
      const Entity& entity = index.entities()[here->entity];
      if (auto* def = llvm::dyn_cast_or_null<FunctionDef>(entity.node))
        info.markdown = describe(*def, file->text());
      else if (auto* def = llvm::dyn_cast_or_null<ClassDef>(entity.node))
        info.markdown = describe(*def, file->text(), snapshot.names());
    }
  }
  // Functions and builtins speak for themselves; of everything else codegen knows what it is here.
  if (info.markdown.empty())
    if (auto fact = factAt(snapshot, file, offset, worker, token)) {
      info.range = fact->range;
      info.markdown = describe(*fact, file->text().slice(fact->range));
    }
  // A call is named by a name or an attribute; what it costs is worth a hover of its own.
  auto path = pathTo(tree->body(), offset);
  const Node* node = path.empty() ? nullptr : path.back();
  if (llvm::isa_and_nonnull<NameExpr, Attribute>(node))
    if (std::string cost = costAt(snapshot, file, offset, worker, token); !cost.empty()) {
      if (info.markdown.empty()) {
        auto* attribute = llvm::dyn_cast<Attribute>(node);
        info.range = attribute ? attribute->attribute.range : node->range;
      }
      info.markdown += (info.markdown.empty() ? "" : "\n") + cost + "\n";
    }
  if (info.markdown.empty()) return std::nullopt;
  return info;
}

} // namespace gluond::lsp
