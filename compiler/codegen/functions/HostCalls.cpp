// Calls that the evaluator makes at compile time: of Python's own functions, of constexpr
// functions, of builtins without a rule, and of the program's context managers. What they raise
// becomes a diagnostic.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/UserBuiltins.h"
#include "codegen/builder/Values.h"
#include "codegen/context/Prelude.h"
#include "codegen/context/WellKnown.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/suggestions/MissingImports.h"
#include "codegen/suggestions/Suggest.h"
#include "language/types/Builtin.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <cmath>

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::Builtin;
using language::BuiltinId;
using language::BuiltinKind;
using language::CallArguments;
using language::FunctionObject;
using language::KeywordArgument;

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
  // The user has not written the library's assertions.
  const FileLocations* file = unit_.locationsOf(function_.module);
  if (!message.empty() && file && Prelude::isPrelude(file->file().id))
    return emit_.error(Id::BadArgument, expr->args[0], message);
  if (message.empty()) message = emit_.sourceText(expr->args[0]);
  emit_.error(Id::StaticAssertFailed, expr->args[0], message);
  return Value::none();
}

// min and max of compile-time values compare their arguments, which must be numbers: unlike
// Python's, they neither look into a sequence nor take keywords (triton.language.core.builtin_min).
Value FunctionVisitor::extremeOfNumbers(Name name, CallSite& site) {
  std::string function = text(name).str();
  if (!site.keywords.empty())
    return emit_.raised(site.node, "TypeError",
                        function + "() in a kernel takes no keyword '" +
                            text(site.keywords.front().first).str() + "'");
  bool isKnown = !site.args.empty();
  for (auto [arg, node] : llvm::zip_equal(site.args, site.nodes)) {
    Value value = arg.unwrapped();
    if (value.isUnknown()) isKnown = false;
    if (!isKnown) continue;
    if (isTuple(value) || value.is(ValueKind::List)) {
      Reported reported = emit_.error(
          Id::BadArgument, node,
          function + " in a kernel compares numbers, and does not look into " + emit_.text(value));
      if (site.args.size() == 1) {
        std::string spread = "*" + emit_.sourceText(node).str();
        reported.fix(diagnostics::FixId::TryText, {{node->range, spread}}, spread);
      }
      return reported;
    }
    if (!value.isIntegral() && !value.is(ValueKind::Float) && !value.is(ValueKind::BigInt))
      return emit_.error(Id::BadArgument, node,
                         function + " compares numbers, but this is " + emit_.text(value));
    if (value.is(ValueKind::Float) &&
        (std::isnan(value.asFloat()) || (value.asFloat() == 0 && std::signbit(value.asFloat()))))
      return emit_.error(Id::BadArgument, node,
                         function + " of compile-time values does not take " + emit_.text(value));
    arg = value;
  }
  if (site.args.empty())
    return emit_.raised(site.node, "ValueError", function + "() needs at least one value");
  if (!isKnown) return Value::unknown();
  if (site.args.size() == 1) return normalize(heap(), site.args.front());
  Value callee = unit_.pythonBuiltin(name);
  return normalize(heap(), callHost(callee, site));
}

