#include "lsp/features/annotations/InlayHints.h"

#include "driver/analysis/ChosenLayouts.h"
#include "lsp/features/facts/FactText.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <tuple>

namespace gluond::lsp {

using namespace syntax;
using codegen::FactKind;

namespace {

class Hinter {
public:
  Hinter(NameResolver& resolver, const IndexedFile& file, text::Range range,
         const HintOptions& options)
      : resolver_(resolver), file_(file), range_(range), options_(options) {}

  std::vector<Hint> run() {
    for (const Stmt* stmt : file_.tree->body())
      visit(*stmt, false);
    if (options_.costs) costs();
    llvm::sort(hints_, [](const Hint& a, const Hint& b) {
      return std::tie(a.at, a.label) < std::tie(b.at, b.label);
    });
    return std::move(hints_);
  }

private:
  static constexpr size_t longestValue = 60;

  bool isWanted(text::Range range) const {
    return range.begin <= range_.end && range_.begin <= range.end;
  }

  void visit(const Node& node, bool isInKernel) {
    if (!isWanted(rangeWithDecorators(node)) || resolver_.token().isCancelled()) return;
    if (llvm::isa<FunctionDef, ClassDef>(node)) {
      GluonRole role = roleOf(*file_.tree, file_.index, node);
      isInKernel |= role == GluonRole::Kernel;
      if (auto* def = llvm::dyn_cast<FunctionDef>(&node); def && role == GluonRole::Kernel)
        parameters(*def);
    }
    if (isInKernel) {
      if (auto* assign = llvm::dyn_cast<Assign>(&node))
        for (const Expr* target : assign->targets)
          assigned(target, assign->value);
      if (auto* assign = llvm::dyn_cast<AnnAssign>(&node); assign && assign->value)
        assigned(assign->target, assign->value);
      if (auto* loop = llvm::dyn_cast<For>(&node)) assigned(loop->target, nullptr);
      if (auto* with = llvm::dyn_cast<With>(&node))
        for (const WithItem& item : with->items)
          assigned(item.target, nullptr);
    }
    forEachChild(node, [&](const Node& child) {
      if (auto* named = llvm::dyn_cast<NamedExpr>(&child); named && isInKernel)
        assigned(named->target, named->value);
      visit(child, isInKernel);
    });
  }

  void assigned(const Expr* target, const Expr* value) {
    if (!target) return;
    if (auto* tuple = llvm::dyn_cast<Tuple>(target)) {
      for (const Expr* each : tuple->elements)
        assigned(each, nullptr);
      return;
    }
    auto* name = llvm::dyn_cast<NameExpr>(target);
    if (!name || !isWanted(name->range)) return;
    auto fact = resolver_.facts(file_).of(name->range);
    if (!fact) return;
    if (fact->type.kind == FactKind::Constexpr) {
      if (options_.values && value) constant(*fact, *value);
      return;
    }
    if (!options_.types) return;
    std::string label = shortText(fact->type);
    if (label.empty()) return;
    if (options_.layouts && !fact->type.layout.empty())
      label += " " + shortLayout(fact->type.layout) +
               (driver::isChosenLayout(fact->type) ? " (auto)" : "");
    add(name->range.end, ": " + label, *fact, false);
  }

  // Placed after the statement, unless the code already shows the value.
  void constant(const Fact& fact, const Expr& value) {
    if (llvm::isa<Constant>(value) || fact.type.text.size() > longestValue) return;
    auto squeezed = [](llvm::StringRef text) {
      std::string result;
      for (char c : text)
        if (!llvm::isSpace(c)) result += c;
      return result;
    };
    if (squeezed(file_.file->text().slice(value.range)) == squeezed(fact.type.text)) return;
    if (auto* call = llvm::dyn_cast<Call>(&value)) {
      Denoted callee = resolver_.of(file_, call->func);
      if (callee.builtin && callee.builtin->kind == language::BuiltinKind::Layout) return;
    }
    add(value.range.end, " = " + fact.type.text, fact, false);
  }

  void parameters(const FunctionDef& def) {
    if (!options_.parameters) return;
    for (const Parameter& parameter : def.parameters) {
      if (!isWanted(parameter.name.range)) continue;
      auto fact = resolver_.facts(file_).of(parameter.name.range);
      if (!fact) continue;
      text::Offset end =
          parameter.annotation ? parameter.annotation->range.end : parameter.name.range.end;
      if (fact->type.kind == FactKind::Constexpr) {
        if (fact->type.text.size() <= longestValue) add(end, " = " + fact->type.text, *fact, true);
      } else if (std::string label = shortText(fact->type); !label.empty()) {
        add(parameter.name.range.end, ": " + label, *fact, true);
      }
    }
  }

  // The cost of an access or a conversion, at the end of its line, if there is a warning about it.
  void costs() {
    FileFacts& facts = resolver_.facts(file_);
    const driver::KernelList* kernels = facts.kernels();
    if (!kernels) return;
    llvm::DenseSet<text::Offset> seen;
    for (const driver::Kernel& kernel : kernels->kernels) {
      const driver::Variant& variant = kernel.variants[kernel.selected];
      if (llvm::none_of(facts.analyzer().reached(variant), [&](const driver::Anchor& anchor) {
            return anchor.file == file_.file->id() && isWanted(anchor.range);
          }))
        continue;
      auto result = facts.analyzer().analyze(variant);
      if (!result) return;
      llvm::DenseSet<std::pair<text::Offset, text::Offset>> told;
      for (const auto& each : result->diagnostics)
        if (each.severity != diagnostics::Severity::Error && each.location.file == file_.file->id())
          told.insert({each.location.range.begin, each.location.range.end});
      for (const driver::CostFact& cost : result->costs) {
        text::Range place = cost.place.range;
        bool isTold = told.contains({place.begin, place.end});
        if (cost.place.file != file_.file->id() || !isTold || !isWanted(place)) continue;
        const text::SourceText& text = file_.file->text();
        uint32_t line = text.lineOf(place.end);
        text::Offset end = text.lineStart(line) + static_cast<text::Offset>(text.line(line).size());
        if (!seen.insert(end).second) continue; // one a line
        hints_.push_back(
            {end, "  " + cost.text, "*" + kernel.qualname + "*: " + variant.label, false});
      }
    }
  }

  void add(text::Offset at, std::string label, const Fact& fact, bool isParameter) {
    std::string tooltip;
    if (!fact.type.layout.empty()) tooltip += code(fact.type.layout) + "\n";
    if (fact.type.bytes && !fact.type.shape.empty()) tooltip += bytesText(fact.type.bytes) + "\n\n";
    tooltip += "*" + fact.kernel.qualname + "*: " + fact.variant.label;
    hints_.push_back({at, std::move(label), std::move(tooltip), isParameter});
  }

  NameResolver& resolver_;
  const IndexedFile& file_;
  text::Range range_;
  const HintOptions& options_;
  std::vector<Hint> hints_;
};

} // namespace

std::vector<Hint> hintsIn(NameResolver& resolver, const IndexedFile& file, text::Range range,
                          const HintOptions& options) {
  if (!file.isGluon) return {};
  return Hinter(resolver, file, range, options).run();
}

} // namespace gluond::lsp
