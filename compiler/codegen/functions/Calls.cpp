// Calls: of jit functions (a function of the module for each combination of argument types), of
// builtins by their rules, and of everything Python can evaluate at compile time.
#include "codegen/builder/Corrections.h"
#include "codegen/builder/Offers.h"
#include "codegen/builder/OwnBuiltins.h"
#include "codegen/builder/Values.h"
#include "codegen/context/Prelude.h"
#include "codegen/context/WellKnown.h"
#include "codegen/functions/ArgumentOffers.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/rules/common/Rules.h"
#include "codegen/suggestions/OtherNames.h"
#include "codegen/suggestions/Suggest.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/triton/EarlierCalls.h"
#include "ir/tt/Ops.h"
#include "language/types/Builtin.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"
#include "language/types/TypeContext.h"
#include "releases/Facts.h"
#include "releases/Rules.h"
#include "syntax/tree/Unparse.h"

#include <llvm/ADT/ScopeExit.h>

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::BoundMethodObject;
using language::Builtin;
using language::BuiltinId;
using language::BuiltinKind;
using language::CallArguments;
using language::FunctionKind;
using language::FunctionObject;
using language::KeywordArgument;
using language::StrObject;

// The user's expression for the `self` of a method call.
static const Expr* receiverOf(const Node* node) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  auto* attribute = call ? llvm::dyn_cast<Attribute>(call->func) : nullptr;
  return attribute ? attribute->value : nullptr;
}

Value FunctionVisitor::visitCall(const Call* expr) {
  bool unused = std::exchange(unused_, nullptr) == expr;
  Value callee = visit(expr->func).unwrapped();
  const WellKnown& known = unit_.context.wellKnown();
  if (is(callee, BuiltinId::gl_static_assert)) return visitStaticAssert(expr);
  bool isStatic = is(callee, BuiltinId::gl_static_print) || unit_.isPython(callee, known.int_) ||
                  unit_.isPython(callee, known.len);

  // Keywords are evaluated before positional arguments.
  CallSite site{expr, {}, {}, {}, {}, unused};
  bool unknown = callee.isUnknown();
  for (const Keyword& keyword : expr->keywords) {
    Value value = visit(keyword.value);
    unknown |= hasUnknown(value);
    if (!keyword.name.name) {
      if (!unknown)
        emit_.error(Id::UnsupportedExpression, keyword.value, "a ** argument",
                    "pass the arguments by name");
      unknown = true;
      continue;
    }
    site.keywords.push_back({keyword.name.name, value});
    site.keywordNodes.push_back(keyword.value);
  }
  for (const Expr* arg : expr->args) {
    auto* starred = llvm::dyn_cast<Starred>(arg);
    if (!starred) {
      site.args.push_back(visit(arg));
      site.nodes.push_back(arg);
      unknown |= hasUnknown(site.args.back());
      continue;
    }
    Value spread = visit(starred->value);
    if (spread.isUnknown()) {
      unknown = true;
      continue;
    }
    if (!spread.is(ValueKind::Tuple)) {
      emit_.error(Id::StarredNonTuple, starred->value, spread);
      unknown = true;
      continue;
    }
    for (Value item : codegen::itemsOf(spread)) {
      site.args.push_back(item);
      site.nodes.push_back(starred);
      unknown |= hasUnknown(item);
    }
  }
  if (unknown) {
    // The result is Unknown without a mistake, because the evaluator gave up. The module lacks
    // functions that are not called.
    if (unit_.hadErrors || unit_.options.assumesNothing)
      checkUnknownCall(callee, site);
    else
      unit_.markIncomplete("the function or an argument of the call '" +
                           syntax::unparse(expr, emit_.names()) + "'");
    return Value::unknown();
  }
  if (isStatic) return callStatic(callee, site);
  return callAny(callee, site);
}

// int, len, static_print: run at once on plain values.
Value FunctionVisitor::callStatic(Value callee, CallSite& site) {
  if (is(callee, BuiltinId::gl_static_print)) return Value::none().wrapped();
  if (llvm::any_of(site.args, isIr))
    return callPython(*unit_.pythonBuiltinName(callee), callee, site);
  for (Value& arg : site.args) {
    if (isTuple(arg) && unit_.isPython(callee, unit_.context.wellKnown().len))
      return Value::integer(static_cast<int64_t>(codegen::itemsOf(arg).size())).wrapped();
    arg = unwrapDeep(heap(), arg);
  }
  Value result = callHost(callee, site);
  return result.isUnknown() ? result : result.wrapped();
}

