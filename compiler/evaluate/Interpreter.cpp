#include "evaluate/Interpreter.h"

#include "evaluate/Classes.h"
#include "evaluate/Tables.h"
#include "support/Allowance.h"
#include "support/Stack.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

namespace {
// About a tenth of a millisecond's work.
constexpr uint64_t stepsBetweenPolls = 1024;
} // namespace

Interpreter::WellKnown::WellKnown(Interner& names) {
#define GLUOND_INTERN(id, text) id = names.intern(text);
  GLUOND_WELL_KNOWN(GLUOND_INTERN)
#undef GLUOND_INTERN
}

Interpreter::Interpreter(Heap& heap, Interner& interner, TypeContext& types,
                         InterpreterOptions options)
    : EvaluateContext(heap, interner, types, options.target), names_(interner),
      options_(std::move(options)), known_(names_.table<WellKnown>()),
      steps_(options_.budget.steps), tables_(std::make_unique<Tables>()) {}

Interpreter::~Interpreter() = default;

// ---------------------------------------------------------------- programs

ModuleObject* Interpreter::runModule(const ModuleSource& source, llvm::StringRef moduleName) {
  auto* module = heap().make<ModuleObject>();
  module->name = heap().copy(moduleName);
  module->path = heap().copy(source.path);
  module->globals = newScope();
  module->globals->set(known_.name, string(moduleName));
  module->globals->set(known_.file, string(source.path));
  module->globals->set(known_.doc, Value::none());
  loaded_[source.path] = module;
  if (source.owner) owners_.push_back(source.owner);
  Frame frame;
  frame.caller = frame_;
  frame.module = module;
  frame.locals = module->globals;
  frame.captured = true;
  frame_ = &frame;
  // Anew: the interpreter may have been entered before from another stack.
  if (!frame.caller) stackBase_ = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  ++depth_;
  // A statement that loops without end must not starve the ones behind it.
  uint64_t reserve = stepsLeft() / 4;
  for (auto* stmt : source.body) {
    if (options_.cancellation.isCancelled()) break;
    if (deep()) {
      note(takeError());
      break;
    }
    Flow flow = exec(stmt);
    if (flow != Flow::Raise) continue;
    bool exhausted = isExhausted();
    bool exits = !exhausted && raisedExit();
    PythonError error = takeError();
    if (!isUncertain() && !exits)
      note(std::move(error));
    else if (exhausted)
      note(std::move(error));
    if (exits) break; // sys.exit() at module level
    forget(stmt);
    if (exhausted) {
      if (reserve == 0 || isStopped()) break;
      refill(std::min(reserve, options_.budget.steps / 8));
      reserve -= stepsLeft();
    }
  }
  --depth_;
  frame_ = frame.caller;
  return module;
}

Value Interpreter::evaluate(const syntax::Expr* expr, Scope* scope, ModuleObject* module) {
  Frame frame;
  frame.caller = frame_;
  frame.module = module;
  frame.locals = newScope(scope);
  frame.captured = true;
  if (!frame_) stackBase_ = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  frame_ = &frame;
  ++depth_;
  Value value = eval(expr);
  --depth_;
  frame_ = frame.caller;
  return value;
}

Value Interpreter::define(const syntax::Stmt* definition, Scope* scope, ModuleObject* module,
                          llvm::StringRef prefix) {
  Frame frame;
  frame.caller = frame_;
  frame.module = module;
  frame.locals = newScope(scope);
  frame.captured = true;
  frame.prefix = heap().copy(prefix);
  frame.node = definition;
  if (!frame_) stackBase_ = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  frame_ = &frame;
  ++depth_;
  Flow flow = exec(definition);
  --depth_;
  frame_ = frame.caller;
  if (flow == Flow::Raise) return Value::absent();
  auto* function = llvm::dyn_cast<syntax::FunctionDef>(definition);
  auto* cls = llvm::dyn_cast<syntax::ClassDef>(definition);
  const Value* made = function || cls
                          ? frame.locals->find(function ? function->name.name : cls->name.name)
                          : nullptr;
  return made ? *made : Value::unknown();
}

void Interpreter::addEntered(llvm::DenseSet<const syntax::Node*>& out) const {
  for (const auto& [node, info] : tables_->functions)
    out.insert(node);
}

// ---------------------------------------------------------------- errors

Value Interpreter::raise(llvm::StringRef exceptionClass, const llvm::Twine& message) {
  if (pending_) return Value::absent();
  ClassObject* cls = builtinClass(exceptionClass);
  if (!cls) cls = builtinClass("Exception");
  Value exception = instance(cls);
  auto* attributes = exception.as<InstanceObject>()->attributes;
  attributes->set(known_.args, tupleOf(string(message)));
  return raiseValue(exception);
}

