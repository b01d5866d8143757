#include "driver/hostfixes/ArgumentValues.h"

#include "driver/hostfixes/GluonNames.h"
#include "language/types/Builtin.h"

namespace gluond::driver {

using diagnostics::FixId;

void offerDtype(diagnostics::InFlight& told, llvm::ArrayRef<const syntax::Node*> path,
                const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  const Interner& names = tree.interner();
  for (const syntax::Node* node : path) {
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    auto* callee = call ? llvm::dyn_cast<syntax::Attribute>(call->func) : nullptr;
    const language::BuiltinModule* owner = nullptr;
    const syntax::Expr* root = callee;
    while (auto* attribute = llvm::dyn_cast_if_present<syntax::Attribute>(root)) {
      root = attribute->value;
      if (!owner) owner = gluonModule(root, module, names);
    }
    if (!owner) continue;
    for (const syntax::Expr* argument : call->args) {
      auto* dtype = llvm::dyn_cast<syntax::Attribute>(argument);
      auto* from = dtype ? llvm::dyn_cast<syntax::NameExpr>(dtype->value) : nullptr;
      const language::Builtin* row =
          from && names.text(from->name) == "torch"
              ? language::findBuiltin(language::ModuleId::gl, names.text(dtype->attribute.name))
              : nullptr;
      if (!row || row->kind != language::BuiltinKind::Dtype) continue;
      std::string meant =
          tree.source().slice(root->range).str() + "." + names.text(dtype->attribute.name).str();
      told.fix(FixId::TryText, {{dtype->range, meant}}, meant);
    }
  }
}

void offerNumber(diagnostics::InFlight& told, llvm::StringRef message,
                 llvm::ArrayRef<const syntax::Node*> path, const syntax::SyntaxTree& tree) {
  auto [name, choices] = message.split(" must be ");
  if (choices.empty() || name.contains(' ')) return;
  for (const syntax::Node* node : path)
    if (auto* call = llvm::dyn_cast<syntax::Call>(node))
      for (const syntax::Keyword& keyword : call->keywords) {
        auto* constant = llvm::dyn_cast_if_present<syntax::Constant>(keyword.value);
        int64_t written = 0, best = -1;
        if (!constant || tree.interner().text(keyword.name.name) != name ||
            tree.source().slice(constant->range).getAsInteger(10, written))
          continue;
        auto distance = [&](__int128 to) { return to < written ? written - to : to - written; };
        for (llvm::StringRef rest = choices; !rest.empty();) {
          int64_t choice = 0;
          if (!llvm::isDigit(rest.front()))
            rest = rest.drop_front();
          else if (!rest.consumeInteger(10, choice) &&
                   (best < 0 || distance(choice) <= distance(best)))
            best = choice;
        }
        std::string text = std::to_string(best);
        if (best >= 0) told.fix(FixId::TryText, {{constant->range, text}}, text);
        return;
      }
}

} // namespace gluond::driver