Value FunctionVisitor::visitStaticAssert(const Call* expr) {
  if (expr->args.empty() || expr->args.size() > 2 || !expr->keywords.empty())
    return emit_.error(Id::StaticAssertArguments, expr);
  Value test = visit(expr->args[0]).unwrapped();
  if (test.isUnknown()) return test;
  if (!test.is(ValueKind::Bool)) {
    Reported reported = emit_.error(Id::StaticAssertNotConstexpr, expr->args[0]);
    if (auto* name = llvm::dyn_cast<Attribute>(expr->func); name && isIr(test))
      reported.fix(diagnostics::FixId::TryText, {{name->attribute.range, "device_assert"}},
                   "device_assert");
    return reported;
  }
  if (test.asBool()) return Value::none();
  std::string message;
  if (expr->args.size() == 2) {
    Value text = visit(expr->args[1]).unwrapped();
    if (!text.isUnknown()) message = unit_.interpreter.str(text);
    unit_.interpreter.dropError();
  }
  if (message.empty()) message = emit_.sourceText(expr->args[0]);
  emit_.error(Id::StaticAssertFailed, expr->args[0], message);
  return Value::none();
}

Value FunctionVisitor::callAny(Value callee, CallSite& site) {
  size_t told = unit_.result.diagnostics.size();
  bool isGluon = callee.is(ValueKind::Builtin) || callee.as<BoundMethodObject>();
  Value result = callAnything(callee, site);
  if (isGluon && unit_.result.diagnostics.size() != told) [[unlikely]]
    offerOtherArguments(site, told);
  return result;
}

// For the mistakes that a call of Gluon's own functions found, from the one numbered `first` on.
void FunctionVisitor::offerOtherArguments(const CallSite& site, size_t first) {
  auto* call = llvm::dyn_cast<Call>(site.node);
  if (!call || !emit_.source()) return;
  std::vector<diagnostics::Fix> fixes =
      otherArguments(emit_, *call, llvm::ArrayRef(site.args).drop_front(site.isBound));
  for (size_t i = first; i < unit_.result.diagnostics.size(); ++i) {
    diagnostics::Diagnostic& each = unit_.result.diagnostics[i];
    if (each.severity != diagnostics::Severity::Error ||
        each.location.file != emit_.locations_->file().id ||
        each.location.range.begin < call->range.begin || call->range.end < each.location.range.end)
      continue;
    for (const diagnostics::Fix& fix : fixes)
      if (llvm::none_of(each.fixes, [&](const auto& other) { return other.edits == fix.edits; }))
        each.fixes.push_back(fix);
  }
}

