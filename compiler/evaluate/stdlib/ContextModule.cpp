// The module contextlib.
#include "evaluate/interpreter/Contexts.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/NamespaceMapping.h"

namespace gluond::evaluate {

namespace {

Value nullContext(Interpreter& in, const CallArguments& arguments) {
  Value entered = given(in, arguments, 0, "enter_result");
  return in.namespaceOf("contextlib.nullcontext",
                        {{"entered", entered.isAbsent() ? Value::none() : entered}});
}
Value contextManager(Interpreter& in, const CallArguments& arguments) {
  auto* function = at(arguments, 0).as<FunctionObject>();
  if (Scope* attributes = function ? attributesToChange(in, function) : nullptr)
    attributes->set(in.name(contextManagerMark), Value::boolean(true));
  return in.failed() ? Value::absent() : identity(in, arguments);
}
Value suppress(Interpreter& in, const CallArguments&) {
  return in.namespaceOf("contextlib.suppress", {});
}

// ---------------------------------------------------------------- ExitStack

// What is to be left, in the order in which it was entered: tuples (kind, manager) of contexts,
// (function, positional, keywords) of callbacks, and (function,) of those that are called as an
// __exit__ is.
struct ExitStackObject : HostObject {
  Value entries; // a List
};
extern const HostClass exitStackClass;

const ExitStackObject* stackOf(const CallArguments& arguments) {
  return hostAs<ExitStackObject>(at(arguments, 0), exitStackClass);
}
bool push(Interpreter& in, const ExitStackObject& stack, Value entry) {
  auto* list = in.writable(stack.entries.as<ListObject>());
  if (!list || !in.charge(sizeof(Value))) return false;
  list->items.push_back(entry);
  return true;
}

Value enterContext(Interpreter& in, const CallArguments& arguments) {
  auto* stack = stackOf(arguments);
  if (!stack || at(arguments, 1).isAbsent()) return Value::unknown();
  Interpreter::Context context;
  Value entered = in.enterManager(at(arguments, 1), context);
  if (entered.isAbsent()) return entered;
  Value entry = in.tupleOf({Value::integer(static_cast<int64_t>(context.kind)), context.manager});
  return push(in, *stack, entry) ? entered : Value::absent();
}
// An object whose __exit__ is called, or a function that is called as one.
Value pushExit(Interpreter& in, const CallArguments& arguments) {
  auto* stack = stackOf(arguments);
  Value exit = at(arguments, 1);
  if (!stack || exit.isAbsent()) return Value::unknown();
  Value entry =
      exit.is(ValueKind::Instance)
          ? in.tupleOf(
                {Value::integer(static_cast<int64_t>(Interpreter::Context::Kind::Instance)), exit})
          : in.tupleOf({exit});
  return push(in, *stack, entry) ? exit : Value::absent();
}
Value callback(Interpreter& in, const CallArguments& arguments) {
  auto* stack = stackOf(arguments);
  if (!stack || arguments.positional.size() < 2) return Value::unknown();
  Value keywords = in.heap().dict();
  for (auto& keyword : arguments.keywords)
    if (!in.dictSet(keywords.as<DictObject>(), in.string(in.text(keyword.name)), keyword.value))
      return Value::absent();
  Value entry =
      in.tupleOf({at(arguments, 1), in.tupleOf(arguments.positional.drop_front(2)), keywords});
  return push(in, *stack, entry) ? at(arguments, 1) : Value::absent();
}
Value closeStack(Interpreter& in, const CallArguments& arguments) {
  auto* stack = stackOf(arguments);
  if (!stack) return Value::unknown();
  return leaveStack(in, at(arguments, 0), Flow::Next) == Flow::Raise ? Value::absent()
                                                                     : Value::none();
}
Value popAll(Interpreter& in, const CallArguments& arguments) {
  auto* stack = stackOf(arguments);
  if (!stack) return Value::unknown();
  auto* list = in.writable(stack->entries.as<ListObject>());
  if (!list) return Value::absent();
  auto* moved = in.heap().make<ExitStackObject>();
  moved->cls = &exitStackClass;
  moved->entries = in.heap().list(list->items.take());
  return Value::object(ValueKind::Host, moved);
}
constexpr NativeRow stackMethods[] = {{"callback", callback},
                                      {"close", closeStack},
                                      {"enter_context", enterContext},
                                      {"pop_all", popAll},
                                      {"push", pushExit}};

const HostClass exitStackClass = {.name = "ExitStack",
                                  .attribute =
                                      [](Interpreter& in, Value self, Name name) {
                                        for (const NativeRow& row : stackMethods)
                                          if (row.name == in.text(name))
                                            return in.function(row.name, row.function, self);
                                        return Value::absent();
                                      },
                                  .rebinding =
                                      &copiedHost<ExitStackObject, &ExitStackObject::entries>};

Value exitStack(Interpreter& in, const CallArguments&) {
  auto* stack = in.heap().make<ExitStackObject>();
  stack->cls = &exitStackClass;
  stack->entries = in.heap().list({});
  return Value::object(ValueKind::Host, stack);
}

constexpr NativeRow contextlibRows[] = {{"ExitStack", exitStack},
                                        {"contextmanager", contextManager},
                                        {"nullcontext", nullContext},
                                        {"suppress", suppress}};

} // namespace

bool isExitStack(Value manager) {
  return hostAs<ExitStackObject>(manager, exitStackClass) != nullptr;
}

Flow leaveStack(Interpreter& in, Value manager, Flow flow) {
  Nesting nesting(in); // a stack may hold stacks, and itself
  if (!nesting) return Flow::Raise;
  auto* entries = hostAs<ExitStackObject>(manager, exitStackClass)->entries.as<ListObject>();
  while (!entries->items.empty() && !in.isExhausted()) {
    auto* list = in.writable(entries);
    if (!list) return Flow::Raise;
    size_t last = list->items.size() - 1;
    auto* entry = list->items[last].as<TupleObject>();
    (void)list->items.erase(last);
    if (!entry) {                           // entered under a condition that is not known
      if (flow == Flow::Raise) in.assume(); // it may swallow the exception
      continue;
    }
    if (entry->items.size() == 2) {
      Interpreter::Context context{
          entry->items[1], static_cast<Interpreter::Context::Kind>(entry->items[0].asInt())};
      flow = in.leaveContext(context, flow);
      continue;
    }
    if (entry->items.size() == 1) {
      flow = Interpreter::Context::leaveBy(
          in, flow, [&](Values details) { return in.call(entry->items[0], details); });
      continue;
    }
    auto pending = in.suspendError();
    llvm::SmallVector<KeywordArgument> keywords;
    for (auto [key, value] : entry->items[2].as<DictObject>()->items.snapshot())
      keywords.push_back({in.name(key.as<StrObject>()->text), value});
    Value done = in.call(entry->items[0], {entry->items[1].as<TupleObject>()->items, keywords});
    if (done.isAbsent())
      flow = Flow::Raise;
    else
      in.resumeError(std::move(pending));
  }
  return flow;
}

llvm::ArrayRef<NativeRow> contextlibFunctions() {
  return contextlibRows;
}

} // namespace gluond::evaluate
