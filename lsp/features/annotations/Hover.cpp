#include "lsp/features/annotations/Hover.h"

#include "evaluate/triton/EarlierCalls.h"
#include "lsp/features/annotations/ModuleValues.h"
#include "lsp/features/completion/Signature.h"
#include "lsp/features/facts/BudgetText.h"
#include "lsp/features/facts/FactText.h"
#include "lsp/features/facts/LeftOut.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

namespace lang = gluond::language;
using namespace syntax;
using Kind = Denoted::Kind;

namespace {

std::string paragraph(llvm::StringRef text) {
  return text.empty() ? "" : "\n" + text.str() + "\n";
}

std::string describe(const lang::Builtin& builtin, releases::Release release) {
  std::string markdown = code(signatureText(builtin, release));
  if (auto life = evaluate::lifeOf(builtin))
    markdown += life->holds(release) ? "\nSince Triton " + releases::name(life->first).str() + ".\n"
                                     : "\nNot in Triton " + releases::name(release).str() + ": " +
                                           releases::textOf(*life) + ".\n";
  if (builtin.kind == lang::BuiltinKind::Removed)
    markdown += "\nRemoved in an earlier version; use `" + builtin.text.str() + "`.\n";
  markdown += paragraph(documentation(builtin));
  std::string parameters;
  for (const lang::Parameter& parameter : builtin.parameters)
    if (llvm::StringRef doc = parameterDocumentation(builtin, parameter.name); !doc.empty())
      parameters += "- `" + std::string(parameter.name) + "`: " + doc.str() + "\n";
  if (!parameters.empty()) markdown += "\n" + parameters;
  return markdown;
}

std::string describe(const lang::Builtin& builtin, releases::Release release,
                     llvm::StringRef parameter) {
  for (const lang::Parameter& each : evaluate::parametersIn(release, builtin))
    if (std::string_view(parameter) == each.name)
      return code("(parameter) " + std::string(each.name) +
                  (each.defaultText.empty() ? "" : " = " + std::string(each.defaultText))) +
             paragraph(parameterDocumentation(builtin, parameter));
  return describe(builtin, release);
}

std::string decorated(Exprs decorators, const text::SourceText& source) {
  std::string text;
  for (const Expr* decorator : decorators)
    text += "@" + source.slice(decorator->range).str() + "\n";
  return text;
}

std::string describe(const FunctionDef& def, const text::SourceText& source) {
  return code(decorated(def.decorators, source) + source.slice(def.header).rtrim(" \t:").str()) +
         paragraph(plainInMarkdown(def.docstring));
}

// A class with its fields: their annotations and defaults are the most useful information.
std::string describe(const ClassDef& def, const text::SourceText& source, const Interner& names) {
  std::string text = decorated(def.decorators, source) + "class " + names.text(def.name.name).str();
  for (const Stmt* stmt : def.body)
    if (auto* field = llvm::dyn_cast<AnnAssign>(stmt); field && text.size() < 2000)
      text += "\n    " + source.slice(field->range).str();
  return code(text) + paragraph(plainInMarkdown(def.docstring));
}

class Hovering {
public:
  Hovering(NameResolver& resolver, const IndexedFile& file, text::Offset offset, bool plainPython)
      : resolver_(resolver), file_(file), offset_(offset), names_(resolver.snapshot().names()),
        path_(pathTo(file.tree->body(), offset)),
        isOurs_(plainPython || gluonAround(*file.tree, file.index, offset)) {}

  std::optional<HoverInfo> run() {
    HoverInfo info;
    if (auto resolved = resolver_.at(file_, offset_)) {
      info.range = resolved->range;
      info.markdown = ofName(*resolved);
    }
    const Node* node = path_.empty() ? nullptr : path_.back();
    // A literal says itself what it is.
    if (info.markdown.empty() && !llvm::isa_and_nonnull<Constant>(node))
      if (auto fact = resolver_.facts(file_).at(offset_)) {
        info.range = fact->range;
        info.markdown = describeFact(*fact, textOf(fact->range), names_);
      }
    // A call is identified by a name or an attribute; its cost is worth a hover of its own.
    if (llvm::isa_and_nonnull<NameExpr, Attribute>(node))
      if (std::string cost = costAt(resolver_.snapshot(), file_.file, offset_, resolver_.worker(),
                                    resolver_.token());
          !cost.empty()) {
        if (info.markdown.empty()) {
          auto* attribute = llvm::dyn_cast<Attribute>(node);
          info.range = attribute ? attribute->attribute.range : node->range;
        }
        info.markdown += (info.markdown.empty() ? "" : "\n") + cost + "\n";
      }
    auto* member = llvm::dyn_cast_or_null<Attribute>(node);
    if (info.markdown.empty() && member && member->attribute.range.touches(offset_)) {
      info.range = member->attribute.range;
      info.markdown = ofKernelMember(*member);
    }
    if (info.markdown.empty() && llvm::isa_and_nonnull<NameExpr, Attribute>(node))
      if (auto leftOut = leftOutAt(resolver_.facts(file_), *file_.tree, offset_)) {
        info.range = member ? member->attribute.range : node->range;
        info.markdown = ofLeftOut(node->range, *leftOut);
      }
    if (info.markdown.empty()) return std::nullopt;
    return info;
  }

private:
  llvm::StringRef textOf(text::Range range) const { return file_.file->text().slice(range); }

