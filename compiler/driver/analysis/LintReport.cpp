#include "driver/analysis/LintReport.h"

#include "driver/kernelfixes/LintFixes.h"
#include "driver/program/OpPlaces.h"
#include "support/Allowance.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace gluond::driver {

namespace {

// The names that a function reads. A function with many findings is walked once.
class NamesRead {
public:
  bool contains(const syntax::FunctionDef& function, Name name) {
    auto [known, isNew] = names_.try_emplace(&function);
    if (isNew) collect(function, known->second);
    return known->second.contains(name);
  }

private:
  using Names = llvm::DenseSet<Name>;
  static void collect(const syntax::Node& node, Names& names) {
    if (auto* read = llvm::dyn_cast<syntax::NameExpr>(&node)) {
      names.insert(read->name);
    } else if (auto* assign = llvm::dyn_cast<syntax::Assign>(&node)) {
      for (const syntax::Expr* target : assign->targets)
        if (!llvm::isa<syntax::NameExpr>(target)) collect(*target, names);
      collect(*assign->value, names);
    } else if (auto* assign = llvm::dyn_cast<syntax::AnnAssign>(&node)) {
      if (assign->value) collect(*assign->value, names);
    } else {
      syntax::forEachChild(node, [&](const syntax::Node& child) { collect(child, names); });
    }
  }

  llvm::DenseMap<const syntax::FunctionDef*, Names> names_;
};

// Whether the source itself drops the value of the expression at `place`, in every specialization:
// it is a statement of its own, or assigned to a name that its function never reads.
bool isNeverRead(const diagnostics::Location& place, const EvaluatedFile& program,
                 NamesRead& read) {
  for (const EvaluatedFile::Part& part : program.parts()) {
    if (part.file->id() != place.file) continue;
    auto path = syntax::pathTo(part.tree->body(), place.range.begin);
    const syntax::FunctionDef* function = nullptr;
    const syntax::Stmt* statement = nullptr;
    for (const syntax::Node* node : path) {
      if (auto* inner = llvm::dyn_cast<syntax::FunctionDef>(node)) function = inner;
      if (auto* inner = llvm::dyn_cast<syntax::Stmt>(node)) statement = inner;
    }
    if (!function || !statement) return false;
    auto is = [&](const syntax::Expr* value) { return value && value->range == place.range; };
    if (auto* alone = llvm::dyn_cast<syntax::ExprStmt>(statement)) return is(alone->value);
    const syntax::Expr* target = nullptr;
    if (auto* assign = llvm::dyn_cast<syntax::Assign>(statement))
      target = is(assign->value) && assign->targets.size() == 1 ? assign->targets.front() : nullptr;
    if (auto* assign = llvm::dyn_cast<syntax::AnnAssign>(statement))
      target = is(assign->value) ? assign->target : nullptr;
    auto* name = llvm::dyn_cast_if_present<syntax::NameExpr>(target);
    // `_ = f(x)` says that the result is not wanted.
    return name && !part.tree->interner().text(name->name).starts_with("_") &&
           !read.contains(*function, name->name);
  }
  return false;
}

// Moves a finding about one of a call's arguments to that argument, whose line may be far below the
// call's first.
void narrow(lints::Id id, diagnostics::Location& place, const EvaluatedFile& program) {
  if (id != lints::Id::WorkerRegisters) return;
  constexpr llvm::StringLiteral keyword = "worker_num_regs";
  constexpr size_t position = 2;
  for (const EvaluatedFile::Part& part : program.parts()) {
    if (part.file->id() != place.file) continue;
    const syntax::Call* call = nullptr;
    for (const syntax::Node* node : syntax::pathTo(part.tree->body(), place.range.begin))
      if (node->range == place.range)
        if (auto* found = llvm::dyn_cast<syntax::Call>(node)) call = found;
    if (!call) return;
    const syntax::Expr* argument = call->args.size() > position ? call->args[position] : nullptr;
    for (const syntax::Keyword& each : call->keywords)
      if (part.tree->interner().text(each.name.name) == keyword) argument = each.value;
    if (argument) place.range = argument->range;
    return;
  }
}

} // namespace

void reportLints(lints::Findings& findings, const EvaluatedFile& program,
                 llvm::ArrayRef<text::Range> launch, std::vector<diagnostics::Diagnostic>& out) {
  PlaceReader places(program);
  NamesRead read;
  LayoutExpressions layouts;
  for (lints::Finding& finding : findings.all()) {
    if (Spending::isSpent()) return; // the caller reports it
    OpPlace at = places.read(finding.at);
    auto place = at.innermost();
    if (!place) continue;
    if (finding.id == lints::Id::UnusedResult && !isNeverRead(*place, program, read)) continue;
    narrow(finding.id, *place, program);
    diagnostics::Diagnostic diagnostic{
        finding.id, finding.severity, *place, std::move(finding.message), {}, {}};
    for (lints::RelatedFinding& related : finding.related)
      if (auto other = places.read(related.at).innermost())
        diagnostic.related.push_back({*other, std::move(related.message)});
    for (const diagnostics::Location& call : at.calls)
      if (call.file != place->file || call.range != place->range)
        diagnostic.related.push_back({call, diagnostics::note(diagnostics::NoteId::CalledFrom)});
    for (const lints::Suggestion& suggestion : finding.suggestions) {
      // A fix edits the file of its diagnostic.
      auto here = [&](mlir::Location location) {
        auto found = places.read(location).innermost();
        return found && found->file == place->file ? found : std::nullopt;
      };
      auto target = here(suggestion.at);
      if (!target) continue;
      SuggestionPlaces where{*target, {}, {}};
      if (suggestion.argumentsAt) where.arguments = here(*suggestion.argumentsAt);
      for (mlir::Location copy : suggestion.copies)
        if (auto found = here(copy)) where.copies.push_back(*found);
      if (where.arguments.has_value() != suggestion.argumentsAt.has_value() ||
          where.copies.size() != suggestion.copies.size())
        continue;
      if (auto fix = lintFix(suggestion, where, launch, program, layouts))
        diagnostic.fixes.push_back(std::move(*fix));
    }
    out.push_back(std::move(diagnostic));
  }
}

} // namespace gluond::driver