Value FunctionVisitor::callAnything(Value callee, CallSite& site) {
  if (auto* bound = callee.as<BoundMethodObject>()) {
    if (!bound->self.isAbsent()) {
      site.args.insert(site.args.begin(), bound->self);
      site.nodes.insert(site.nodes.begin(), receiverOf(site.node));
      site.isBound = true;
    }
    callee = bound->function;
  }
  if (const Builtin* builtin = callee.is(ValueKind::Builtin) ? callee.asBuiltin() : nullptr)
    if (builtin->kind == BuiltinKind::Prelude) {
      callee = unit_.context.prelude().function(*builtin, unit_.specialization.release);
      if (callee.isUnknown()) return emit_.unsupported(site.node, builtin->name);
    }
  if (auto* function = callee.as<FunctionObject>()) {
    if (site.unused && !checkMustUse(function->mustUseResult, site)) return Value::unknown();
    if (function->function == FunctionKind::Jit) return callJit(function, site, std::nullopt);
    if (function->function == FunctionKind::Constexpr) {
      if (auto refused = unit_.dependencies.refused(*function)) return refuse(*refused, site.node);
      for (Value& arg : site.args)
        arg = unwrapDeep(heap(), arg);
      for (auto& [name, value] : site.keywords)
        value = unwrapDeep(heap(), value);
      Value result = callConstexpr(*function, site);
      return result.isUnknown() ? result : result.wrapped();
    }
    if (isOwnBuiltin(*function, unit_.context.names())) {
      addSemantic(site.keywords, *function, unit_.interpreter);
      const Node* last = std::exchange(emit_.node_, site.node);
      Value result = callHost(callee, site);
      emit_.node_ = last;
      // A Python tuple becomes a gl.tuple; everything else is returned unchanged.
      return result.is(ValueKind::Tuple) && !result.isConstexpr() ? tuple(codegen::itemsOf(result))
                                                                  : result;
    }
    return normalize(heap(), callHost(callee, site));
  }
  if (callee.is(ValueKind::Builtin)) return callBuiltin(*callee.asBuiltin(), site);
  if (auto python = unit_.pythonBuiltinName(callee)) return callPython(*python, callee, site);
  if (callee.is(ValueKind::Class)) {
    Value result = callHost(callee, site);
    return isAggregate(result) ? result : normalize(heap(), result);
  }
  if (callee.is(ValueKind::Host) || callee.is(ValueKind::Instance)) {
    auto* native =
        evaluate::hostAs<evaluate::NativeFunctionObject>(callee, evaluate::nativeFunctionClass);
    auto* call = llvm::dyn_cast<Call>(site.node);
    if (native && call && llvm::any_of(site.args, isIr) && evaluate::isFunctionOfTorch(*native)) {
      Reported reported = emit_.error(Id::HostFunction, call->func, emit_.sourceText(call->func));
      offerInstead(emit_, reported, call);
      return reported;
    }
    for (Value& arg : site.args)
      arg = unwrapDeep(heap(), arg);
    for (auto& [name, value] : site.keywords)
      value = unwrapDeep(heap(), value);
    return normalize(heap(), callHost(callee, site));
  }
  Reported reported = emit_.error(Id::NotCallable, site.node, callee);
  offerUncalled(emit_, reported, site.node);
  return reported;
}

Value FunctionVisitor::refuse(const Reference& to, const Node* at) {
  const FileLocations* file = unit_.locationsOf(to.module);
  if (!file) return Value::unknown();
  llvm::StringRef what = to.target ? to.target->qualname : file->file().text->slice(to.node->range);
  Reported reported = emit_.errorAt(Id::HostFunction, {file->file().id, to.node->range}, what);
  auto* member = to.target ? nullptr : llvm::dyn_cast<Attribute>(to.node);
  std::string language = emit_.languageName();
  if (member && !language.empty() &&
      language::findBuiltin(language::ModuleId::gl, text(member->attribute.name))) {
    std::string meant = language + "." + text(member->attribute.name).str();
    reported.fixWritten(diagnostics::FixId::TryText, {{to.node->range, meant}}, meant);
  }
  reported.related(diagnostics::NoteId::CalledFrom, at);
  if (to.target && to.target->def && to.target->def != to.node)
    reported.relatedIn(diagnostics::NoteId::DefinedHere, to.target->module,
                       to.target->def->name.range, what);
  return reported;
}

Value FunctionVisitor::callBuiltin(const Builtin& builtin, CallSite& site) {
  switch (builtin.kind) {
  case BuiltinKind::Rule:
    return callRule(builtin, site);
  case BuiltinKind::Removed:
    return removed(builtin.name, builtin.text, site.node);
  case BuiltinKind::Native: {
    Value result = callHost(Value::builtin(&builtin), site);
    return normalize(heap(), result);
  }
  case BuiltinKind::Layout:
  case BuiltinKind::Class:
  case BuiltinKind::Python:
    return normalize(heap(), callHost(Value::builtin(&builtin), site));
  default:
    return emit_.error(Id::NotCallable, site.node, Value::builtin(&builtin));
  }
}

