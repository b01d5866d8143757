#include "syntax/parser/SyntaxChecks.h"

#include "syntax/parser/PatternChecks.h"
#include "syntax/tree/PatternNames.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <memory>

namespace gluond::syntax {
namespace {

using diagnostics::Id;
using diagnostics::Reporter;
using text::Range;

// The innermost scope and the context of a statement in it.
struct Context {
  const Node* function = nullptr; // FunctionDef or Lambda; null at module level and in classes
  bool inFunction = false;        // a function encloses, perhaps with a class between
  bool isClass = false;
  bool isAsync = false;
  bool inLoop = false;
  bool inExceptStar = false; // in a block that only its end leaves; false again within a loop there
  bool mayNotReturn = false; // in such a block, loops or not
  bool isNested = false;     // a function encloses the nearest one
  const char* comprehension = nullptr; // the kind of the innermost one within the function or class
  bool inIterable = false;             // of a comprehension
};

class Checker {
public:
  Checker(const Interner& interner, bool isWhole, Reporter& emit)
      : interner_(interner), isWhole_(isWhole), emit_(emit) {}

  void visit(const Node* node, const Context& context) {
    switch (node->kind) {
    case NodeKind::FunctionDef: {
      auto* def = llvm::cast<FunctionDef>(node);
      for (const Expr* decorator : def->decorators)
        visit(decorator, context);
      parameters(def->parameters, context);
      if (def->returns) visit(def->returns, context);
      Context inner{.function = def,
                    .inFunction = true,
                    .isAsync = def->isAsync,
                    .isNested = context.inFunction};
      for (const Stmt* stmt : def->body)
        visit(stmt, inner);
      return;
    }
    case NodeKind::Lambda: {
      auto* lambda = llvm::cast<Lambda>(node);
      parameters(lambda->parameters, context);
      visit(lambda->body, {.function = lambda,
                           .inFunction = true,
                           .isNested = context.inFunction,
                           .inIterable = context.inIterable});
      return;
    }
    case NodeKind::ClassDef: {
      auto* cls = llvm::cast<ClassDef>(node);
      for (const Expr* decorator : cls->decorators)
        visit(decorator, context);
      for (const Expr* base : cls->bases)
        element(base, context);
      for (const Keyword& keyword : cls->keywords)
        visit(keyword.value, context);
      for (const Stmt* stmt : cls->body)
        visit(stmt, {.inFunction = context.inFunction, .isClass = true});
      return;
    }
    case NodeKind::For:
    case NodeKind::While: {
      Context inner = context;
      inner.inLoop = true;
      inner.inExceptStar = false;
      Stmts orelse = node->kind == NodeKind::For ? llvm::cast<For>(node)->orelse
                                                 : llvm::cast<While>(node)->orelse;
      if (auto* loop = llvm::dyn_cast<For>(node)) {
        if (loop->isAsync) asyncOnly("async for", loop->range, context);
        visit(loop->target, context);
        visit(loop->iter, context);
        for (const Stmt* stmt : loop->body)
          visit(stmt, inner);
      } else {
        visit(llvm::cast<While>(node)->test, context);
        for (const Stmt* stmt : llvm::cast<While>(node)->body)
          visit(stmt, inner);
      }
      for (const Stmt* stmt : orelse)
        visit(stmt, context);
      return;
    }
    case NodeKind::With:
      if (llvm::cast<With>(node)->isAsync) asyncOnly("async with", node->range, context);
      break;
    case NodeKind::Return:
      if (!context.function)
        emit_(Id::OutsideFunction, word(node, 6), "return");
      else if (context.mayNotReturn)
        leavesExceptStar(node);
      break;
    case NodeKind::Break:
      leavesLoop(node, "break", context);
      return;
    case NodeKind::Continue:
      leavesLoop(node, "continue", context);
      return;
    case NodeKind::Yield:
      if (!context.function)
        emit_(Id::OutsideFunction, word(node, 5), "yield");
      else if (context.comprehension)
        emit_(Id::NotAllowedHere, node->range,
              (llvm::Twine("'yield' inside ") + context.comprehension).str());
      else if (llvm::cast<Yield>(node)->isFrom && context.isAsync)
        emit_(Id::NotAllowedHere, node->range, "'yield from' inside async function");
      break;
    case NodeKind::NamedExpr:
      if (context.inIterable)
        emit_(Id::NotAllowedHere, node->range,
              "assignment expression cannot be used in a comprehension iterable expression");
      else if (context.comprehension && context.isClass)
        emit_(Id::NotAllowedHere, node->range,
              "assignment expression within a comprehension cannot be used in a class body");
      break;
    case NodeKind::Match: {
      auto* match = llvm::cast<Match>(node);
      checkPatterns(*match, interner_, emit_);
      visit(match->subject, context);
      for (const MatchCase& one : match->cases) {
        visitPattern(
            one.pattern, [](const NameExpr&) {},
            [&](const Expr& value) { visit(&value, context); });
        if (one.guard) visit(one.guard, context);
        for (const Stmt* stmt : one.body)
          visit(stmt, context);
      }
      return;
    }
    case NodeKind::AnnAssign: {
      // Python does not compile annotations in a function's body.
      auto* assign = llvm::cast<AnnAssign>(node);
      auto* name = llvm::dyn_cast<NameExpr>(assign->target);
      if (auto declared = globals_.find(context.function);
          name && declared != globals_.end() && llvm::is_contained(declared->second, name->name))
        emit_(Id::InvalidScopeDeclaration, name->range,
              ("annotated name '" + interner_.text(name->name) + "' can't be global").str());
      visit(assign->target, context);
      if (!context.function || llvm::isa<Starred>(assign->annotation))
        visit(assign->annotation, context);
      if (assign->value) visit(assign->value, context);
      return;
    }
    case NodeKind::Await:
      asyncOnly("await", word(node, 5), context);
      break;
    case NodeKind::Comprehension:
      return comprehension(llvm::cast<Comprehension>(node), context);
    case NodeKind::Try: {
      auto* attempt = llvm::cast<Try>(node);
      if (isWhole_ && attempt->handlers.empty() && attempt->finalbody.empty())
        emit_(Id::ExpectedToken, word(node, 3), "except' or 'finally");
      for (const ExceptHandler& handler : attempt->handlers)
        if (handler.isStar) return exceptStar(*attempt, context);
      break;
    }
    case NodeKind::Global:
      scopeDeclaration(llvm::cast<Global>(node), context);
      return;
    case NodeKind::ImportFrom:
      if (llvm::cast<ImportFrom>(node)->isStar && (context.function || context.isClass))
        emit_(Id::StarImportInFunction, node->range);
      futureFeatures(*llvm::cast<ImportFrom>(node));
      return;
    // These may contain starred expressions.
    case NodeKind::Tuple:
    case NodeKind::List:
    case NodeKind::Set:
      return forEachChild(node, [&](const Node* child) { element(child, context); });
    case NodeKind::Call: {
      auto* call = llvm::cast<Call>(node);
      visit(call->func, context);
      for (const Expr* arg : call->args)
        element(arg, context);
      for (const Keyword& keyword : call->keywords)
        visit(keyword.value, context);
      return;
    }
    case NodeKind::Starred:
      emit_(Id::StarredHere, node->range);
      break;
    default:
      break;
    }
    forEachChild(node, [&](const Node* child) { visit(child, context); });
  }

private:
  static Range word(const Node* node, uint32_t length) {
    return {node->range.begin, std::min(node->range.begin + length, node->range.end)};
  }

