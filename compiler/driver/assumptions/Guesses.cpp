#include "driver/assumptions/Guesses.h"

#include "codegen/context/CodegenContext.h"
#include "diagnostics/Traits.h"
#include "driver/assumptions/AssumedLaunch.h"
#include "evaluate/launches/Launch.h"
#include "language/types/TypeContext.h"
#include "support/Allowance.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <array>

namespace gluond::driver {

using diagnostics::Diagnostic;
using diagnostics::Id;
using diagnostics::Severity;
using diagnostics::Trait;
using language::ScalarKind;
using namespace syntax;

namespace {

// Whether a mistake counts if all guesses make it.
bool isCertain(Id id) {
  return has(id, Trait::CertainOfLayouts) || has(id, Trait::CertainOfShapes);
}

bool isSamePlace(const Diagnostic& a, const Diagnostic& b) {
  return a.location.file == b.location.file && a.location.range.begin == b.location.range.begin &&
         a.location.range.end == b.location.range.end;
}

// How a kernel's text uses its parameters.
class Uses {
public:
  Uses(const FunctionDef& def, const Interner& names) : names_(names) {
    for (const Parameter& parameter : def.parameters)
      parameters_.insert(parameter.name.name);
    // Names that are read before their assignment in the text are found in the second round.
    for (int round = 0; round < 2; ++round)
      for (const Stmt* stmt : def.body)
        visit(stmt);
  }

  bool isPointer(Name name) const { return pointers_.contains(name); }
  bool isNumber(Name name) const { return numbers_.contains(name) || counts_.contains(name); }
  bool isCount(Name name) const { return counts_.contains(name); } // of an unrolled loop
  // Whether it may be anything: an object, None, a dtype.
  bool isOpaque(Name name) const {
    return opaque_.contains(name) || (handedOn_.contains(name) && !isPointer(name));
  }
  // Whether its text suggests that it is only called with scalars and pointers.
  bool looksLikeKernel() const { return !returns_ && !pointers_.empty(); }
  // The innermost statement without a body around a place; the place itself outside the kernel.
  text::Range statementAt(text::Range place) const {
    for (text::Range statement : statements_)
      if (statement.begin <= place.begin && place.end <= statement.end) return statement;
    return place;
  }
  // Whether the attribute there is one of a call's result.
  bool isOfCall(text::Range attribute) const {
    auto found = attributes_.find(attribute.end);
    if (found == attributes_.end()) return false;
    const Expr* base = found->second->value;
    if (auto* name = llvm::dyn_cast<NameExpr>(base))
      return !parameters_.contains(name->name) && !uncalled_.contains(name->name) &&
             called_.contains(name->name);
    return llvm::isa<Call>(base);
  }

private:
  llvm::StringRef lastName(const Expr* callee) const {
    if (auto* attribute = llvm::dyn_cast<Attribute>(callee))
      return names_.text(attribute->attribute.name);
    auto* name = llvm::dyn_cast<NameExpr>(callee);
    return name ? names_.text(name->name) : llvm::StringRef();
  }
  static bool isAccess(llvm::StringRef name) {
    return name == "load" || name == "store" || name.starts_with("atomic_");
  }
  // Positions where functions take integers.
  static bool takesNumbers(llvm::StringRef name) {
    return llvm::is_contained<llvm::StringRef>({"arange", "full", "zeros", "range", "cdiv", "min",
                                                "max", "reshape", "allocate_shared_memory"},
                                               name);
  }
  Name parameter(const Expr* expr) const {
    auto* name = llvm::dyn_cast_if_present<NameExpr>(expr);
    return name && parameters_.contains(name->name) ? name->name : Name();
  }
  void note(llvm::DenseSet<Name>& in, const Expr* expr) {
    if (Name name = parameter(expr)) in.insert(name);
  }
  // Returns the leftmost name of a sum, to which the rest is added.
  const NameExpr* base(const Expr* expr) const {
    while (auto* sum = llvm::dyn_cast_if_present<BinOp>(expr)) {
      if (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub) return nullptr;
      expr = sum->left;
    }
    return llvm::dyn_cast_if_present<NameExpr>(expr);
  }
  void pointer(const Expr* expr) {
    const NameExpr* name = base(expr);
    for (unsigned steps = 0; name && steps < 8; ++steps) {
      if (parameters_.contains(name->name)) {
        pointers_.insert(name->name);
        return;
      }
      auto found = sums_.find(name->name);
      if (found == sums_.end()) return;
      name = found->second;
    }
  }

