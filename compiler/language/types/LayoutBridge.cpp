#include "language/types/LayoutBridge.h"

#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "layout/named/FieldNames.h"
#include "layout/named/GluonFields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <array>
#include <utility>

namespace gluond::language {

using layout::Bases;
using layout::Dim;
using layout::Layout;
using layout::LinearLayout;
using layout::OrError;
namespace fields = layout::fields;
using Kind = LayoutKind;

// ---------------------------------------------------------------- values to layouts

namespace {

// Reads the fields of one object; records the first that does not match its class.
class Reader {
public:
  explicit Reader(const LayoutObject& object) : object_(object) {}

  unsigned number(llvm::StringRef name) {
    const Value* value = field(object_, name);
    // Values out of range become the largest number, which is too large everywhere.
    if (value && value->isIntegral())
      return llvm::isUInt<32>(value->asInt()) ? static_cast<unsigned>(value->asInt()) : UINT32_MAX;
    if (value && value->isNone()) return 0;
    return fail(name), 0;
  }
  bool flag(llvm::StringRef name) {
    const Value* value = field(object_, name);
    if (value && value->isIntegral()) return value->asInt() != 0;
    return fail(name), false;
  }
  template <typename List = layout::Ints> List ints(llvm::StringRef name) {
    const Value* value = field(object_, name);
    auto read = value ? language::ints(*value) : std::nullopt;
    if (!read) return fail(name), List();
    return narrowed<List>(name, *read);
  }
  Bases bases(llvm::StringRef name) {
    const Value* value = field(object_, name);
    if (value && value->isNone()) return {};
    auto read = value ? language::bases(*value) : std::nullopt;
    if (!read) return fail(name), Bases();
    Bases result;
    for (const Basis& basis : *read)
      result.push_back(narrowed<layout::Coordinates>(name, basis));
    return result;
  }
  LinearLayout cga(unsigned rank) {
    return keep(fields::CGALayout, layout::makeCga(bases(fields::CGALayout), rank));
  }
  Layout parent(llvm::StringRef name) {
    const Value* value = field(object_, name);
    auto* object = value ? value->as<LayoutObject>() : nullptr;
    if (!object) return fail(name), Layout();
    return keep(name, toLayout(*object));
  }
  LinearLayout linear(llvm::ArrayRef<LinearLayout::InBases> ins, unsigned rank) {
    if (rank > layout::maxRank) {
      error_ = layout::LayoutError{"", tooManyDimensions};
      return LinearLayout::invalid();
    }
    auto made = LinearLayout::fromBases(ins, layout::tensorDims(rank));
    if (made) return *made;
    error_ = layout::LayoutError{"", made.error()};
    return LinearLayout::invalid();
  }
  LinearLayout linear(llvm::ArrayRef<LinearLayout::InBases> ins, llvm::ArrayRef<int64_t> shape) {
    llvm::SmallVector<layout::DimSize, 4> outs;
    for (auto [i, size] : llvm::enumerate(shape))
      outs.push_back({layout::tensorDim(static_cast<unsigned>(i)), size});
    auto made = LinearLayout::fromBases(ins, outs);
    if (made) return *made;
    error_ = layout::LayoutError{"", made.error()};
    return LinearLayout::invalid();
  }

  template <typename T> OrError<Layout> finish(T fields) {
    if (error_) return tl::make_unexpected(*error_);
    return Layout::make(std::move(fields));
  }
  OrError<Layout> none() {
    return tl::make_unexpected(layout::LayoutError{"", "it is not a concrete layout"});
  }

  static constexpr const char* tooManyDimensions = "has more dimensions than gluond represents";

private:
  // The numbers of a list as its layout keeps them.
  template <typename List> List narrowed(llvm::StringRef name, llvm::ArrayRef<int64_t> numbers) {
    using Number = typename List::value_type;
    List result;
    for (int64_t number : numbers) {
      if (!std::in_range<Number>(number) && !error_)
        error_ =
            layout::LayoutError{name.str(), "has a number out of range: " + std::to_string(number)};
      result.push_back(static_cast<Number>(number));
    }
    return result;
  }
  std::string expected(llvm::StringRef name) const {
    auto field = llvm::find_if(object_.cls->fields,
                               [&](const LayoutField& each) { return each.name == name; });
    switch (field == object_.cls->fields.end() ? FieldKind::Any : field->kind) {
    case FieldKind::Int:
      return "an integer";
    case FieldKind::Bool:
      return "a bool";
    case FieldKind::Str:
      return "a string";
    case FieldKind::Real:
      return "a number";
    case FieldKind::Ints:
      return "a list of integers";
    case FieldKind::Bases:
      return "a list of lists of integers";
    case FieldKind::Layout:
      return "a layout";
    case FieldKind::Any:
      return "another value";
    }
    return "another value";
  }
  void fail(llvm::StringRef name) {
    if (!error_) error_ = layout::LayoutError{name.str(), "must be " + expected(name)};
  }
  template <typename T> T keep(llvm::StringRef name, OrError<T> result) {
    if (result) return std::move(*result);
    if (!error_) error_ = result.error();
    return T();
  }

