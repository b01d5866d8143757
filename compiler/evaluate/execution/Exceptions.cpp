// try, with, raise: how exceptions are caught, and what runs whether they are or not.
#include "evaluate/execution/Binding.h"
#include "evaluate/interpreter/Contexts.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/parameters/CalledFunctions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

using namespace syntax;

// Returns the handler of failed imports, or null if there is none.
static const ExceptHandler* importHandler(const Interpreter& in, const Try& stmt) {
  auto catches = [&](const Expr* type) {
    auto* name = llvm::dyn_cast<NameExpr>(type);
    return name &&
           llvm::is_contained({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"},
                              in.text(name->name));
  };
  for (const ExceptHandler& handler : stmt.handlers) {
    auto* several = llvm::dyn_cast_or_null<Tuple>(handler.type);
    if (!handler.type ||
        (several ? llvm::any_of(several->elements, catches) : catches(handler.type)))
      return &handler;
  }
  return nullptr;
}

// Whether a handler catches failed imports alone.
static bool isForImports(const Interpreter& in, const ExceptHandler& handler) {
  auto isImport = [&](const Expr* type) {
    auto* name = llvm::dyn_cast<NameExpr>(type);
    return name && llvm::is_contained({"ImportError", "ModuleNotFoundError"}, in.text(name->name));
  };
  auto* several = llvm::dyn_cast_or_null<Tuple>(handler.type);
  if (several) return llvm::all_of(several->elements, isImport);
  return handler.type && isImport(handler.type);
}

// Returns true for `try: ... except E: ... else: raise ...`: its body raises, even where the
// evaluation of something modelled in part does not.
static bool expectsException(const Try& stmt) {
  return !stmt.handlers.empty() && stmt.orelse.size() == 1 &&
         stmt.orelse.front()->kind == NodeKind::Raise;
}

// Whether a handler catches what Triton raises for a kernel that it refuses, and is meant for that.
static bool expectsRefusals(const Interpreter& in, const Try& stmt) {
  auto isRefusal = [&](const Expr* type) {
    return llvm::is_contained({"CompilationError", "CompileTimeAssertionFailure",
                               "UnsupportedLanguageConstruct", "OutOfResources", "PTXASError",
                               "TritonError"},
                              type ? language::calledName(type, in.interner()) : "");
  };
  return llvm::any_of(stmt.handlers, [&](const ExceptHandler& handler) {
    auto* several = llvm::dyn_cast_or_null<Tuple>(handler.type);
    return several ? llvm::any_of(several->elements, isRefusal) : isRefusal(handler.type);
  });
}

bool Interpreter::isAssertRaises(const Expr* context) const {
  auto* call = llvm::dyn_cast<Call>(context);
  return call && llvm::is_contained({"assertRaises", "assertRaisesRegex"},
                                    language::calledName(call->func, interner()));
}

Value Interpreter::callExpectingFailure(const CallArguments& arguments) {
  Values positional = arguments.positional;
  auto* function = llvm::find_if(positional, [](Value value) {
    return value.is(ValueKind::Function) || value.is(ValueKind::BoundMethod) ||
           value.is(ValueKind::Host);
  });
  if (function == positional.end()) return Value::unknown();
  enterUncertain();
  enterExpectedFailure();
  Values rest = positional.drop_front(static_cast<size_t>(function - positional.begin()) + 1);
  call(*function, {rest, arguments.keywords});
  leaveExpectedFailure();
  leaveUncertain();
  if (isExhausted()) return Value::absent();
  dropError();
  return Value::unknown();
}

const ExceptHandler* Interpreter::handlerOf(const Try& stmt) {
  for (auto& handler : stmt.handlers) {
    if (!handler.type) return &handler;
    Value exception = pendingException();
    auto pending = suspendError();
    Value classes = eval(handler.type);
    if (classes.isAbsent()) { // the handler itself is wrong
      if (isExhausted()) return nullptr;
      dropError();
      classes = Value::unknown();
    }
    resumeError(std::move(pending));
    if (matches(exception, classes).value_or(true)) return &handler;
  }
  return nullptr;
}

// Runs a handler with the exception that it caught.
Flow Interpreter::execHandler(const ExceptHandler& handler, Value exception) {
  if (handler.name.name) bindName(handler.name.name, exception);
  Value before = std::exchange(frame_->handled, exception);
  Flow flow = exec(handler.body);
  frame_->handled = before;
  if (handler.name.name) bindName(handler.name.name, Value::absent());
  return flow;
}

// Goes on after the body of a `try`, which ended as `flow` says.
Flow Interpreter::afterBody(const Try& stmt, Flow flow) {
  if (flow == Flow::Next) return expectsException(stmt) ? flow : exec(stmt.orelse);
  if (flow != Flow::Raise || isExhausted()) return flow;
  const ExceptHandler* handler = handlerOf(stmt);
  if (!handler) return flow;
  Value exception = pendingException();
  dropError();
  return execHandler(*handler, exception);
}

// The body of a `try` may have ended as `flow` says, or one of the handlers runs.
Flow Interpreter::execOutcomes(const Try& stmt, llvm::ArrayRef<const ExceptHandler*> handlers,
                               Flow flow, Value returnedBefore) {
  std::unique_ptr<PendingError> raised = suspendError();
  Value returned = std::exchange(frame_->returned, returnedBefore);
  auto asEvaluated = [&] {
    resumeError(std::move(raised));
    if (flow == Flow::Return) frame_->returned = returned;
    return afterBody(stmt, flow);
  };
  // By halves: a program may have thousands of handlers.
  std::function<Flow(size_t, size_t)> anyOf = [&](size_t begin, size_t end) {
    if (end - begin == 1)
      return begin == handlers.size() ? asEvaluated()
                                      : execHandler(*handlers[begin], Value::unknown());
    size_t middle = begin + (end - begin) / 2;
    return execEither([&] { return anyOf(begin, middle); }, [&] { return anyOf(middle, end); });
  };
  return anyOf(0, handlers.size() + 1);
}

Flow Interpreter::execTry(const Try* stmt) {
  // An exception that a handler may catch is not reported.
  bool isGuarded = !stmt->handlers.empty();
  const ExceptHandler* forImports = importHandler(*this, *stmt);
  bool importedBefore = std::exchange(importedUnknown_, false);
  bool raisedBefore = std::exchange(mayHaveRaised_, false);
  Value returnedBefore = frame_->returned;
  bool isForRefusals = expectsRefusals(*this, *stmt);
  uncertain_ += isGuarded;
  expectsFailure_ += isForRefusals;
  importGuards_ += forImports != nullptr;
  Flow flow = exec(stmt->body);
  importGuards_ -= forImports != nullptr;
  uncertain_ -= isGuarded;
  expectsFailure_ -= isForRefusals;
  if (frame_->exits && (flow == Flow::Next || flow == Flow::Continue))
    for (const ExceptHandler& handler : stmt->handlers) {
      frame_->exits->noteAll(handler.body);
      if (handler.body.empty()) continue;
      // Looking at text is cheaper than running it.
      constexpr unsigned bytesPerStep = 64;
      text::Offset bytes = handler.body.back()->range.end - handler.body.front()->range.begin;
      if (!spend(bytes / bytesPerStep)) flow = Flow::Raise;
    }
  // Handlers that may run, too: of what is unknown nobody can tell whether it raises, and a module
  // was imported that may not exist.
  llvm::SmallVector<const ExceptHandler*, 4> others;
  bool mayLackModule = std::exchange(importedUnknown_, importedBefore) && forImports;
  if (isExhausted())
    ;
  else if (mayHaveRaised_)
    for (const ExceptHandler& handler : stmt->handlers) {
      if (mayLackModule || !isForImports(*this, handler)) others.push_back(&handler);
    }
  else if (mayLackModule)
    others.push_back(forImports);
  mayHaveRaised_ |= raisedBefore;
  flow =
      others.empty() ? afterBody(*stmt, flow) : execOutcomes(*stmt, others, flow, returnedBefore);
  if (!stmt->finalbody.empty() && !isExhausted()) {
    auto pending = suspendError();
    Value returned = frame_->returned;
    Flow last = exec(stmt->finalbody);
    if (last != Flow::Next) return last; // replaces whatever was under way
    frame_->returned = returned;
    resumeError(std::move(pending));
  }
  return flow;
}

bool Interpreter::enterContext(const WithItem& item, Context& context) {
  if (deep()) return false;
  Value manager = eval(item.context);
  if (manager.isAbsent()) return false;
  Value entered = enterManager(manager, context);
  if (entered.isAbsent()) return false;
  if (isAssertRaises(item.context)) {
    context.kind = Context::Kind::Expecting;
    context.isForFailure = true;
  }
  return !item.target || assign(item.target, entered);
}

Value Interpreter::enterManager(Value manager, Context& context) {
  Value entered = manager;
  if (manager.is(ValueKind::Instance)) {
    entered = callSpecial(manager, known_.enter, {});
    if (failed()) return Value::absent();
    if (entered.isAbsent()) entered = Value::unknown();
    context.kind = Context::Kind::Instance;
  } else if (hostAs<IteratorObject>(manager, iteratorClass) ||
             hostAs<ContextManagerObject>(manager, contextManagerClass)) {
    auto* made = hostAs<ContextManagerObject>(manager, contextManagerClass);
    if (made) manager = made->generator;
    bool uncertain = false;
    entered = advance(manager, uncertain);
    if (failed()) return Value::absent();
    if (entered.isAbsent() && !uncertain) return raise("RuntimeError", "generator didn't yield");
    if (entered.isAbsent()) entered = Value::unknown();
    context.kind = Context::Kind::Generator;
  } else if (auto* space = hostAs<NamespaceObject>(manager, namespaceClass)) {
    context.isForFailure = space->name == "pytest.raises";
    if (context.isForFailure || space->name == "contextlib.suppress")
      context.kind = Context::Kind::Expecting;
    if (space->name == "contextlib.nullcontext") entered = space->attributes->get(name("entered"));
  } else if (isExitStack(manager)) {
    context.kind = Context::Kind::Stack;
  } else if (!kindOfDevice(manager).empty()) {
    setDefaultDevice();
  }
  context.manager = manager; // from here on it must be left
  return entered;
}

Flow Interpreter::leaveContext(Context& context, Flow flow) {
  if (flow == Flow::Raise && isExhausted()) return flow;
  if (context.kind == Context::Kind::Expecting && flow == Flow::Raise) {
    dropError();
    return Flow::Next;
  }
  if (flow == Flow::Raise && pending_ && context.kind == Context::Kind::Unknown &&
      context.manager.isUnknown())
    pending_->mayBeCaught = true;
  if (context.kind == Context::Kind::Stack) return leaveStack(*this, context.manager, flow);
  if (context.kind == Context::Kind::Generator) {
    bool uncertain = false, raised = flow == Flow::Raise;
    auto pending = suspendError();
    Value thrown = pending ? exceptionOf(*pending) : Value::absent();
    Value member =
        raised ? resumeGenerator(*this, context.manager, Resumption::Throw, thrown, uncertain)
               : advance(context.manager, uncertain);
    if (isExhausted()) return Flow::Raise;
    if (!member.isAbsent()) {
      raise("RuntimeError",
            raised ? "generator didn't stop after throw()" : "generator didn't stop");
      return Flow::Raise;
    }
    if (failed()) { // the same exception keeps its place
      if (raised && pendingException().identical(thrown)) resumeError(std::move(pending));
      return Flow::Raise;
    }
    if (!raised) return flow;
    if (!uncertain) return Flow::Next; // the generator has dealt with it
    assume();
    resumeError(std::move(pending));
    return flow;
  }
  if (context.kind != Context::Kind::Instance) return flow;
  return Context::leaveBy(*this, flow, [&](Values details) {
    return callSpecial(context.manager, known_.exit, details);
  });
}

Flow Interpreter::Context::leaveBy(Interpreter& in, Flow flow,
                                   llvm::function_ref<Value(Values)> exit) {
  Value details[] = {Value::none(), Value::none(), Value::none()};
  auto pending = in.suspendError();
  if (pending) {
    details[1] = in.exceptionOf(*pending);
    details[0] = in.typeOf(details[1]);
  }
  Value swallowed = exit(details);
  if (in.failed()) return Flow::Raise;
  if (pending && !swallowed.isAbsent() && in.truth(swallowed).value_or(true)) return Flow::Next;
  in.resumeError(std::move(pending));
  return flow;
}

Flow Interpreter::execWith(const With* stmt, size_t item) {
  if (item == stmt->items.size()) return exec(stmt->body);
  Context context;
  bool isEntered = enterContext(stmt->items[item], context);
  if (context.manager.isAbsent()) return Flow::Raise;
  bool isExpecting = context.kind == Context::Kind::Expecting;
  uncertain_ += isExpecting;
  expectsFailure_ += context.isForFailure;
  Flow flow = isEntered ? execWith(stmt, item + 1) : Flow::Raise;
  uncertain_ -= isExpecting;
  expectsFailure_ -= context.isForFailure;
  return leaveContext(context, flow);
}

Flow Interpreter::execRaise(const Raise* stmt) {
  if (!stmt->exception) {
    if (frame_->handled.isAbsent())
      raise("RuntimeError", "No active exception to reraise");
    else
      raiseValue(frame_->handled);
    return Flow::Raise;
  }
  Value exception = eval(stmt->exception);
  if (exception.isAbsent()) return Flow::Raise;
  if (exception.is(ValueKind::Class)) exception = call(exception, CallArguments{});
  if (exception.isAbsent()) return Flow::Raise;
  if (stmt->cause && eval(stmt->cause).isAbsent()) return Flow::Raise;
  frame_->node = stmt;
  auto* object = exception.as<InstanceObject>();
  bool isException = object && object->cls->flavour == ClassObject::Flavour::Exception;
  if (!isKnownInPart(*this, exception) && !isException)
    raise("TypeError", "exceptions must derive from BaseException");
  else
    raiseDeliberately(exception);
  return Flow::Raise;
}

} // namespace gluond::evaluate
