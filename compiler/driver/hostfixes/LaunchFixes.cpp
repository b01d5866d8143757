#include "driver/hostfixes/LaunchFixes.h"

#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "evaluate/launches/LaunchOptions.h"
#include "syntax/tree/CallEnd.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Spread.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using diagnostics::FixId;
using syntax::Call;
using syntax::Expr;
using syntax::NameExpr;

namespace {

// Whether code at a place may read a variable: one of the function around it, or of the module.
bool isVariable(Name name, text::Offset at, const language::ModuleObject* module,
                const syntax::SyntaxTree& tree) {
  for (const syntax::Node* node : syntax::pathTo(tree.body(), at)) {
    auto* function = llvm::dyn_cast<syntax::FunctionDef>(node);
    if (!function) continue;
    bool isParameter = llvm::any_of(function->parameters, [&](const syntax::Parameter& each) {
      return each.name.name == name;
    });
    if (isParameter || codegen::lastAssignment(function->body, name, at)) return true;
  }
  return module && module->globals && !module->globals->get(name).isAbsent();
}

// kernel[grid](x, BLOCK), where n before BLOCK is missing: variables that are called like the
// parameters. Or a tuple whose items are the arguments.
void offerMissingArgument(diagnostics::InFlight& told, llvm::StringRef missing, const Call& call,
                          const language::FunctionObject& kernel,
                          const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  const Interner& names = tree.interner();
  const text::SourceText& source = tree.source();
  auto parameters = kernel.def->parameters;
  auto isOf = [&](Name name) { return isVariable(name, call.range.begin, module, tree); };
  for (auto [i, argument] : llvm::enumerate(call.args)) {
    if (i >= parameters.size()) break;
    auto* given = llvm::dyn_cast<NameExpr>(argument);
    Name wanted = parameters[i].name.name;
    bool isOfLater = given && llvm::any_of(parameters.drop_front(i + 1), [&](const auto& later) {
                       return later.name.name == given->name;
                     });
    if (!isOfLater) continue;
    if (!isOf(wanted)) break; // this one is missing, and no variable is called like it
    std::string text = names.text(wanted).str() + ", ";
    told.fix(FixId::TryText, {{{argument->range.begin, argument->range.begin}, text}},
             text + source.slice(argument->range).str());
    return;
  }
  // Where the variable is passed already, an argument before it is missing.
  bool isPassed = llvm::any_of(call.args, [&](const Expr* argument) {
    auto* given = llvm::dyn_cast<NameExpr>(argument);
    return given && names.text(given->name) == missing;
  });
  for (const syntax::Parameter& each : parameters)
    if (names.text(each.name.name) == missing && isOf(each.name.name) && !isPassed) {
      text::Offset end = syntax::endOfArguments(call);
      bool isFirst = call.args.empty() && call.keywords.empty();
      std::string text = (missing + "=" + missing).str();
      told.fix(FixId::TryText, {{{end, end}, (isFirst ? "" : ", ") + text}}, text);
      return;
    }
  // One of the tuples may be meant as an argument, but mostly all are numbers.
  std::vector<text::Edit> stars;
  std::string together;
  for (const Expr* argument : call.args) {
    llvm::StringRef text = source.slice(argument->range);
    if (!text.ends_with(".stride()") && !text.ends_with(".size()") && !text.ends_with(".shape"))
      continue;
    stars.push_back({{argument->range.begin, argument->range.begin}, "*"});
    together += (together.empty() ? "*" : ", *") + text.str();
  }
  if (stars.size() > 1) told.fix(FixId::TryText, stars, together);
  for (const text::Edit& star : stars)
    for (const Expr* argument : call.args)
      if (argument->range.begin == star.range.begin)
        told.fix(FixId::TryText, {star}, "*" + source.slice(argument->range).str());
}

// kernel(x, y, grid=(8, ))
bool offerGridOfKeyword(diagnostics::InFlight& told, const Call& call,
                        const syntax::SyntaxTree& tree) {
  const syntax::Keyword* grid = llvm::find_if(call.keywords, [&](const syntax::Keyword& keyword) {
    return tree.interner().text(keyword.name.name) == "grid";
  });
  if (grid == call.keywords.end()) return false;
  text::Offset begin = grid->name.range.begin, before = call.func->range.end;
  auto lookAt = [&](const Expr* argument) {
    if (argument->range.end <= begin) before = std::max(before, argument->range.end);
  };
  llvm::for_each(call.args, lookAt);
  for (const syntax::Keyword& keyword : call.keywords)
    lookAt(keyword.value);
  // With the comma before it, or after it if it is the first argument.
  text::Range removed{before, grid->value->range.end};
  if (before == call.func->range.end) removed.begin = begin;
  if (removed.begin == begin && call.keywords.size() > 1)
    removed.end = std::next(grid)->name.range.begin;
  llvm::StringRef written = tree.source().slice(grid->value->range);
  bool isGrid = llvm::isa<syntax::Tuple, syntax::List, NameExpr, syntax::Lambda>(grid->value);
  std::string text = isGrid ? ("[" + written + "]").str() : ("[(" + written + ", )]").str();
  text::Offset after = call.func->range.end;
  told.fix(FixId::TryText, {{{after, after}, text}, {removed, ""}},
           tree.source().slice(call.func->range).str() + text + "(...)");
  return true;
}

// kernel(grid, x, y)
void offerGridInBrackets(diagnostics::InFlight& told, const Call& call,
                         const text::SourceText& source) {
  if (call.args.empty()) return;
  const Expr* grid = call.args.front();
  bool mayBeGrid = llvm::isa<NameExpr, syntax::Tuple, syntax::Lambda>(grid);
  text::Offset next = call.args.size() > 1     ? call.args[1]->range.begin
                      : !call.keywords.empty() ? call.keywords.front().name.range.begin
                                               : grid->range.end;
  if (!mayBeGrid || next < grid->range.end) return;
  std::string text = ("[" + source.slice(grid->range) + "](").str();
  told.fix(FixId::TryText, {{{call.func->range.end, next}, text}},
           source.slice(call.func->range).str() + text + "...)");
}

// num_threads=128: warps of 32 or 64 threads.
void offerWarps(diagnostics::InFlight& told, const Call& call, const syntax::SyntaxTree& tree,
                unsigned warpSize) {
  static constexpr llvm::StringLiteral ofCuda[] = {"num_threads", "threads", "threads_per_block",
                                                   "block_size", "blockDim"};
  for (const syntax::Keyword& keyword : call.keywords) {
    unsigned threads = 0;
    if (!llvm::is_contained(ofCuda, tree.interner().text(keyword.name.name)) ||
        tree.source().slice(keyword.value->range).getAsInteger(10, threads) || threads % warpSize ||
        !threads)
      continue;
    std::string text = "num_warps=" + std::to_string(threads / warpSize);
    told.fix(FixId::TryText, {{{keyword.name.range.begin, keyword.value->range.end}, text}}, text);
  }
}

// QMAX is missing, and MAXQ is no parameter: one is meant by the other.
void offerOnlyParameter(diagnostics::InFlight& told, llvm::StringRef wrong, const Call& call,
                        const language::FunctionObject& kernel, const Interner& names) {
  const syntax::Parameter* missing = nullptr;
  for (auto [i, parameter] : llvm::enumerate(kernel.def->parameters)) {
    bool hasDefault = i < kernel.defaults.size() && !kernel.defaults[i].isAbsent();
    Name name = parameter.name.name;
    bool isGiven =
        i < call.args.size() ||
        llvm::any_of(call.keywords, [&](const auto& keyword) { return keyword.name.name == name; });
    if (hasDefault || isGiven) continue;
    if (missing) return;
    missing = &parameter;
  }
  if (!missing || syntax::spreadsArguments(call)) return;
  std::string meant = names.text(missing->name.name).str();
  for (const syntax::Keyword& keyword : call.keywords)
    if (names.text(keyword.name.name) == wrong)
      told.fix(FixId::TryText, {{keyword.name.range, meant}}, meant);
}

} // namespace

