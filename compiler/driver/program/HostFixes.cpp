#include "driver/program/HostFixes.h"

#include "codegen/emitter/Corrections.h"
#include "codegen/suggestions/Suggest.h"
#include "evaluate/launches/LaunchOptions.h"
#include "language/types/Builtin.h"
#include "language/values/Value.h"
#include "syntax/tree/Children.h"

namespace gluond::driver {

using diagnostics::FixId;

namespace {

// Returns the function of this file that an expression names, or null if it is not of this file.
const language::FunctionObject* functionOf(const syntax::Expr* expr,
                                           const language::ModuleObject* module) {
  auto* name = llvm::dyn_cast<syntax::NameExpr>(expr);
  if (!name || !module || !module->globals) return nullptr;
  language::Value value = module->globals->get(name->name);
  auto* function = value.isAbsent() ? nullptr : value.as<language::FunctionObject>();
  return function && function->def && function->module == module ? function : nullptr;
}

void offerName(diagnostics::InFlight& told, text::Range at, llvm::StringRef written,
               const codegen::Nearest& nearest) {
  if (nearest.name().empty()) return;
  std::vector<text::Edit> edits{{at, nearest.name().str()}};
  if (nearest.isClear())
    told.fix(FixId::CorrectSpelling, std::move(edits), written, nearest.name());
  else
    told.fix(FixId::DidYouMean, std::move(edits), written, nearest.name());
}

// What an expression names in a module of Gluon: gl.BlockedLayout, where `gl` is global.
struct GluonName {
  const language::BuiltinModule* module = nullptr;
  llvm::StringRef name;
  text::Range place;
};
// The module of Gluon that an expression names: gl, gl.amd.cdna3.
const language::BuiltinModule*
gluonModule(const syntax::Expr* expr, const language::ModuleObject* module, const Interner& names) {
  if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(expr)) {
    const language::BuiltinModule* base = gluonModule(attribute->value, module, names);
    if (!base) return nullptr;
    std::string name = llvm::StringRef(base->name).str() + ".";
    return language::findModule(name + names.text(attribute->attribute.name).str());
  }
  auto* name = llvm::dyn_cast<syntax::NameExpr>(expr);
  if (!name || !module || !module->globals) return nullptr;
  language::Value value = module->globals->get(name->name);
  auto* held = value.isAbsent() ? nullptr : value.as<language::ModuleObject>();
  return held ? language::findModule(held->name) : nullptr;
}
GluonName gluonName(const syntax::Expr* expr, const language::ModuleObject* module,
                    const Interner& names) {
  auto* attribute = llvm::dyn_cast_if_present<syntax::Attribute>(expr);
  if (!attribute) return {};
  return {gluonModule(attribute->value, module, names), names.text(attribute->attribute.name),
          attribute->attribute.range};
}

// A misspelt member of Gluon, or a keyword that a class of its layouts lacks.
void offerMember(diagnostics::InFlight& told, const evaluate::PythonError& error,
                 llvm::ArrayRef<const syntax::Node*> path, const language::ModuleObject* module,
                 const Interner& names) {
  for (const syntax::Node* node : path) {
    auto* attribute = llvm::dyn_cast<syntax::Attribute>(node);
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    if (error.exceptionClass == "AttributeError" && attribute) {
      GluonName meant = gluonName(attribute, module, names);
      if (!meant.module || gluonModule(attribute, module, names) ||
          language::findBuiltin(meant.module->id, meant.name))
        continue;
      codegen::Nearest nearest(meant.name);
      nearest.offerMembers(meant.module->id);
      return offerName(told, meant.place, meant.name, nearest);
    }
    if (error.exceptionClass != "TypeError" || !call) continue;
    GluonName callee = gluonName(call->func, module, names);
    const language::Builtin* builtin =
        callee.module ? language::findBuiltin(callee.module->id, callee.name) : nullptr;
    if (!builtin || builtin->parameters.empty()) continue;
    for (const syntax::Keyword& keyword : call->keywords) {
      llvm::StringRef written = names.text(keyword.name.name);
      if (written.empty() || llvm::any_of(builtin->parameters, [&](const auto& each) {
            return llvm::StringRef(each.name) == written;
          }))
        continue;
      codegen::Nearest nearest(written);
      for (const auto& each : builtin->parameters)
        nearest.offer(each.name);
      return offerName(told, keyword.name.range, written, nearest);
    }
  }
}

// A keyword that is neither a parameter nor an option.
void offerKeyword(diagnostics::InFlight& told, const syntax::Call& call,
                  const language::FunctionObject& kernel, Interner& names) {
  auto isOption = [&](llvm::StringRef name) {
    return evaluate::findLaunchOption(name) || name == "grid" || name == "warmup";
  };
  for (const syntax::Keyword& keyword : call.keywords) {
    llvm::StringRef written = names.text(keyword.name.name);
    bool isParameter = llvm::any_of(kernel.def->parameters, [&](const syntax::Parameter& each) {
      return each.name.name == keyword.name.name;
    });
    if (written.empty() || isParameter || isOption(written)) continue;
    codegen::Nearest nearest(written);
    for (const syntax::Parameter& each : kernel.def->parameters)
      nearest.offer(names.text(each.name.name));
    for (const evaluate::LaunchOptionRow& option : evaluate::launchOptionRows())
      nearest.offer(option.name);
    return offerName(told, keyword.name.range, written, nearest);
  }
}

// A misspelt global name, or a constant as other languages write it.
void offerGlobal(diagnostics::InFlight& told, llvm::ArrayRef<const syntax::Node*> path,
                 const language::ModuleObject* module, const Interner& names) {
  auto* used = path.empty() ? nullptr : llvm::dyn_cast<syntax::NameExpr>(path.back());
  if (!used || !module || !module->globals) return;
  llvm::StringRef written = names.text(used->name);
  for (llvm::StringRef constant : {"True", "False", "None"})
    if (written.equals_insensitive(constant) || (written == "null" && constant == "None")) {
      told.fix(FixId::TryText, {{used->range, constant.str()}}, constant);
      return;
    }
  codegen::Nearest nearest(written);
  for (auto [name, value] : *module->globals)
    if (name && !value.isAbsent() && !value.isUnknown()) nearest.offer(names.text(name));
  if (nearest.name().empty()) return;
  told.fix(FixId::DidYouMean, {{used->range, nearest.name().str()}}, written, nearest.name());
}

} // namespace