// min and max mean the language's own when a tensor takes part; print is device_print.
Value FunctionVisitor::callPython(Name name, Value callee, CallSite& site) {
  const WellKnown& known = unit_.context.wellKnown();
  if (name == known.print) return callRule(language::builtin(BuiltinId::gl_device_print), site);
  bool anyIr = llvm::any_of(site.args, [](Value arg) { return isIr(arg); });
  if ((name == known.min || name == known.max) && anyIr) {
    if (site.args.size() < 2)
      return emit_.raised(site.node, "AssertionError", "min requires at least 2 values");
    const Builtin& row =
        language::builtin(name == known.min ? BuiltinId::gl_minimum : BuiltinId::gl_maximum);
    Value result = site.args[0];
    const Expr* node = site.nodes[0];
    for (size_t i = 1; i < site.args.size(); ++i) {
      CallSite step{site.node, {result, site.args[i]}, {node, site.nodes[i]}, {}, {}, false};
      result = callRule(row, step);
      if (result.isUnknown()) return result;
    }
    return result;
  }
  // Python's own conversions find nothing in a tensor that they could use.
  if (!site.args.empty() && llvm::any_of(site.args, isIr) &&
      llvm::is_contained({known.int_, known.float_, known.len, known.range, known.list}, name)) {
    Reported reported = emit_.raised(site.node, "TypeError",
                                     text(name) + "() does not take " +
                                         emit_.text(*llvm::find_if(site.args, isIr)));
    offerInstead(emit_, reported, site.node);
    return reported;
  }
  for (Value& arg : site.args)
    arg = unwrapDeep(heap(), arg);
  for (auto& [keyword, value] : site.keywords)
    value = unwrapDeep(heap(), value);
  return normalize(heap(), callHost(callee, site));
}

Value FunctionVisitor::asInRelease(const Builtin& builtin, CallSite& site) {
  using Outcome = evaluate::EarlierCall::Outcome;
  releases::Release release = unit_.specialization.release;
  if (release == releases::newest) return Value::absent();
  llvm::SmallVector<llvm::StringRef, 4> names;
  for (const auto& [name, value] : site.keywords)
    names.push_back(text(name));
  evaluate::EarlierCall earlier = evaluate::callIn(release, builtin, site.args.size(), names);
  auto* call = llvm::dyn_cast<Call>(site.node);
  std::string function = (call ? emit_.sourceText(call->func).str() : builtin.name.str()) +
                         " of Triton " + releases::name(release).str();
  auto at = [&](const auto& nodes, size_t i) -> const Node* {
    return i < nodes.size() && nodes[i] ? static_cast<const Node*>(nodes[i]) : site.node;
  };
  switch (earlier.outcome) {
  case Outcome::Same:
    return Value::absent();
  case Outcome::Unknown:
    unit_.markIncomplete("the result of " + function);
    return Value::unknown();
  case Outcome::TooMany:
    return emit_.error(Id::TooManyArguments, at(site.nodes, earlier.accepted), function,
                       earlier.accepted, site.args.size());
  case Outcome::Missing:
    return emit_.error(Id::MissingArgument, site.node, function, earlier.name);
  case Outcome::UnexpectedKeyword: {
    Name keyword = site.keywords[earlier.keyword].first;
    Reported reported = emit_.error(Id::UnexpectedKeyword, at(site.keywordNodes, earlier.keyword),
                                    function, text(keyword));
    offerKeyword(emit_, reported, site.node, keyword, Nearest(text(keyword)), earlier.name);
    return reported;
  }
  case Outcome::Rewritten:
    break;
  }
  CallSite now{site.node, {}, {}, {}, {}, site.unused, site.isBound};
  for (size_t i = 0; i < site.args.size(); ++i) {
    const Expr* node = i < site.nodes.size() ? site.nodes[i] : nullptr;
    if (i < earlier.firstNamed) {
      now.args.push_back(site.args[i]);
      now.nodes.push_back(node);
    } else {
      now.keywords.push_back(
          {unit_.context.names().intern(earlier.named[i - earlier.firstNamed]), site.args[i]});
      now.keywordNodes.push_back(node);
    }
  }
  for (auto [i, keyword] : llvm::enumerate(site.keywords)) {
    now.keywords.push_back({unit_.context.names().intern(earlier.keywords[i]), keyword.second});
    now.keywordNodes.push_back(i < site.keywordNodes.size() ? site.keywordNodes[i] : nullptr);
  }
  site = std::move(now);
  return Value::absent();
}