  // A member that host code uses of a kernel.
  std::string ofKernelMember(const Attribute& attribute) {
    llvm::StringRef name = names_.text(attribute.attribute.name);
    auto row = llvm::find_if(kernelMemberRows(),
                             [&](const KernelMember& each) { return each.name == name; });
    if (row == kernelMemberRows().end()) return "";
    Denoted owner = resolver_.of(file_, attribute.value);
    if (owner.kind != Kind::Function) return "";
    const auto& def = llvm::cast<FunctionDef>(*owner.node);
    if (roleOf(*owner.file->tree, owner.file->index, def) != GluonRole::Kernel) return "";
    return code(names_.text(def.name.name).str() + "." + name.str()) +
           paragraph(row->documentation);
  }

  // Why the selected specialization does not have the code, and what another one makes of it.
  std::string ofLeftOut(text::Range range, const LeftOut& leftOut) {
    std::string why = whyLeftOut(leftOut, file_.file->text());
    why.front() = llvm::toUpper(why.front());
    auto other = resolver_.facts(file_).inAnotherSpecialization(range);
    return (other ? describeFact(*other, textOf(range), names_) + "\n" : "") + why + ".\n";
  }

  // Returns the call whose function the name is.
  const Call* calledBy(text::Range name) const {
    for (const Node* node : path_)
      if (auto* call = llvm::dyn_cast<Call>(node); call && call->func->range.end == name.end)
        return call;
    return nullptr;
  }
  bool isKeywordName(text::Range name) const {
    for (const Node* node : path_)
      if (auto* call = llvm::dyn_cast<Call>(node))
        for (const Keyword& keyword : call->keywords)
          if (keyword.name.range == name) return true;
    return false;
  }

  // Describes the result of the call under the cursor.
  std::string result(text::Range name) {
    const Call* call = calledBy(name);
    auto fact = call ? resolver_.facts(file_).of(call->range) : std::nullopt;
    if (!fact || fact->type.text == "None") return "";
    return "\n---\n" + describeFact(*fact, "result", names_);
  }

  // Describes the value of the property under the cursor.
  std::string valueOf(text::Range name) {
    auto fact = resolver_.facts(file_).of(expressionAt(name));
    return fact ? "\n---\n" + describeFact(*fact, textOf(fact->range), names_) : "";
  }

  std::string ofValue(const Resolved& resolved) {
    if (auto fact = resolver_.facts(file_).of(expressionAt(resolved.range)))
      return describeFact(*fact, textOf(fact->range), names_);
    std::optional<ModuleValue> value;
    if (const Expr* expr = namedAt(resolved.range))
      value = moduleValue(resolver_, file_, expr);
    else if (const Occurrence* here = file_.index.at(resolved.range.begin))
      value = moduleValue(resolver_, file_, *here); // a name that an import binds
    if (!value && resolved.denoted.symbol)
      value = moduleValue(resolver_, file_, *resolved.denoted.symbol);
    if (!value || !(value->isGluon || isOurs_ || concernsKernels(resolved))) return "";
    return code(textOf(resolved.range).str() + " = " + valueText(*value, names_)) +
           (value->value.isConstexpr() ? "\nconstexpr\n" : "");
  }
  // Whether functions of Gluon read this name of the file, or it is annotated as a constexpr.
  bool concernsKernels(const Resolved& resolved) const {
    const std::optional<Symbol>& symbol = resolved.denoted.symbol;
    const Occurrence* here = file_.index.at(resolved.range.begin);
    if (!here || !symbol || symbol->file != &file_ || symbol->kind != Symbol::Kind::Global)
      return false;
    auto* annotated =
        llvm::dyn_cast_or_null<AnnAssign>(statementAt(*file_.tree, symbol->range.begin));
    if (annotated && textOf(annotated->annotation->range).ends_with("constexpr")) return true;
    return llvm::any_of(file_.index.of(here->entity), [&](const Occurrence& each) {
      return gluonAround(*file_.tree, file_.index, each.range.begin);
    });
  }
  // The name or attribute that ends with it.
  const Expr* namedAt(text::Range name) const {
    for (const Node* node : llvm::reverse(path_))
      if (auto* expr = llvm::dyn_cast<Expr>(node);
          expr && expr->range.end == name.end && llvm::isa<NameExpr, Attribute>(expr))
        return expr;
    return nullptr;
  }
  text::Range expressionAt(text::Range name) const {
    const Expr* expr = namedAt(name);
    return expr ? expr->range : name;
  }

