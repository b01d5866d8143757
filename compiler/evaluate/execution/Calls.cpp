// Calling things: functions, methods, classes.
#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/interpreter/UncertainScope.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

static llvm::ArrayRef<syntax::Parameter> parametersOf(const FunctionObject* function) {
  return function->def ? function->def->parameters : function->lambda->parameters;
}

// Binding this many costs about a step.
static constexpr size_t parametersPerStep = 8;

bool Interpreter::bindParameters(const FunctionObject* function, Scope* locals, Value self,
                                 const CallArguments& arguments) {
  auto parameters = parametersOf(function);
  if (!spend((parameters.size() + arguments.positional.size()) / parametersPerStep) ||
      !spendProduct(parameters.size(), arguments.keywords.size()))
    return false;
  size_t given = arguments.positional.size() + !self.isAbsent();
  auto positional = [&](size_t i) {
    if (self.isAbsent()) return arguments.positional[i];
    return i == 0 ? self : arguments.positional[i - 1];
  };
  size_t next = 0, takes = 0, needed = 0;
  const syntax::Parameter *varArgs = nullptr, *kwArgs = nullptr;
  for (size_t i = 0; i < parameters.size(); ++i) {
    auto& parameter = parameters[i];
    switch (parameter.kind) {
    case syntax::ParameterKind::PositionalOnly:
    case syntax::ParameterKind::Positional:
      ++takes;
      needed += function->defaults[i].isAbsent();
      if (next < given) locals->set(parameter.name.name, positional(next++));
      break;
    case syntax::ParameterKind::VarArgs:
      varArgs = &parameter;
      break;
    case syntax::ParameterKind::KwArgs:
      kwArgs = &parameter;
      break;
    case syntax::ParameterKind::KeywordOnly:
      break;
    }
  }
  if (varArgs && varArgs->name.name) {
    llvm::SmallVector<Value> rest;
    while (next < given)
      rest.push_back(positional(next++));
    locals->set(varArgs->name.name, tupleOf(rest));
  }
  if (next < given && !(varArgs && varArgs->name.name)) {
    std::string range = needed == takes
                            ? std::to_string(takes)
                            : "from " + std::to_string(needed) + " to " + std::to_string(takes);
    auto keywordOnly = llvm::count_if(arguments.keywords, [&](const KeywordArgument& keyword) {
      return llvm::any_of(parameters, [&](const syntax::Parameter& p) {
        return p.kind == syntax::ParameterKind::KeywordOnly && p.name.name == keyword.name;
      });
    });
    std::string count = std::to_string(given);
    if (keywordOnly)
      count += std::string(" positional argument") + (given == 1 ? "" : "s") + " (and " +
               std::to_string(keywordOnly) + " keyword-only argument" +
               (keywordOnly == 1 ? "" : "s") + ")";
    raise("TypeError", function->qualname + "() takes " + llvm::Twine(range) +
                           " positional argument" + (takes == 1 && needed == takes ? "" : "s") +
                           " but " + llvm::Twine(count) +
                           (given == 1 && !keywordOnly ? " was given" : " were given"));
    return false;
  }
  const DictObject* extra = nullptr;
  if (kwArgs) {
    Value dict = heap().dict();
    extra = dict.as<DictObject>();
    locals->set(kwArgs->name.name, dict);
  }
  for (auto& keyword : arguments.keywords) {
    auto* parameter = llvm::find_if(parameters, [&](const syntax::Parameter& p) {
      return p.name.name == keyword.name && (p.kind == syntax::ParameterKind::Positional ||
                                             p.kind == syntax::ParameterKind::KeywordOnly);
    });
    if (parameter == parameters.end()) {
      if (extra) {
        if (!dictSet(extra, heap().str(text(keyword.name)), keyword.value)) return false;
        continue;
      }
      raise({ErrorKind::ParameterKeyword, text(keyword.name).str(), function->qualname.str()},
            "TypeError",
            function->qualname + "() got an unexpected keyword argument '" + text(keyword.name) +
                "'");
      return false;
    }
    if (locals->contains(keyword.name)) {
      raise("TypeError", function->qualname + "() got multiple values for argument '" +
                             text(keyword.name) + "'");
      return false;
    }
    locals->set(keyword.name, keyword.value);
  }
  llvm::SmallVector<llvm::StringRef> missing, missingKeywords;
  for (size_t i = 0; i < parameters.size(); ++i) {
    auto& parameter = parameters[i];
    if (parameter.kind == syntax::ParameterKind::VarArgs ||
        parameter.kind == syntax::ParameterKind::KwArgs)
      continue;
    if (locals->contains(parameter.name.name)) continue;
    if (!function->defaults[i].isAbsent())
      locals->set(parameter.name.name, function->defaults[i]);
    else if (parameter.kind == syntax::ParameterKind::KeywordOnly)
      missingKeywords.push_back(text(parameter.name.name));
    else
      missing.push_back(text(parameter.name.name));
  }
  for (auto [names, what] :
       {std::pair(&missing, "positional"), std::pair(&missingKeywords, "keyword-only")}) {
    if (names->empty()) continue;
    raiseMissing(function->qualname, *names, what);
    return false;
  }
  return true;
}

