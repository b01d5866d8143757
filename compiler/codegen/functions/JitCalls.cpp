// Calls of jit functions: the module has a function for each combination of argument types.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Values.h"
#include "codegen/functions/ArgumentFixes.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/suggestions/OtherNames.h"
#include "codegen/suggestions/Suggest.h"
#include "evaluate/interpreter/Gluon.h"
#include "ir/tt/Ops.h"
#include "language/types/TypeContext.h"
#include "releases/Rules.h"
#include "text/Words.h"

#include <llvm/ADT/ScopeExit.h>

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::FunctionObject;

// Python's binding of arguments to a function's parameters, defaults filled in.
bool FunctionVisitor::bindParameters(const FunctionObject& function, CallSite& site,
                                     llvm::SmallVectorImpl<Value>& out) {
  llvm::ArrayRef<Parameter> parameters = function.def->parameters;
  llvm::StringRef name = text(function.def->name.name);
  out.assign(parameters.size(), Value::absent());
  size_t next = 0;
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    if (parameter.kind == ParameterKind::VarArgs) {
      out[i] = tuple(llvm::ArrayRef(site.args).drop_front(std::min(next, site.args.size())));
      next = site.args.size();
    } else if (parameter.kind <= ParameterKind::Positional && next < site.args.size())
      out[i] = site.args[next++];
  }
  if (next < site.args.size()) {
    Reported reported =
        emit_.error(Id::TooManyArguments, site.nodes[next] ? site.nodes[next] : site.node, name,
                    next, site.args.size());
    reported.relatedIn(diagnostics::NoteId::DefinedHere, function.module, function.def->name.range,
                       name);
    // A method that does not take the instance.
    if (site.isBound && next + 1 == site.args.size() && function.module == function_.module &&
        emit_.source()) {
      text::Offset begin = parameters.empty() ? function.def->name.range.end + 1
                                              : parameters.front().name.range.begin;
      reported.fix(diagnostics::FixId::TryText,
                   {{{begin, begin}, parameters.empty() ? "self" : "self, "}},
                   name.str() + (parameters.empty() ? "(self)" : "(self, ...)"));
    }
    return false;
  }
  // All that a call may have are reported, because each is as easy to fix as the others.
  size_t unexpected = 0;
  for (auto [i, keyword] : llvm::enumerate(site.keywords)) {
    const Node* at = i < site.keywordNodes.size() ? site.keywordNodes[i] : site.node;
    auto found = llvm::find_if(parameters, [&](const Parameter& parameter) {
      return parameter.name.name == keyword.first && parameter.kind != ParameterKind::VarArgs &&
             parameter.kind != ParameterKind::KwArgs &&
             parameter.kind != ParameterKind::PositionalOnly;
    });
    if (found == parameters.end()) {
      if (++unexpected > mostKeywordsTold) break;
      Reported reported = emit_.error(Id::UnexpectedKeyword, at, name, text(keyword.first));
      reported.relatedIn(diagnostics::NoteId::DefinedHere, function.module,
                         function.def->name.range, name);
      Nearest nearest(text(keyword.first));
      for (const Parameter& parameter : parameters)
        nearest.offer(text(parameter.name.name));
      offerKeyword(emit_, reported, site.node, keyword.first, nearest,
                   keywordFor(text(keyword.first), [&](llvm::StringRef meant) {
                     return llvm::any_of(parameters, [&](const Parameter& parameter) {
                       return text(parameter.name.name) == meant;
                     });
                   }));
      continue;
    }
    Value& slot = out[static_cast<size_t>(found - parameters.begin())];
    if (!slot.isAbsent()) {
      emit_.error(Id::DuplicateArgument, at, name, text(keyword.first));
      return false;
    }
    slot = keyword.second;
  }
  if (unexpected) return false;
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    if (!out[i].isAbsent()) continue;
    if (parameter.kind == ParameterKind::KwArgs)
      out[i] = heap().dict();
    else if (i < function.defaults.size() && !function.defaults[i].isAbsent())
      out[i] = unit_.admit(function.defaults[i], site.node);
    else {
      if (!isUnfinished(emit_, site.node))
        emit_.error(Id::MissingArgument, site.node, name, text(parameter.name.name))
            .relatedIn(diagnostics::NoteId::DefinedHere, function.module, parameter.name.range,
                       text(parameter.name.name));
      return false;
    }
  }
  return true;
}

// Leaves out the rank in "NVMMA_128_16_2_False_...", and the bases before the shape in
// "TMLL_..._[128, 64]_TMLL".
static void shortenLayouts(llvm::SmallVectorImpl<char>& name) {
  std::string text(name.begin(), name.end()), shortened;
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    bool isLinear = rest.starts_with("TMLL_[") || rest.starts_with("TMLL_");
    bool isShared = rest.starts_with("NVMMA_") && rest.size() > 6 && llvm::isDigit(rest[6]);
    if (isLinear && rest.contains("_[")) {
      shortened += "TMLL";
      rest = rest.drop_front(rest.find("_["));
      size_t end = rest.find("_TMLL");
      shortened += rest.take_front(end == llvm::StringRef::npos ? rest.size() : end + 5);
      rest = end == llvm::StringRef::npos ? "" : rest.drop_front(end + 5);
    } else if (isShared) {
      llvm::SmallVector<llvm::StringRef, 4> parts;
      rest.split(parts, '_', 4); // NVMMA, width, bits, rank, the rest
      shortened += (parts[0] + "_" + parts[1] + "_" + parts[2] + "_").str();
      rest = parts.back();
    } else {
      shortened += rest.front();
      rest = rest.drop_front();
    }
  }
  name.assign(shortened.begin(), shortened.end());
}