  void leavesExceptStar(const Node* node) {
    emit_(Id::NotAllowedHere, node->range,
          "'break', 'continue' and 'return' cannot appear in an except* block");
  }
  void leavesLoop(const Node* node, const char* statement, const Context& context) {
    if (!context.inLoop)
      emit_(Id::OutsideLoop, node->range, statement);
    else if (context.inExceptStar)
      leavesExceptStar(node);
  }
  void exceptStar(const Try& attempt, const Context& context) {
    auto visitAll = [&](Stmts body, const Context& around) {
      for (const Stmt* stmt : body)
        visit(stmt, around);
    };
    Context inside = context;
    inside.inExceptStar = inside.mayNotReturn = true;
    visitAll(attempt.body, context);
    for (const ExceptHandler& handler : attempt.handlers) {
      if (handler.type) visit(handler.type, context);
      visitAll(handler.body, inside);
    }
    visitAll(attempt.orelse, context);
    visitAll(attempt.finalbody, context);
  }

  void futureFeatures(const ImportFrom& import) {
    if (import.level || import.module.size() != 1 || !import.module[0].name ||
        interner_.text(import.module[0].name) != "__future__")
      return;
    static constexpr llvm::StringLiteral features[] = {
        "absolute_import", "annotations",   "barry_as_FLUFL", "division",         "generator_stop",
        "generators",      "nested_scopes", "print_function", "unicode_literals", "with_statement"};
    for (const Alias& alias : import.names) {
      if (alias.path.size() != 1 || !alias.path[0].name) continue;
      llvm::StringRef name = interner_.text(alias.path[0].name);
      if (!llvm::is_contained(features, name))
        emit_(Id::NotAllowedHere, alias.path[0].range,
              name == "braces" ? "not a chance"
                               : ("future feature " + name + " is not defined").str());
    }
  }

  void element(const Node* node, const Context& context) {
    if (auto* star = llvm::dyn_cast<Starred>(node))
      visit(star->value, context);
    else
      visit(node, context);
  }

