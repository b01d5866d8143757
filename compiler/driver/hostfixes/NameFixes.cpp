#include "driver/hostfixes/NameFixes.h"

#include "codegen/builder/KernelFixes.h"
#include "codegen/suggestions/MissingImports.h"
#include "driver/hostfixes/MemberFixes.h"
#include "evaluate/launches/Autotune.h"
#include "evaluate/torch/TorchNames.h"
#include "evaluate/triton/Benchmarks.h"
#include "evaluate/triton/TritonModules.h"
#include "language/types/Builtin.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/FreeNames.h"
#include "syntax/tree/PlainText.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::driver {

using diagnostics::FixId;
using evaluate::ErrorKind;

namespace {

bool hasMember(const language::ModuleObject& module, llvm::StringRef name) {
  if (codegen::isGluonLanguage(module))
    return language::findBuiltin(language::ModuleId::gl, name) != nullptr;
  return evaluate::hasHostName(module.name, name) || evaluate::torchHas(module.name, name);
}

// `triton.cdiv` for `cdiv`: with each imported module of Triton, Gluon and torch that has the name.
// Torch, with its 1,400 names, comes last.
std::vector<std::string> withModules(llvm::StringRef name, const language::ModuleObject& module,
                                     const Interner& names) {
  std::vector<std::string> found, ofTorch;
  for (auto [global, value] : *module.globals) {
    auto* held = value.isAbsent() ? nullptr : value.as<language::ModuleObject>();
    if (held && hasMember(*held, name))
      (held->name.starts_with("torch") ? ofTorch : found)
          .push_back((names.text(global) + "." + name).str());
  }
  llvm::append_range(found, ofTorch);
  return found;
}

// Adds the names that statements assign, those of functions and classes inside them excluded.
void addAssigned(syntax::Stmts body, llvm::DenseSet<Name>& out) {
  auto addTarget = [&](const syntax::Expr* target) {
    syntax::walk(target, [&](const syntax::Node* part) {
      if (auto* name = llvm::dyn_cast<syntax::NameExpr>(part)) out.insert(name->name);
      return true;
    });
  };
  for (const syntax::Stmt* stmt : body)
    syntax::walk(stmt, [&](const syntax::Node* node) {
      if (auto* assign = llvm::dyn_cast<syntax::Assign>(node))
        llvm::for_each(assign->targets, addTarget);
      if (auto* assign = llvm::dyn_cast<syntax::AnnAssign>(node)) addTarget(assign->target);
      if (auto* loop = llvm::dyn_cast<syntax::For>(node)) addTarget(loop->target);
      return !llvm::isa<syntax::FunctionDef, syntax::ClassDef>(node);
    });
}

const syntax::Call* callWith(Path path, llvm::StringRef keyword, const Interner& names) {
  for (const syntax::Node* node : llvm::reverse(path))
    if (auto* call = llvm::dyn_cast<syntax::Call>(node))
      if (llvm::any_of(call->keywords, [&](const syntax::Keyword& each) {
            return names.text(each.name.name) == keyword;
          }))
        return call;
  return nullptr;
}

// The members of torch's tensors that are no methods.
bool isProperty(llvm::StringRef member) {
  static constexpr llvm::StringLiteral names[] = {
      "H",         "T",        "data",   "device",    "dtype",   "grad",
      "grad_fn",   "imag",     "is_cpu", "is_cuda",   "is_leaf", "is_meta",
      "is_sparse", "itemsize", "layout", "mH",        "mT",      "name",
      "names",     "nbytes",   "ndim",   "output_nr", "real",    "requires_grad",
      "shape",     "volatile"};
  return llvm::is_contained(names, member);
}

void offerKeywordOf(diagnostics::InFlight& told, const syntax::Call& call, llvm::StringRef written,
                    const codegen::Nearest& nearest, const Interner& names) {
  for (const syntax::Keyword& each : call.keywords)
    if (names.text(each.name.name) == written)
      return offerName(told, each.name.range, written, nearest);
}

// The definition of a function of this file; null for another callee.
const syntax::FunctionDef* definitionOf(const syntax::Expr* callee,
                                        const language::ModuleObject& module) {
  auto* name = llvm::dyn_cast<syntax::NameExpr>(callee);
  language::Value value = name ? module.globals->get(name->name) : language::Value::absent();
  if (value.isAbsent()) return nullptr;
  auto* function = value.as<language::FunctionObject>();
  if (!function) function = evaluate::kernelOf(value);
  return function && function->module == &module ? function->def : nullptr;
}

} // namespace