std::string launchProblem(llvm::StringRef message, llvm::StringRef kernel) {
  llvm::StringRef rest = message;
  if (rest.consume_front("'Keyword argument ")) {
    llvm::StringRef name = rest.take_until([](char c) { return c == ' '; });
    return "it has neither a parameter nor an option '" + name.str() + "'";
  }
  if (rest.consume_front("failed to specialize argument of type: "))
    return "a value of type '" + rest.str() +
           "' can only be passed to a parameter that is annotated `gl.constexpr`";
  if (message.contains("outside of the scope of a kernel"))
    return "it is called without a grid: write " + kernel.str() + "[grid](...)";
  return message.str();
}

void offerLaunchFixes(diagnostics::InFlight told, const evaluate::PythonError& error,
                      text::Range at, const language::ModuleObject* module,
                      const syntax::SyntaxTree& tree) {
  const syntax::Call* call = nullptr;
  const syntax::Subscript* subscript = nullptr;
  auto path = syntax::pathTo(tree.body(), at.begin);
  for (const syntax::Node* node : path) {
    if (node->range.begin != at.begin) continue;
    if (auto* found = llvm::dyn_cast<syntax::Call>(node)) call = found;
    if (auto* found = llvm::dyn_cast<syntax::Subscript>(node)) subscript = found;
  }
  if (error.exceptionClass == "NameError") return offerGlobal(told, path, module, tree.interner());
  // kernel[n](...): a grid is a tuple.
  if (subscript &&
      llvm::StringRef(error.message).starts_with("object of type 'int' has no len()")) {
    std::string grid = "(" + tree.source().slice(subscript->index->range).str() + ", )";
    told.fix(FixId::TryText, {{subscript->index->range, grid}}, grid);
    return;
  }
  // TensorDescriptor(tensor, block_shape, layout): the arguments of its method from_tensor.
  if (call && llvm::StringRef(error.message).starts_with("TensorDescriptor() missing") &&
      call->args.size() + call->keywords.size() == 3) {
    text::Offset end = call->func->range.end;
    std::string method = tree.source().slice(call->func->range).str() + ".from_tensor";
    told.fix(FixId::TryText, {{{end, end}, ".from_tensor"}}, method);
    return;
  }
  // plain[grid](...): the function lacks its decorator.
  if (subscript && error.exceptionClass == "TypeError") {
    if (auto* plain = functionOf(subscript->value, module);
        plain && plain->function == language::FunctionKind::Python) {
      const text::SourceText& source = tree.source();
      text::Offset begin = plain->def->range.begin;
      std::string indent = source.slice({source.lineStart(source.lineOf(begin)), begin}).str();
      std::string decorator = codegen::jitDecorator(tree.body(), tree.interner(), source);
      if (decorator.empty()) return;
      decorator = "@" + decorator;
      told.fix(FixId::DecorateFunction, {{{begin, begin}, decorator + "\n" + indent}},
               tree.interner().text(plain->def->name.name), decorator);
    }
    return;
  }
  offerMember(told, error, path, module, tree.interner());
  if (!call) return;
  // kernel(...) without a grid.
  if (auto* kernel = functionOf(call->func, module);
      kernel && kernel->function == language::FunctionKind::Jit) {
    text::Offset end = call->func->range.end;
    told.fix(FixId::InsertGrid, {{{end, end}, "[(1,)]"}}, "[(1,)]");
    return;
  }
  if (auto* launcher = llvm::dyn_cast<syntax::Subscript>(call->func))
    if (auto* kernel = functionOf(launcher->value, module))
      offerKeyword(told, *call, *kernel, tree.interner());
}

} // namespace gluond::driver