Value Interpreter::callFunction(const FunctionObject* function, Value self,
                                const CallArguments& arguments) {
  if (function->function == FunctionKind::Jit) {
    raise({ErrorKind::NoGrid, "", ""}, "RuntimeError",
          "Cannot call @triton.jit'd outside of the scope of a kernel");
    refused(function->qualname);
    return Value::absent();
  }
  if (depth_ >= options_.budget.depth)
    return raise("RecursionError", "maximum recursion depth exceeded");
  if (deep()) return Value::absent();
  if (!step()) return Value::absent();
  llvm::SmallVector<Value, 8> plain;
  llvm::SmallVector<KeywordArgument, 4> plainKeywords;
  CallArguments given = arguments;
  bool givesConstexpr = false;
  if (function->function == FunctionKind::Constexpr) { // its arguments come unwrapped
    for (Value value : arguments.positional)
      plain.push_back(unwrapConstexprs(*this, value));
    for (auto& keyword : arguments.keywords)
      if (text(keyword.name) == "_semantic") // a builtin calls it for a kernel
        givesConstexpr = !keyword.value.isNone();
      else
        plainKeywords.push_back({keyword.name, unwrapConstexprs(*this, keyword.value)});
    given = {plain, plainKeywords};
    if (failed()) return Value::absent(); // a value too deep
  }
  if (!frame_) tables_->mayHaveEnded = false;
  Frame frame;
  frame.caller = frame_;
  frame.module = function->module;
  frame.function = function;
  frame.info = tables_->functionInfo(function);
  frame.node = function->def ? static_cast<const syntax::Node*>(function->def) : function->lambda;
  frame.locals = acquireScope(function->scope);
  if (!bindParameters(function, frame.locals, self, given)) {
    releaseScope(frame.locals);
    return Value::absent();
  }
  std::string prefix;
  if (frame.info->hasNested) {
    prefix = (function->qualname + ".<locals>.").str();
    frame.prefix = heap().copy(prefix);
  }
  // An asynchronous generator is run as a whole: its user is not known.
  bool isGenerator = frame.info->isGenerator && function->def;
  if (isGenerator && !function->def->isAsync) return makeGenerator(*this, frame);
  llvm::SmallVector<Value, 0> yields;
  if (isGenerator) frame.yields = &yields;
  PossibleReturns returns;
  frame.possibleReturns = &returns;
  if (!frame_) stackBase_ = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  frame_ = &frame;
  ++depth_;
  Value result = Value::none();
  if (function->lambda) {
    result = eval(function->lambda->body);
  } else {
    Flow flow = exec(function->def->body);
    if (flow == Flow::Raise && frame.mayHaveReturned && !isExhausted()) {
      dropError(); // an unknown condition before it decides
      mayHaveRaised_ = true;
      result = Value::unknown();
    } else if (flow == Flow::Raise)
      result = Value::absent();
    else if (flow == Flow::Return)
      result = frame.returned;
    else if (frame.mayHaveReturned)
      result = frame.returned.isNone() ? Value::none() : Value::unknown();
  }
  settle(*this, returns);
  charged_ -= returns.bytes;
  --depth_;
  frame_ = frame.caller;
  if (isGenerator && !result.isAbsent()) result = Value::unknown();
  if (!frame.captured) releaseScope(frame.locals);
  return givesConstexpr && !result.isAbsent() && !result.isUnknown() ? result.wrapped() : result;
}