  std::string ofName(const Resolved& resolved) {
    const Denoted& denoted = resolved.denoted;
    bool isParameter = denoted.symbol && denoted.symbol->kind == Symbol::Kind::Parameter;
    switch (denoted.kind) {
    case Kind::Builtin:
      if (isKeywordName(resolved.range))
        return describe(*denoted.builtin, resolver_.release(), textOf(resolved.range));
      if (denoted.symbol && !calledBy(resolved.range)) break; // x = gl.float16: a value as well
      return describe(*denoted.builtin, resolver_.release()) +
             (denoted.builtin->kind == lang::BuiltinKind::Property ? valueOf(resolved.range)
                                                                   : result(resolved.range));
    case Kind::Namespace:
      // For a value (a tensor) the value is described; the namespace is that of its methods.
      if (denoted.symbol || denoted.module->isClass) break;
      return code("module " + denoted.module->name.str());
    case Kind::File:
      return isOurs_ || mentionsGluon(denoted.file->file->text().text())
                 ? code("module " + denoted.file->file->path())
                 : "";
    case Kind::Function: {
      const auto& def = llvm::cast<FunctionDef>(*denoted.node);
      if (!isOurs_ && roleOf(*denoted.file->tree, denoted.file->index, def) == GluonRole::None)
        return "";
      return describe(def, denoted.file->file->text()) + result(resolved.range);
    }
    case Kind::Class: {
      const auto& def = llvm::cast<ClassDef>(*denoted.node);
      if (!isOurs_ && roleOf(*denoted.file->tree, denoted.file->index, def) == GluonRole::None)
        return "";
      return describe(def, denoted.file->file->text(), names_);
    }
    default:
      break;
    }
    if (isParameter && isKeywordName(resolved.range)) return ofParameter(*denoted.symbol);
    std::string value = ofValue(resolved);
    if (value.empty() && isOurs_ && denoted.symbol && denoted.symbol->kind == Symbol::Kind::Member)
      return ofField(*denoted.symbol);
    return value;
  }

  // A field of an aggregate or dataclass, as written in the class.
  std::string ofField(const Symbol& symbol) {
    const Stmt* stmt = statementAt(*symbol.file->tree, symbol.range.begin);
    auto* field = llvm::dyn_cast_or_null<AnnAssign>(stmt);
    if (!field || field->target->range != symbol.range) return "";
    return code("(field) " + symbol.file->file->text().slice(field->range).str());
  }

  // A keyword argument: the parameter as written in the definition.
  std::string ofParameter(const Symbol& symbol) {
    for (const Node* node : pathFrom(symbol.file->tree->body(), symbol.range.begin))
      if (auto* def = llvm::dyn_cast<FunctionDef>(node))
        for (const Parameter& parameter : def->parameters)
          if (parameter.name.range == symbol.range) {
            text::Range range = parameter.name.range;
            if (parameter.annotation) range.end = parameter.annotation->range.end;
            if (parameter.defaultValue) range.end = parameter.defaultValue->range.end;
            return code("(parameter) " + symbol.file->file->text().slice(range).str());
          }
    return "";
  }

  NameResolver& resolver_;
  const IndexedFile& file_;
  text::Offset offset_;
  Interner& names_;
  llvm::SmallVector<const Node*, 16> path_;
  bool isOurs_;
};

} // namespace

std::optional<HoverInfo> hoverAt(NameResolver& resolver, const IndexedFile& file,
                                 text::Offset offset, bool plainPython) {
  if (!plainPython && !mentionsGluon(file.file->text().text())) return std::nullopt;
  return Hovering(resolver, file, offset, plainPython).run();
}

} // namespace gluond::lsp
