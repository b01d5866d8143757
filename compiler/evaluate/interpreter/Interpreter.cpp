#include "evaluate/interpreter/Interpreter.h"

#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeTables.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"
#include "language/values/Integers.h"
#include "support/Allowance.h"
#include "support/Stack.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

namespace {
// About a tenth of a millisecond's work.
constexpr uint64_t stepsBetweenPolls = 1024;
constexpr size_t longestMessage = 4096; // of an exception, in bytes
constexpr size_t mostRefusals = 1000;
} // namespace

WellKnownNames::WellKnownNames(Interner& names) {
#define GLUOND_INTERN(id, text) id = names.intern(text);
  GLUOND_WELL_KNOWN(GLUOND_INTERN)
#undef GLUOND_INTERN
}

Interpreter::Interpreter(Heap& heap, Interner& interner, TypeContext& types,
                         InterpreterOptions options)
    : EvaluateContext(heap, interner, types, options.target), names_(interner),
      options_(std::move(options)), known_(names_.table<WellKnownNames>()),
      granted_(options_.budget.steps), share_(options_.budget.steps), steps_(options_.budget.steps),
      memoryLimit_(options_.budget.memoryBytes), reservedSteps_(options_.budget.steps / 4),
      reservedBytes_(options_.budget.memoryBytes / 4), tables_(std::make_unique<Tables>()) {}

Interpreter::~Interpreter() = default;

// ---------------------------------------------------------------- programs