Value FunctionVisitor::callRule(const Builtin& builtin, CallSite& site) {
  if (Value result = asInRelease(builtin, site); !result.isAbsent()) return result;
  language::BoundArguments bound;
  std::string error;
  llvm::SmallVector<KeywordArgument, 4> keywords;
  for (auto& [name, value] : site.keywords)
    keywords.push_back({name, value});
  auto keywordNode = [&](size_t i) {
    return i < site.keywordNodes.size() ? site.keywordNodes[i] : nullptr;
  };
  if (!language::bindArguments(builtin, site.args, keywords, unit_.context.names(), heap(), bound,
                               error)) {
    return misfit(builtin, site, bound);
  }
  // The user's expression for each parameter.
  llvm::SmallVector<const Expr*, 8> nodes;
  for (int from : bound.from) {
    if (from >= 0)
      nodes.push_back(static_cast<size_t>(from) < site.nodes.size()
                          ? site.nodes[static_cast<size_t>(from)]
                          : nullptr);
    else
      nodes.push_back(from == language::BoundArguments::fromDefault
                          ? nullptr
                          : keywordNode(static_cast<size_t>(-2 - from)));
  }
  const Node* last = std::exchange(emit_.node_, site.node);
  Value result = ruleOf(builtin)(emit_, Arguments{site.node, bound.values, nodes});
  emit_.node_ = last;
  return result;
}

// All that a constexpr function's result depends on, as text.
std::string FunctionVisitor::callText(const CallSite& site) const {
  std::string result = unit_.specialization.target.name();
  for (Value arg : site.args)
    result += "," + language::repr(arg, unit_.context.names());
  for (const auto& [name, value] : site.keywords)
    result += "," + text(name).str() + "=" + language::repr(value, unit_.context.names());
  for (const GlobalValue& global : unit_.specialization.globals)
    result +=
        ";" + text(global.name).str() + "=" + language::repr(global.value, unit_.context.names());
  return result;
}

Value FunctionVisitor::callConstexpr(const FunctionObject& function, CallSite& site) {
  evaluate::Interpreter& in = unit_.interpreter;
  auto& endless = unit_.memory->endless;
  if (auto known = endless.find(&function); known != endless.end()) [[unlikely]] {
    std::string text = callText(site);
    for (const auto& [call, error] : known->second)
      if (call == text) return raised(error, site.node);
  }
  Value callee = Value::object(ValueKind::Function, const_cast<FunctionObject*>(&function));
  uint64_t most = in.options().budget.steps, given = in.stepsLeft();
  Value result = callHost(callee, site);
  if (in.stepsLeft() != 0 || in.isStopped()) [[likely]]
    return result;
  // It used the maximum share, or nearly: it would get no further next time. Later calls have a
  // share of their own.
  if (given > most / 2 && endlessError_ && !unit_.heap.owns(&function)) {
    evaluate::PythonError kept; // nothing of this run's heap
    kept.message = endlessError_->message;
    kept.exhausted = true;
    for (const evaluate::Place& place : endlessError_->frames)
      if (place.module && !unit_.heap.owns(place.module))
        kept.frames.push_back({place.module, place.range, {}});
    endless[&function].emplace_back(callText(site), std::move(kept));
  }
  endlessError_.reset();
  if (++unit_.endlessCalls < 4)
    in.refill(most / 4);
  else
    unit_.giveUp(site.node, "several compile-time calls take too many steps");
  return result;
}

// Offers to call the functions in a list of numbers: gl.num_warps is meant as gl.num_warps().
static void offerCalls(IrBuilder& emit, Reported& reported, const Node* at, Value list) {
  auto* written = llvm::dyn_cast<syntax::List>(at);
  if (!written || !language::isSequence(list)) return;
  language::Items items = language::itemsOf(list);
  for (size_t i = 0; i < items.size() && i < written->elements.size(); ++i) {
    Value item = items[i].unwrapped();
    if (!item.is(ValueKind::Builtin) || item.asBuiltin()->kind != BuiltinKind::Rule) continue;
    text::Offset end = written->elements[i]->range.end;
    std::string called = emit.sourceText(written->elements[i]).str() + "()";
    reported.fix(diagnostics::FixId::TryText, {{{end, end}, "()"}}, called);
  }
}