  // The first iterable belongs to the outer scope. A generator is a function of its own, which may
  // await; the others may await if their context may.
  void comprehension(const Comprehension* node, const Context& context) {
    Context inner = context;
    bool isGenerator = node->comprehension == ComprehensionKind::Generator;
    if (isGenerator && context.function) inner.isAsync = true;
    constexpr const char* kinds[] = {"list comprehension", "set comprehension",
                                     "dict comprehension", "generator expression"};
    inner.comprehension = kinds[static_cast<size_t>(node->comprehension)];
    visit(node->element, inner);
    if (node->value) visit(node->value, inner);
    bool isFirst = true;
    for (const Generator& generator : node->generators) {
      if (generator.isAsync && !isGenerator)
        asyncOnly("asynchronous comprehension", node->range, context);
      visit(generator.target, inner);
      Context iterable = isFirst ? context : inner;
      iterable.inIterable = true;
      visit(generator.iter, iterable);
      for (const Expr* condition : generator.conditions)
        visit(condition, inner);
      isFirst = false;
    }
  }

  void parameters(llvm::ArrayRef<Parameter> parameters, const Context& context) {
    for (const Parameter& parameter : parameters) {
      if (parameter.annotation) {
        if (parameter.kind == ParameterKind::VarArgs)
          element(parameter.annotation, context);
        else
          visit(parameter.annotation, context);
      }
      if (parameter.defaultValue) visit(parameter.defaultValue, context);
    }
  }

  void asyncOnly(llvm::StringRef what, Range range, const Context& context) {
    if (!context.function)
      emit_(Id::OutsideFunction, range, what);
    else if (!context.isAsync)
      emit_(Id::OutsideAsync, range, what);
  }

  void scopeDeclaration(const Global* node, const Context& context) {
    if (node->isNonlocal && !context.inFunction) {
      emit_(Id::InvalidScopeDeclaration, node->range,
            "nonlocal declaration not allowed at module level");
      return;
    }
    auto* def = llvm::dyn_cast_or_null<FunctionDef>(context.function);
    if (!def) return;
    if (!node->isNonlocal)
      for (const Identifier& id : node->names)
        if (id.name) globals_[def].push_back(id.name);
    if (node->isNonlocal && !context.isNested)
      for (const Identifier& id : node->names)
        if (id.name && interner_.text(id.name) != "__class__")
          emit_(Id::InvalidScopeDeclaration, id.range,
                ("no binding for nonlocal '" + interner_.text(id.name) + "' found").str());
    llvm::StringRef kind = node->isNonlocal ? "nonlocal" : "global";
    const Names& names = namesOf(*def);
    for (const Identifier& id : node->names) {
      if (!id.name) continue;
      llvm::StringRef name = interner_.text(id.name);
      if (names.parameters.contains(id.name)) {
        emit_(Id::InvalidScopeDeclaration, id.range,
              ("name '" + name + "' is parameter and " + kind).str());
        continue;
      }
      auto use = names.firstUse.find(id.name);
      if (use != names.firstUse.end() && use->second < node->range.begin)
        emit_(Id::InvalidScopeDeclaration, id.range,
              ("name '" + name + "' is used prior to " + kind + " declaration").str());
    }
  }

  // What declarations of a function are compared with; found when it has the first of these.
  struct Names {
    llvm::DenseSet<Name> parameters;
    llvm::DenseMap<Name, text::Offset> firstUse; // in its own scope
  };
  const Names& namesOf(const FunctionDef& def) {
    std::unique_ptr<Names>& names = names_[&def];
    if (names) return *names;
    names = std::make_unique<Names>();
    for (const Parameter& parameter : def.parameters)
      names->parameters.insert(parameter.name.name);
    for (const Stmt* stmt : def.body)
      walk(stmt, [&](const Node* below) {
        if (auto* use = llvm::dyn_cast<NameExpr>(below)) {
          auto [it, isNew] = names->firstUse.try_emplace(use->name, use->range.begin);
          if (!isNew) it->second = std::min(it->second, use->range.begin);
        }
        return !llvm::isa<FunctionDef, ClassDef, Lambda, Comprehension>(below);
      });
    return *names;
  }

  const Interner& interner_;
  bool isWhole_;
  Reporter& emit_;
  llvm::DenseMap<const FunctionDef*, std::unique_ptr<Names>> names_;
  // The names that global statements of a function declare.
  llvm::DenseMap<const Node*, llvm::SmallVector<Name, 2>> globals_;
};

} // namespace

void checkSyntax(Stmts chunk, const Interner& interner, bool isWhole, Reporter& emit) {
  Checker checker(interner, isWhole, emit);
  for (const Stmt* stmt : chunk)
    checker.visit(stmt, {});
}

void checkFutureImports(Stmts body, Name future, Reporter& emit) {
  bool mayCome = true, isFirst = true;
  for (const Stmt* stmt : body) {
    auto* import = llvm::dyn_cast<ImportFrom>(stmt);
    bool isFuture = import && import->level == 0 && import->module.size() == 1 &&
                    import->module[0].name == future;
    if (isFuture) {
      if (!mayCome) emit(Id::LateFutureImport, stmt->range);
    } else {
      auto* expr = llvm::dyn_cast<ExprStmt>(stmt);
      auto* text = expr ? llvm::dyn_cast<Constant>(expr->value) : nullptr;
      mayCome &= isFirst && text && text->constant == ConstantKind::Str;
    }
    isFirst = false;
  }
}

} // namespace gluond::syntax