Value Interpreter::evaluate(const syntax::Expr* expr, const Scope* scope,
                            const ModuleObject* module) {
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

Value Interpreter::define(const syntax::Stmt* definition, const Scope* scope,
                          const ModuleObject* module, llvm::StringRef prefix) {
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
  if (!function && !cls) return Value::unknown();
  Value made = frame.locals->get(function ? function->name.name : cls->name.name);
  return made.isAbsent() ? Value::unknown() : made;
}

void Interpreter::addEntered(llvm::DenseSet<const syntax::Node*>& out) const {
  for (const auto& [node, info] : tables_->functions)
    out.insert(node);
}

// ---------------------------------------------------------------- errors

Value Interpreter::raise(llvm::StringRef exceptionClass, const llvm::Twine& message) {
  if (pending_) return Value::absent();
  const ClassObject* cls = builtinClass(exceptionClass);
  if (!cls) cls = builtinClass("Exception");
  Scope* attributes = newScope();
  attributes->set(known_.args, tupleOf(string(message)));
  return raiseValue(instance(cls, attributes));
}

Value Interpreter::raise(ErrorCause cause, llvm::StringRef exceptionClass,
                         const llvm::Twine& message) {
  if (pending_) return Value::absent();
  raise(exceptionClass, message);
  pending_->cause = std::move(cause);
  return Value::absent();
}

void Interpreter::blameLibrary(llvm::StringRef function) {
  if (pending_ && pending_->cause.kind == ErrorKind::Other)
    pending_->cause = {ErrorKind::Library, "", function.str()};
}

Value Interpreter::raiseKey(Value key) {
  if (pending_) return Value::absent();
  Scope* attributes = newScope();
  attributes->set(known_.args, tupleOf(key));
  return raiseValue(instance(builtinClass("KeyError"), attributes));
}

Value Interpreter::raiseValue(Value exception) {
  if (pending_) return Value::absent();
  pending_ = std::make_unique<PendingError>();
  pending_->exception = exception;
  pending_->frames = placesOf(frame_);
  const Frame* outermost = tables_->mayHaveEnded ? frame_ : nullptr;
  while (outermost && outermost->caller)
    outermost = outermost->caller;
  pending_->mayBeCaught = outermost && outermost->function;
  return Value::absent();
}

Value Interpreter::raiseDeliberately(Value exception) {
  if (pending_) return Value::absent();
  raiseValue(exception);
  pending_->isDeliberate = true;
  return Value::absent();
}

Value Interpreter::raiseMissing(const llvm::Twine& function,
                                llvm::ArrayRef<llvm::StringRef> parameters, llvm::StringRef kind) {
  std::string list;
  size_t count = parameters.size();
  for (size_t i = 0; i < count; ++i) {
    if (i) list += i + 1 < count ? ", " : count > 2 ? ", and " : " and ";
    list += ("'" + parameters[i] + "'").str();
  }
  return raise("TypeError", function + "() missing " + llvm::Twine(count) + " required " + kind +
                                (count > 1 ? " arguments: " : " argument: ") + list);
}

std::vector<Place> Interpreter::placesOf(const Frame* frame) const {
  std::vector<Place> places;
  unsigned count = 0;
  for (; frame && count < 32; frame = frame->caller, ++count)
    if (frame->node)
      places.push_back({frame->module, frame->node->range,
                        frame->function ? frame->function->qualname : llvm::StringRef()});
  std::reverse(places.begin(), places.end());
  return places;
}

Value Interpreter::exhaust(const llvm::Twine& why) {
  if (pending_) return Value::absent();
  raiseValue(Value::unknown());
  pending_->exhausted = true;
  pending_->why = why.str();
  return Value::absent();
}

namespace {

// The names that a loop's header and body mention, in order, without repetition.
void namesIn(const syntax::Node* node, llvm::SmallVectorImpl<Name>& out) {
  constexpr size_t most = 6;
  syntax::walk(node, [&](const syntax::Node* inner) {
    if (llvm::isa<syntax::FunctionDef, syntax::ClassDef, syntax::Lambda>(inner)) return false;
    auto* mentioned = llvm::dyn_cast<syntax::NameExpr>(inner);
    if (mentioned && out.size() < most && !llvm::is_contained(out, mentioned->name))
      out.push_back(mentioned->name);
    return out.size() < most;
  });
}

// Prints a value in a few characters without running the program's own code; returns "" if there is
// nothing to show.
std::string inShort(Value value, unsigned depth = 0) {
  constexpr size_t mostItems = 6, mostCharacters = 24;
  value = value.unwrapped();
  if (value.isNone()) return "None";
  if (value.is(ValueKind::Bool)) return value.asBool() ? "True" : "False";
  if (value.is(ValueKind::Int)) return std::to_string(value.asInt());
  if (value.is(ValueKind::Float)) return language::reprFloat(value.asFloat());
  if (value.is(ValueKind::BigInt)) {
    llvm::APInt integer = toAPInt(value);
    bool isNegative = integer.isNegative();
    if (isNegative) integer.negate();
    unsigned power = integer.getActiveBits() - 1;
    return (integer.isPowerOf2() ? "" : "about ") + std::string(isNegative ? "-2**" : "2**") +
           std::to_string(power);
  }
  if (value.is(ValueKind::Str)) {
    llvm::StringRef text = value.as<StrObject>()->text;
    return text.size() <= mostCharacters ? language::reprString(text)
                                         : "a str of " + std::to_string(text.size()) + " bytes";
  }
  auto* tuple = value.as<TupleObject>();
  auto* list = value.as<ListObject>();
  if ((!tuple && !list) || depth > 1) return {};
  language::Items items = language::itemsOf(value);
  std::string result = tuple ? "(" : "[";
  for (size_t i = 0; i < items.size() && i < mostItems; ++i) {
    std::string item = inShort(items[i], depth + 1);
    result += (i ? ", " : "") + (item.empty() ? "..." : item);
  }
  if (items.size() > mostItems) result += ", ... " + std::to_string(items.size()) + " in all";
  return result + (!tuple ? "]" : items.size() == 1 ? ",)" : ")");
}

} // namespace

void Interpreter::blameLoop(const syntax::Stmt* loop, text::Range header, uint64_t before,
                            uint64_t turns) {
  constexpr uint64_t fewTurns = 8;
  if (pending_->stopsGenerator || pending_->isFrozen || turns < fewTurns ||
      options_.cancellation.isCancelled())
    return;
  uint64_t steps = stepsSpent() - before;
  // An outer loop is blamed if the inner one takes only a part of its time.
  if (pending_->loopSteps && steps < 2 * pending_->loopSteps) return;
  bool isFirst = pending_->loopSteps == 0;
  pending_->loopSteps = steps;
  if (isFirst) pending_->reason = pending_->why;
  pending_->isEndless = llvm::isa<syntax::While>(loop);
  pending_->frames = placesOf(frame_);
  if (!pending_->frames.empty()) pending_->frames.back().range = header;
  llvm::SmallVector<Name> names;
  if (auto* endless = llvm::dyn_cast<syntax::While>(loop)) namesIn(endless->test, names);
  namesIn(loop, names);
  std::string values;
  for (Name one : names) {
    Value value = Value::absent();
    for (const Scope* scope = frame_->locals; scope && value.isAbsent(); scope = scope->parent)
      value = scope->get(one);
    if (value.isAbsent()) value = frame_->module->globals->get(one);
    std::string shown = value.isAbsent() ? std::string() : inShort(value);
    if (!shown.empty()) values += (values.empty() ? "" : ", ") + text(one).str() + " = " + shown;
  }
  pending_->why = "this loop did not end within " + std::to_string(steps) + " steps (" +
                  pending_->reason + "); after " + std::to_string(turns) + " iterations" +
                  (values.empty() ? "" : ": " + values);
}

Value Interpreter::stopGenerator() {
  exhaust("a generator without an end");
  pending_->stopsGenerator = true;
  return Value::absent();
}

bool Interpreter::generatorStopped() {
  if (!pending_ || !pending_->stopsGenerator || !frame_->yields) return false;
  pending_.reset();
  return true;
}

std::unique_ptr<PendingError> Interpreter::suspendError() {
  return std::move(pending_);
}
void Interpreter::resumeError(std::unique_ptr<PendingError> error) {
  pending_ = std::move(error);
}
Value Interpreter::pendingException() const {
  return pending_ ? pending_->exception : Value::unknown();
}
Value Interpreter::exceptionOf(const PendingError& error) {
  return error.exception;
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

PythonError Interpreter::errorOf(const PendingError& pending) {
  PythonError error;
  error.exhausted = pending.exhausted;
  error.isFrozen = pending.isFrozen;
  error.isEndless = pending.isEndless;
  error.mayBeCaught = pending.mayBeCaught;
  error.isDeliberate = pending.isDeliberate;
  error.argument = pending.argument;
  error.cause = pending.cause;
  error.exception = pending.exception;
  error.frames = pending.frames;
  if (pending.exhausted) {
    error.message = pending.why;
    return error;
  }
  error.exceptionClass = className(typeOf(error.exception)).str();
  error.message = str(error.exception);
  if (error.message.size() > longestMessage) {
    size_t end = longestMessage;
    while (end && (static_cast<unsigned char>(error.message[end]) & 0xc0) == 0x80)
      --end; // between characters
    error.message.resize(end);
    error.message += "...";
  }
  pending_.reset(); // str() itself may have raised
  return error;
}

void Interpreter::refused(llvm::StringRef kernel) {
  if (!pending_ || pending_->exhausted || isUncertain() || refusals_.size() >= mostRefusals) return;
  // An unknown condition before it decides.
  for (const Frame* frame = frame_; frame; frame = frame->caller)
    if (frame->mayHaveReturned) return;
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
    const Allowance& allowance = *Spending::spent();
    if (allowance.spent() == Allowance::Spent::Memory)
      exhaust("stopped after " + llvm::Twine(allowance.limits().bytes >> 20) + " MB");
    else
      exhaust("stopped after " + llvm::Twine(allowance.limits().cpu.count()) + " ms");
    return false;
  }
  if (bytesHeld() > memoryLimit_) return exhaustMemory();
  uint64_t left = stepsLeft();
  if (steps > left || left == 0) {
    refill(0);
    exhaust("stopped after " + llvm::Twine(share_) + " steps");
    return false;
  }
  steps_ = left - steps;
  untilPoll_ = std::min<uint64_t>(steps_, stepsBetweenPolls);
  steps_ -= untilPoll_;
  return true;
}

bool Interpreter::spendOn(Values arguments) {
  uint64_t bytes = 0;
  for (Value value : arguments)
    if (auto* text = value.as<StrObject>())
      bytes += text->text.size();
    else if (value.is(ValueKind::BigInt))
      bytes += wordsOf(value) * sizeof(uint64_t);
  return bytes < bytesPerStep || spendBytes(bytes);
}

Name Interpreter::name(llvm::StringRef text) {
  if (auto known = names_.find(text)) return *known;
  constexpr size_t bytesPerName = 64; // in tables, in addition to the text
  size_t bytes = text.size() + bytesPerName;
  if (bytes > options_.budget.nameBytes - newNameBytes_) {
    exhaust("stopped after " + llvm::Twine(options_.budget.nameBytes >> 20) +
            " MB of attribute names");
    return {};
  }
  newNameBytes_ += bytes;
  return names_.intern(text);
}

Nesting::Nesting(Interpreter& in) : in_(in) {
  isFine_ = ++in.nesting_ <= in.options_.budget.nesting && !in.deep() && in.spend(1);
  if (!isFine_ && !in.failed()) in.raise("RecursionError", "maximum recursion depth exceeded");
}

Nesting::~Nesting() {
  --in_.nesting_;
}

bool Interpreter::charge(size_t bytes) {
  size_t held = bytesHeld();
  if (held > memoryLimit_ || bytes > memoryLimit_ - held) return exhaustMemory();
  charged_ += bytes;
  return true;
}

bool Interpreter::exhaustMemory() {
  if (failed()) return false;
  exhaust("stopped after " + llvm::Twine(options_.budget.memoryBytes >> 20) + " MB of values");
  pending_->isMemory = true;
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

void Interpreter::refuseChange() {
  if (failed()) return;
  exhaust("a change to an object of a module that has been evaluated");
  pending_->isFrozen = true;
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

Scope* Interpreter::newScope(const Scope* parent) {
  auto* scope = heap().make<Scope>();
  scope->parent = parent;
  return scope;
}

Value Interpreter::namespaceOf(llvm::StringRef namespaceName,
                               llvm::ArrayRef<std::pair<llvm::StringRef, Value>> members) {
  auto* object = heap().make<NamespaceObject>();
  object->cls = &namespaceClass;
  object->name = heap().copy(namespaceName);
  Scope* attributes = newScope();
  for (auto& [member, value] : members)
    attributes->set(name(member), value);
  object->attributes = attributes;
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
    std::string most = llvm::utostr(parameters.size());
    if (required < parameters.size()) most = "from " + llvm::utostr(required) + " to " + most;
    raise("TypeError", function + "() takes " + most + " positional arguments but " +
                           llvm::Twine(arguments.positional.size()) + " were given");
    return false;
  }
  std::copy(arguments.positional.begin(), arguments.positional.end(), out.begin());
  for (auto& keyword : arguments.keywords) {
    auto* at = llvm::find(parameters, text(keyword.name));
    if (at == parameters.end()) {
      raise({ErrorKind::LibraryKeyword, text(keyword.name).str(), function.str()}, "TypeError",
            function + "() got an unexpected keyword argument '" + text(keyword.name) + "'");
      return false;
    }
    out[static_cast<size_t>(at - parameters.begin())] = keyword.value;
  }
  llvm::SmallVector<llvm::StringRef, 4> missing;
  for (unsigned i = 0; i < required; ++i)
    if (out[i].isAbsent()) missing.push_back(parameters[i]);
  if (missing.empty()) return true;
  raiseMissing(function, missing);
  blameLibrary(function);
  return false;
}

Scope* Interpreter::acquireScope(const Scope* parent) {
  if (freeScopes_.empty()) return newScope(parent);
  Scope* scope = freeScopes_.pop_back_val();
  scope->parent = parent;
  scope->serial = heap().nextSerial(); // it is as good as new
  return scope;
}

void Interpreter::releaseScope(Scope* scope) {
  scope->clear();
  freeScopes_.push_back(scope);
}

} // namespace gluond::evaluate
