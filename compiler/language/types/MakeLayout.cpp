// The constructors of layouts, with the checks that Gluon makes.
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::language {

// ---------------------------------------------------------------- constructors

const LayoutObject* makeLayoutUnchecked(LayoutKind kind, Values fields, Heap& heap) {
  return heap.make<LayoutObject>(Object{}, &layoutClass(kind), heap.copy(fields));
}

namespace {

bool isPowerOfTwo(Value value) {
  return value.isIntegral() && value.asInt() > 0 && llvm::isPowerOf2_64(value.asInt());
}

// _unwrap_if_constexpr; a list or tuple that a kernel writes is a gl.tuple and remains one. A
// wrapped value was made by Python and keeps its own kind.
Value unwrap(Value value, Heap& heap) {
  if (!isSequence(value)) return value.unwrapped();
  bool triton =
      value.is(ValueKind::Tuple) && !value.isConstexpr() && value.as<TupleObject>()->triton;
  llvm::SmallVector<Value, 8> items;
  bool same = true;
  for (Value item : itemsOf(value)) {
    items.push_back(unwrap(item, heap));
    same &= items.back().identical(item) && items.back().isConstexpr() == item.isConstexpr();
  }
  if (same) return value.unwrapped();
  if (value.is(ValueKind::List)) return heap.list(items);
  auto* result = heap.make<TupleObject>(Object{}, heap.copy(items));
  result->triton = triton;
  return Value::object(ValueKind::Tuple, result);
}

// _unwrap_shape: always a list on the outside.
Value unwrapShape(Value value, Heap& heap) {
  Value result = unwrap(value, heap);
  return result.is(ValueKind::Tuple) ? heap.list(itemsOf(result).snapshot()) : result;
}

// [list(inner) for inner in value]
Value unwrapBases(Value value, Heap& heap) {
  llvm::SmallVector<Value, 8> items;
  for (Value item : itemsOf(unwrap(value, heap)))
    items.push_back(item.is(ValueKind::Tuple) ? heap.list(itemsOf(item).snapshot()) : item);
  return heap.list(items);
}

struct Maker {
  const LayoutClass& cls;
  Heap& heap;
  llvm::SmallVector<Value, 8> fields;
  std::optional<RaisedException> failure;

  Value operator[](size_t i) const { return fields[i]; }
  bool check(bool condition, const llvm::Twine& message = "", int argument = -1,
             ExceptionKind exception = ExceptionKind::AssertionError) {
    if (!condition && !failure) failure = RaisedException{exception, message.str(), argument};
    return condition;
  }
  // len(field); returns false (and raises TypeError) if it has none.
  bool length(size_t i, size_t& out) {
    if (!check(isSequence(fields[i]), name(i) + " must be a list", static_cast<int>(i),
               ExceptionKind::TypeError))
      return false;
    out = itemsOf(fields[i]).size();
    return true;
  }
  std::string name(size_t i) const { return cls.fields[i].name.str(); }
  static std::string entries(size_t count) {
    return std::to_string(count) + (count == 1 ? " entry" : " entries");
  }
  // Every item of field i has `size` items.
  void basesOf(size_t i, size_t size, llvm::StringRef message = "") {
    size_t count;
    if (!length(i, count)) return;
    std::string text = message.empty() ? "every basis in " + name(i) + " must have " + entries(size)
                                       : message.str();
    for (Value basis : itemsOf(fields[i]))
      check(isSequence(basis) && itemsOf(basis).size() == size, text, static_cast<int>(i));
  }
  void setDefault(size_t i, Value value) {
    if (fields[i].isNone()) fields[i] = value;
  }
};

using Check = void (*)(Maker&);

void checkBlocked(Maker& m) {
  size_t rank, length;
  if (!m.length(0, rank)) return;
  for (size_t i : {1, 2, 3})
    if (m.length(i, length))
      m.check(length == rank,
              m.name(i) + " has " + Maker::entries(length) + ", size_per_thread has " +
                  std::to_string(rank),
              static_cast<int>(i));
}

void checkDistributedLinear(Maker& m) {
  size_t rank;
  if (!m.length(4, rank)) return;
  for (size_t i = 0; i < 4; ++i)
    m.basesOf(i, rank);
}

void checkMfma(Maker& m) {
  size_t rank, length;
  if (!m.length(3, rank)) return;
  m.setDefault(4, Value::integer(32));
  if (m[5].isNone()) {
    llvm::SmallVector<Value, 4> ones(rank, Value::integer(1));
    m.fields[5] = m.heap.list(ones);
  }
  m.check(m[0].isIntegral() && m[0].asInt() >= 1 && m[0].asInt() <= 4,
          "version must be in the [1, 4] range", 0);
  if (!m.length(1, length)) return;
  m.check(length == 3, "instr_shape must follow the (M, N, K) format", 1);
  auto shape = ints(m[1]);
  static constexpr std::pair<int64_t, int64_t> valid[] = {{32, 32}, {16, 16}, {64, 4}, {4, 64}};
  m.check(shape && shape->size() >= 2 &&
              llvm::is_contained(valid, std::pair((*shape)[0], (*shape)[1])),
          "invalid intrinsic shape", 1);
  m.check(m[4].isIntegral() && (m[4].asInt() == 32 || m[4].asInt() == 64),
          "element bitwidth must be 32 or 64", 4);
  m.basesOf(6, rank, "cga_layout basis rank mismatch");
}

void checkWmma(Maker& m) {
  m.fields[2] = unwrapBases(m[2], m.heap);
  m.fields[3] = m[3].isNone() ? m.heap.list({}) : unwrapBases(m[3], m.heap);
  if (m[4].isNone()) m.fields[4] = listOf(llvm::ArrayRef<int64_t>{16, 16, 16}, m.heap);
  m.setDefault(6, Value::integer(2));
  m.check(m[0].isIntegral() && m[0].asInt() >= 1 && m[0].asInt() <= 3,
          "version must be in the [1, 3] range", 0);
  if (!m.check(m[6].isIntegral() && m[6].asInt() >= 0, "rank must be an integer", 6)) return;
  auto rank = static_cast<size_t>(m[6].asInt());
  Items warps = itemsOf(m[2]);
  m.check(warps.empty() || itemsOf(warps.front()).size() == rank,
          "every item of warp_bases must be a list of " + llvm::Twine(rank) +
              " numbers, as in [[0, 1], [1, 0]]",
          2);
  m.basesOf(5, rank, "cga_layout basis rank mismatch");
}

void checkNvmmaShared(Maker& m) {
  if (m[5].isNone()) m.fields[5] = m.heap.list({});
  Items cga = itemsOf(m[5]);
  if (!cga.empty())
    m.check(isSequence(cga.front()) && m[2].isIntegral() &&
                itemsOf(cga.front()).size() == static_cast<size_t>(m[2].asInt()),
            "every basis in cga_layout must have as many entries as rank says", 5);
  auto in = [&](size_t i, llvm::ArrayRef<int64_t> allowed) {
    if (m[i].isIntegral() && llvm::is_contained(allowed, m[i].asInt())) return;
    std::string list;
    for (int64_t value : allowed)
      list += (list.empty() ? "" : value == allowed.back() ? " or " : ", ") + std::to_string(value);
    m.check(false, m.name(i) + " must be " + list, static_cast<int>(i));
  };
  in(1, {8, 16, 32, 64});
  in(0, {0, 32, 64, 128});
  if (m[4].isIntegral() && m[4].asInt()) {
    m.check(m[0].isIntegral() && m[0].asInt() == 128, "fp4_padded only supports 128 byte swizzling",
            0);
    m.check(m[1].isIntegral() && m[1].asInt() == 8,
            "fp4_padded is only supported for element_bitwidth=8", 1);
  }
}

void checkPadded(Maker& m) {
  size_t rank, count;
  if (!m.length(3, rank)) return;
  m.basesOf(1, rank);
  m.basesOf(2, rank);
  if (!m.length(0, count)) return;
  m.check(count > 0,
          "PaddedSharedLayout interval_padding_pairs must have at least one interval-padding pair",
          0);
  llvm::SmallVector<int64_t, 4> seen;
  for (Value pair : itemsOf(m[0])) {
    if (!m.check(isSequence(pair) && itemsOf(pair).size() == 2,
                 "interval_padding_pairs must hold pairs: an interval and its padding", 0))
      return;
    Items parts = itemsOf(pair);
    if (!m.check(isPowerOfTwo(parts[0]), "the intervals must be powers of two", 0) ||
        !m.check(isPowerOfTwo(parts[1]), "the padding values must be powers of two", 0) ||
        !m.check(!llvm::is_contained(seen, parts[0].asInt()),
                 "the interval " + llvm::Twine(parts[0].asInt()) + " occurs twice", 0))
      return;
    seen.push_back(parts[0].asInt()); // powers of two: there are not many
  }
  m.check(rank > 0, "PaddedSharedLayout order must not be empty", 3);
}

void checkSharedLinear(Maker& m) {
  size_t count, rank;
  if (!m.length(0, count)) return;
  if (!m.check(count != 0, "SharedLinearLayout offset_bases must not be empty", 0)) return;
  if (!m.check(isSequence(itemsOf(m[0]).front()), "offset_bases must be a list of lists", 0,
               ExceptionKind::TypeError))
    return;
  rank = itemsOf(itemsOf(m[0]).front()).size();
  m.check(rank > 0, "SharedLinearLayout offset_bases must not be empty", 0);
  m.basesOf(0, rank);
  m.basesOf(1, rank);
  m.check(isPowerOfTwo(m[2]), "SharedLinearLayout alignment must be a positive power of two", 2);
}

void checkPartitioned(Maker& m) {
  m.check(isPowerOfTwo(m[0]), "PartitionedSharedLayout num_partitions must be a power of two", 0);
  m.check(isPowerOfTwo(m[1]), "PartitionedSharedLayout num_groups must be a power of two", 1);
  m.check(m[2].isIntegral() && m[2].asInt() >= 0,
          "PartitionedSharedLayout partition_dim must be non-negative", 2);
  m.check(isShared(m[3].as<LayoutObject>()),
          "PartitionedSharedLayout partition_layout must be a SharedLayout", 3);
}

void checkTensorMemory(Maker& m) {
  size_t length;
  if (m.length(0, length))
    m.check(length == 2, "block must have 2 entries, not " + llvm::Twine(length), 0);
  m.basesOf(2, 2);
  m.check(isPowerOfTwo(m[1]), "tensor memory col_stride must be a power of two", 1);
}

void checkScales(Maker& m) {
  m.basesOf(0, 2);
  if (m.fields.size() > 1) {
    auto* order = m[1].as<StrObject>();
    m.check(order && (order->text == "mnThenK" || order->text == "kThenMn"),
            "block_rep_order must be 'mnThenK' or 'kThenMn'", 1);
  }
}

llvm::StringRef textOf(Value value) {
  auto* text = value.as<StrObject>();
  return text ? text->text : llvm::StringRef();
}

void checkCachePolicy(Maker& m) {
  if (!m.check(m[0].is(ValueKind::Str), "cache_modifier must be a string", 0,
               ExceptionKind::TypeError))
    return;
  if (!m.check(m[1].is(ValueKind::Str), "eviction_policy must be a string", 1,
               ExceptionKind::TypeError))
    return;
  llvm::StringRef modifier = textOf(m[0]);
  if (modifier.consume_front(".")) m.fields[0] = m.heap.str(modifier);
  static constexpr llvm::StringLiteral modifiers[] = {"none", "ca", "cg", "wb", "cs", "wt", "cv"};
  static constexpr llvm::StringLiteral policies[] = {"evict_normal", "evict_first", "evict_last"};
  m.check(llvm::is_contained(modifiers, modifier), "Unsupported cache modifier '" + modifier + "'",
          0, ExceptionKind::ValueError);
  m.check(llvm::is_contained(policies, textOf(m[1])),
          "Unsupported eviction policy '" + textOf(m[1]) + "'", 1, ExceptionKind::ValueError);
}

constexpr llvm::StringLiteral priorities[] = {"evict_normal", "evict_unchanged", "evict_first",
                                              "evict_last"};

void checkFractional(Maker& m) {
  m.check(llvm::is_contained(priorities, textOf(m[0])), "Unsupported L2 primary eviction priority",
          0, ExceptionKind::ValueError);
  m.check(textOf(m[2]) == "evict_unchanged" || textOf(m[2]) == "evict_first",
          "Unsupported L2 secondary eviction priority", 2, ExceptionKind::ValueError);
  bool number = m[1].isIntegral() || m[1].is(ValueKind::Float);
  if (!m.check(number, "L2 eviction fraction must be finite", 1, ExceptionKind::ValueError)) return;
  double fraction = m[1].isIntegral() ? static_cast<double>(m[1].asInt()) : m[1].asFloat();
  m.check(fraction > 0 && fraction <= 1, "L2 eviction fraction must be in (0, 1]", 1,
          ExceptionKind::ValueError);
}

void checkNvidiaCachePolicy(Maker& m) {
  llvm::StringRef modifier = textOf(m[0]);
  if (modifier.consume_front(".")) m.fields[0] = m.heap.str(modifier);
  static constexpr llvm::StringLiteral modifiers[] = {"ca", "cg", "wb", "cs", "wt", "cv"};
  m.check(m[0].isNone() || llvm::is_contained(modifiers, modifier), "Unsupported cache modifier", 0,
          ExceptionKind::ValueError);
  m.check(m[1].isNone() || textOf(m[1]) == "no_allocate" ||
              llvm::is_contained(priorities, textOf(m[1])),
          "Unsupported L1 eviction priority", 1, ExceptionKind::ValueError);
  m.check(m[2].isNone() || isA(m[2].as<LayoutObject>(), LayoutKind::FractionalEvictionPolicy),
          "l2 must be a FractionalEvictionPolicy", 2, ExceptionKind::TypeError);
  m.check(m[3].isNone() || (m[3].isIntegral() &&
                            (m[3].asInt() == 64 || m[3].asInt() == 128 || m[3].asInt() == 256)),
          "L2 prefetch size must be 64, 128, or 256", 3, ExceptionKind::ValueError);
  m.check(!llvm::all_of(m.fields, [](Value value) { return value.isNone(); }),
          "CachePolicy requires a cache modifier, L1 policy, L2 policy, or L2 prefetch size", -1,
          ExceptionKind::ValueError);
}

Check checkOf(LayoutKind kind) {
  switch (kind) {
  case LayoutKind::BlockedLayout:
    return checkBlocked;
  case LayoutKind::DistributedLinearLayout:
    return checkDistributedLinear;
  case LayoutKind::AMDMFMALayout:
    return checkMfma;
  case LayoutKind::AMDWMMALayout:
    return checkWmma;
  case LayoutKind::NVMMASharedLayout:
    return checkNvmmaShared;
  case LayoutKind::PaddedSharedLayout:
    return checkPadded;
  case LayoutKind::SharedLinearLayout:
    return checkSharedLinear;
  case LayoutKind::PartitionedSharedLayout:
    return checkPartitioned;
  case LayoutKind::TensorMemoryLayout:
    return checkTensorMemory;
  case LayoutKind::TensorMemoryScalesLayout:
  case LayoutKind::RubinTensorMemoryScalesLayout:
    return checkScales;
  case LayoutKind::CachePolicy:
    return checkCachePolicy;
  case LayoutKind::FractionalEvictionPolicy:
    return checkFractional;
  case LayoutKind::NvidiaCachePolicy:
    return checkNvidiaCachePolicy;
  default:
    return nullptr;
  }
}

// Classes whose constructor unwraps with _unwrap_shape.
bool makesLists(LayoutKind kind) {
  return kind == LayoutKind::DistributedLinearLayout || kind == LayoutKind::PaddedSharedLayout ||
         kind == LayoutKind::SharedLinearLayout;
}

} // namespace

// Layouts are walked all the time, by recursion: none nests, or is as large, as none that fits a
// tensor could be.
static bool isReasonable(Values fields) {
  return llvm::all_of(fields, [](Value field) {
    return fit(field, {maxNesting - 1, mostOfAConstant.parts}) == Fit::Fits;
  });
}

static tl::expected<Value, RaisedException> finish(Maker& maker) {
  for (Value value : maker.fields)
    if (value.isUnknown()) return Value::unknown();
  if (Check check = checkOf(maker.cls.kind)) check(maker);
  if (maker.failure) return tl::unexpected(std::move(*maker.failure));
  return Value::object(ValueKind::Layout,
                       makeLayoutUnchecked(maker.cls.kind, maker.fields, maker.heap));
}

tl::expected<Value, RaisedException> makeLayout(LayoutKind kind, Values arguments, Heap& heap) {
  if (!isReasonable(arguments)) return Value::unknown();
  Maker maker{layoutClass(kind), heap, {}, std::nullopt};
  if (kind == LayoutKind::MBarrierLayout || kind == LayoutKind::Cdna5MBarrierLayout) {
    Value cga = unwrap(arguments[0], heap);
    if (cga.isNone() || (isSequence(cga) && itemsOf(cga).empty())) cga = heap.list({});
    maker.fields = {Value::integer(1), Value::integer(1), Value::integer(1),
                    listOf(llvm::ArrayRef<int64_t>{0}, heap), cga};
  } else {
    for (Value argument : arguments)
      maker.fields.push_back(makesLists(kind) ? unwrapShape(argument, heap)
                                              : unwrap(argument, heap));
  }
  return finish(maker);
}

tl::expected<Value, RaisedException> makeLayoutOf(LayoutKind kind, Values fields, Heap& heap) {
  if (!isReasonable(fields)) return Value::unknown();
  Maker maker{layoutClass(kind), heap, {fields.begin(), fields.end()}, std::nullopt};
  return finish(maker);
}

} // namespace gluond::language