  void assign(const Expr* target, const Expr* value) {
    auto* name = llvm::dyn_cast<NameExpr>(target);
    if (!name || !value) {
      if (llvm::isa<Tuple>(target)) note(opaque_, value);
      return;
    }
    if (const NameExpr* first = base(value); first && first->name != name->name)
      sums_.try_emplace(name->name, first);
    auto* call = llvm::dyn_cast<Call>(value);
    (call && llvm::isa<Attribute>(call->func) ? called_ : uncalled_).insert(name->name);
  }

  void numbersIn(const Expr* expr, llvm::DenseSet<Name>& in) {
    note(in, expr);
    if (auto* tuple = llvm::dyn_cast<Tuple>(expr))
      for (const Expr* element : tuple->elements)
        note(in, element);
    if (auto* list = llvm::dyn_cast<List>(expr))
      for (const Expr* element : list->elements)
        note(in, element);
  }

  void visit(const Node* node) {
    if (llvm::isa<Assign, AnnAssign, AugAssign, ExprStmt, Return>(node))
      statements_.push_back(node->range);
    if (auto* attribute = llvm::dyn_cast<Attribute>(node)) {
      note(opaque_, attribute->value);
      attributes_[attribute->range.end] = attribute;
    } else if (auto* subscript = llvm::dyn_cast<Subscript>(node))
      note(opaque_, subscript->value);
    else if (auto* starred = llvm::dyn_cast<Starred>(node))
      note(opaque_, starred->value);
    else if (auto* loop = llvm::dyn_cast<For>(node))
      note(opaque_, loop->iter);
    else if (auto* done = llvm::dyn_cast<Return>(node))
      returns_ |= done->value != nullptr;
    else if (auto* compare = llvm::dyn_cast<Compare>(node))
      visitCompare(*compare);
    else if (auto* operation = llvm::dyn_cast<BinOp>(node)) {
      note(numbers_, operation->left);
      note(numbers_, operation->right);
    } else if (auto* call = llvm::dyn_cast<Call>(node))
      visitCall(*call);
    else if (auto* statement = llvm::dyn_cast<Assign>(node))
      for (const Expr* target : statement->targets)
        assign(target, statement->value);
    else if (auto* annotated = llvm::dyn_cast<AnnAssign>(node))
      assign(annotated->target, annotated->value);
    forEachChild(node, [&](const Node* child) { visit(child); });
  }

  void visitCompare(const Compare& compare) {
    auto isIdentity = [](CompareOp op) { return op >= CompareOp::Is; };
    if (llvm::none_of(compare.ops, isIdentity)) return;
    note(opaque_, compare.left);
    for (const Expr* each : compare.comparators)
      note(opaque_, each);
  }

  void visitCall(const Call& call) {
    note(opaque_, call.func);
    llvm::StringRef name = lastName(call.func);
    if (isAccess(name) && !call.args.empty()) pointer(call.args[0]);
    bool numbers = takesNumbers(name);
    auto argument = [&](const Expr* each) {
      if (name == "static_range")
        numbersIn(each, counts_);
      else if (numbers)
        numbersIn(each, numbers_);
      else
        note(handedOn_, each);
    };
    for (const Expr* each : call.args)
      argument(each);
    for (const Keyword& keyword : call.keywords)
      argument(keyword.value);
  }