void offerArgumentFixes(diagnostics::InFlight& told, const evaluate::ErrorCause& cause,
                        const Call& call, const language::FunctionObject& kernel,
                        const language::ModuleObject* module, const syntax::SyntaxTree& tree,
                        unsigned warpSize) {
  switch (cause.kind) {
  case evaluate::ErrorKind::MissingArgument:
    return offerMissingArgument(told, cause.subject, call, kernel, module, tree);
  case evaluate::ErrorKind::NoGrid:
    if (!offerGridOfKeyword(told, call, tree)) offerGridInBrackets(told, call, tree.source());
    return;
  case evaluate::ErrorKind::UnknownOption:
    offerWarps(told, call, tree, warpSize);
    return offerOnlyParameter(told, cause.subject, call, kernel, tree.interner());
  default:
    return;
  }
}

void offerRemoval(diagnostics::InFlight& told, const syntax::Call& call, llvm::StringRef name,
                  const language::FunctionObject* kernel, const syntax::SyntaxTree& tree) {
  if (kernel && evaluate::findLaunchOption(name))
    for (auto [i, argument] : llvm::enumerate(call.args))
      if (i > 0 && i < kernel->def->parameters.size() &&
          tree.interner().text(kernel->def->parameters[i].name.name) == name)
        return (void)told.fix(FixId::RemoveCharacter,
                              {{{call.args[i - 1]->range.end, argument->range.end}, ""}},
                              tree.source().slice(argument->range));
  // Variables that stand one place after the parameters that they are called like: there is an
  // argument too many before them, and not the keyword.
  for (auto [i, argument] : llvm::enumerate(call.args)) {
    auto* given = llvm::dyn_cast<syntax::NameExpr>(argument);
    bool isShifted = given && kernel && i > 0 && i <= kernel->def->parameters.size() &&
                     kernel->def->parameters[i - 1].name.name == given->name;
    if (isShifted) return;
  }
  text::Offset end = call.args.empty() ? call.func->range.end + 1 : call.args.back()->range.end;
  for (const syntax::Keyword& keyword : call.keywords) {
    text::Range whole{keyword.name.range.begin, keyword.value->range.end};
    if (tree.interner().text(keyword.name.name) == name)
      told.fix(FixId::RemoveCharacter, {{{end, whole.end}, ""}}, tree.source().slice(whole));
    end = whole.end;
  }
}