// Errors of a run-time value where one of compile time is needed.
static bool isOfRunTimeValue(Id id) {
  return id == Id::NotConstexpr || id == Id::StaticRangeBound || id == Id::BadTupleIndex ||
         id == Id::StaticAssertNotConstexpr;
}

void FunctionVisitor::blameArguments(const FunctionObject& function, CallSite& site, Values args,
                                     size_t firstError) {
  const FileLocations* file = unit_.locationsOf(function.module);
  std::vector<diagnostics::Diagnostic>& all = unit_.result.diagnostics;
  for (size_t i = 0; i < args.size() && i < function.annotations.size(); ++i) {
    bool isNeeded = function.def->parameters[i].annotation &&
                    evaluate::isConstexprAnnotation(function.annotations[i].unwrapped());
    if (!isNeeded || !isIr(args[i]) || args[i].isConstexpr() || !file) continue;
    llvm::StringRef name = text(function.def->parameters[i].name.name);
    auto follows = [&](const diagnostics::Diagnostic& each) {
      return isOfRunTimeValue(each.id) && each.location.file == file->file().id &&
             function.def->range.contains(each.location.range.begin) &&
             text::countWord(file->file().text->slice(each.location.range), name) > 0;
    };
    auto consequences = llvm::make_filter_range(llvm::drop_begin(all, firstError), follows);
    if (consequences.empty()) continue;
    diagnostics::Location needed = (*consequences.begin()).location;
    all.erase(std::remove_if(all.begin() + static_cast<ptrdiff_t>(firstError), all.end(), follows),
              all.end());
    const Node* at = argumentNode(site, i, name);
    Reported reported =
        emit_.error(Id::NotConstexpr, at, name, text(function.def->name.name), args[i]);
    reported.relatedAt(diagnostics::NoteId::UsedHere, needed);
    offerConstexpr(emit_, reported, at);
  }
}

Value FunctionVisitor::callJit(const FunctionObject* function, CallSite& site,
                               std::optional<CallerContext> context) {
  llvm::SmallVector<Value, 8> args;
  if (!bindParameters(*function, site, args)) return Value::unknown();
  if (function->noinline)
    for (auto [i, arg] : llvm::enumerate(args))
      if (isNonScalarTensor(arg))
        return emit_.error(Id::NoinlineTensorArgument, site.node, text(function->def->name.name),
                           text(function->def->parameters[i].name.name), arg);
  if (!context) context = context_;
  llvm::SmallVector<const Type*, 8> types;
  for (Value& arg : args)
    arg = normalize(heap(), arg);
  if (llvm::any_of(args, hasUnknown)) {
    if (unit_.hadErrors || unit_.options.assumesNothing)
      lookInto(*function, args, site.node, context);
    return Value::unknown();
  }
  for (Value arg : args)
    types.push_back(emit_.typeOf(arg));

  llvm::SmallString<128> name;
  name += function->module->name;
  name += '.';
  name += function->qualname;
  name += "__";
  emit_.types().mangleArguments(types, name);
  if (emit_.follows(releases::Rule::LayoutsHaveShortNames)) shortenLayouts(name);
  if (context && context->numWarps) {
    name += "_NW";
    name += std::to_string(*context->numWarps);
  }
  if (name.size() > Unit::maxName) {
    unit_.giveUp(site.node, "the constants in this call take more than a million characters");
    return Value::unknown();
  }

  auto found = unit_.callees.find(name);
  if (found == unit_.callees.end() || !found->second.function) {
    if (unit_.frames.size() >= Unit::maxFrames) {
      unit_.giveUp(site.node, "calls nest too deeply");
      return Value::unknown();
    }
    bool isHashed = unit_.frames.back().isHashed || !site.isBound;
    if (!unit_.suppressed) unit_.visitedFunctions.insert(function);
    unsigned before = unit_.operations;
    size_t firstError = unit_.result.diagnostics.size();
    {
      unit_.frames.push_back({function, unit_.locationsOf(function->module), site.node, isHashed});
      llvm::scope_exit pop([&] { unit_.frames.pop_back(); });
      FunctionVisitor callee(unit_, *function, types, context);
      callee.generate(name, false, {});
    }
    if (unit_.result.diagnostics.size() > firstError)
      blameArguments(*function, site, args, firstError);
    found = unit_.callees.find(name);
    found->second.operations = unit_.operations - before;
  } else {
    unit_.countOperations(found->second.operations);
  }
  Callee& callee = found->second;
  if (!callee.finished)
    return emit_.error(Id::RecursiveKernel, site.node, text(function->def->name.name));
  noteNesting(callee.nesting + 1);
  if (!callee.returns) return Value::unknown();
  llvm::SmallVector<mlir::Value, 16> handles;
  for (Value arg : args)
    emit_.flatten(arg, handles);
  auto call = emit_.create<tt::CallOp>(llvm::cast<tt::FuncOp>(callee.function), handles);
  unsigned cursor = 0;
  return emit_.unflatten(callee.returns, call->getResults(), cursor);
}

} // namespace gluond::codegen
