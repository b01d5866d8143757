// Completions inside a call: parameters, the values that they accept, layouts, configurations,
// grids.
#include "evaluate/launches/LaunchOptions.h"
#include "language/JitDecorator.h"
#include "language/types/LayoutClass.h"
#include "lsp/features/completion/Completer.h"
#include "lsp/features/facts/FactText.h"
#include "syntax/parser/Keywords.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

using namespace syntax;

namespace {

// Returns the words in quotes in a parameter's documentation: "'.ca', '.cg' or '.cv'". They are the
// strings that it accepts.
std::vector<std::string> quotedWords(llvm::StringRef documentation) {
  std::vector<std::string> words;
  auto isLetter = [&](size_t at) {
    return at < documentation.size() && isIdentifierPart(documentation[at]);
  };
  for (size_t at = 0; (at = documentation.find('\'', at)) != llvm::StringRef::npos; ++at) {
    if (at > 0 && isLetter(at - 1)) continue; // the buffer's
    size_t end = documentation.find('\'', at + 1);
    if (end == llvm::StringRef::npos) break;
    llvm::StringRef word = documentation.slice(at + 1, end);
    if (!word.empty() && !word.contains(' ') && !isLetter(end + 1)) words.push_back(word.str());
    at = end;
  }
  return words;
}

} // namespace

bool Completer::takesDtype(llvm::StringRef parameter) {
  return parameter == "dtype" || parameter == "element_ty";
}

const std::optional<Callable>& Completer::called() {
  if (!called_)
    called_ = context_.calls.empty() || context_.calls.back().bracket != '('
                  ? std::nullopt
                  : calledBy(resolver_, file_, context_.calls, offset_, place_, kernel_);
  return *called_;
}

void Completer::call(const OpenCall& call) {
  if (call.bracket == '{') configuration();
  if (call.bracket == '[') grid(call);
  llvm::StringRef dotted = source_.slice(call.callee);
  const auto& callable = called();
  if (!callable || (callable->isHost && scope_.besidePython)) return;
  if (!kernel_ && !scope_.plainPython && callable->isPlain)
    return; // plain Python calls plain Python
  const CallableParameter* filled = parameterAt(call, *callable);
  llvm::StringRef current = filled ? llvm::StringRef(filled->name) : call.keyword;
  expected_ = expectedValue(*callable, current);
  if (takesLayout(current)) layouts(*callable, dotted, expected_);
  if (callable->builtin && takesDtype(current)) ofLanguage(isDtype, dotted, 0);
  if (!call.keyword.empty()) {
    if (filled && callable->builtin)
      for (const std::string& word : quotedWords(filled->documentation))
        add('"' + word + '"', CompletionKind::Value, filled->name, filled->documentation, 0);
    return;
  }
  ArgumentsAfter after = argumentsAfter(source_, offset_);
  llvm::StringSet<> given;
  given.insert_range(call.keywords);
  given.insert_range(after.keywords);
  auto isGiven = [&](llvm::StringRef name) { return given.contains(name); };
  // By position: the arguments before the cursor without a keyword, and those after it.
  size_t before = call.argument - std::min<size_t>(call.argument, call.keywords.size());
  for (auto [i, parameter] : llvm::enumerate(callable->parameters))
    if (!parameter.takesMore && !parameter.takesKeywords && !isGiven(parameter.name) &&
        i >= before && !(after.positional && i > before && i <= before + after.positional))
      add(parameter.name + "=", CompletionKind::Argument, parameter.detail, parameter.documentation,
          0);
  if (callable->isKernel && !kernel_)
    for (const evaluate::LaunchOptionRow& option : evaluate::launchOptionRows())
      if (!option.documentation.empty() && !isGiven(option.name))
        add((option.name + "=").str(), CompletionKind::Argument, "launch option",
            option.documentation.str());
}

std::vector<const FunctionDef*> Completer::kernelsMeant() const {
  std::vector<const FunctionDef*> kernels;
  for (const Stmt* each : file_.tree->body()) {
    auto* def = llvm::dyn_cast<FunctionDef>(each);
    if (!def || !lang::isJitFunction(*def, names_)) continue;
    if (llvm::any_of(def->decorators,
                     [&](const Expr* decorator) { return decorator->range.touches(offset_); }))
      return {def};
    kernels.push_back(def);
  }
  return kernels;
}

void Completer::configuration() {
  if (context_.calls.size() < 2 || !namesParameter()) return;
  llvm::StringRef before =
      source_.slice({context_.calls.back().bracketAt + 1, context_.word.begin});
  if (before.rsplit(',').second.contains(':') || (!before.contains(',') && before.contains(':')))
    return; // a value
  for (const FunctionDef* def : kernelsMeant()) {
    for (const Parameter& parameter : def->parameters) {
      std::string key = ("\"" + names_.text(parameter.name.name) + "\"").str();
      if (isConstexpr(parameter) && !before.contains(key))
        add(key + ": ", CompletionKind::Value,
            ("parameter of " + names_.text(def->name.name)).str(), "", 0);
    }
  }
}

void Completer::grid(const OpenCall& call) {
  if (kernel_ || call.callee.end <= call.callee.begin) return;
  auto callable = calledBy(resolver_, file_, source_.slice(call.callee), place_);
  if (!callable || !callable->isKernel) return;
  for (uint32_t visible : file_.index.visibleAt(place_)) {
    const Entity& entity = file_.index.entities()[visible];
    llvm::StringRef name = names_.text(entity.name);
    if (name.contains_insensitive("grid")) this->entity(file_, entity, name, 0);
  }
  add("(1,)", CompletionKind::Value, "a grid of one program");
  for (const CallableParameter& parameter : callable->parameters)
    if (llvm::StringRef(parameter.detail).ends_with("constexpr") &&
        llvm::StringRef(parameter.name).contains_insensitive("block"))
      add("lambda meta: (triton.cdiv(n, meta[\"" + parameter.name + "\"]),)", CompletionKind::Value,
          "a program for each block of n elements");
}