// Offers lists for the numbers of a layout: BlockedLayout(4, 32, 4, 0).
static void offerList(IrBuilder& emit, Reported& reported, const Node* node, const Node* at) {
  auto* around = llvm::dyn_cast_if_present<Call>(node);
  if (!around || !llvm::isa<syntax::Constant, syntax::NameExpr>(at) ||
      !llvm::is_contained(around->args, at))
    return;
  std::vector<text::Edit> edits;
  std::string text;
  for (const Expr* argument : around->args) {
    bool isPlain = !llvm::isa<syntax::List, syntax::Tuple, syntax::Starred>(argument);
    std::string written = emit.sourceText(argument).str();
    std::string list = isPlain ? "[" + written + "]" : written;
    text += (text.empty() ? "" : ", ") + list;
    if (isPlain) edits.push_back({argument->range, list});
  }
  reported.fix(diagnostics::FixId::TryText, std::move(edits), text);
}

Value FunctionVisitor::callHost(Value callee, CallSite& site) {
  if (callee.is(ValueKind::Builtin)) { // the interpreter rewrites the call itself
    CallSite checked = site;
    if (Value result = asInRelease(*callee.asBuiltin(), checked); !result.isAbsent()) return result;
  }
  llvm::SmallVector<KeywordArgument, 4> keywords;
  for (auto& [name, value] : site.keywords)
    keywords.push_back({name, value});
  Value result = unit_.interpreter.call(callee, CallArguments{site.args, keywords});
  if (result.isAbsent()) {
    evaluate::PythonError error = unit_.interpreter.takeError();
    if (error.exhausted) endlessError_ = error;
    const Builtin* builtin = callee.is(ValueKind::Builtin) ? callee.asBuiltin() : nullptr;
    // The builtin itself refuses one of its arguments.
    if (!builtin || !error.frames.empty() || error.exhausted) return raised(error, site.node);
    language::BoundArguments bound;
    std::string words;
    if (!language::bindArguments(*builtin, site.args, keywords, unit_.context.names(), heap(),
                                 bound, words))
      return misfit(*builtin, site, bound);
    auto parameter = static_cast<size_t>(error.argument);
    const Node* at = error.argument >= 0 && parameter < builtin->parameters.size()
                         ? argumentNode(site, parameter, builtin->parameters[parameter].name)
                         : site.node;
    if (builtin->kind != BuiltinKind::Layout || error.message.empty()) return raised(error, at);
    auto* call = llvm::dyn_cast<Call>(site.node);
    Reported reported = emit_.error(
        Id::InvalidLayout, at, call ? emit_.sourceText(call->func) : llvm::StringRef(builtin->name),
        error.message);
    if (parameter < site.args.size()) offerCalls(emit_, reported, at, site.args[parameter]);
    offerSwap(emit_, reported, site.node, at);
    offerList(emit_, reported, site.node, at);
    return reported;
  }
  if (result.isUnknown()) unit_.markIncomplete("the result of " + emit_.text(callee));
  return result;
}

const Node* FunctionVisitor::argumentNode(const CallSite& site, size_t parameter,
                                          llvm::StringRef name) const {
  for (auto [i, keyword] : llvm::enumerate(site.keywords))
    if (text(keyword.first) == name && i < site.keywordNodes.size()) return site.keywordNodes[i];
  if (parameter < site.nodes.size() && site.nodes[parameter]) return site.nodes[parameter];
  return site.node;
}

// Returns the one parameter without a default that a call does not give; if all with none are
// given, the one parameter that it does not give; else "".
llvm::StringRef FunctionVisitor::onlyLacking(const Builtin& builtin, const CallSite& site) const {
  llvm::StringRef found[2]; // without a default, any
  size_t count[2] = {0, 0};
  for (const auto& parameter : llvm::drop_begin(
           builtin.parameters, std::min<size_t>(site.args.size(), builtin.parameters.size()))) {
    llvm::StringRef name = parameter.name;
    if (llvm::any_of(site.keywords,
                     [&](const auto& keyword) { return text(keyword.first) == name; }))
      continue;
    found[1] = name, ++count[1];
    if (parameter.defaultKind == language::DefaultKind::Required) found[0] = name, ++count[0];
  }
  size_t which = count[0] == 0;
  return count[which] == 1 ? found[which] : llvm::StringRef();
}