std::string kernelDecorator(const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  std::string decorator = codegen::jitDecorator(tree.body(), tree.interner(), tree.source());
  if (!decorator.empty() || !module || !module->globals) return decorator;
  // No function of the file has it: through the module.
  for (auto [name, value] : *module->globals)
    if (auto* held = value.as<language::ModuleObject>();
        held && held->name == "triton.experimental.gluon")
      return tree.interner().text(name).str() + ".jit";
  return "";
}

void offerJitBelowTuners(diagnostics::InFlight& told, text::Offset at,
                         const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  // A definition's range begins after its decorators.
  const syntax::FunctionDef* function = nullptr;
  for (const syntax::Stmt* stmt : tree.body())
    syntax::walk(stmt, [&](const syntax::Node* node) {
      auto* def = llvm::dyn_cast<syntax::FunctionDef>(node);
      if (def && !def->decorators.empty() && def->decorators.front()->range.begin <= at &&
          at < def->range.end)
        function = def;
      return true;
    });
  if (!function) return;
  const text::SourceText& source = tree.source();
  syntax::Exprs decorators = function->decorators;
  llvm::StringRef name = tree.interner().text(function->name.name);
  auto isJit = [&](const Expr* each) {
    auto* call = llvm::dyn_cast<Call>(each);
    return source.slice((call ? call->func : each)->range).ends_with("jit");
  };
  auto jit = llvm::find_if(decorators, isJit);
  if (jit == decorators.end()) {
    std::string decorator = kernelDecorator(module, tree);
    text::Offset begin = function->range.begin;
    std::string indent = source.slice({source.lineStart(source.lineOf(begin)), begin}).str();
    if (decorator.empty()) return;
    decorator = "@" + decorator;
    told.fix(FixId::DecorateFunction, {{{begin, begin}, decorator + "\n" + indent}}, name,
             decorator);
    return;
  }
  // Each of the decorators from there on moves up by one.
  std::vector<text::Edit> edits;
  for (auto below = jit; below != decorators.end(); ++below) {
    const Expr* meant = std::next(below) == decorators.end() ? *jit : *std::next(below);
    edits.push_back({(*below)->range, source.slice(meant->range).str()});
  }
  std::string decorator = "@" + source.slice((*jit)->range).str() + " below its other decorators";
  told.fix(FixId::DecorateFunction, std::move(edits), name, decorator);
}

void offerDescriptorLayout(diagnostics::InFlight& told, const Call& call, llvm::StringRef gl,
                           const text::SourceText& source) {
  if (call.args.size() != 2 || !call.keywords.empty()) return;
  text::Range shape = call.args[1]->range;
  for (llvm::StringRef dtype : {"float16", "float32", "bfloat16", "int8"}) {
    std::string layout = (gl + ".NVMMASharedLayout.get_default_for(" + source.slice(shape) + ", " +
                          gl + "." + dtype + ")")
                             .str();
    told.fix(FixId::TryText, {{{shape.end, shape.end}, ", " + layout}}, layout);
  }
}

} // namespace gluond::driver
