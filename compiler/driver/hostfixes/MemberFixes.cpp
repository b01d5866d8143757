#include "driver/hostfixes/MemberFixes.h"

#include "codegen/builder/KernelFixes.h"
#include "codegen/suggestions/OtherNames.h"
#include "driver/hostfixes/GluonNames.h"
#include "evaluate/torch/TorchNames.h"
#include "evaluate/triton/TritonModules.h"
#include "language/parameters/CalledFunctions.h"
#include "language/types/Builtin.h"
#include "syntax/tree/Children.h"

namespace gluond::driver {

using diagnostics::FixId;

void offerName(diagnostics::InFlight& told, text::Range at, llvm::StringRef written,
               const codegen::Nearest& nearest) {
  if (nearest.name().empty()) return;
  std::vector<text::Edit> edits{{at, nearest.name().str()}};
  if (nearest.isClear())
    told.fix(FixId::CorrectSpelling, std::move(edits), written, nearest.name());
  else
    told.fix(FixId::DidYouMean, std::move(edits), written, nearest.name());
}

static bool hasName(const language::BuiltinModule& module, llvm::StringRef name) {
  return language::findBuiltin(module.id, name) || evaluate::hasHostName(module.name, name);
}

// `torch.empty(n, dtype=gl.half)`: an argument of a function of torch, which has the name itself.
static bool offerTorch(diagnostics::InFlight& told, const syntax::Attribute& member,
                       llvm::ArrayRef<const syntax::Node*> path, llvm::StringRef name,
                       const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  const syntax::Call* call = nullptr;
  for (const syntax::Node* node : path)
    if (auto* around = llvm::dyn_cast<syntax::Call>(node); around && around->func != &member)
      call = around;
  auto* callee = call ? llvm::dyn_cast<syntax::Attribute>(call->func) : nullptr;
  auto* owner = callee ? llvm::dyn_cast<syntax::NameExpr>(callee->value) : nullptr;
  language::Value value = owner ? module->globals->get(owner->name) : language::Value::absent();
  auto* torch = value.isAbsent() ? nullptr : value.as<language::ModuleObject>();
  if (!torch || torch->name != "torch" || !evaluate::torchHas("torch", name)) return false;
  std::string whole = tree.interner().text(owner->name).str() + "." + name.str();
  told.fix(FixId::TryText, {{member.range, whole}}, whole);
  return true;
}

// `gluon.autotune`, `gluon.constexpr`: triton, or the language, has the name. Returns whether one
// of these modules is imported and has it. What both have is meant to be called on the host here.
static bool offerOwner(diagnostics::InFlight& told, const syntax::Attribute& member,
                       const GluonName& wrong, const language::ModuleObject* module,
                       const syntax::SyntaxTree& tree) {
  std::string owner;
  for (auto [name, value] : *module->globals) {
    auto* held = value.isAbsent() ? nullptr : value.as<language::ModuleObject>();
    const language::BuiltinModule* known = held ? language::findModule(held->name) : nullptr;
    if (!known || known == wrong.module || !hasName(*known, wrong.name)) continue;
    bool isTriton = held->name == "triton";
    if (isTriton || (owner.empty() && codegen::isGluonLanguage(*held)))
      owner = tree.interner().text(name).str();
    if (isTriton) break;
  }
  std::string whole = owner + "." + wrong.name.str();
  if (!owner.empty()) told.fix(FixId::TryText, {{member.range, whole}}, whole);
  return !owner.empty();
}

// The class of the program with that name that a module knows, or a module that it imports from.
static const language::ClassObject*
classNamed(llvm::StringRef name, const language::ModuleObject& module, unsigned depth = 1) {
  const language::ClassObject* found = nullptr;
  for (auto [bound, value] : *module.globals) {
    if (found || value.isAbsent()) continue;
    if (auto* cls = value.as<language::ClassObject>(); cls && cls->def && cls->qualname == name)
      found = cls;
    auto* function = value.as<language::FunctionObject>();
    const language::ModuleObject* other =
        function ? function->module : value.as<language::ModuleObject>();
    if (!found && depth > 0 && other && other != &module && other->globals)
      found = classNamed(name, *other, depth - 1);
  }
  return found;
}

// The last attribute on the way to an expression that has this name.
static const syntax::Attribute* attributeNamed(llvm::StringRef name,
                                               llvm::ArrayRef<const syntax::Node*> path,
                                               const Interner& names) {
  const syntax::Attribute* used = nullptr;
  for (const syntax::Node* node : path)
    if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(node);
        attribute && names.text(attribute->attribute.name) == name)
      used = attribute;
  return used;
}

// `gl.NVMMASharedLayout.get_default`: a class of Gluon's has a member with a similar name.
static void offerClassMember(diagnostics::InFlight& told, const evaluate::ErrorCause& cause,
                             llvm::ArrayRef<const syntax::Node*> path, const Interner& names) {
  const syntax::Attribute* used = attributeNamed(cause.subject, path, names);
  if (!used) return;
  codegen::Nearest nearest(cause.subject);
  for (const language::Builtin& row : language::builtins())
    if (llvm::StringRef(row.where).split(' ').first == cause.owner) nearest.offer(row.name);
  offerName(told, used->attribute.range, cause.subject, nearest);
}

