// Calls whose function or arguments are not known after a mistake. They are only checked for
// further mistakes.
#include "codegen/context/Prelude.h"
#include "codegen/functions/FunctionVisitor.h"
#include "language/types/Builtin.h"
#include "language/types/Structure.h"
#include "syntax/tree/Spread.h"

#include <llvm/ADT/ScopeExit.h>

namespace gluond::codegen {

using namespace syntax;
using language::Builtin;
using language::BuiltinId;
using language::BuiltinKind;
using language::FunctionKind;
using language::FunctionObject;
using language::KeywordArgument;

void FunctionVisitor::checkUnknownCall(Value callee, CallSite& site) {
  if (unit_.suppressed || callee.isUnknown()) return;
  callee = unbound(callee, site);
  // Not all of the unpacked values are known.
  auto* call = llvm::dyn_cast<Call>(site.node);
  bool spread = call && syntax::spreadsAny(*call);
  if (auto* function = callee.as<FunctionObject>()) {
    if (function->function != FunctionKind::Jit || !function->def || spread) return;
    llvm::SmallVector<Value, 8> args;
    if (bindParameters(*function, site, args)) lookInto(*function, args, site.node, context_);
    return;
  }
  const Builtin* builtin = callee.is(ValueKind::Builtin) ? callee.asBuiltin() : nullptr;
  if (!builtin || builtin->kind != BuiltinKind::Rule) return;
  if (!spread && !asInRelease(*builtin, site).isAbsent()) return;
  language::BoundArguments bound;
  std::string error;
  llvm::SmallVector<KeywordArgument, 4> keywords;
  for (auto& [name, value] : site.keywords)
    keywords.push_back({name, value});
  if (!language::bindArguments(*builtin, site.args, keywords, unit_.context.names(), heap(), bound,
                               error)) {
    if (!spread || bound.misfit == language::BoundArguments::Misfit::UnexpectedKeyword)
      misfit(*builtin, site, bound);
    return;
  }
  if (builtin->id != BuiltinId::gl_warp_specialize || !language::isSequence(bound.values[0]))
    return;
  // Partitions: pairs of a function and its arguments, the default one first.
  language::Items warps = language::itemsOf(bound.values[1]);
  for (auto [i, pair] : llvm::enumerate(language::itemsOf(bound.values[0]))) {
    language::Items parts = language::itemsOf(pair);
    auto* function = parts.size() == 2 ? parts[0].unwrapped().as<FunctionObject>() : nullptr;
    if (!function || !function->def || !parts[1].unwrapped().is(ValueKind::Tuple)) continue;
    std::optional<CallerContext> context = context_;
    if (i > 0 && i - 1 < warps.size() && warps[i - 1].isIntegral())
      context = CallerContext{static_cast<unsigned>(warps[i - 1].asInt())};
    CallSite inner{site.node, {}, {}, {}, {}, false};
    inner.args.append(language::itemsOf(parts[1]).begin(), language::itemsOf(parts[1]).end());
    inner.nodes.assign(inner.args.size(), nullptr);
    llvm::SmallVector<Value, 8> args;
    if (bindParameters(*function, inner, args)) lookInto(*function, args, site.node, context);
  }
}

void FunctionVisitor::lookInto(const FunctionObject& function, Values args, const Node* call,
                               const std::optional<CallerContext>& context) {
  const FileLocations* locations = unit_.locationsOf(function.module);
  if (!locations || Prelude::isPrelude(locations->file().id)) return;
  // One visit is enough, because values that depend on the arguments are not known anyway.
  if (unit_.suppressed || !unit_.visitedFunctions.insert(&function).second ||
      unit_.frames.size() >= Unit::maxFrames)
    return;
  llvm::SmallVector<const Type*, 8> types(args.size(), nullptr);
  unit_.frames.push_back({&function, unit_.locationsOf(function.module), call});
  llvm::scope_exit pop([&] { unit_.frames.pop_back(); });
  FunctionVisitor(unit_, function, types, context).lookInto(args);
}

} // namespace gluond::codegen
