// What a TypeContext keeps is its own, whatever program it came from; and values that nest without
// end, or share what is in them without end, are compared, hashed, measured and printed all the
// same.
#include "Context.h"

#include <gtest/gtest.h>
#include <optional>

namespace gluond::language {
namespace {

// The memory of heaps that are gone is used again, and written over.
void scribble() {
  Heap heap;
  for (int i = 0; i < 2000; ++i)
    heap.str(std::string(100, 'x'));
}

TEST(Lifetime, LayoutsKeepCopiesOfTheirFields) {
  TestContext c;
  std::vector<std::pair<const LayoutObject*, std::string>> kept;
  using Make = Value (*)(Heap&);
  const Make fields[] = {
      [](Heap& heap) { return heap.bigInt({0x123456789ABCDEFu, 0xFEDCBA9876543210u}, true); },
      [](Heap& heap) { return heap.str("some text"); },
      [](Heap& heap) {
        Value text = heap.str("bytes");
        return Value::object(ValueKind::Bytes, text.object());
      },
      [](Heap& heap) {
        Value inner[] = {heap.str("deep"), heap.bigInt({1, 2, 3}, false)};
        Value outer[] = {heap.list(inner), heap.tuple(inner), Value::real(0.5)};
        return heap.tuple(outer);
      },
      [](Heap& heap) {
        return Value::object(ValueKind::Range, heap.make<RangeObject>(Object{}, 1, 2, 3));
      },
      [](Heap& heap) {
        return Value::object(ValueKind::Slice,
                             heap.make<SliceObject>(Object{}, heap.str("a"),
                                                    heap.bigInt({1, 1}, false), Value::none()));
      },
      [](Heap&) { return Value::type(scalarType(ScalarKind::Fp16)); },
      [](Heap& heap) {
        Value field[] = {heap.str("inner"), heap.bigInt({4, 5}, false)};
        return Value::object(ValueKind::Layout,
                             makeLayoutUnchecked(LayoutKind::SliceLayout, field, heap));
      }};
  for (Make make : fields) {
    Heap program;
    Value parts[] = {make(program), make(program)};
    const LayoutObject* layout = makeLayoutUnchecked(LayoutKind::SliceLayout, parts, program);
    kept.push_back({c.types().layout(layout), repr(*layout)});
    // In types as well.
    Value constant = Value::object(ValueKind::Layout, layout);
    EXPECT_EQ(c.types().constexprType(constant)->constant().object(), kept.back().first);
  }
  scribble();
  for (auto& [layout, text] : kept) {
    EXPECT_EQ(repr(*layout), text);
    EXPECT_EQ(c.types().layout(layout), layout);
  }
}

TEST(Lifetime, WhatBelongsToAProgramIsNotKept) {
  TestContext c;
  const LayoutObject* kept = nullptr;
  {
    Heap program;
    Value parts[] = {program.dict(),
                     Value::object(ValueKind::Function, program.make<FunctionObject>())};
    const LayoutObject* layout = makeLayoutUnchecked(LayoutKind::SliceLayout, parts, program);
    kept = c.types().layout(layout);
    EXPECT_EQ(c.types().layout(layout), kept); // one for all of them
    // A constant of the run stays what it is.
    Value constant = Value::object(ValueKind::Layout, layout);
    EXPECT_EQ(c.types().constexprType(constant)->constant().object(), layout);
    c.types().endRun();
  }
  scribble();
  for (Value field : kept->fields)
    EXPECT_TRUE(field.isAbsent());
  EXPECT_EQ(repr(*kept), "SliceLayout(dim=?, parent=?)");
}

TEST(Lifetime, TypesBringTheirPartsAlong) {
  TestContext c;
  const Type *pointer = nullptr, *tuple = nullptr, *constant = nullptr;
  {
    TestContext program;
    auto* f32 = scalarType(ScalarKind::Fp32);
    Value text[] = {program.heap().str("order"), program.heap().bigInt({7, 7}, false)};
    const LayoutObject* layout = makeLayoutUnchecked(LayoutKind::SliceLayout, text, program.heap());
    int64_t shape[] = {4, 8};
    const Type* tensor = program.types().tensor(program.types().pointer(f32), shape, layout);
    pointer = c.types().pointer(tensor); // without an import() of the caller's
    const Type* parts[] = {tensor, program.types().pointer(f32), f32};
    tuple = c.types().tuple(parts);
    constant =
        c.types().import(program.types().constexprType(Value::object(ValueKind::Layout, layout)));
    EXPECT_EQ(c.types().mangle(tensor), c.types().mangle(pointer->element()));
  }
  scribble();
  EXPECT_EQ(str(pointer, c.interner()),
            "pointer<<['4', '8'], pointer<fp32>, SliceLayout(dim='order', "
            "parent=129127208515966861319)>>");
  EXPECT_EQ(tuple->elements()[1], c.types().pointer(scalarType(ScalarKind::Fp32)));
  EXPECT_EQ(tuple->elements()[0], pointer->element());
  EXPECT_EQ(str(constant, c.interner()),
            "constexpr_type[SliceLayout(dim='order', parent=129127208515966861319)]");
}

TEST(Lifetime, WhatHoldsAConstantOfTheRunGoesWithIt) {
  TestContext c;
  auto* text = c.types().constexprType(c.heap().str("of the run"));
  const Type* parts[] = {text};
  const Type* tuple = c.types().tuple(parts);
  auto* pointer = c.types().pointer(tuple);
  EXPECT_EQ(c.types().mangle(pointer), "PTc'of the run'T");
  size_t before = c.types().bytes();
  c.types().endRun();
  c.types().endRun();
  EXPECT_EQ(c.types().bytes(), before); // nothing of it was kept
  EXPECT_EQ(c.types().mangle(c.types().pointer(scalarType(ScalarKind::Int1))), "Pu1");
}

TEST(Extent, DeepTypesAreNotMade) {
  TestContext c;
  const Type* type = scalarType(ScalarKind::Int8);
  for (int i = 0; i < 100'000; ++i)
    type = c.types().pointer(type);
  EXPECT_LE(type->depth(), Type::maxDepth);
  const Type* shared = scalarType(ScalarKind::Int8);
  for (int i = 0; i < 60; ++i) {
    const Type* parts[] = {shared, shared};
    shared = c.types().tuple(parts);
  }
  EXPECT_EQ(fit(Value::type(shared)), Fit::TooLarge);
  int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_EQ(c.types().tensor(scalarType(ScalarKind::Int8), huge, nullptr)->numel(), INT64_MAX);
}

TEST(Extent, ValuesWithoutEnd) {
  TestContext c;
  Heap& heap = c.heap();
  auto* list = heap.make<ListObject>();
  Value self = Value::object(ValueKind::List, list);
  list->items.push_back(self);
  Value deep = Value::integer(1), shared = Value::integer(1), twin = Value::integer(1);
  for (int i = 0; i < 50'000; ++i)
    deep = heap.tuple(deep);
  for (int i = 0; i < 60; ++i) {
    Value pair[] = {shared, shared}, other[] = {twin, twin};
    shared = heap.tuple(pair);
    twin = heap.tuple(other);
  }
  Value quoted = heap.str("'");
  for (int i = 0; i < 50; ++i) {
    auto* tuple = heap.make<TupleObject>(Object{}, heap.copy(quoted));
    tuple->triton = true;
    quoted = Value::object(ValueKind::Tuple, tuple);
  }
  Value layout = Value::none();
  for (int i = 0; i < 50'000; ++i) {
    Value fields[] = {Value::integer(0), layout};
    layout = Value::object(ValueKind::Layout,
                           makeLayoutUnchecked(LayoutKind::SliceLayout, fields, heap));
  }
  EXPECT_EQ(fit(self), Fit::TooDeep);
  EXPECT_EQ(fit(deep), Fit::TooDeep);
  EXPECT_EQ(fit(layout), Fit::TooDeep);
  EXPECT_EQ(fit(shared), Fit::TooLarge);
  EXPECT_EQ(fit(heap.tuple(Value::integer(1))), Fit::Fits);
  for (Value value : {self, deep, shared, quoted, layout}) {
    hashOf(value);
    equal(value, value);
    equal(value, value, Equality::Exact);
    str(value, c.interner());
    EXPECT_LT(repr(value, c.interner()).size(), size_t{256} << 20);
  }
  EXPECT_FALSE(equal(shared, heap.tuple(shared)));
  equal(shared, twin); // ends
  // And what is made of them.
  EXPECT_TRUE(c.call(BuiltinId::gl_SliceLayout, {Value::integer(0), layout}).isUnknown());
  EXPECT_TRUE(c.call(BuiltinId::gl_BlockedLayout, {self, self, self, self}).isUnknown());
  c.types().layout(layout.as<LayoutObject>());
  c.types().mangle(c.types().constexprType(shared));
  // Hashes agree where values do.
  EXPECT_EQ(hashOf(shared), hashOf(twin));
}

TEST(Extent, DictsAreComparedInTheTimeThatTheirSizeTakes) {
  TestContext c;
  constexpr int64_t most = 100'000;
  auto dict = [&](int64_t from, int64_t step, int64_t odd) {
    auto* made = c.heap().make<DictObject>();
    for (int64_t i = 0; i < most; ++i) {
      int64_t key = (from + i * step) % most;
      made->items.insert(Value::integer(key), Value::integer(key == odd),
                         hashOf(Value::integer(key)));
    }
    return Value::object(ValueKind::Dict, made);
  };
  Value forwards = dict(0, 1, -1), backwards = dict(most - 1, most - 1, -1);
  EXPECT_TRUE(equal(forwards, backwards));
  EXPECT_TRUE(equal(forwards, dict(5, 7, -1), Equality::Exact));
  EXPECT_FALSE(equal(forwards, dict(0, 1, most - 1)));
  // Keys that all have the same hash.
  auto* large = c.heap().make<DictObject>();
  for (int64_t i = 0; i < 20'000; ++i)
    large->items.insert(c.heap().bigInt({uint64_t(i), 1}, false), Value::none(), 1);
  equal(Value::object(ValueKind::Dict, large), Value::object(ValueKind::Dict, large)); // ends
}

} // namespace
} // namespace gluond::language
