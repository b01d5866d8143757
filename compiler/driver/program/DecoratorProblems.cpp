#include "driver/program/DecoratorProblems.h"

#include "codegen/builder/KernelFixes.h"
#include "diagnostics/Reporter.h"
#include "evaluate/triton/TritonModules.h"
#include "language/types/Builtin.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

using language::FunctionObject;
using language::ModuleObject;

namespace {

// The module that a global name of the function's file is bound to, or null.
const ModuleObject* moduleNamed(const FunctionObject& function, Name name) {
  return function.module && function.module->globals
             ? function.module->globals->get(name).as<ModuleObject>()
             : nullptr;
}

// Whether the call needs the language of Gluon: an operation that Triton's own does not have, or a
// layout, which its operations do not take. Classes (layouts, constexpr) can be called anywhere.
bool needsGluon(const syntax::Call& call, const FunctionObject& function, const Interner& names) {
  llvm::SmallVector<Name, 4> path;
  const syntax::Expr* at = call.func;
  while (auto* attribute = llvm::dyn_cast<syntax::Attribute>(at)) {
    path.push_back(attribute->attribute.name);
    at = attribute->value;
  }
  auto* root = llvm::dyn_cast<syntax::NameExpr>(at);
  if (!root || path.empty()) return false;
  const ModuleObject* module = moduleNamed(function, root->name);
  if (!module || !codegen::isGluonLanguage(*module)) return false;
  llvm::StringRef member = names.text(path.back()), last = names.text(path.front());
  if (last.empty() || llvm::isUpper(last.front())) return false;
  const language::Builtin* row = language::findBuiltin(language::ModuleId::gl, member);
  bool givesLayout = false;
  if (row)
    for (auto [i, parameter] : llvm::enumerate(row->parameters))
      givesLayout |= llvm::StringRef(parameter.name) == "layout" && i < call.args.size();
  return givesLayout || !llvm::is_contained(evaluate::tritonNames("triton.language"), member) ||
         llvm::any_of(call.keywords, [&](const syntax::Keyword& keyword) {
           return names.text(keyword.name.name) == "layout";
         });
}

const syntax::Call* firstGluonCall(const FunctionObject& function, const Interner& names) {
  const syntax::Call* found = nullptr;
  auto look = [&](const syntax::Node* node) {
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    if (!found && call && needsGluon(*call, function, names)) found = call;
    return !found;
  };
  for (const syntax::Stmt* stmt : function.def->body)
    syntax::walk(stmt, look);
  return found;
}

// The decorator `triton.jit`, called or not; an empty range if it has another form.
text::Range decoratorOf(const syntax::FunctionDef& def, const text::SourceText& text) {
  for (const syntax::Expr* decorator : def.decorators) {
    auto* call = llvm::dyn_cast<syntax::Call>(decorator);
    text::Range range = call ? call->func->range : decorator->range;
    if (text.slice(range) == "triton.jit") return range;
  }
  return {};
}

// The name at the beginning of a decorator: gluon of `gluon.jit(debug=True)`.
const syntax::NameExpr* rootOf(const syntax::Expr* decorator) {
  while (true)
    if (auto* call = llvm::dyn_cast<syntax::Call>(decorator))
      decorator = call->func;
    else if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(decorator))
      decorator = attribute->value;
    else
      return llvm::dyn_cast<syntax::NameExpr>(decorator);
}

// Whether the body calls operations that only kernels execute, of Gluon's language or of something
// unknown that is called like it.
bool executesGluon(const syntax::FunctionDef& def, const ModuleObject& module,
                   const Interner& names) {
  constexpr llvm::StringLiteral operations[] = {"program_id", "num_programs", "load", "store",
                                                "arange"};
  bool found = false;
  auto look = [&](const syntax::Node* node) {
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    auto* attribute = call ? llvm::dyn_cast<syntax::Attribute>(call->func) : nullptr;
    auto* root = attribute ? llvm::dyn_cast<syntax::NameExpr>(attribute->value) : nullptr;
    if (!root || !llvm::is_contained(operations, names.text(attribute->attribute.name)))
      return !found;
    language::Value value = module.globals->get(root->name);
    auto* language = value.as<ModuleObject>();
    found |= language ? codegen::isGluonLanguage(*language)
                      : value.isUnknown() && names.text(root->name).ends_with("gl");
    return !found;
  };
  for (const syntax::Stmt* stmt : def.body)
    syntax::walk(stmt, look);
  return found;
}

} // namespace

