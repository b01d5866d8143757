#include "lsp/features/completion/Signature.h"

#include "evaluate/triton/EarlierCalls.h"
#include "lsp/features/completion/HalfTyped.h"
#include "lsp/features/completion/PythonFunctions.h"
#include "lsp/features/facts/FactText.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

using namespace syntax;
namespace lang = gluond::language;

namespace {

Callable ofBuiltin(const lang::Builtin& row, releases::Release release, bool isBound) {
  Callable callable{row.name.str(), documentation(row).str(), {}, false, &row};
  std::vector<text::Range> ranges;
  std::string label = signatureText(row, release, &ranges);
  for (auto [i, parameter] : llvm::enumerate(evaluate::parametersIn(release, row))) {
    if (i == 0 && (isBound || parameter.name == "self")) continue;
    CallableParameter each;
    each.name = std::string(parameter.name);
    each.text = label.substr(ranges[i].begin, ranges[i].end - ranges[i].begin);
    if (!parameter.defaultText.empty()) each.detail = "= " + std::string(parameter.defaultText);
    each.documentation = parameterDocumentation(row, parameter.name).str();
    each.takesMore = parameter.kind == lang::ParameterKind::VarArgs;
    each.takesKeywords = parameter.kind == lang::ParameterKind::KwArgs;
    callable.parameters.push_back(std::move(each));
  }
  return callable;
}

Callable ofFunction(const IndexedFile& file, const FunctionDef& def, bool isBound) {
  const text::SourceText& source = file.file->text();
  const Interner& names = file.tree->interner();
  Callable callable{
      names.text(def.name.name).str(), plainInMarkdown(def.docstring), {}, false, nullptr};
  callable.isKernel = roleOf(*file.tree, file.index, def) == GluonRole::Kernel;
  for (auto [i, parameter] : llvm::enumerate(def.parameters)) {
    if (i == 0 && isBound) continue;
    CallableParameter each;
    each.name = names.text(parameter.name.name).str();
    each.takesMore = parameter.kind == ParameterKind::VarArgs;
    each.takesKeywords = parameter.kind == ParameterKind::KwArgs;
    each.text = (each.takesMore ? "*" : each.takesKeywords ? "**" : "") + each.name;
    if (parameter.annotation) {
      each.detail = source.slice(parameter.annotation->range).str();
      each.text += ": " + each.detail;
    }
    if (parameter.defaultValue)
      each.text += "=" + source.slice(parameter.defaultValue->range).str();
    callable.parameters.push_back(std::move(each));
  }
  return callable;
}

// The constructor that a dataclass or an aggregate gets from its fields.
Callable ofFields(NameResolver& resolver, const IndexedFile& file, const ClassDef& def) {
  const Interner& names = file.tree->interner();
  Callable callable{
      names.text(def.name.name).str(), plainInMarkdown(def.docstring), {}, false, nullptr};
  for (const NameResolver::ClassMember& member : resolver.membersOf(file, def)) {
    auto* field = llvm::dyn_cast<AnnAssign>(member.node);
    if (!field || member.range != field->target->range) continue;
    const text::SourceText& source = member.file->file->text();
    CallableParameter each;
    each.name = names.text(member.name).str();
    each.detail = source.slice(field->annotation->range).str();
    each.text = each.name + ": " + each.detail;
    if (field->value) each.text += "=" + source.slice(field->value->range).str();
    callable.parameters.push_back(std::move(each));
  }
  return callable;
}

} // namespace

std::string Callable::label() const {
  std::string text = name + "(";
  for (auto [i, parameter] : llvm::enumerate(parameters))
    text += (i ? ", " : "") + parameter.text;
  return text + ")";
}

std::optional<Callable> callableOf(NameResolver& resolver, const Denoted& denoted) {
  switch (denoted.kind) {
  case Denoted::Kind::Builtin:
    if (!denoted.builtin->hasParameters()) return std::nullopt;
    return ofBuiltin(*denoted.builtin, resolver.release(), denoted.isBound);
  case Denoted::Kind::Function: {
    Callable callable =
        ofFunction(*denoted.file, llvm::cast<FunctionDef>(*denoted.node), denoted.isBound);
    callable.isPlain = !callable.isKernel;
    return callable;
  }
  case Denoted::Kind::Class: {
    Denoted init = resolver.member(denoted, resolver.snapshot().names().intern("__init__"));
    const auto& cls = llvm::cast<ClassDef>(*denoted.node);
    if (init.kind != Denoted::Kind::Function) return ofFields(resolver, *denoted.file, cls);
    Callable callable = ofFunction(*init.file, llvm::cast<FunctionDef>(*init.node), true);
    callable.name = resolver.snapshot().names().text(cls.name.name).str();
    return callable;
  }
  default:
    return std::nullopt;
  }
}

llvm::ArrayRef<KernelMember> kernelMemberRows() {
  static constexpr KernelMember rows[] = {
      {"warmup", "compile without a launch: warmup(arguments..., grid=(1,))", true},
      {"run", "launch: run(arguments..., grid=..., warmup=False)", true},
      {"__getitem__", "a function that launches the kernel on a grid: kernel[grid](arguments...)",
       true},
      {"arg_names", "the names of the parameters"},
      {"params", "the parameters"},
      {"fn", "the Python function"},
      {"src", "the text of the function"},
      {"cache_key", "the hash of the function and of all that it calls"},
      {"device_caches", "the compiled specializations per device"}};
  return rows;
}

std::optional<Callable> calledBy(NameResolver& resolver, const IndexedFile& file,
                                 llvm::StringRef dotted, text::Offset place) {
  if (auto callable = callableOf(resolver, dottedBefore(resolver, file, dotted, place).denoted))
    return callable;
  auto [owner, name] = dotted.rsplit('.');
  Denoted of = dottedBefore(resolver, file, owner, place).denoted;
  if (of.kind == Denoted::Kind::Namespace)
    return tritonFunction((of.module->name + "." + name.trim()).str());
  auto callable = of.kind == Denoted::Kind::Function ? callableOf(resolver, of) : std::nullopt;
  if (!callable || !callable->isKernel || (name != "warmup" && name != "run")) return std::nullopt;
  CallableParameter grid;
  grid.name = grid.text = "grid";
  grid.documentation = "The number of programs in each dimension.";
  callable->parameters.push_back(std::move(grid));
  if (name == "run") {
    CallableParameter warmup;
    warmup.name = warmup.text = "warmup";
    warmup.documentation = "False to launch, True to compile only.";
    callable->parameters.push_back(std::move(warmup));
  }
  return callable;
}

std::optional<Callable> calledBy(NameResolver& resolver, const IndexedFile& file,
                                 llvm::ArrayRef<OpenCall> calls, text::Offset cursor,
                                 text::Offset place, bool inKernel) {
  const OpenCall& call = calls.back();
  const text::SourceText& source = file.file->text();
  if (call.callee.end > call.callee.begin)
    return calledBy(resolver, file, source.slice(call.callee), place);
  if (!inKernel) return std::nullopt;
  BeforeDot before = memberCalled(resolver, file, calls, cursor);
  if (!before.file) return std::nullopt;
  Name member = resolver.snapshot().names().intern(source.slice(call.member));
  return callableOf(*before.resolver, before.resolver->member(before.found.denoted, member));
}

} // namespace gluond::lsp