// A builtin's call that does not fit its parameters.
Value FunctionVisitor::misfit(const Builtin& builtin, const CallSite& site,
                              const language::BoundArguments& bound) {
  using Misfit = language::BoundArguments::Misfit;
  auto* call = llvm::dyn_cast<Call>(site.node);
  std::string name = call ? emit_.sourceText(call->func).str() : builtin.name.str();
  if (bound.misfit == Misfit::TooMany) {
    const Node* at = bound.accepted < site.nodes.size() && site.nodes[bound.accepted]
                         ? site.nodes[bound.accepted]
                         : site.node;
    return emit_.error(Id::TooManyArguments, at, name, bound.accepted, site.args.size());
  }
  if (bound.misfit == Misfit::Missing) {
    Reported reported = emit_.error(Id::MissingArgument, site.node, name, bound.missing);
    // Python's range takes the end alone; arange does not.
    if (builtin.id == BuiltinId::gl_arange && call && call->args.size() == 1) {
      text::Offset begin = call->args.front()->range.begin;
      std::string both = "0, " + emit_.sourceText(call->args.front()).str();
      reported.fix(diagnostics::FixId::TryText, {{{begin, begin}, "0, "}}, both);
    }
    offerMissing(emit_, reported, site.node, bound.missing);
    auto lacks = llvm::find_if(builtin.parameters, [&](const auto& parameter) {
      return llvm::StringRef(parameter.name) == bound.missing;
    });
    auto position = static_cast<size_t>(lacks - builtin.parameters.begin());
    if (call) offerNamesake(emit_, reported, *call, bound.missing, position - site.isBound);
    return reported;
  }
  auto index = static_cast<size_t>(bound.keyword);
  if (index >= site.keywords.size()) return Value::unknown();
  Name keyword = site.keywords[index].first;
  const Node* at = index < site.keywordNodes.size() && site.keywordNodes[index]
                       ? site.keywordNodes[index]
                       : site.node;
  if (bound.misfit == Misfit::Duplicate)
    return emit_.error(Id::DuplicateArgument, at, name, text(keyword));
  // All are reported, because each is as easy to fix as the others.
  for (auto [i, each] : llvm::enumerate(llvm::ArrayRef(site.keywords).drop_front(index))) {
    Nearest nearest(text(each.first));
    bool isKnown = false;
    for (const auto& parameter : builtin.parameters) {
      nearest.offer(parameter.name);
      isKnown |= text(each.first) == llvm::StringRef(parameter.name);
    }
    if (isKnown) continue;
    const Node* place =
        index + i < site.keywordNodes.size() ? site.keywordNodes[index + i] : nullptr;
    Reported reported =
        emit_.error(Id::UnexpectedKeyword, place ? place : site.node, name, text(each.first));
    if (offerRenamedKeyword(emit_, reported, builtin.name, site.node, each.first)) continue;
    llvm::StringRef meant = keywordFor(text(each.first), [&](llvm::StringRef name) {
      return llvm::any_of(builtin.parameters, [&](const auto& parameter) {
        return llvm::StringRef(parameter.name) == name;
      });
    });
    offerKeyword(emit_, reported, site.node, each.first, nearest,
                 meant.empty() ? onlyLacking(builtin, site) : meant);
  }
  return Value::unknown();
}

// ---------------------------------------------------------------- past a mistake