void offerDefinedName(diagnostics::InFlight& told, Path path, const language::ModuleObject* module,
                      const syntax::SyntaxTree& tree, bool isCuda) {
  const Interner& names = tree.interner();
  auto* used = path.empty() ? nullptr : llvm::dyn_cast<syntax::NameExpr>(path.back());
  if (!used || !module || !module->globals) return;
  llvm::StringRef written = names.text(used->name);
  for (llvm::StringRef constant : {"True", "False", "None"})
    if (written.equals_insensitive(constant) || (written == "null" && constant == "None")) {
      told.fix(FixId::TryText, {{used->range, constant.str()}}, constant);
      return;
    }
  // Before the members of other modules: torch happens to have imported os.
  if (auto missing = codegen::missingHostImport(written, tree.body(), names, tree.source())) {
    told.fix(FixId::AddImport, {missing->edit}, missing->statement);
    return;
  }
  codegen::Nearest nearest(written);
  llvm::DenseSet<Name> locals;
  for (const syntax::Node* node : path)
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(node)) {
      for (const syntax::Parameter& each : function->parameters)
        locals.insert(each.name.name);
      addAssigned(function->body, locals);
    }
  addAssigned(tree.body(), locals); // also what only runs as a script
  llvm::SmallVector<llvm::StringRef> sorted;
  for (Name each : locals)
    sorted.push_back(names.text(each));
  llvm::sort(sorted); // the set's order is none
  for (llvm::StringRef each : sorted)
    nearest.offer(each);
  // A variable that is misspelt: nobody subscripts or adds torch.tile.
  bool isCalled = llvm::any_of(path, [&](const syntax::Node* around) {
    auto* call = llvm::dyn_cast<syntax::Call>(around);
    return call && call->func == used;
  });
  bool isOwn = nearest.isClear() && !isCalled;
  auto whole = isOwn ? std::vector<std::string>() : withModules(written, *module, names);
  for (const std::string& each : whole) // a trial tells which one is meant
    told.fix(FixId::TryText, {{used->range, each}}, each);
  if (!whole.empty()) return;
  auto missing = isOwn ? std::nullopt
                       : codegen::missingImport(written, isCuda, tree.body(), names, tree.source());
  if (missing) {
    told.fix(FixId::AddImport, {missing->edit}, missing->statement);
    return;
  }
  for (auto [name, value] : *module->globals)
    if (name && !value.isAbsent()) nearest.offer(names.text(name));
  if (nearest.name().empty()) return;
  // All its uses in the function: the next one would raise the same.
  std::vector<text::Edit> edits;
  const syntax::Node* around = used;
  for (const syntax::Node* node : path)
    if (llvm::isa<syntax::FunctionDef>(node)) around = node;
  syntax::walk(around, [&](const syntax::Node* node) {
    auto* use = llvm::dyn_cast<syntax::NameExpr>(node);
    if (use && use->name == used->name) edits.push_back({use->range, nearest.name().str()});
    return true;
  });
  told.fix(FixId::DidYouMean, std::move(edits), written, nearest.name());
}

// A name in the strings of a function's decorators, at the place, that is none of its parameters.
static void offerParameter(diagnostics::InFlight& told, Path path, text::Range at,
                           llvm::StringRef written, const syntax::SyntaxTree& tree) {
  if (tree.source().slice(at) != written) return; // spelt in another way
  const syntax::FunctionDef* function = nullptr;
  for (const syntax::Node* node : path)
    if (auto* around = llvm::dyn_cast<syntax::FunctionDef>(node)) function = around;
  if (!function) return;
  codegen::Nearest nearest(written);
  llvm::SmallVector<llvm::StringRef> unnamed; // by other decorators
  for (const syntax::Parameter& each : function->parameters) {
    llvm::StringRef name = tree.interner().text(each.name.name);
    nearest.offer(name);
    bool isNamed = each.defaultValue || evaluate::nameInDecorators(*function, name).has_value();
    if (!isNamed) unnamed.push_back(name);
  }
  // The body uses the name: the parameter is the one that is misspelled.
  bool isUsed = llvm::any_of(syntax::freeNames(*function),
                             [&](Name each) { return tree.interner().text(each) == written; });
  for (const syntax::Parameter& each : function->parameters)
    if (isUsed && tree.interner().text(each.name.name) == nearest.name())
      return void(
          told.fix(FixId::DidYouMean, {{each.name.range, written.str()}}, nearest.name(), written));
  if (!nearest.name().empty())
    offerName(told, at, written, nearest);
  else if (unnamed.size() == 1)
    told.fix(FixId::DidYouMean, {{at, unnamed.front().str()}}, written, unnamed.front());
}