std::vector<LostKernel> lostKernelsOf(const EvaluatedFile& program, const Interner& names) {
  std::vector<LostKernel> lost;
  const ModuleObject* module = program.module();
  if (!module || !module->globals) return lost;
  const text::SourceText& text = program.file().text();
  auto lookAt = [&](const syntax::FunctionDef& def, const std::string& prefix,
                    const std::string& lostClass) {
    for (const syntax::Expr* decorator : def.decorators) {
      auto* root = rootOf(decorator);
      if (!root) continue;
      auto* call = llvm::dyn_cast<syntax::Call>(decorator);
      llvm::StringRef shown = text.slice(call ? call->func->range : decorator->range);
      language::Value value = module->globals->get(root->name);
      auto* known = value.as<ModuleObject>();
      std::string unknown;
      if (value.isUnknown() && (shown == "gluon.jit" || executesGluon(def, *module, names)))
        unknown = "the decorator '" + shown.str() + "'";
      else if (!lostClass.empty() && known && known->name == "triton.experimental.gluon" &&
               shown.ends_with(".jit"))
        unknown = lostClass;
      if (unknown.empty()) continue;
      lost.push_back({&def, root, prefix + names.text(def.name.name).str(), std::move(unknown)});
      return;
    }
  };
  auto lookIn = [&](auto& self, syntax::Stmts body, const std::string& prefix,
                    const std::string& lostClass) -> void {
    for (const syntax::Stmt* stmt : body)
      syntax::walk(stmt, [&](const syntax::Node* node) {
        if (auto* def = llvm::dyn_cast<syntax::FunctionDef>(node)) {
          lookAt(*def, prefix, lostClass);
          return false; // functions inside of it are made by calls
        }
        auto* cls = llvm::dyn_cast<syntax::ClassDef>(node);
        if (!cls) return true;
        std::string name = prefix + names.text(cls->name.name).str();
        bool isLost =
            prefix.empty() && !module->globals->get(cls->name.name).is(language::ValueKind::Class);
        self(self, cls->body, name + ".", isLost ? "the class '" + name + "'" : lostClass);
        return false;
      });
  };
  lookIn(lookIn, program.tree().body(), "", "");
  return lost;
}

void tellDecoratorProblems(const EvaluatedFile& program, Interner& names,
                           std::vector<diagnostics::Diagnostic>& out) {
  diagnostics::Reporter emit(out, program.file().id());
  llvm::SmallPtrSet<const FunctionObject*, 8> seen;
  for (const evaluate::Launch& launch : program.evaluation().launches()) {
    const FunctionObject* kernel = launch.kernel;
    if (!kernel || !kernel->def || !kernel->isTritonJit || !kernel->module ||
        !program.isOwn(kernel->module) || !seen.insert(kernel).second)
      continue;
    const syntax::Call* call = firstGluonCall(*kernel, names);
    if (!call) continue;
    const text::SourceText& text = program.file().text();
    auto told = emit(diagnostics::Id::NoSuchOperation, call->func->range,
                     "the language of @triton.jit functions", text.slice(call->func->range),
                     "it is an operation of Gluon, which needs the decorator @gluon.jit on '" +
                         kernel->qualname.str() + "'");
    text::Range decorator = decoratorOf(*kernel->def, text);
    auto gluon = names.find("gluon");
    const ModuleObject* module = gluon ? moduleNamed(*kernel, *gluon) : nullptr;
    if (decorator.end > 0 && module && module->name == "triton.experimental.gluon")
      told.fix(diagnostics::FixId::TryText, {{decorator, "gluon.jit"}}, "gluon.jit");
  }
}

} // namespace gluond::driver
