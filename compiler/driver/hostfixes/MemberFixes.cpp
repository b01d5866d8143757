#include "driver/hostfixes/MemberFixes.h"

#include "codegen/builder/KernelFixes.h"
#include "driver/hostfixes/GluonNames.h"
#include "language/types/Builtin.h"

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

// `gluon.constexpr`, `gluon.autotune`: the language, or triton, has the name. Returns whether one
// of these modules is imported and has it.
static bool offerOwner(diagnostics::InFlight& told, const syntax::Attribute& member,
                       const GluonName& wrong, const language::ModuleObject* module,
                       const syntax::SyntaxTree& tree) {
  for (auto [name, value] : *module->globals) {
    auto* held = value.isAbsent() ? nullptr : value.as<language::ModuleObject>();
    const language::BuiltinModule* known = held ? language::findModule(held->name) : nullptr;
    if (!known || known == wrong.module || !language::findBuiltin(known->id, wrong.name) ||
        !(codegen::isGluonLanguage(*held) || held->name == "triton"))
      continue;
    std::string whole = tree.interner().text(name).str() + "." + wrong.name.str();
    told.fix(FixId::TryText, {{member.range, whole}}, whole);
    return true;
  }
  return false;
}

void offerMember(diagnostics::InFlight& told, const evaluate::PythonError& error,
                 llvm::ArrayRef<const syntax::Node*> path, const language::ModuleObject* module,
                 const syntax::SyntaxTree& tree) {
  const Interner& names = tree.interner();
  for (const syntax::Node* node : path) {
    auto* attribute = llvm::dyn_cast<syntax::Attribute>(node);
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    if (error.exceptionClass == "AttributeError" && attribute) {
      GluonName meant = gluonName(attribute, module, names);
      if (!meant.module || gluonModule(attribute, module, names) ||
          language::findBuiltin(meant.module->id, meant.name))
        continue;
      if (offerOwner(told, *attribute, meant, module, tree)) return;
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

} // namespace gluond::driver