Value Interpreter::raiseKey(Value key) {
  if (pending_) return Value::absent();
  Value exception = instance(builtinClass("KeyError"));
  exception.as<InstanceObject>()->attributes->set(known_.args, tupleOf(key));
  return raiseValue(exception);
}

Value Interpreter::raiseValue(Value exception) {
  if (pending_) return Value::absent();
  pending_ = std::make_unique<Pending>();
  pending_->exception = exception;
  unsigned count = 0;
  for (Frame* frame = frame_; frame && count < 32; frame = frame->caller, ++count)
    if (frame->node)
      pending_->frames.push_back({frame->module, frame->node->range,
                                  frame->function ? frame->function->qualname : llvm::StringRef()});
  std::reverse(pending_->frames.begin(), pending_->frames.end());
  return Value::absent();
}

Value Interpreter::exhaust(const llvm::Twine& why) {
  if (pending_) return Value::absent();
  raiseValue(Value::unknown());
  pending_->exhausted = true;
  pending_->why = why.str();
  return Value::absent();
}

Value Interpreter::stopGenerator() {
  exhaust("a generator without end");
  pending_->stopsGenerator = true;
  return Value::absent();
}

bool Interpreter::generatorStopped() {
  if (!pending_ || !pending_->stopsGenerator || !frame_->yields) return false;
  pending_.reset();
  return true;
}

std::unique_ptr<Interpreter::Pending> Interpreter::suspendError() {
  return std::move(pending_);
}
void Interpreter::resumeError(std::unique_ptr<Pending> error) {
  pending_ = std::move(error);
}
Value Interpreter::pendingException() const {
  return pending_ ? pending_->exception : Value::unknown();
}
Value Interpreter::exceptionOf(const Pending& error) {
  return error.exception;
}

bool Interpreter::isConstexprGlobal(const ModuleObject* module, Name global) const {
  return tables_->constexprGlobals.contains({module, global});
}

bool Interpreter::isExhausted() const {
  return pending_ && pending_->exhausted;
}

bool Interpreter::raisedExit() const {
  if (!pending_) return false;
  auto* object = pending_->exception.as<InstanceObject>();
  return object && object->cls->qualname == "SystemExit";
}

PythonError Interpreter::takeError() {
  auto pending = std::move(pending_);
  return pending ? errorOf(*pending) : PythonError();
}

PythonError Interpreter::errorOf(const Pending& pending) {
  PythonError error;
  error.exhausted = pending.exhausted;
  error.argument = pending.argument;
  error.exception = pending.exception;
  error.frames = pending.frames;
  if (pending.exhausted) {
    error.message = pending.why;
    return error;
  }
  error.exceptionClass = className(typeOf(error.exception)).str();
  error.message = str(error.exception);
  pending_.reset(); // str() itself may have raised
  return error;
}

void Interpreter::refused(llvm::StringRef kernel) {
  if (!pending_ || pending_->exhausted || isUncertain()) return;
  auto pending = std::move(pending_);
  refusals_.push_back({kernel.str(), errorOf(*pending)});
  pending_ = std::move(pending);
}

void Interpreter::dropError() {
  pending_.reset();
}

std::optional<Value> Interpreter::catchError(llvm::StringRef exceptionClass) {
  if (!pending_ || pending_->exhausted) return std::nullopt;
  auto matched =
      matches(pending_->exception, Value::object(ValueKind::Class, builtinClass(exceptionClass)));
  if (matched && !*matched) return std::nullopt;
  Value exception = pending_->exception;
  pending_.reset();
  return exception;
}

std::optional<bool> Interpreter::matches(Value exception, Value classes) {
  auto pending = std::move(pending_); // isInstance may run code
  auto result = isInstance(exception, classes);
  pending_ = std::move(pending);
  return result;
}

// ---------------------------------------------------------------- budget

bool Interpreter::isStopped() const {
  return options_.cancellation.isCancelled() || Spending::isSpent();
}

bool Interpreter::poll(uint64_t steps) {
  if (failed() && pending_->exhausted) return false;
  if (options_.cancellation.isCancelled()) return exhaust("cancelled"), false;
  if (Spending::isSpent()) {
    const Allowance& allowance = *Spending::current();
    if (allowance.spent() == Allowance::Spent::Memory)
      exhaust("stopped after " + llvm::Twine(allowance.limits().bytes >> 20) + " MB");
    else
      exhaust("stopped after " + llvm::Twine(allowance.limits().cpu.count()) + " ms");
    return false;
  }
  uint64_t left = stepsLeft();
  if (steps > left || left == 0) {
    refill(0);
    exhaust("stopped after " + llvm::Twine(options_.budget.steps) + " steps");
    return false;
  }
  steps_ = left - steps;
  untilPoll_ = std::min<uint64_t>(steps_, stepsBetweenPolls);
  steps_ -= untilPoll_;
  return true;
}