void FunctionVisitor::checkUnknownCall(Value callee, CallSite& site) {
  if (unit_.suppressed || callee.isUnknown()) return;
  if (auto* bound = callee.as<BoundMethodObject>()) {
    if (!bound->self.isAbsent()) {
      site.args.insert(site.args.begin(), bound->self);
      site.nodes.insert(site.nodes.begin(), receiverOf(site.node));
    }
    callee = bound->function;
  }
  // Not all of the unpacked values are known.
  auto* call = llvm::dyn_cast<Call>(site.node);
  bool spread =
      call && llvm::any_of(call->args, [](const Expr* arg) { return llvm::isa<Starred>(arg); });
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

bool FunctionVisitor::checkMustUse(Value mustUse, const CallSite& site) {
  bool message = mustUse.is(ValueKind::Str);
  if (!message && !(mustUse.is(ValueKind::Bool) && mustUse.asBool())) return true;
  auto* call = llvm::dyn_cast<Call>(site.node);
  emit_.error(Id::MustUseResult, site.node,
              call ? emit_.sourceText(call->func) : llvm::StringRef("this call"),
              message ? mustUse.as<StrObject>()->text
                      : llvm::StringRef("the function requires it to be used"));
  return false;
}

// ---------------------------------------------------------------- jit functions

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
    emit_
        .error(Id::TooManyArguments, site.nodes[next] ? site.nodes[next] : site.node, name, next,
               site.args.size())
        .relatedIn(diagnostics::NoteId::DefinedHere, function.module, function.def->name.range,
                   name);
    return false;
  }
  bool isUnexpected = false; // all are reported, because each is as easy to fix as the others
  for (auto [i, keyword] : llvm::enumerate(site.keywords)) {
    const Node* at = i < site.keywordNodes.size() ? site.keywordNodes[i] : site.node;
    auto found = llvm::find_if(parameters, [&](const Parameter& parameter) {
      return parameter.name.name == keyword.first && parameter.kind != ParameterKind::VarArgs &&
             parameter.kind != ParameterKind::KwArgs &&
             parameter.kind != ParameterKind::PositionalOnly;
    });
    if (found == parameters.end()) {
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
      isUnexpected = true;
      continue;
    }
    Value& slot = out[static_cast<size_t>(found - parameters.begin())];
    if (!slot.isAbsent()) {
      emit_.error(Id::DuplicateArgument, at, name, text(keyword.first));
      return false;
    }
    slot = keyword.second;
  }
  if (isUnexpected) return false;
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    if (!out[i].isAbsent()) continue;
    if (parameter.kind == ParameterKind::KwArgs)
      out[i] = heap().dict();
    else if (i < function.defaults.size() && !function.defaults[i].isAbsent())
      out[i] = unit_.admit(function.defaults[i], site.node);
    else {
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
    unit_.frames.push_back({function, unit_.locationsOf(function->module), site.node, isHashed});
    llvm::scope_exit pop([&] { unit_.frames.pop_back(); });
    if (!unit_.suppressed) unit_.visitedFunctions.insert(function);
    unsigned before = unit_.operations;
    FunctionVisitor callee(unit_, *function, types, context);
    callee.generate(name, false, {});
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

// ---------------------------------------------------------------- for rules and operators

Value FunctionVisitor::callBuiltin(const Builtin& builtin, Values args, const Node* node) {
  CallSite site{node, {}, {}, {}, {}, false};
  site.args.append(args.begin(), args.end());
  site.nodes.assign(args.size(), nullptr);
  if (llvm::any_of(args, hasUnknown)) return Value::unknown();
  return callAny(Value::builtin(&builtin), site);
}

Value FunctionVisitor::call(Value callee, Values args, Keywords keywords, const Node* node,
                            const Expr* argNode) {
  CallSite site{node, {}, {}, {}, {}, false};
  site.args.append(args.begin(), args.end());
  site.nodes.assign(args.size(), nullptr);
  if (!site.nodes.empty()) site.nodes[0] = argNode;
  site.keywords.append(keywords.begin(), keywords.end());
  if (callee.isUnknown() || llvm::any_of(args, hasUnknown)) return Value::unknown();
  return callAny(callee.unwrapped(), site);
}

Value FunctionVisitor::raised(const Node* at) {
  return raised(unit_.interpreter.takeError(), at);
}

Value FunctionVisitor::raised(const evaluate::PythonError& error, const Node* at) {
  if (error.exhausted) {
    unit_.markIncomplete(error.message);
    if (unit_.options.cancellation.isCancelled()) return Value::unknown();
    // The innermost place in the program: the endless loop.
    for (const evaluate::Place& place : llvm::reverse(error.frames)) {
      const FileLocations* file = unit_.locationsOf(place.module);
      if (!file || Prelude::isPrelude(file->file().id)) continue;
      return emit_.errorAt(Id::BudgetExhausted, {file->file().id, place.range}, error.message)
          .related(diagnostics::NoteId::CalledFrom, at);
    }
    return emit_.error(Id::BudgetExhausted, at, error.message);
  }
  Reported reported = emit_.raised(at, error.exceptionClass, error.message);
  for (const evaluate::Place& place : error.frames)
    if (place.module)
      reported.relatedIn(diagnostics::NoteId::RaisedHere, place.module, place.range);
  if (error.frames.empty()) offerInstead(emit_, reported, at);
  return Value::unknown();
}

} // namespace gluond::codegen
