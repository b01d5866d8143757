// What calls refer to: the function that they call, and the parameters that their keywords, and
// strings elsewhere, name.
#include "language/parameters/CalledFunctions.h"
#include "lsp/features/names/NameResolver.h"
#include "lsp/features/names/ParameterNames.h"

#include <llvm/ADT/ScopeExit.h>

namespace gluond::lsp {

using namespace syntax;
namespace lang = gluond::language;
using Kind = Denoted::Kind;

std::pair<const IndexedFile*, const Expr*> NameResolver::onlyValueOf(const Symbol& symbol) {
  const Occurrence* first = symbol.file ? symbol.file->index.at(symbol.range.begin) : nullptr;
  if (!first || symbol.file->index.entities()[first->entity].bindings != 1) return {};
  return {symbol.file, valueOf(*symbol.file->tree, symbol.range)};
}

Denoted NameResolver::called(const IndexedFile& file, const Expr* callee) {
  if (depth_ >= maxDepth || token_.isCancelled()) return {};
  ++depth_;
  llvm::scope_exit restore([this] { --depth_; });
  if (auto* subscript = llvm::dyn_cast<Subscript>(callee)) return called(file, subscript->value);
  if (auto* call = llvm::dyn_cast<Call>(callee); call && !call->args.empty()) {
    auto* decorator = llvm::dyn_cast<Call>(call->func);
    llvm::StringRef name =
        language::calledName(decorator ? decorator->func : call->func, snapshot_.names());
    if (decorator ? isTuner(name) : name == "partial") return called(file, call->args.front());
  }
  if (auto* method = llvm::dyn_cast<Attribute>(callee)) {
    llvm::StringRef name = snapshot_.names().text(method->attribute.name);
    if (name == "warmup" || name == "run")
      if (Denoted kernel = called(file, method->value); kernel.kind == Kind::Function)
        return kernel;
  }
  Denoted denoted = of(file, callee);
  if (denoted.kind != Kind::Value || !denoted.symbol) return denoted;
  auto [other, value] = onlyValueOf(*denoted.symbol);
  if (!llvm::isa_and_nonnull<Subscript, Call>(value)) return denoted;
  Denoted kernel = called(*other, value);
  return kernel.kind == Kind::Function ? kernel : denoted;
}

const ParameterNames& NameResolver::parameterNames(const IndexedFile& file) {
  std::shared_ptr<const ParameterNames>& slot = parameterNames_[&file];
  if (!slot) slot = std::make_shared<const ParameterNames>(findParameterNames(*this, file));
  return *slot;
}

std::optional<Resolved> NameResolver::namedParameter(const IndexedFile& file, text::Offset offset) {
  for (const NamedParameter& each : parameterNames(file).named)
    if (each.file == &file && each.range.touches(offset)) {
      Denoted denoted;
      denoted.kind = Kind::Value;
      denoted.symbol = each.parameter;
      return Resolved{each.range, denoted};
    }
  return std::nullopt;
}

Denoted NameResolver::keyword(const IndexedFile& file, const Call& call, Name name) {
  // partial(kernel[grid], BLOCK=128)
  bool isPartial =
      !call.args.empty() && language::calledName(call.func, snapshot_.names()) == "partial";
  Denoted callee = called(file, isPartial ? call.args.front() : call.func);
  // gl.aggregate_replace(state, field=...), dataclasses.replace(config, field=...)
  bool replaces = callee.kind == Kind::Builtin
                      ? callee.builtin->id == lang::BuiltinId::gl_aggregate_replace
                      : !callee && language::calledName(call.func, snapshot_.names()) == "replace";
  if (replaces && !call.args.empty())
    if (Denoted instance = of(file, call.args.front()); instance.kind == Kind::Instance)
      return member(instance, name);
  if (callee.kind == Kind::Builtin) return ofBuiltin(callee.builtin);
  if (callee.kind == Kind::Class) {
    // The fields of a dataclass or aggregate; the parameters of __init__.
    Denoted init = member(callee, snapshot_.names().intern("__init__"));
    if (init.kind != Kind::Function) return member(callee, name);
    callee = init;
  }
  if (callee.kind != Kind::Function) return {};
  for (const Parameter& parameter : llvm::cast<FunctionDef>(callee.node)->parameters)
    if (parameter.name.name == name) {
      Denoted denoted;
      denoted.kind = Kind::Value;
      denoted.symbol = Symbol{callee.file, parameter.name.range, name, Symbol::Kind::Parameter};
      return denoted;
    }
  return {};
}

} // namespace gluond::lsp
