#include "driver/kernelfixes/LayoutArgument.h"

#include "diagnostics/Reporter.h"
#include "language/parameters/CalledFunctions.h"
#include "language/types/Builtin.h"
#include "syntax/tree/CallEnd.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>

namespace gluond::driver {

using namespace syntax;

namespace {

constexpr size_t mostOffered = 3;

// Whether an expression makes a layout: gl.BlockedLayout(...), or the same in gl.constexpr(...).
bool makesLayout(const Expr* value, const Interner& names) {
  auto* call = llvm::dyn_cast_if_present<Call>(value);
  llvm::StringRef made = call ? language::calledName(call->func, names) : "";
  if (made == "constexpr" && call->args.size() == 1) return makesLayout(call->args.front(), names);
  return made.ends_with("Layout");
}

class Layouts {
public:
  Layouts(const Interner& names, text::Offset before) : names_(names), before_(before) {}

  void addParameters(const FunctionDef& def) {
    for (const Parameter& each : def.parameters)
      if (each.annotation &&
          names_.text(each.name.name).lower().find("layout") != std::string::npos)
        found_.insert(each.name.name);
  }
  void addAssigned(Stmts body) {
    for (const Stmt* stmt : body) {
      if (stmt->range.begin >= before_) return;
      if (auto* assign = llvm::dyn_cast<AnnAssign>(stmt)) add(assign->target, assign->value);
      if (auto* assign = llvm::dyn_cast<Assign>(stmt); assign && assign->targets.size() == 1)
        add(assign->targets.front(), assign->value);
    }
  }
  llvm::ArrayRef<Name> found() const { return found_.getArrayRef(); }

private:
  void add(const Expr* target, const Expr* value) {
    auto* name = llvm::dyn_cast<NameExpr>(target);
    if (name && makesLayout(value, names_)) found_.insert(name->name);
  }

  const Interner& names_;
  const text::Offset before_;
  llvm::SmallSetVector<Name, 8> found_;
};

// Whether a call of a builtin leaves out its layout.
bool lacksLayout(const Call& call, const Interner& names) {
  const language::Builtin* builtin =
      language::findBuiltin(language::ModuleId::gl, language::calledName(call.func, names));
  if (!builtin) return false;
  auto parameter = llvm::find_if(
      builtin->parameters, [](const auto& each) { return llvm::StringRef(each.name) == "layout"; });
  auto position = static_cast<size_t>(parameter - builtin->parameters.begin());
  bool isGiven =
      call.args.size() > position || llvm::any_of(call.keywords, [&](const Keyword& each) {
        return !each.name.name || names.text(each.name.name) == "layout";
      });
  return parameter != builtin->parameters.end() && !isGiven;
}

} // namespace

void offerLayoutArgument(diagnostics::Diagnostic& refusal, const EvaluatedFile& program) {
  for (const EvaluatedFile::Part& part : program.parts()) {
    if (part.file->id() != refusal.location.file) continue;
    const Interner& names = part.tree->interner();
    const Call* made = nullptr;
    const FunctionDef* kernel = nullptr;
    for (const Node* node : pathTo(part.tree->body(), refusal.location.range.begin)) {
      if (auto* def = llvm::dyn_cast<FunctionDef>(node)) kernel = def;
      if (auto* call = llvm::dyn_cast<Call>(node); call && node->range == refusal.location.range)
        made = call;
    }
    if (!made || !kernel || made->args.empty() || !lacksLayout(*made, names)) return;
    Layouts layouts(names, made->range.begin);
    layouts.addParameters(*kernel);
    layouts.addAssigned(kernel->body);
    layouts.addAssigned(part.tree->body());
    text::Offset end = endOfArguments(*made);
    std::string function = part.tree->source().slice(made->func->range).str();
    for (Name each : layouts.found().take_front(mostOffered)) {
      std::string text = ", layout=" + names.text(each).str();
      refusal.fixes.push_back(
          {diagnostics::fixTitle(diagnostics::FixId::TryText, function + "(..." + text + ")"),
           {{{end, end}, text}}});
    }
    return;
  }
}

} // namespace gluond::driver