// `cfg.warp`, where the class of cfg has `warps`.
static bool offerOwnMember(diagnostics::InFlight& told, llvm::StringRef message,
                           llvm::ArrayRef<const syntax::Node*> path,
                           const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  auto [owner, wanted] = message.split("' object has no attribute '");
  wanted = wanted.take_until([](char c) { return c == '\''; });
  if (wanted.empty() || !owner.consume_front("'") || !module || !module->globals) return false;
  const language::ClassObject* cls = classNamed(owner, *module);
  const syntax::Attribute* used = attributeNamed(wanted, path, tree.interner());
  if (!cls || !used) return false;
  codegen::Nearest nearest(wanted);
  for (const language::ClassObject::Field& field : cls->fields)
    nearest.offer(tree.interner().text(field.name));
  if (cls->members)
    for (auto [name, value] : *cls->members)
      if (llvm::StringRef text = tree.interner().text(name); !text.starts_with("_"))
        nearest.offer(text);
  if (!nearest.name().empty())
    told.fix(FixId::DidYouMean, {{used->attribute.range, nearest.name().str()}}, wanted,
             nearest.name());
  return true;
}

// A member of argparse's namespace: the options that this file adds.
static bool offerOption(diagnostics::InFlight& told, llvm::StringRef message,
                        llvm::ArrayRef<const syntax::Node*> path, const syntax::SyntaxTree& tree) {
  if (!message.consume_front("'Namespace' object has no attribute '")) return false;
  const Interner& names = tree.interner();
  llvm::StringRef wrong = message.take_until([](char c) { return c == '\''; });
  const syntax::Attribute* place = nullptr;
  for (const syntax::Node* node : path)
    if (auto* found = llvm::dyn_cast<syntax::Attribute>(node);
        found && names.text(found->attribute.name) == wrong)
      place = found;
  if (!place) return true;
  codegen::Nearest nearest(wrong);
  std::vector<std::string> options; // which the search below only refers to
  auto collect = [&](auto&& self, const syntax::Node& node) -> void {
    auto* call = llvm::dyn_cast<syntax::Call>(&node);
    if (call && language::calledName(call->func, names) == "add_argument") {
      for (const syntax::Expr* argument : call->args)
        if (auto* text = llvm::dyn_cast<syntax::Constant>(argument);
            text && text->constant == syntax::ConstantKind::Str) {
          std::string option = llvm::StringRef(text->string).ltrim('-').str();
          std::replace(option.begin(), option.end(), '-', '_');
          options.push_back(option);
        }
    }
    syntax::forEachChild(node, [&](const syntax::Node& child) { self(self, child); });
  };
  for (const syntax::Stmt* each : tree.body())
    collect(collect, *each);
  for (const std::string& option : options)
    nearest.offer(option);
  offerName(told, place->attribute.range, wrong, nearest);
  return true;
}

// pytest.parametrize is pytest.mark.parametrize, and pytest.mark.parametrise is misspelt.
static bool offerMark(diagnostics::InFlight& told, const evaluate::ErrorCause& cause,
                      llvm::ArrayRef<const syntax::Node*> path, const Interner& names) {
  bool isOfMark = cause.owner == "pytest.mark";
  if (cause.kind != evaluate::ErrorKind::MissingMember || (!isOfMark && cause.owner != "pytest"))
    return false;
  std::string meant = isOfMark ? "parametrize" : "mark." + cause.subject;
  for (const syntax::Node* node : path)
    if (auto* member = llvm::dyn_cast<syntax::Attribute>(node);
        member && names.text(member->attribute.name) == cause.subject)
      told.fix(FixId::TryText, {{member->attribute.range, meant}}, meant);
  return true;
}

void offerMember(diagnostics::InFlight& told, const evaluate::PythonError& error,
                 llvm::ArrayRef<const syntax::Node*> path, const language::ModuleObject* module,
                 const syntax::SyntaxTree& tree) {
  const Interner& names = tree.interner();
  if (offerMark(told, error.cause, path, names)) return;
  if (error.exceptionClass == "AttributeError" && offerOption(told, error.message, path, tree))
    return;
  if (error.exceptionClass == "AttributeError" &&
      offerOwnMember(told, error.message, path, module, tree))
    return;
  if (error.cause.kind == evaluate::ErrorKind::Library && !error.cause.subject.empty())
    return offerClassMember(told, error.cause, path, names);
  for (const syntax::Node* node : path) {
    auto* attribute = llvm::dyn_cast<syntax::Attribute>(node);
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    if (error.exceptionClass == "AttributeError" && attribute) {
      GluonName meant = gluonName(attribute, module, names);
      if (!meant.module || gluonModule(attribute, module, names) ||
          hasName(*meant.module, meant.name))
        continue;
      if (offerTorch(told, *attribute, path, meant.name, module, tree) ||
          offerOwner(told, *attribute, meant, module, tree))
        return;
      if (llvm::StringRef gluon = codegen::gluonNameFor(meant.name);
          !gluon.empty() && hasName(*meant.module, gluon))
        return void(told.fix(FixId::TryText, {{meant.place, gluon.str()}}, gluon));
      llvm::StringRef synonym = codegen::siblingFor(
          meant.name, [&](llvm::StringRef each) { return hasName(*meant.module, each); });
      if (!synonym.empty())
        return void(told.fix(FixId::TryText, {{meant.place, synonym.str()}}, synonym));
      codegen::Nearest nearest(meant.name);
      nearest.offerMembers(meant.module->id);
      for (llvm::StringRef each : evaluate::hostNames(meant.module->name))
        nearest.offer(each);
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

} // namespace gluond::driver
