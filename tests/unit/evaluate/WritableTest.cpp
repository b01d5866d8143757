// Objects of a program are changed through Interpreter::writable() alone: any other way does not
// compile, and that way refuses objects of finished modules and tells the branches that run.
#include "Session.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/values/Classes.h"

namespace gluond::evaluate {

namespace {

template <typename List>
concept Appends = requires(List list, Value value) { list->items.push_back(value); };
template <typename List>
concept SetsItems = requires(List list, Value value) { list->items.set(0, value); };
template <typename Dict>
concept Inserts = requires(Dict dict, Value value) { dict->items.insert(value, value, 0); };
template <typename Container>
concept Clears = requires(Container container) { container->items.clear(); };
template <typename Container>
concept Forgets = requires(Container container) { container->uncertain = true; };
template <typename Names>
concept Binds = requires(Names names, Name name, Value value) { names->set(name, value); };
template <typename Instance>
concept ChangesClass = requires(Instance instance, const ClassObject* cls) { instance->cls = cls; };
template <typename Function>
concept Renames = requires(Function function) { function->qualname = "f"; };
template <typename Tuple>
concept Retags = requires(Tuple tuple) { tuple->namedtuple = nullptr; };
template <typename Iterator>
concept Advances = requires(Iterator iterator) { ++iterator->next; };

template <typename T> using Held = decltype(std::declval<Value>().as<T>());
using HeldIterator = decltype(hostAs<IteratorObject>(std::declval<Value>(), iteratorClass));

// Who made an object fills it.
static_assert(Appends<ListObject*> && SetsItems<ListObject*> && Clears<ListObject*>);
static_assert(Inserts<DictObject*> && Clears<DictObject*> && Forgets<DictObject*>);
static_assert(Binds<Scope*> && ChangesClass<InstanceObject*> && Renames<FunctionObject*>);
static_assert(Retags<TupleObject*> && Advances<IteratorObject*>);

// What a value holds is only read.
static_assert(!Appends<Held<ListObject>> && !SetsItems<Held<ListObject>>);
static_assert(!Clears<Held<ListObject>> && !Forgets<Held<ListObject>>);
static_assert(!Inserts<Held<DictObject>> && !Clears<Held<DictObject>>);
static_assert(!Forgets<Held<DictObject>> && !ChangesClass<Held<InstanceObject>>);
static_assert(!Renames<Held<FunctionObject>> && !Retags<Held<TupleObject>>);
static_assert(!Advances<HeldIterator>);

// So are the names of an object, even of one that is fresh: they may be those of an older one.
static_assert(!Binds<decltype(InstanceObject::attributes)>);
static_assert(!Binds<decltype(ClassObject::members)>);
static_assert(!Binds<decltype(ModuleObject::globals)>);
static_assert(!Binds<decltype(FunctionObject::attributes)>);
static_assert(!Binds<decltype(FunctionObject::scope)>);
static_assert(!Binds<decltype(NamespaceObject::attributes)>);
static_assert(!Binds<decltype(Scope::parent)>);

} // namespace

TEST(WritableTest, ObjectsOfAFinishedModuleAreRefused) {
  Session finished, running;
  const ModuleObject* module = finished.run("L = [1]\nclass A: pass\na = A()\n");
  auto* list = finished.global(module, "L").as<ListObject>();
  EXPECT_EQ(finished.interpreter.writable(list), list);
  EXPECT_EQ(running.interpreter.writable(list), nullptr);
  EXPECT_TRUE(running.interpreter.isExhausted());
  running.interpreter.dropError();
  auto* attributes = finished.global(module, "a").as<InstanceObject>()->attributes;
  EXPECT_EQ(running.interpreter.writable(attributes), nullptr);
  running.interpreter.dropError();
  EXPECT_FALSE(running.interpreter.setAttribute(finished.global(module, "A"),
                                                finished.names.intern("x"), Value::none()));
  EXPECT_TRUE(running.interpreter.isExhausted());
}

TEST(WritableTest, GradientsOfAFinishedModuleAreRefused) {
  Session finished, running;
  const ModuleObject* module = finished.run(R"(
import torch
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x + x
    @staticmethod
    def backward(ctx, gradient): return gradient + gradient
y = Twice.apply(torch.zeros(4, device="cuda"))
)");
  Value y = finished.global(module, "y");
  Value done = running.interpreter.callMethod(y, running.interpreter.name("backward"), {});
  EXPECT_TRUE(done.isAbsent());
  EXPECT_TRUE(running.interpreter.isExhausted());
}

TEST(WritableTest, NothingIsNotWritableAndIsNoMistake) {
  Session session;
  EXPECT_EQ(session.interpreter.writable<ListObject>(nullptr), nullptr);
  EXPECT_FALSE(session.interpreter.failed());
}

TEST(WritableTest, BranchesThatMayNotRunTakeNote) {
  // A cached property's value is a change, too.
  const char* source = R"(
import functools, unknown_module
class A:
    @functools.cached_property
    def x(self): return 1
a, b, t = A(), A(), []
if unknown_module.condition:
    a.x
    b.y = 1
    t.append(1)
out = [a.__dict__.get('x'), b.__dict__.get('y'), len(t)]
)";
  Session session;
  const ModuleObject* module = session.run(source);
  ASSERT_TRUE(session.interpreter.moduleErrors().empty());
  auto* out = session.global(module, "out").as<ListObject>();
  ASSERT_TRUE(out && out->items.size() == 3);
  for (Value item : out->items)
    EXPECT_TRUE(item.isUnknown());
}

} // namespace gluond::evaluate