bool offerOwnKeyword(diagnostics::InFlight& told, const evaluate::ErrorCause& cause, Path path,
                     text::Range at, const language::ModuleObject* module,
                     const syntax::SyntaxTree& tree) {
  const std::string& keyword = cause.subject;
  const Interner& names = tree.interner();
  if (cause.kind == ErrorKind::DecoratorName) {
    offerParameter(told, path, at, keyword, tree);
    return true;
  }
  const syntax::Call* call =
      cause.kind == ErrorKind::ParameterKeyword ? callWith(path, keyword, names) : nullptr;
  if (!call || !module || !module->globals) return false;
  const syntax::FunctionDef* def = definitionOf(call->func, *module);
  if (!def || def->parameters.empty()) return false;
  codegen::Nearest nearest(keyword);
  for (const syntax::Parameter& each : def->parameters)
    nearest.offer(names.text(each.name.name));
  // The body uses the keyword's name: the parameter is the one that is misspelled.
  bool isUsed =
      llvm::any_of(syntax::freeNames(*def), [&](Name each) { return names.text(each) == keyword; });
  if (!isUsed) {
    offerKeywordOf(told, *call, keyword, nearest, names);
    return true;
  }
  for (const syntax::Parameter& each : def->parameters)
    if (names.text(each.name.name) == nearest.name())
      told.fix(FixId::DidYouMean, {{each.name.range, keyword}}, nearest.name(), keyword);
  return true;
}

bool offerTorchName(diagnostics::InFlight& told, const evaluate::PythonError& error, Path path,
                    const syntax::SyntaxTree& tree) {
  const Interner& names = tree.interner();
  const std::string &subject = error.cause.subject, &owner = error.cause.owner;
  auto nearestOf = [](llvm::StringRef owner, llvm::StringRef written) {
    codegen::Nearest nearest(written);
    for (llvm::StringRef each : evaluate::torchNames(owner))
      nearest.offer(each);
    return nearest;
  };
  switch (error.cause.kind) {
  case ErrorKind::TensorKeyword:
    if (const syntax::Call* call = callWith(path, subject, names))
      offerKeywordOf(told, *call, subject, nearestOf("parameters of factories", subject), names);
    return true;
  case ErrorKind::TensorDevice: {
    const syntax::Constant* constant = nullptr;
    for (const syntax::Node* node : llvm::reverse(path))
      if (!constant) constant = stringIn(*node, subject);
    offerString(told, constant, tree.source(), nearestOf("kinds of devices", subject));
    return true;
  }
  case ErrorKind::MissingMember:
  case ErrorKind::TensorMember:
    if (evaluate::torchNames(owner).empty()) return false;
    for (const syntax::Node* node : llvm::reverse(path))
      if (auto* used = llvm::dyn_cast<syntax::Attribute>(node);
          used && names.text(used->attribute.name) == subject) {
        codegen::Nearest nearest = nearestOf(owner, subject);
        bool isCalled = llvm::any_of(path, [&](const syntax::Node* around) {
          auto* call = llvm::dyn_cast<syntax::Call>(around);
          return call && call->func == used;
        });
        std::string call = nearest.name().str() + "()";
        if (error.cause.kind == ErrorKind::TensorMember && !isCalled && !nearest.name().empty() &&
            !isProperty(nearest.name()))
          told.fix(FixId::TryText, {{used->attribute.range, call}}, call);
        else
          offerName(told, used->attribute.range, subject, nearest);
        break;
      }
    return true;
  default:
    return false;
  }
}

const syntax::Constant* stringIn(const syntax::Node& node, llvm::StringRef text) {
  auto* constant = llvm::dyn_cast<syntax::Constant>(&node);
  if (constant && constant->constant == syntax::ConstantKind::Str && constant->string == text)
    return constant;
  const syntax::Constant* found = nullptr;
  syntax::forEachChild(node, [&](const syntax::Node& child) {
    if (!found) found = stringIn(child, text);
  });
  return found;
}

void offerString(diagnostics::InFlight& told, const syntax::Constant* constant,
                 const text::SourceText& source, const codegen::Nearest& nearest) {
  if (!constant || nearest.name().empty()) return;
  if (auto inside = syntax::plainText(*constant, source))
    offerName(told, *inside, constant->string, nearest);
}

} // namespace gluond::driver