  const LayoutObject& object_;
  std::optional<layout::LayoutError> error_;
};

// Returns the number of dimensions from a field with one item for each, or 0 if the rank is
// determined in another way.
unsigned dimensionsOf(const LayoutObject& object) {
  for (llvm::StringRef name : {fields::order, fields::warpsPerCTA, fields::shape})
    if (const Value* value = field(object, name))
      return static_cast<unsigned>(language::itemsOf(*value).size());
  const Value* rank = field(object, fields::rank);
  return rank && rank->isIntegral() ? static_cast<unsigned>(rank->asInt()) : 0;
}

} // namespace

OrError<Layout> toLayout(const LayoutObject& object) {
  Reader read(object);
  unsigned rank = dimensionsOf(object);
  if (rank > layout::maxRank)
    return tl::make_unexpected(layout::LayoutError{"", Reader::tooManyDimensions});
  auto tooFew = [&](llvm::StringRef name) -> OrError<Layout> {
    const Value* value = field(object, name);
    bool isList = value && language::isSequence(*value);
    return tl::make_unexpected(layout::LayoutError{
        name.str(), isList ? "has too few items" : "must be a list, as in [3, 0]"});
  };
  switch (object.cls->kind) {
  case Kind::BlockedLayout:
    return read.finish(layout::Blocked{
        read.ints(fields::sizePerThread), read.ints(fields::threadsPerWarp),
        read.ints(fields::warpsPerCTA), read.ints<layout::Order>(fields::order), read.cga(rank)});
  case Kind::SliceLayout:
    return read.finish(layout::Slice{read.number(fields::dim), read.parent(fields::parent)});
  case Kind::DistributedLinearLayout: {
    Bases registers = read.bases(fields::regBases), lanes = read.bases(fields::laneBases),
          warps = read.bases(fields::warpBases), blocks = read.bases(fields::blockBases);
    auto shape = read.ints<llvm::SmallVector<int64_t, 4>>(fields::shape);
    layout::Linear fields{read.linear(
        {{Dim::Register, registers}, {Dim::Lane, lanes}, {Dim::Warp, warps}, {Dim::Block, blocks}},
        shape)};
    // Bases that move along several dimensions at once make it the generic kind.
    llvm::SmallVector<layout::Coordinates, 16> seen;
    for (const Bases* each : {&registers, &lanes, &warps, &blocks})
      for (const auto& basis : *each) {
        unsigned moves = 0;
        for (int32_t coordinate : basis) {
          if (coordinate == 0) continue;
          ++moves;
          fields.generic |= llvm::popcount(static_cast<uint32_t>(coordinate)) > 1;
        }
        fields.generic |= moves > 1;
        if (moves == 0) continue;
        fields.generic |= llvm::is_contained(seen, basis);
        seen.push_back(basis);
      }
    return read.finish(std::move(fields));
  }
  case Kind::DotOperandLayout:
    return read.finish(layout::DotOperand{read.number(fields::opIdx), read.parent(fields::parent),
                                          read.number(fields::kWidth)});
  case Kind::NVMMADistributedLayout: {
    auto version = read.ints(fields::version);
    if (version.size() < 2) return tooFew(fields::version);
    return read.finish(layout::NvidiaMma{
        static_cast<unsigned>(version[0]), static_cast<unsigned>(version[1]),
        read.ints(fields::warpsPerCTA), read.cga(rank), read.ints(fields::instrShape)});
  }
  case Kind::AMDMFMALayout:
    return read.finish(layout::AmdMfma{read.number(fields::version), read.ints(fields::warpsPerCTA),
                                       read.ints(fields::instrShape), read.flag(fields::transposed),
                                       read.cga(rank), read.ints(fields::tilesPerWarp),
                                       read.number(fields::elementBitWidth)});
  case Kind::AMDWMMALayout: {
    Bases registers = read.bases(fields::regBases), warps = read.bases(fields::warpBases);
    return read.finish(layout::AmdWmma{
        read.number(fields::version),
        read.linear({{Dim::Register, registers}, {Dim::Warp, warps}}, rank),
        read.flag(fields::transposed), read.cga(rank), read.ints(fields::instrShape)});
  }
  case Kind::NVMMASharedLayout:
    return read.finish(layout::NvmmaShared{
        read.number(fields::swizzlingByteWidth), read.flag(fields::transposed),
        read.number(fields::elementBitWidth), read.flag(fields::fp4Padded), read.cga(rank)});
  case Kind::SwizzledSharedLayout:
  case Kind::MBarrierLayout:
  case Kind::Cdna5MBarrierLayout:
    return read.finish(layout::SwizzledShared{
        read.number(fields::vec), read.number(fields::perPhase), read.number(fields::maxPhase),
        read.ints<layout::Order>(fields::order), read.cga(rank)});
  case Kind::PaddedSharedLayout: {
    layout::PaddedShared fields;
    for (const auto& pair : read.bases(fields::intervalPaddingPairs)) {
      if (pair.size() != 2) return tooFew(fields::intervalPaddingPairs);
      fields.intervals.push_back(pair[0]);
      fields.paddings.push_back(pair[1]);
    }
    Bases offsets = read.bases(fields::offsetBases), blocks = read.bases(fields::CGALayout);
    fields.linearComponent =
        read.linear({{Dim::Offset, offsets}}, rank) * read.linear({{Dim::Block, blocks}}, rank);
    return read.finish(std::move(fields));
  }
  case Kind::SharedLinearLayout: {
    Bases offsets = read.bases(fields::offsetBases), blocks = read.bases(fields::blockBases);
    if (offsets.empty()) return tooFew(fields::offsetBases);
    return read.finish(
        layout::SharedLinear{read.linear({{Dim::Offset, offsets}, {Dim::Block, blocks}},
                                         static_cast<unsigned>(offsets[0].size())),
                             read.number(fields::alignment)});
  }
  case Kind::PartitionedSharedLayout:
    return read.finish(layout::PartitionedShared{
        read.number(fields::numPartitions), read.number(fields::numGroups),
        read.number(fields::partitionDim), read.parent(fields::partitionLayout)});
  case Kind::TensorMemoryLayout: {
    auto block = read.ints(fields::block);
    if (block.size() < 2) return tooFew(fields::block);
    return read.finish(
        layout::TensorMemory{static_cast<unsigned>(block[0]), static_cast<unsigned>(block[1]),
                             read.number(fields::colStride), read.cga(2),
                             read.flag(fields::twoCTAs), read.flag(fields::fp4Padded)});
  }
  case Kind::TensorMemoryScalesLayout:
    return read.finish(layout::TensorMemoryScales{read.cga(2)});
  case Kind::RubinTensorMemoryScalesLayout: {
    const Value* order = field(object, fields::blockRepOrder);
    auto* text = order ? order->as<StrObject>() : nullptr;
    return read.finish(layout::TensorMemoryScales{read.cga(2), text && text->text == "kThenMn"});
  }
  default:
    return read.none();
  }
}

// ---------------------------------------------------------------- layouts to values

const LayoutObject* toObject(const Layout& layout, Heap& heap, bool isRubin) {
  if (!layout) return nullptr;
  layout::GluonObject object = layout::gluonObject(layout);
  const LayoutClass* cls = isRubin && layout.as<layout::TensorMemoryScales>()
                               ? &layoutClass(Kind::RubinTensorMemoryScalesLayout)
                               : llvm::find_if(layoutClasses(), [&](const LayoutClass& each) {
                                   return each.name == object.cls;
                                 });
  if (cls == layoutClasses().end()) return nullptr; // Gluon has no class for it
  bool isComplete = true;
  auto valueOf = llvm::makeVisitor([](int64_t number) { return Value::integer(number); },
                                   [](bool flag) { return Value::boolean(flag); },
                                   [&](llvm::StringLiteral text) { return heap.str(text); },
                                   [&](const layout::Numbers& numbers) {
                                     return listOf(llvm::ArrayRef<int64_t>(numbers), heap);
                                   },
                                   [&](const Bases& bases) {
                                     llvm::SmallVector<Basis, 8> list;
                                     for (const layout::Coordinates& basis : bases)
                                       list.push_back(Basis(basis.begin(), basis.end()));
                                     return listOf(llvm::ArrayRef<Basis>(list), heap);
                                   },
                                   [&](const Layout& inner) {
                                     const LayoutObject* made = toObject(inner, heap, isRubin);
                                     isComplete &= made != nullptr;
                                     return made ? Value::object(ValueKind::Layout, made) : Value();
                                   });
  // Blackwell's class of scales lacks the last field, which Rubin's has.
  llvm::SmallVector<Value, 8> values;
  for (const layout::GluonField& field :
       llvm::ArrayRef(object.fields).take_front(cls->fields.size()))
    values.push_back(std::visit(valueOf, field.value));
  return isComplete ? makeLayoutUnchecked(cls->kind, values, heap) : nullptr;
}

std::string messageOf(const layout::LayoutError& error) {
  if (error.field.empty()) return error.message;
  // A predicate of the field, or a sentence of its own.
  llvm::StringRef message = error.message;
  bool isPredicate =
      llvm::any_of(std::array{"must ", "does not ", "has ", "is ", "leaves ", "times "},
                   [&](const char* verb) { return message.starts_with(verb); });
  // The parameters of a linear layout are lists of bases.
  std::string field = error.field == "linearLayout" ? "the bases" : fieldOfAttribute(error.field);
  return field + (isPredicate ? " " : ": ") + error.message;
}

} // namespace gluond::language