Nesting::Nesting(Interpreter& in) : in_(in) {
  isFine_ = ++in.nesting_ <= in.options_.budget.nesting && !in.deep() && in.spend(1);
  if (!isFine_ && !in.failed()) in.raise("RecursionError", "maximum recursion depth exceeded");
}

Nesting::~Nesting() {
  --in_.nesting_;
}

bool Interpreter::charge(size_t bytes) {
  charged_ += bytes;
  if (charged_ + heap().bytes() <= options_.budget.memoryBytes) return true;
  charged_ -= bytes;
  exhaust("stopped after " + llvm::Twine(options_.budget.memoryBytes >> 20) + " MB of values");
  return false;
}

bool Interpreter::deep() {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  size_t used = stackBase_ > here ? stackBase_ - here : here - stackBase_;
  if (stackBase_ == 0) {
    stackBase_ = here;
    return false;
  }
  if (used < options_.budget.stackBytes && !isStackLow()) return false;
  raise("RecursionError", "maximum recursion depth exceeded");
  return true;
}

bool Interpreter::mayMutate(const void* object) {
  if (heap().owns(object)) return true;
  exhaust("a change to an object of a module that has been evaluated");
  return false;
}

// ---------------------------------------------------------------- small helpers

Value Interpreter::string(const llvm::Twine& text) {
  llvm::SmallString<128> buffer;
  return heap().str(text.toStringRef(buffer));
}

Value Interpreter::function(llvm::StringRef functionName, Native native, Value self) {
  auto* object = heap().make<NativeFunctionObject>();
  object->cls = &nativeFunctionClass;
  object->name = functionName;
  object->function = native;
  object->self = self;
  return Value::object(ValueKind::Host, object);
}

Scope* Interpreter::newScope(Scope* parent) {
  auto* scope = heap().make<Scope>();
  scope->parent = parent;
  return scope;
}

Value Interpreter::namespaceOf(llvm::StringRef namespaceName,
                               llvm::ArrayRef<std::pair<llvm::StringRef, Value>> members) {
  auto* object = heap().make<NamespaceObject>();
  object->cls = &namespaceClass;
  object->name = heap().copy(namespaceName);
  object->attributes = newScope();
  for (auto& [member, value] : members)
    object->attributes->set(name(member), value);
  return Value::object(ValueKind::Host, object);
}

Value Interpreter::iterator(Values items, bool uncertain) {
  auto* object = heap().make<IteratorObject>();
  object->cls = &iteratorClass;
  object->items = heap().copy(items);
  object->uncertain = uncertain;
  object->returned = Value::none();
  return Value::object(ValueKind::Host, object);
}

bool Interpreter::bind(llvm::StringRef function, const CallArguments& arguments,
                       llvm::ArrayRef<llvm::StringLiteral> parameters, unsigned required,
                       llvm::MutableArrayRef<Value> out) {
  assert(out.size() >= parameters.size());
  for (Value& value : out)
    value = Value::absent();
  if (arguments.positional.size() > parameters.size()) {
    raise("TypeError", function + "() takes at most " + llvm::Twine(parameters.size()) +
                           " arguments (" + llvm::Twine(arguments.positional.size()) + " given)");
    return false;
  }
  std::copy(arguments.positional.begin(), arguments.positional.end(), out.begin());
  for (auto& keyword : arguments.keywords) {
    auto* at = llvm::find(parameters, text(keyword.name));
    if (at == parameters.end()) {
      raise("TypeError",
            function + "() got an unexpected keyword argument '" + text(keyword.name) + "'");
      return false;
    }
    out[static_cast<size_t>(at - parameters.begin())] = keyword.value;
  }
  for (unsigned i = 0; i < required; ++i)
    if (out[i].isAbsent()) {
      raise("TypeError", function + "() missing required argument '" + parameters[i] + "' (pos " +
                             llvm::Twine(i + 1) + ")");
      return false;
    }
  return true;
}

Scope* Interpreter::acquireScope(Scope* parent) {
  if (freeScopes_.empty()) return newScope(parent);
  Scope* scope = freeScopes_.pop_back_val();
  scope->parent = parent;
  return scope;
}

void Interpreter::releaseScope(Scope* scope) {
  scope->entries.clear();
  scope->index.clear();
  freeScopes_.push_back(scope);
}

} // namespace gluond::evaluate