// An unknown object is called. It probably calls those of its function arguments that need no
// arguments, or those given as `args`: threading.Thread(target=f, args=(1,)), and
// torch.multiprocessing.spawn(f, args=(1,)), whose function takes a number before them.
static Value callUnknownCode(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> passed;
  for (auto& keyword : arguments.keywords)
    if (in.text(keyword.name) == "args")
      if (auto* tuple = keyword.value.as<TupleObject>())
        passed.append(tuple->items.begin(), tuple->items.end());
  auto visit = [&](Value value) {
    auto* context = hostAs<ContextManagerObject>(value, contextManagerClass);
    runForLaunches(in, context ? context->generator : value);
    auto* function = value.as<FunctionObject>();
    if (!function || function->function != FunctionKind::Python) return;
    auto needed = static_cast<size_t>(
        llvm::count_if(function->defaults, [](Value v) { return v.isAbsent(); }));
    llvm::SmallVector<Value> given(passed);
    if (!passed.empty() && needed == passed.size() + 1) given.insert(given.begin(), Value());
    if (needed > given.size()) return;
    {
      UncertainScope run(in);
      in.callFunction(function, Value::absent(), {given, {}});
    }
    if (!in.isExhausted()) in.dropError();
  };
  if (!in.launches()) return Value::unknown();
  for (Value value : arguments.positional)
    visit(value);
  for (auto& keyword : arguments.keywords)
    visit(keyword.value);
  return in.failed() ? Value::absent() : Value::unknown();
}

// Unknown code gets a value. Returns whether it may change it. Its attributes are not all known any
// more, nor are members that were only placeholders.
static bool letGo(Interpreter& in, Value value) {
  if (auto* given = value.as<ListObject>()) {
    ListObject* list = in.heap().owns(given) ? in.writable(given) : nullptr;
    if (!list) return false;
    for (size_t i = 0; i < list->items.size() && in.spend(1); ++i)
      if (list->items[i].isNone()) list->items.set(i, Value::unknown());
    return true;
  }
  if (auto* dict = value.as<DictObject>()) return in.heap().owns(dict);
  if (auto* function = value.as<FunctionObject>()) // it may be called, and change what it sees
    return function->function == FunctionKind::Python && in.heap().owns(function);
  if (auto* method = value.as<BoundMethodObject>()) {
    bool changes = letGo(in, method->self);
    return letGo(in, method->function) || changes;
  }
  if (auto* native = hostAs<NativeFunctionObject>(value, nativeFunctionClass)) // items.append
    return letGo(in, native->self);
  if (value.is(ValueKind::Host)) markOpen(in, value); // a namespace, a parser
  auto* instance = value.as<InstanceObject>();
  bool isOwn = instance && in.heap().owns(instance);
  if (isOwn && instance->cls->flavour == ClassObject::Flavour::Plain) markOpen(in, value);
  return isOwn;
}

