#include "driver/kernelfixes/OperandOrigins.h"

#include "diagnostics/Reporter.h"
#include "diagnostics/Traits.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using diagnostics::Diagnostic;
using namespace syntax;

namespace {

constexpr size_t mostOrigins = 3; // of one mistake

// The last assignment to a name alone that ends before a place.
class LastAssignment {
public:
  LastAssignment(Name name, text::Offset before) : name_(name), before_(before) {}

  const Stmt* in(Stmts body) {
    for (const Stmt* stmt : body)
      look(*stmt);
    return found_;
  }

private:
  bool names(const Expr* target) const {
    auto* name = llvm::dyn_cast_or_null<NameExpr>(target);
    return name && name->name == name_;
  }
  void look(const Node& node) {
    if (node.range.begin >= before_ || llvm::isa<FunctionDef, ClassDef>(node)) return;
    if (auto* assign = llvm::dyn_cast<Assign>(&node)) {
      if (assign->range.end <= before_ &&
          llvm::any_of(assign->targets, [&](const Expr* target) { return names(target); }))
        found_ = assign;
    } else if (auto* assign = llvm::dyn_cast<AnnAssign>(&node)) {
      if (assign->range.end <= before_ && assign->value && names(assign->target)) found_ = assign;
    } else if (llvm::isa<Stmt>(node)) {
      forEachChild(node, [&](const Node& child) {
        if (llvm::isa<Stmt>(child)) look(child);
      });
    }
  }

  Name name_;
  text::Offset before_;
  const Stmt* found_ = nullptr;
};

struct Operand {
  text::Range range;
  const NameExpr*
      name; // the variable that it is, or is a part of: `bars` in bars.index(0); or null
};

// The object that a call's method is called on, and its arguments.
llvm::SmallVector<Operand> operandsOf(const Call& call) {
  llvm::SmallVector<Operand> operands;
  auto add = [&](const Expr* expr) {
    if (expr) operands.push_back({expr->range, ownerOf(expr)});
  };
  if (auto* method = llvm::dyn_cast<Attribute>(call.func)) add(method->value);
  for (const Expr* argument : call.args)
    add(argument);
  for (const Keyword& keyword : call.keywords)
    add(keyword.value);
  return operands;
}

void tell(Diagnostic& diagnostic, const syntax::SyntaxTree& tree, const Interner& names) {
  text::Range at = diagnostic.location.range;
  const Call* call = nullptr;
  const FunctionDef* function = nullptr;
  for (const Node* node : pathFrom(tree.body(), at.begin)) {
    if (at.begin < node->range.begin || node->range.end < at.end) continue;
    if (auto* def = llvm::dyn_cast<FunctionDef>(node)) function = def;
    if (auto* inner = llvm::dyn_cast<Call>(node)) call = inner;
  }
  if (!call || !function) return;
  auto operands = operandsOf(*call);
  // If one operand is marked, the mistake is about that one.
  if (llvm::any_of(operands, [&](auto& each) { return each.range == at; }))
    llvm::erase_if(operands, [&](auto& each) { return each.range != at; });
  size_t told = 0;
  for (const Operand& operand : operands) {
    if (!operand.name) continue;
    const Stmt* origin = LastAssignment(operand.name->name, call->range.begin).in(function->body);
    if (!origin || told == mostOrigins) continue;
    diagnostics::Location place{diagnostic.location.file, origin->range};
    if (llvm::any_of(diagnostic.related, [&](const diagnostics::Related& each) {
          return each.location.file == place.file &&
                 origin->range.begin <= each.location.range.begin &&
                 each.location.range.end <= origin->range.end;
        }))
      continue;
    diagnostic.related.push_back({place, diagnostics::note(diagnostics::NoteId::AssignedHere,
                                                           names.text(operand.name->name))});
    ++told;
  }
}

} // namespace

void addOperandOrigins(std::vector<Diagnostic>& diagnostics, const EvaluatedFile& program,
                       const Interner& names) {
  auto isTold = [](const Diagnostic& diagnostic) {
    return diagnostic.severity == diagnostics::Severity::Error &&
           has(diagnostic.id, diagnostics::Trait::AboutOperands);
  };
  for (Diagnostic& diagnostic : diagnostics) {
    if (!isTold(diagnostic)) continue;
    for (const EvaluatedFile::Part& part : program.parts())
      if (part.file->id() == diagnostic.location.file) tell(diagnostic, *part.tree, names);
  }
  // A wrongly made value is wrong in each call that uses it: only the first is reported.
  std::vector<Diagnostic> seen;
  llvm::erase_if(diagnostics, [&](const Diagnostic& diagnostic) {
    if (!isTold(diagnostic) || diagnostic.related.empty()) return false;
    auto isSame = [&](const Diagnostic& other) {
      return other.id == diagnostic.id && other.message == diagnostic.message &&
             llvm::equal(other.related, diagnostic.related, [](const auto& a, const auto& b) {
               return a.location.file == b.location.file && a.location.range == b.location.range &&
                      a.message == b.message;
             });
    };
    bool isRepeated = llvm::any_of(seen, isSame);
    if (!isRepeated) seen.push_back(diagnostic);
    return isRepeated;
  });
}

} // namespace gluond::driver