const CallableParameter* Completer::parameterAt(const OpenCall& call,
                                                const Callable& callable) const {
  if (call.keyword.empty())
    return call.argument < callable.parameters.size() ? &callable.parameters[call.argument]
                                                      : nullptr;
  auto found = llvm::find_if(callable.parameters, [&](const CallableParameter& each) {
    return each.name == call.keyword;
  });
  return found == callable.parameters.end() ? nullptr : &*found;
}

void Completer::choices(const OpenCall& call) {
  const auto& callable = called();
  if (!callable || !callable->builtin) return;
  if (const CallableParameter* parameter = parameterAt(call, *callable))
    for (const std::string& word : quotedWords(parameter->documentation))
      add(word, CompletionKind::Value, parameter->name, parameter->documentation, 0);
}

bool Completer::namesParameter() const {
  constexpr size_t most = 16; // calls around the cursor: nobody nests configurations deeper
  llvm::ArrayRef<OpenCall> calls = context_.calls;
  llvm::StringRef line = source_.line(source_.lineOf(offset_));
  for (const OpenCall& open : calls.take_back(std::min(most, calls.size()))) {
    llvm::StringRef callee = source_.slice(open.callee), name = callee.rsplit('.').second;
    if (name.empty()) name = callee;
    if ((name == "Config" && open.argument == 0) ||
        (name == "autotune" && (open.keyword == "key" || open.keyword == "reset_to_zero" ||
                                open.keyword == "restore_value")))
      return true;
    if (open.bracket == '[' && !callee.empty() && line.contains(("lambda " + callee).str()))
      return true;
  }
  return false;
}

void Completer::kernelParameters() {
  for (const FunctionDef* def : kernelsMeant()) {
    for (const Parameter& parameter : def->parameters) {
      add(names_.text(parameter.name.name), CompletionKind::Value,
          ("parameter of " + names_.text(def->name.name)).str(), "",
          isConstexpr(parameter) ? 0 : 1);
    }
  }
}

void Completer::layouts(const Callable& callable, llvm::StringRef dotted, ExpectedValue expected) {
  bool isArange = callable.builtin && callable.builtin->id == lang::BuiltinId::gl_arange;
  std::optional<unsigned> dim = isArange ? slicedDim() : std::nullopt;
  std::string space = languagePrefix(dotted);
  for (uint32_t visible : file_.index.visibleAt(place_)) {
    const Entity& entity = file_.index.entities()[visible];
    if (entity.kind != EntityKind::Variable && entity.kind != EntityKind::Parameter) continue;
    auto fact = lastFact(resolver_, file_, entity, offset_);
    if (!fact || fact->type.layout.empty() || fact->type.kind != codegen::FactKind::Constexpr ||
        isFitting(expected, fact->type) == false)
      continue;
    llvm::StringRef name = names_.text(entity.name);
    bool fits = !isArange || fact->type.layoutRank == 1;
    add(name, CompletionKind::Value, fact->type.layout, "", fits ? 0 : 2);
    if (!isArange || fact->type.layoutRank != 2) continue;
    for (unsigned each : {0u, 1u})
      add(space + "SliceLayout(" + std::to_string(each) + ", " + name.str() + ")",
          CompletionKind::Value, "a 1D slice of " + fact->type.layout, "",
          dim && *dim != each ? 1 : 0);
  }
  ofLanguage(layoutsOf(expected), dotted, 1);
}

void Completer::ofLanguage(Wanted wanted, llvm::StringRef dotted, unsigned rank) {
  std::string space = languagePrefix(dotted);
  if (space.empty()) return;
  llvm::SmallVector<const lang::Builtin*> rows;
  lang::namesOf(lang::ModuleId::gl, rows);
  for (const lang::Builtin* row : rows)
    if (wanted(*row))
      add(space + row->name.str(), CompletionKind::Class, signatureText(*row),
          documentation(*row).str(), rank);
}

std::optional<unsigned> Completer::slicedDim() const {
  const Stmt* stmt = statementAt(*file_.tree, offset_);
  Name name{};
  if (auto* assign = llvm::dyn_cast_or_null<Assign>(stmt)) {
    if (auto* target = llvm::dyn_cast<NameExpr>(assign->targets.front())) name = target->name;
  } else { // half typed: the text of the line
    auto [left, right] = source_.line(source_.lineOf(offset_)).split('=');
    name = names_.intern(left.trim());
  }
  std::optional<unsigned> dim;
  auto visit = [&](auto& self, const Node& node) -> void {
    if (auto* subscript = llvm::dyn_cast<Subscript>(&node)) {
      auto* base = llvm::dyn_cast<NameExpr>(subscript->value);
      auto* index = llvm::dyn_cast<Tuple>(subscript->index);
      if (base && index && base->name == name && index->elements.size() == 2)
        for (auto [i, element] : llvm::enumerate(index->elements))
          if (auto* constant = llvm::dyn_cast<Constant>(element);
              constant && constant->constant == ConstantKind::None)
            dim = static_cast<unsigned>(i);
    }
    forEachChild(node, [&](const Node& child) { self(self, child); });
  };
  if (kernel_ && name) visit(visit, *kernel_);
  return dim;
}

} // namespace gluond::lsp
