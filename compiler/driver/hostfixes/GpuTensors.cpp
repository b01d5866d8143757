#include "driver/hostfixes/GpuTensors.h"

#include "codegen/builder/Assignments.h"
#include "syntax/tree/Spread.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using diagnostics::FixId;
using syntax::Call;
using syntax::Expr;

namespace {

class Factories {
public:
  Factories(llvm::ArrayRef<const syntax::Node*> path, const language::ModuleObject* module,
            const syntax::SyntaxTree& tree)
      : module_(module), tree_(tree) {
    for (const syntax::Node* node : path)
      if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(node))
        bodies_.insert(bodies_.begin(), function->body);
    bodies_.push_back(tree.body());
  }

  // `x.device` of a factory that creates the tensor; "" if it has another device, or none.
  std::string deviceOf(const Expr* argument) const {
    const Call* made = factoryOf(argument);
    for (const syntax::Keyword& keyword : made ? made->keywords : llvm::ArrayRef<syntax::Keyword>())
      if (isOfTensor(keyword.value) && tree_.interner().text(keyword.name.name) == "device")
        return tree_.source().slice(keyword.value->range).str();
    return {};
  }

  // What creates the tensor that an expression names, with the device as an argument.
  std::optional<text::Edit> onGpu(const Expr* argument, const std::string& device) const {
    const Call* made = factoryOf(argument);
    if (!made || syntax::spreadsArguments(*made)) return std::nullopt;
    const Interner& names = tree_.interner();
    for (const syntax::Keyword& keyword : made->keywords) {
      if (names.text(keyword.name.name) != "device") continue;
      if (isOfTensor(keyword.value)) return std::nullopt; // it is where that tensor is
      return text::Edit{keyword.value->range, device};
    }
    llvm::StringRef written = tree_.source().slice(made->range);
    if (!written.ends_with(")") || (made->args.empty() && made->keywords.empty()))
      return std::nullopt;
    written = written.drop_back().rtrim();
    auto at = made->range.begin + static_cast<text::Offset>(written.size());
    return text::Edit{{at, at}, (written.ends_with(",") ? " device=" : ", device=") + device};
  }

private:
  const Call* factoryOf(const Expr* argument) const {
    auto* made = llvm::dyn_cast<Call>(argument);
    if (llvm::isa<syntax::NameExpr>(argument))
      for (syntax::Stmts body : bodies_)
        if (!made) made = codegen::creationOf(argument, body);
    return made && isFactory(made->func) ? made : nullptr;
  }
  bool isOfTensor(const Expr* device) const {
    auto* member = llvm::dyn_cast<syntax::Attribute>(device);
    return member && tree_.interner().text(member->attribute.name) == "device";
  }
  bool isFactory(const Expr* callee) const {
    static constexpr llvm::StringLiteral names[] = {
        "arange",   "as_tensor", "empty",  "empty_strided", "eye",  "full",
        "linspace", "logspace",  "normal", "ones",          "rand", "randint",
        "randn",    "randperm",  "tensor", "zeros"};
    auto* member = llvm::dyn_cast<syntax::Attribute>(callee);
    auto* owner = member ? llvm::dyn_cast<syntax::NameExpr>(member->value) : nullptr;
    if (!owner || !module_ || !module_->globals) return false;
    language::Value value = module_->globals->get(owner->name);
    auto* held = value.isAbsent() ? nullptr : value.as<language::ModuleObject>();
    return held && held->name == "torch" &&
           llvm::is_contained(names, tree_.interner().text(member->attribute.name));
  }

  const language::ModuleObject* module_;
  const syntax::SyntaxTree& tree_;
  llvm::SmallVector<syntax::Stmts, 4> bodies_; // the innermost first
};

} // namespace

void offerGpuTensors(diagnostics::InFlight& told, llvm::ArrayRef<const syntax::Node*> path,
                     const Call& call, const language::ModuleObject* module,
                     const syntax::SyntaxTree& tree) {
  Factories factories(path, module, tree);
  llvm::SmallVector<const Expr*> arguments(call.args);
  for (const syntax::Keyword& keyword : call.keywords)
    arguments.push_back(keyword.value);
  // As the tensors beside it are made, else on the current device.
  std::string device;
  for (const Expr* argument : arguments)
    if (device.empty()) device = factories.deviceOf(argument);
  constexpr llvm::StringLiteral onCurrent = "\"cuda\"";
  if (device.empty()) device = onCurrent;
  std::vector<text::Edit> edits;
  for (const Expr* argument : arguments) {
    auto edit = factories.onGpu(argument, device);
    if (edit && !llvm::is_contained(edits, *edit)) edits.push_back(std::move(*edit));
  }
  llvm::sort(edits, [](const text::Edit& a, const text::Edit& b) {
    return a.range.begin < b.range.begin;
  });
  if (edits.empty()) return;
  if (device == onCurrent)
    told.fix(FixId::CreateOnGpu, std::move(edits));
  else
    told.fix(FixId::TryText, std::move(edits), "device=" + device);
}

void offerGpuTensor(diagnostics::InFlight& told, const Call& call, int argument,
                    const text::SourceText& source) {
  auto index = static_cast<size_t>(argument);
  if (argument < 0 || index >= call.args.size()) return;
  text::Range range = call.args[index]->range;
  llvm::StringRef before = source.slice(range);
  std::string text =
      before.ends_with(".cpu()") ? before.drop_back(6).str() : before.str() + ".cuda()";
  if (llvm::isa<syntax::NameExpr, syntax::Attribute, Call>(call.args[index]))
    told.fix(FixId::TryText, {{range, text}}, text);
}

} // namespace gluond::driver
