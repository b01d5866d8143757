#include "language/types/LayoutClass.h"

#include "language/types/Builtin.h"
#include "language/types/Structure.h"
#include "layout/named/FieldNames.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <array>

namespace gluond::language {

namespace fields = layout::fields;

const char* name(ExceptionKind kind) {
  static constexpr const char* names[] = {
      "AssertionError", "AttributeError",      "IndexError",   "KeyError",
      "NameError",      "NotImplementedError", "RuntimeError", "TypeError",
      "ValueError",     "ZeroDivisionError",   "OverflowError"};
  return names[static_cast<unsigned>(kind)];
}

// ---------------------------------------------------------------- the classes

namespace {

template <typename... Fields>
constexpr std::array<LayoutField, sizeof...(Fields)> fieldArray(Fields... fields) {
  return {fields...};
}

#define POLICY(name, kind)                                                                         \
  LayoutField {                                                                                    \
    name, FieldKind::kind                                                                          \
  }
#define F(name, kind) POLICY(fields::name, kind)
#define LAYOUT_CLASS(kind, family, name, module, base, ...)                                        \
  constexpr auto kind##Fields = fieldArray(__VA_ARGS__);
#include "language/types/Layouts.def"

constexpr LayoutClass classes[] = {
#define LAYOUT_CLASS(kind, family, name, module, base, ...)                                        \
  {                                                                                                \
      LayoutKind::kind,                                                                            \
      LayoutFamily::family,                                                                        \
      name,                                                                                        \
      module,                                                                                      \
      llvm::ArrayRef<LayoutField>(kind##Fields),                                                   \
      LayoutKind::base},
#include "language/types/Layouts.def"
};
#undef F
#undef POLICY

} // namespace

llvm::ArrayRef<LayoutClass> layoutClasses() {
  return classes;
}
const LayoutClass& layoutClass(LayoutKind kind) {
  return classes[static_cast<unsigned>(kind)];
}

// ---------------------------------------------------------------- fields

std::optional<llvm::SmallVector<int64_t, 4>> ints(Value value) {
  if (!isSequence(value)) return std::nullopt;
  llvm::SmallVector<int64_t, 4> result;
  for (Value item : itemsOf(value)) {
    if (!item.isIntegral()) return std::nullopt;
    result.push_back(item.asInt());
  }
  return result;
}

std::optional<llvm::SmallVector<Basis, 4>> bases(Value value) {
  if (!isSequence(value)) return std::nullopt;
  llvm::SmallVector<Basis, 4> result;
  for (Value item : itemsOf(value)) {
    auto basis = ints(item);
    if (!basis) return std::nullopt;
    result.push_back(std::move(*basis));
  }
  return result;
}

Value listOf(llvm::ArrayRef<int64_t> items, Heap& heap) {
  llvm::SmallVector<Value, 8> values;
  for (int64_t item : items)
    values.push_back(Value::integer(item));
  return heap.list(values);
}

Value listOf(llvm::ArrayRef<Basis> items, Heap& heap) {
  llvm::SmallVector<Value, 8> values;
  for (const Basis& item : items)
    values.push_back(listOf(llvm::ArrayRef<int64_t>(item), heap));
  return heap.list(values);
}

const Value* field(const LayoutObject& layout, llvm::StringRef name) {
  llvm::ArrayRef<LayoutField> fields = layout.cls->fields;
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == name) return &layout.fields[i];
  return nullptr;
}

static const LayoutObject* layoutField(const LayoutObject& layout, llvm::StringRef name) {
  const Value* value = field(layout, name);
  return value ? value->as<LayoutObject>() : nullptr;
}

// ---------------------------------------------------------------- properties

std::optional<unsigned> rankOf(const LayoutObject& layout) {
  auto lengthOf = [&](llvm::StringRef name) -> std::optional<unsigned> {
    const Value* value = field(layout, name);
    if (!value || !isSequence(*value)) return std::nullopt;
    return static_cast<unsigned>(itemsOf(*value).size());
  };
  switch (layout.cls->kind) {
  case LayoutKind::BlockedLayout:
    return lengthOf(fields::order);
  case LayoutKind::SliceLayout: {
    const LayoutObject* parent = layoutField(layout, fields::parent);
    auto rank = parent ? rankOf(*parent) : std::nullopt;
    return rank && *rank ? std::optional(*rank - 1) : std::nullopt;
  }
  case LayoutKind::DistributedLinearLayout:
    return lengthOf(fields::shape);
  case LayoutKind::DotOperandLayout: {
    const LayoutObject* parent = layoutField(layout, fields::parent);
    return parent ? rankOf(*parent) : std::nullopt;
  }
  case LayoutKind::NVMMADistributedLayout:
  case LayoutKind::AMDMFMALayout:
    return lengthOf(fields::warpsPerCTA);
  case LayoutKind::AMDWMMALayout:
  case LayoutKind::NVMMASharedLayout: {
    const Value* rank = field(layout, fields::rank);
    bool isRank = rank->isIntegral() && rank->asInt() >= 0 && rank->asInt() <= INT32_MAX;
    return isRank ? std::optional(static_cast<unsigned>(rank->asInt())) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

llvm::SmallVector<Basis, 4> cgaLayoutOf(const LayoutObject& layout) {
  if (isA(&layout, LayoutKind::SliceLayout)) {
    const LayoutObject* parent = layoutField(layout, fields::parent);
    const Value* dim = field(layout, fields::dim);
    if (!parent || !dim->isIntegral()) return {};
    auto result = cgaLayoutOf(*parent);
    for (Basis& basis : result)
      if (dim->asInt() >= 0 && static_cast<size_t>(dim->asInt()) < basis.size())
        basis.erase(basis.begin() + dim->asInt());
    return result;
  }
  if (isA(&layout, LayoutKind::DotOperandLayout)) {
    const LayoutObject* parent = layoutField(layout, fields::parent);
    if (!parent) return {};
    auto result = cgaLayoutOf(*parent);
    bool left =
        field(layout, fields::opIdx)->isIntegral() && field(layout, fields::opIdx)->asInt() == 0;
    for (Basis& basis : result)
      if (basis.size() >= 2) basis[left ? basis.size() - 1 : basis.size() - 2] = 0;
    return result;
  }
  const Value* value = field(layout, fields::CGALayout);
  if (!value) return {};
  return bases(*value).value_or(llvm::SmallVector<Basis, 4>());
}

static tl::unexpected<RaisedException> fail(ExceptionKind exception, const llvm::Twine& message,
                                            int argument = -1) {
  return tl::unexpected(RaisedException{exception, message.str(), argument});
}

tl::expected<Value, RaisedException> layoutAttribute(const LayoutObject& layout,
                                                     llvm::StringRef name, Heap& heap) {
  if (const Value* value = field(layout, name)) return *value;
  LayoutFamily family = layout.cls->family;
  if (name == fields::rank && family == LayoutFamily::Distributed) {
    if (auto rank = rankOf(layout)) return Value::integer(*rank);
    return fail(ExceptionKind::ValueError, llvm::Twine(layout.cls->name) + " has no rank");
  }
  if (name == fields::CGALayout &&
      (isA(&layout, LayoutKind::SliceLayout) || isA(&layout, LayoutKind::DotOperandLayout)))
    return listOf(llvm::ArrayRef<Basis>(cgaLayoutOf(layout)), heap);
  if (name == fields::shape && isA(&layout, LayoutKind::SharedLinearLayout)) {
    auto offsets = bases(*field(layout, fields::offsetBases)),
         blocks = bases(*field(layout, fields::blockBases));
    if (offsets && blocks && !offsets->empty()) {
      llvm::SmallVector<int64_t, 4> shape(offsets->front().size(), 0);
      for (auto* list : {&*offsets, &*blocks})
        for (const Basis& basis : *list)
          for (size_t i = 0; i < std::min(basis.size(), shape.size()); ++i)
            shape[i] = std::max(shape[i], basis[i]);
      llvm::SmallVector<Value, 4> powers;
      for (int64_t size : shape)
        powers.push_back(heap.bigInt(llvm::NextPowerOf2(static_cast<uint64_t>(size)), false));
      return heap.list(powers);
    }
  }
  return fail(ExceptionKind::AttributeError,
              "'" + llvm::Twine(layout.cls->name) + "' object has no attribute '" + name + "'");
}

tl::expected<llvm::SmallVector<int64_t, 4>, RaisedException>
shapePerCta(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Basis> cgaLayout) {
  llvm::SmallVector<int64_t, 4> result(shape);
  if (cgaLayout.empty()) return result;
  llvm::SmallVector<int64_t, 4> ctas(cgaLayout.front().size(), 0);
  for (const Basis& basis : cgaLayout) {
    if (basis.size() != ctas.size()) return fail(ExceptionKind::AssertionError, "");
    for (size_t i = 0; i < ctas.size(); ++i)
      ctas[i] = std::max(ctas[i], basis[i]);
  }
  for (size_t i = 0; i < ctas.size(); ++i) {
    if (ctas[i] > INT32_MAX)
      return fail(ExceptionKind::AssertionError, "the CGA layout is too large");
    int64_t count = ctas[i] == 0 ? 1 : ctas[i] * 2;
    if (i >= result.size() || result[i] % count)
      return fail(ExceptionKind::AssertionError, "the shape is not divisible by the CGA layout");
    result[i] /= count;
  }
  return result;
}

std::string fieldOfAttribute(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> rows[] = {
#define LAYOUT_FIELD(name, gluon) {#name, gluon},
#define LAYOUT_FIELD_PART(name, field) {#name, fields::field},
#include "layout/named/FieldNames.def"
  };
  for (const auto& [attribute, field] : rows)
    if (name == attribute) return field.str();
  std::string result;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') result += '_';
    result += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return result;
}

} // namespace gluond::language