Value Interpreter::call(Value callee, const CallArguments& arguments) {
  if (callee.isConstexpr()) callee = callee.unwrapped();
  auto callUnknown = [&] {
    mayHaveRaised_ = true;
    if (!spend(arguments.positional.size() / valuesPerStep)) return Value::absent();
    for (Value value : arguments.positional)
      tables_->hasEscaped |= letGo(*this, value);
    for (auto& keyword : arguments.keywords)
      tables_->hasEscaped |= letGo(*this, keyword.value);
    return failed() ? Value::absent() : callUnknownCode(*this, arguments);
  };
  switch (callee.kind()) {
  case ValueKind::Unknown:
    return callUnknown();
  case ValueKind::Function: {
    auto* function = callee.as<FunctionObject>();
    bool isAsync = function->def && function->def->isAsync; // it runs when it is awaited
    if (!isOpen(function) && !isAsync) return callFunction(function, Value::absent(), arguments);
    // Its decorator may pass it other arguments, catch its exceptions, and do anything beside.
    tables_->hasEscaped |= isOpen(function) && function->function == FunctionKind::Python;
    Value result = callFunction(function, Value::absent(), arguments);
    if (result.isAbsent() && isExhausted()) return result;
    dropError();
    mayHaveRaised_ = true;
    return result.isAbsent() || isAsync ? Value::unknown() : result;
  }
  case ValueKind::BoundMethod: {
    auto* method = callee.as<BoundMethodObject>();
    if (auto* function = method->function.as<FunctionObject>())
      return callFunction(function, method->self, arguments);
    if (method->function.is(ValueKind::Builtin)) return gluonCall(*this, callee, arguments);
    // Methods of methods, each of which copies the arguments.
    if (deep() || !spend(1 + arguments.positional.size() / valuesPerStep)) return Value::absent();
    llvm::SmallVector<Value, 8> positional{method->self};
    positional.append(arguments.positional.begin(), arguments.positional.end());
    return call(method->function, {positional, arguments.keywords});
  }
  case ValueKind::Class: {
    auto* cls = callee.as<ClassObject>();
    if (cls->native && !spendOn(arguments.positional)) return Value::absent(); // int(text)
    if (Value maker = metaclassMember(*this, cls, known_.call); !maker.isAbsent())
      return maker.isUnknown() ? callUnknown() : call(maker, arguments);
    if (isOpen(cls)) {
      Value made = instantiate(cls, arguments);
      if (made.isAbsent() && isExhausted()) return made;
      dropError();
      mayHaveRaised_ = true;
      return made.isAbsent() ? Value::unknown() : made;
    }
    Value made = instantiate(cls, arguments);
    return cls->native ? mayRaise(made) : made;
  }
  case ValueKind::Host: {
    auto* host = callee.as<HostObject>();
    if (host->cls->call) {
      if (deep() || !step()) return Value::absent();
      Value result = unlessPartlyKnown(*this, callHost(*this, host->cls->call, callee, arguments),
                                       arguments.positional);
      return isLauncher(callee) ? result : mayRaise(result); // a launch is taken to succeed
    }
    break;
  }
  case ValueKind::Builtin:
  case ValueKind::Type:
  case ValueKind::Ir:
    return mayRaise(gluonCall(*this, callee, arguments));
  case ValueKind::Instance:
  case ValueKind::Tuple:
  case ValueKind::Enum: {
    if (deep() || !step()) return Value::absent(); // the callee may be an instance again
    const ClassObject* cls = nullptr;
    if (auto* member = callee.as<EnumObject>())
      cls = member->cls;
    else if (auto* tuple = callee.as<TupleObject>())
      cls = tuple->namedtuple;
    else
      cls = callee.as<InstanceObject>()->cls;
    if (!cls) break;
    Value method = findInClass(cls, known_.call);
    if (!method.isAbsent())
      return call(bindMember(method, callee, Value::object(ValueKind::Class, cls)), arguments);
    break;
  }
  default:
    break;
  }
  if (isKnownInPart(*this, callee)) return callUnknown();
  return raise("TypeError",
               "'" + llvm::Twine(className(typeOf(callee))) + "' object is not callable");
}

Value Interpreter::callMethod(Value object, Name method, const CallArguments& arguments) {
  Value callee = getAttribute(object, method);
  return callee.isAbsent() ? callee : call(callee, arguments);
}

Value Interpreter::callSpecial(Value value, Name special, Values arguments) {
  const ClassObject* cls = nullptr;
  if (auto* object = value.as<InstanceObject>())
    cls = object->cls;
  else if (auto* member = value.as<EnumObject>())
    cls = member->cls;
  else if (auto* tuple = value.as<TupleObject>(); tuple && tuple->namedtuple)
    cls = tuple->namedtuple;
  else if (auto* object = value.as<ClassObject>()) {
    Value method = metaclassMember(*this, object, special);
    return method.isAbsent() || method.isUnknown() ? method : call(method, arguments);
  }
  if (!cls) return Value::absent();
  Value method = findInClass(cls, special);
  if (method.isAbsent() || method.isNone()) return Value::absent();
  if (auto* function = method.as<FunctionObject>())
    return callFunction(function, value, {arguments, {}});
  return call(bindMember(method, value, Value::object(ValueKind::Class, cls)), arguments);
}

bool Interpreter::isCallable(Value value) {
  value = value.unwrapped();
  switch (value.kind()) {
  case ValueKind::Function:
  case ValueKind::BoundMethod:
  case ValueKind::Class:
  case ValueKind::Builtin:
    return true;
  case ValueKind::Host:
    return value.as<HostObject>()->cls->call != nullptr;
  case ValueKind::Instance:
    return !findInClass(value.as<InstanceObject>()->cls, known_.call).isAbsent();
  default:
    return false;
  }
}

} // namespace gluond::evaluate