  const Interner& names_;
  llvm::DenseSet<Name> parameters_, pointers_, numbers_, counts_, opaque_, handedOn_, called_,
      uncalled_;
  llvm::DenseMap<Name, const NameExpr*> sums_;
  llvm::DenseMap<text::Offset, const Attribute*> attributes_;
  std::vector<text::Range> statements_;
  bool returns_ = false;
};

struct Guess {
  ScalarKind element;
  std::array<int64_t, 3> numbers; // for the first, second, third integer, and so on around
  int64_t count;
  unsigned warps;
};
constexpr Guess guesses[] = {
    {ScalarKind::Fp16, {64, 64, 64}, 2, 4},
    {ScalarKind::Fp32, {32, 32, 32}, 3, 8},
    {ScalarKind::Int32, {16, 32, 64}, 2, 1},
    {ScalarKind::Int8, {128, 64, 16}, 3, 2},
};

// A parameter that can only be a scalar, number or pointer; without a type if it may be something
// else.
codegen::KernelArgument argumentOf(const Guess& guess, const evaluate::LaunchArgument& given,
                                   const Uses& uses, Name name, size_t& number,
                                   language::TypeContext& types) {
  codegen::KernelArgument argument;
  if (given.isConstexpr) {
    int64_t value =
        uses.isCount(name) ? guess.count : guess.numbers[number++ % guess.numbers.size()];
    argument.type = types.constexprType(language::Value::integer(value));
  } else if (given.type && !given.type->isScalar() && !given.type->isPointer()) {
    return argument;
  } else if (uses.isPointer(name) || (given.type && given.type->isPointer())) {
    argument.type = types.pointer(language::scalarType(guess.element));
  } else {
    argument.type = language::scalarType(ScalarKind::Int32);
  }
  return argument;
}

} // namespace

std::vector<Diagnostic> commonMistakes(const Variant& variant, codegen::CodegenContext& context,
                                       const codegen::Specialization& specialization,
                                       const Program& program, CancellationToken token) {
  const FunctionDef* def = specialization.kernel->def;
  Uses uses(*def, context.names());
  language::TypeContext& types = context.types();
  bool guessesNumbers = false;

  auto made = [&](const Guess& guess) {
    codegen::Specialization guessed = specialization;
    if (!knowsOptions(variant)) guessed.options.numWarps = guess.warps;
    size_t number = 0;
    for (auto [argument, given, parameter] :
         llvm::zip(guessed.arguments, variant.launch->arguments, def->parameters)) {
      if (variant.origin != Origin::Default && !given.isAssumed) continue;
      Name name = parameter.name.name;
      argument = {};
      if (uses.isOpaque(name) || parameter.kind > ParameterKind::Positional) continue;
      if (given.isConstexpr) {
        if (!given.constant.isUnknown()) continue; // a default that a launch may replace
        if (!uses.isNumber(name)) continue;
        guessesNumbers = true;
      }
      argument = argumentOf(guess, given, uses, name, number, types);
    }
    return codegen::generateSource(
               context, guessed, program,
               {.cancellation = token, .steps = stepsOfGuess, .assumesNothing = true})
        .diagnostics;
  };

  std::vector<std::vector<Diagnostic>> found;
  for (const Guess& guess : guesses) {
    if (mustStop(token)) return {};
    found.push_back(made(guess));
    if (ranOut(found.back())) return {}; // so would others, most likely
    llvm::erase_if(found.back(),
                   [](const Diagnostic& each) { return each.severity != Severity::Error; });
    // A guess that the kernel itself rejects shows nothing.
    if (llvm::any_of(found.back(), [](const Diagnostic& each) {
          return each.id == Id::StaticAssertFailed || each.id == Id::KernelException;
        }))
      found.pop_back();
  }
  auto counts = [&](const Diagnostic& each) {
    bool isKernel = variant.origin == Origin::Launch || uses.looksLikeKernel();
    if (has(each.id, Trait::CertainOfShapes) && (guessesNumbers || !isKernel)) return false;
    if (each.id == Id::UnknownAttribute && !uses.isOfCall(each.location.range)) return false;
    unsigned agree = 0;
    text::Range statement = uses.statementAt(each.location.range);
    for (const std::vector<Diagnostic>& others : found) {
      bool agrees = llvm::any_of(others, [&](const Diagnostic& other) {
        return other.id == each.id && isSamePlace(other, each) &&
               (has(each.id, Trait::GuessedWords) || other.message == each.message);
      });
      // A guess that fails earlier for another reason does not count.
      bool stumbles = !agrees && llvm::any_of(others, [&](const Diagnostic& other) {
        return other.id != each.id && other.location.file == each.location.file &&
               statement.begin <= other.location.range.begin &&
               other.location.range.end <= statement.end;
      });
      if (!agrees && !stumbles) return false;
      agree += agrees;
    }
    return agree >= 2;
  };
  std::vector<Diagnostic> common;
  for (const std::vector<Diagnostic>& each : found)
    for (const Diagnostic& diagnostic : each)
      if (isCertain(diagnostic.id) && counts(diagnostic) &&
          llvm::none_of(common, [&](const Diagnostic& known) {
            return known.id == diagnostic.id && isSamePlace(known, diagnostic);
          }))
        common.push_back(diagnostic);
  return common;
}

} // namespace gluond::driver