// min and max mean the language's own when a tensor takes part; print is device_print.
Value FunctionVisitor::callPython(Name name, Value callee, CallSite& site) {
  const WellKnown& known = unit_.context.wellKnown();
  if (name == known.print) return callRule(language::builtin(BuiltinId::gl_device_print), site);
  bool anyIr = llvm::any_of(site.args, [](Value arg) { return isIr(arg); });
  if (name == known.min || name == known.max) {
    if (!anyIr) return extremeOfNumbers(name, site);
    if (site.args.size() < 2) { // as in Python, of the elements
      std::string own = emit_.languageName() + "." + text(name).str();
      std::string problem = text(name).str() + " compares two or more values; " + own +
                            " reduces the elements of a tensor";
      Reported reported = emit_.error(Id::BadArgument, site.node, problem);
      auto* call = llvm::dyn_cast<Call>(site.node);
      if (call && irTypeOf(site.args[0])->is(language::TypeKind::Tensor)) {
        std::string reduced = own + "(" + emit_.sourceText(call->args.front()).str() + ", axis=0)";
        reported.fix(diagnostics::FixId::TryText, {{call->range, reduced}}, reduced);
      }
      return reported;
    }
    const Builtin& row =
        language::builtin(name == known.min ? BuiltinId::gl_minimum : BuiltinId::gl_maximum);
    Value result = site.args[0];
    const Expr* node = site.nodes[0];
    for (size_t i = 1; i < site.args.size(); ++i) {
      CallSite step{site.node, {result, site.args[i]}, {node, site.nodes[i]}, {}, {}, false};
      result = callRule(row, step);
      if (result.isUnknown()) return result;
    }
    if (irTypeOf(result)->isTensor())
      emit_.warning(Id::DeprecatedUse, site.node, "Python's '" + text(name).str() + "' of tensors",
                    emit_.languageName() + "." + (name == known.min ? "minimum" : "maximum"));
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
  Value callee = Value::object(ValueKind::Function, &function);
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

bool FunctionVisitor::holdsIr(Value value) {
  return isIr(value) || (isTuple(value) && llvm::any_of(codegen::itemsOf(value), holdsIr));
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
    if (error.cause.kind == evaluate::ErrorKind::KernelFunction) return ofHost(callee, error, site);
    // The builtin itself refuses one of its arguments.
    if (!builtin || !error.frames.empty() || error.exhausted) return raised(error, site.node);
    language::BoundArguments bound;
    std::string words;
    if (!language::bindArguments(*builtin, site.args, keywords, unit_.context.names(), heap(),
                                 bound, words))
      return misfit(*builtin, site, bound);
    // A function that runs while the kernel is compiled got a value of run time.
    for (size_t i = 0; builtin->kind == BuiltinKind::Native && i < bound.values.size() &&
                       i < builtin->parameters.size();
         ++i)
      if (holdsIr(bound.values[i])) {
        const Node* given = argumentNode(site, i, builtin->parameters[i].name);
        Reported reported = emit_.error(Id::NotConstexpr, given, builtin->parameters[i].name,
                                        builtin->name, emit_.text(bound.values[i]));
        offerConstexpr(emit_, reported, given);
        return reported;
      }
    auto parameter = static_cast<size_t>(error.argument);
    const Node* at = error.argument >= 0 && parameter < builtin->parameters.size()
                         ? argumentNode(site, parameter, builtin->parameters[parameter].name)
                         : site.node;
    bool makesLayout = builtin->kind == BuiltinKind::Layout ||
                       (builtin->kind == BuiltinKind::Native &&
                        llvm::StringRef(builtin->where).contains("Layout"));
    if (!makesLayout || error.message.empty()) return raised(error, at);
    auto* call = llvm::dyn_cast<Call>(site.node);
    Reported reported = emit_.error(
        Id::InvalidLayout, at, call ? emit_.sourceText(call->func) : llvm::StringRef(builtin->name),
        error.message);
    if (parameter < site.args.size()) offerCalls(emit_, reported, at, site.args[parameter]);
    offerSwap(emit_, reported, site.node, at);
    offerList(emit_, reported, site.node, at);
    offerEntries(emit_, reported, at);
    if (llvm::StringRef(error.message).contains("integers"))
      offerFloorDivision(emit_, reported, at);
    return reported;
  }
  if (result.isUnknown()) unit_.markIncomplete("the result of " + emit_.text(callee));
  return result;
}

// A constexpr function that computes with an argument of run time.
Value FunctionVisitor::notConstexpr(const FunctionObject& function,
                                    const evaluate::PythonError& error, const CallSite& site) {
  auto argumentOf = [&](size_t parameter) {
    Name name = function.def->parameters[parameter].name.name;
    for (const auto& [keyword, value] : site.keywords)
      if (keyword == name) return value;
    return parameter < site.args.size() ? site.args[parameter] : Value::absent();
  };
  for (size_t i = 0; i < function.def->parameters.size(); ++i)
    if (holdsIr(argumentOf(i))) {
      llvm::StringRef name = text(function.def->parameters[i].name.name);
      const Node* given = argumentNode(site, i, name);
      Reported reported = emit_.error(Id::NotConstexpr, given, name, text(function.def->name.name),
                                      emit_.text(argumentOf(i)));
      offerConstexpr(emit_, reported, given);
      for (const evaluate::Place& place : error.frames)
        if (place.module)
          reported.relatedIn(diagnostics::NoteId::UsedHere, place.module, place.range);
      return reported;
    }
  return raised(error, site.node);
}

// A function of the host that uses functions of kernels: it is meant to be one of a kernel itself.
Value FunctionVisitor::ofHost(Value callee, const evaluate::PythonError& error,
                              const CallSite& site) {
  auto* call = llvm::dyn_cast<Call>(site.node);
  auto* method = callee.as<language::BoundMethodObject>();
  auto* function = (method ? method->function : callee).as<FunctionObject>();
  bool isDecorated = function && function->def && !function->def->decorators.empty();
  if (isDecorated && !method) return notConstexpr(*function, error, site);
  if (!call || isDecorated) return raised(error, site.node);
  Reported reported = emit_.error(Id::HostFunction, call->func, emit_.sourceText(call->func));
  if (error.frames.empty()) offerInstead(emit_, reported, call);
  for (const evaluate::Place& place : error.frames)
    if (place.module) reported.relatedIn(diagnostics::NoteId::UsedHere, place.module, place.range);
  if (function && function->def && function->module == function_.module)
    offerDecorator(reported, *function, false);
  return reported;
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
  if (isOfOwnText(error)) return raisedInside(error, at);
  Reported reported = emit_.raised(at, error.exceptionClass, error.message);
  for (const evaluate::Place& place : error.frames)
    if (place.module)
      reported.relatedIn(diagnostics::NoteId::RaisedHere, place.module, place.range);
  if (error.frames.empty()) offerInstead(emit_, reported, at);
  return Value::unknown();
}

// Whether an exception is the fault of the function that raised it, whatever it was given: a name
// that is not defined, or one that a module of Triton lacks.
bool FunctionVisitor::isOfOwnText(const evaluate::PythonError& error) const {
  const evaluate::Place* place = error.place();
  const FileLocations* file = place ? unit_.locationsOf(place->module) : nullptr;
  if (!file || Prelude::isPrelude(file->file().id)) return false;
  return error.cause.kind == evaluate::ErrorKind::MissingName ||
         (error.cause.kind == evaluate::ErrorKind::MissingMember &&
          llvm::StringRef(error.cause.owner).starts_with("triton"));
}

// Reports it where it was raised, once for all kernels that call the function. Triton names the
// calls, which are related places.
Reported FunctionVisitor::raisedInside(const evaluate::PythonError& error, const Node* at) {
  const evaluate::Place& place = *error.place();
  const SourceFile& file = unit_.locationsOf(place.module)->file();
  diagnostics::Location where{file.id, place.range};
  bool isName = error.cause.kind == evaluate::ErrorKind::MissingName;
  llvm::StringRef written = error.cause.subject;
  Reported reported =
      isName ? emit_.errorAt(Id::UndefinedName, where, written)
             : emit_.errorAt(Id::KernelException, where, error.exceptionClass, error.message);
  reported.related(diagnostics::NoteId::CalledFrom, at);
  for (const evaluate::Place& caller : llvm::ArrayRef(error.frames).drop_back())
    if (caller.module)
      reported.relatedIn(diagnostics::NoteId::CalledFrom, caller.module, caller.range);
  if (!reported.isWorthSearching()) return reported;
  const Node* used = nullptr;
  const FunctionDef* around = nullptr;
  for (const Node* node : syntax::pathTo(file.statements, place.range.begin)) {
    auto* name = llvm::dyn_cast<NameExpr>(node);
    auto* member = llvm::dyn_cast<Attribute>(node);
    if ((isName && name && text(name->name) == written) ||
        (member && text(member->attribute.name) == written))
      used = node;
    if (auto* def = llvm::dyn_cast<FunctionDef>(node)) around = def;
  }
  if (!used) return reported;
  Nearest nearest(written);
  if (!isName) {
    for (const language::BuiltinModule& each : language::builtinModules())
      if (each.name == error.cause.owner) nearest.offerMembers(each.id);
  } else {
    if (auto missing = missingImport(written, emit_.target().isCuda(), file.statements,
                                     emit_.names(), *file.text))
      reported.fixWritten(diagnostics::FixId::AddImport, {missing->edit}, missing->statement);
    if (around) {
      for (const syntax::Parameter& each : around->parameters)
        nearest.offer(text(each.name.name));
      syntax::walk(around, [&](const Node* node) {
        auto* assign = llvm::dyn_cast<syntax::Assign>(node);
        for (const Expr* target : assign ? assign->targets : llvm::ArrayRef<Expr*>())
          if (auto* local = llvm::dyn_cast<NameExpr>(target)) nearest.offer(text(local->name));
        return true;
      });
    }
    if (place.module->globals)
      for (auto [global, value] : *place.module->globals)
        nearest.offer(text(global));
  }
  if (nearest.name().empty()) return reported;
  auto* member = llvm::dyn_cast<Attribute>(used);
  reported.fixWritten(diagnostics::FixId::DidYouMean,
                      {{member ? member->attribute.range : used->range, nearest.name().str()}},
                      written, nearest.name());
  return reported;
}

// The context managers of kernels are AMD's pipeline stages, the profiler's scopes, whose rules say
// what leaving one emits, and classes of the program, which Triton makes and calls as it compiles.
void FunctionVisitor::visitWith(const With* stmt) {
  struct Manager {
    Value made; // of a class of the program; else Absent
    const language::Builtin* builtin;
    CallSite site;
    const WithItem* item;
  };
  evaluate::Interpreter& in = unit_.interpreter;
  llvm::SmallVector<Manager, 1> managers;
  for (const WithItem& item : stmt->items) {
    auto* call = llvm::dyn_cast<Call>(item.context);
    if (!call) {
      emit_.error(Id::NotAContextManager, item.context);
      continue;
    }
    Value callee = visit(call->func).unwrapped();
    CallSite site{call, {}, {}, {}, {}, false};
    bool known = !callee.isUnknown();
    for (const Expr* arg : call->args) {
      site.args.push_back(visit(arg));
      site.nodes.push_back(arg);
      known &= !hasUnknown(site.args.back());
    }
    for (const Keyword& keyword : call->keywords) {
      site.keywords.push_back({keyword.name.name, visit(keyword.value)});
      site.keywordNodes.push_back(keyword.value);
      known &= !hasUnknown(site.keywords.back().second);
    }
    if (!known) continue;
    if (is(callee, BuiltinId::amd_warp_pipeline_stage) || is(callee, BuiltinId::proton_scope)) {
      if (item.target) assignTarget(item.target, Value());
      managers.push_back({Value::absent(), callee.asBuiltin(), std::move(site), &item});
      continue;
    }
    auto* cls = callee.as<language::ClassObject>();
    if (!cls || !cls->def) {
      emit_.error(Id::NotAContextManager, item.context);
      continue;
    }
    site.keywords.push_back({in.name("_semantic"), semanticFor(in)});
    const Node* last = std::exchange(emit_.node_, item.context);
    Value made = callHost(callee, site);
    emit_.node_ = last;
    if (made.is(ValueKind::Instance))
      managers.push_back({made, nullptr, std::move(site), &item});
    else if (!made.isUnknown())
      emit_.unsupported(item.context, "`with` on this class of the program");
  }

  // Calls __enter__ or __exit__ of what the program's class made.
  auto callHook = [&](const Manager& manager, llvm::StringRef hook, Values arguments) {
    const Node* last = std::exchange(emit_.node_, manager.item->context);
    Value result = in.callSpecial(manager.made, in.name(hook), arguments);
    emit_.node_ = last;
    if (!result.isAbsent()) return result;
    if (in.failed()) return raised(manager.item->context);
    emit_.unsupported(manager.item->context, "`with` on this class of the program");
    return Value::unknown();
  };
  for (const Manager& manager : managers) {
    if (manager.made.isAbsent()) continue;
    Value entered = callHook(manager, "__enter__", {});
    if (manager.item->target) assignTarget(manager.item->target, entered);
  }
  if (containsReturn(stmt)) emit_.error(Id::ReturnInWith, stmt);
  visit(stmt->body);
  for (Manager& manager : llvm::reverse(managers)) {
    if (!manager.made.isAbsent()) {
      callHook(manager, "__exit__", {Value::none(), Value::none(), Value::none()});
      continue;
    }
    const Node* last = std::exchange(emit_.node_, stmt);
    callRule(*manager.builtin, manager.site);
    emit_.node_ = last;
  }
}

} // namespace gluond::codegen
