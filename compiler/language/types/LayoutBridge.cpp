#include "language/types/LayoutBridge.h"

#include "language/types/Layout.h"
#include "language/types/Structure.h"

#include <llvm/Support/MathExtras.h>

#include <utility>

namespace gluond::language {

using layout::Bases;
using layout::Dim;
using layout::Layout;
using layout::LinearLayout;
using layout::OrError;
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
    return keep("cga_layout", layout::makeCga(bases("cga_layout"), rank));
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
  void fail(llvm::StringRef name) {
    if (!error_) error_ = layout::LayoutError{name.str(), "is not a valid value for this field"};
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
  for (llvm::StringRef name : {"order", "warps_per_cta", "shape"})
    if (const Value* value = field(object, name))
      return static_cast<unsigned>(language::itemsOf(*value).size());
  const Value* rank = field(object, "rank");
  return rank && rank->isIntegral() ? static_cast<unsigned>(rank->asInt()) : 0;
}

} // namespace

OrError<Layout> toLayout(const LayoutObject& object) {
  Reader read(object);
  unsigned rank = dimensionsOf(object);
  if (rank > layout::maxRank)
    return tl::make_unexpected(layout::LayoutError{"", Reader::tooManyDimensions});
  auto tooFew = [](llvm::StringRef field) -> OrError<Layout> {
    return tl::make_unexpected(layout::LayoutError{field.str(), "has too few items"});
  };
  switch (object.cls->kind) {
  case Kind::BlockedLayout:
    return read.finish(layout::Blocked{read.ints("size_per_thread"), read.ints("threads_per_warp"),
                                       read.ints("warps_per_cta"),
                                       read.ints<layout::Order>("order"), read.cga(rank)});
  case Kind::SliceLayout:
    return read.finish(layout::Slice{read.number("dim"), read.parent("parent")});
  case Kind::DistributedLinearLayout: {
    Bases registers = read.bases("reg_bases"), lanes = read.bases("lane_bases"),
          warps = read.bases("warp_bases"), blocks = read.bases("block_bases");
    auto shape = read.ints<llvm::SmallVector<int64_t, 4>>("shape");
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
          fields.generic |= (coordinate & (coordinate - 1)) != 0;
        }
        fields.generic |= moves > 1;
        if (moves == 0) continue;
        fields.generic |= llvm::is_contained(seen, basis);
        seen.push_back(basis);
      }
    return read.finish(std::move(fields));
  }
  case Kind::DotOperandLayout:
    return read.finish(layout::DotOperand{read.number("operand_index"), read.parent("parent"),
                                          read.number("k_width")});
  case Kind::NVMMADistributedLayout: {
    auto version = read.ints("version");
    if (version.size() < 2) return tooFew("version");
    return read.finish(
        layout::NvidiaMma{static_cast<unsigned>(version[0]), static_cast<unsigned>(version[1]),
                          read.ints("warps_per_cta"), read.cga(rank), read.ints("instr_shape")});
  }
  case Kind::AMDMFMALayout:
    return read.finish(layout::AmdMfma{read.number("version"), read.ints("warps_per_cta"),
                                       read.ints("instr_shape"), read.flag("transposed"),
                                       read.cga(rank), read.ints("tiles_per_warp"),
                                       read.number("element_bitwidth")});
  case Kind::AMDWMMALayout: {
    Bases registers = read.bases("reg_bases"), warps = read.bases("warp_bases");
    return read.finish(layout::AmdWmma{
        read.number("version"), read.linear({{Dim::Register, registers}, {Dim::Warp, warps}}, rank),
        read.flag("transposed"), read.cga(rank), read.ints("instr_shape")});
  }
  case Kind::NVMMASharedLayout:
    return read.finish(layout::NvmmaShared{read.number("swizzle_byte_width"),
                                           read.flag("transposed"), read.number("element_bitwidth"),
                                           read.flag("fp4_padded"), read.cga(rank)});
  case Kind::SwizzledSharedLayout:
  case Kind::MBarrierLayout:
  case Kind::Cdna5MBarrierLayout:
    return read.finish(layout::SwizzledShared{read.number("vec"), read.number("per_phase"),
                                              read.number("max_phase"),
                                              read.ints<layout::Order>("order"), read.cga(rank)});
  case Kind::PaddedSharedLayout: {
    layout::PaddedShared fields;
    for (const auto& pair : read.bases("interval_padding_pairs")) {
      if (pair.size() != 2) return tooFew("interval_padding_pairs");
      fields.intervals.push_back(pair[0]);
      fields.paddings.push_back(pair[1]);
    }
    Bases offsets = read.bases("offset_bases"), blocks = read.bases("cga_layout");
    fields.linearComponent =
        read.linear({{Dim::Offset, offsets}}, rank) * read.linear({{Dim::Block, blocks}}, rank);
    return read.finish(std::move(fields));
  }
  case Kind::SharedLinearLayout: {
    Bases offsets = read.bases("offset_bases"), blocks = read.bases("block_bases");
    if (offsets.empty()) return tooFew("offset_bases");
    return read.finish(
        layout::SharedLinear{read.linear({{Dim::Offset, offsets}, {Dim::Block, blocks}},
                                         static_cast<unsigned>(offsets[0].size())),
                             read.number("alignment")});
  }
  case Kind::PartitionedSharedLayout:
    return read.finish(
        layout::PartitionedShared{read.number("num_partitions"), read.number("num_groups"),
                                  read.number("partition_dim"), read.parent("partition_layout")});
  case Kind::TensorMemoryLayout: {
    auto block = read.ints("block");
    if (block.size() < 2) return tooFew("block");
    return read.finish(layout::TensorMemory{
        static_cast<unsigned>(block[0]), static_cast<unsigned>(block[1]), read.number("col_stride"),
        read.cga(2), read.flag("two_ctas"), read.flag("fp4_padded")});
  }
  case Kind::TensorMemoryScalesLayout:
    return read.finish(layout::TensorMemoryScales{read.cga(2)});
  case Kind::RubinTensorMemoryScalesLayout: {
    const Value* order = field(object, "block_rep_order");
    auto* text = order ? order->as<StrObject>() : nullptr;
    return read.finish(layout::TensorMemoryScales{read.cga(2), text && text->text == "kThenMn"});
  }
  default:
    return read.none();
  }
}

// ---------------------------------------------------------------- layouts to values

namespace {

// Collects the fields of one object in order.
class Writer {
public:
  Writer(Kind kind, Heap& heap) : kind_(kind), heap_(heap) {}
  Writer& number(int64_t value) { return add(Value::integer(value)); }
  Writer& flag(bool value) { return add(Value::boolean(value)); }
  template <typename List> Writer& ints(const List& list) {
    llvm::SmallVector<int64_t, 8> items;
    for (auto item : list)
      items.push_back(static_cast<int64_t>(item));
    return add(listOf(llvm::ArrayRef<int64_t>(items), heap_));
  }
  Writer& bases(const LinearLayout& linear, Dim dim) {
    llvm::SmallVector<Basis, 8> list;
    if (linear.hasIn(dim))
      for (unsigned bit = 0; bit < linear.inBits(dim); ++bit) {
        auto image = linear.basis(dim, bit);
        list.push_back(Basis(image.begin(), image.end()));
      }
    return add(listOf(llvm::ArrayRef<Basis>(list), heap_));
  }
  Writer& object(const LayoutObject* value) {
    fine_ &= value != nullptr;
    return value ? add(Value::object(ValueKind::Layout, const_cast<LayoutObject*>(value))) : *this;
  }
  Writer& add(Value value) {
    fields_.push_back(value);
    return *this;
  }
  const LayoutObject* finish() {
    return fine_ ? makeLayoutUnchecked(kind_, fields_, heap_) : nullptr;
  }

private:
  Kind kind_;
  Heap& heap_;
  llvm::SmallVector<Value, 8> fields_;
  bool fine_ = true;
};

} // namespace

const LayoutObject* toObject(const Layout& layout, Heap& heap, bool isRubin) {
  if (!layout) return nullptr;
  auto write = [&](Kind kind) { return Writer(kind, heap); };
  if (auto* l = layout.as<layout::Blocked>())
    return write(Kind::BlockedLayout)
        .ints(l->sizePerThread)
        .ints(l->threadsPerWarp)
        .ints(l->warpsPerCTA)
        .ints(l->order)
        .bases(l->CGALayout, Dim::Block)
        .finish();
  if (auto* l = layout.as<layout::Slice>())
    return write(Kind::SliceLayout)
        .number(l->dim)
        .object(toObject(l->parent, heap, isRubin))
        .finish();
  if (auto* l = layout.as<layout::Linear>()) {
    const LinearLayout& linear = l->linearLayout;
    return write(Kind::DistributedLinearLayout)
        .bases(linear, Dim::Register)
        .bases(linear, Dim::Lane)
        .bases(linear, Dim::Warp)
        .bases(linear, Dim::Block)
        .ints(linear.outSizes())
        .finish();
  }
  if (auto* l = layout.as<layout::DotOperand>())
    return write(Kind::DotOperandLayout)
        .number(l->opIdx)
        .object(toObject(l->parent, heap, isRubin))
        .number(l->kWidth)
        .finish();
  if (auto* l = layout.as<layout::NvidiaMma>())
    return write(Kind::NVMMADistributedLayout)
        .ints(layout::Ints{static_cast<int32_t>(l->versionMajor),
                           static_cast<int32_t>(l->versionMinor)})
        .ints(l->warpsPerCTA)
        .ints(l->instrShape)
        .bases(l->CGALayout, Dim::Block)
        .finish();
  if (auto* l = layout.as<layout::AmdMfma>())
    return write(Kind::AMDMFMALayout)
        .number(l->version)
        .ints(l->instrShape)
        .flag(l->isTransposed)
        .ints(l->warpsPerCTA)
        .number(l->elementBitWidth)
        .ints(l->tilesPerWarp)
        .bases(l->CGALayout, Dim::Block)
        .finish();
  if (auto* l = layout.as<layout::AmdWmma>())
    return write(Kind::AMDWMMALayout)
        .number(l->version)
        .flag(l->isTransposed)
        .bases(l->ctaLayout, Dim::Warp)
        .bases(l->ctaLayout, Dim::Register)
        .ints(l->instrShape)
        .bases(l->CGALayout, Dim::Block)
        .number(layout.rank())
        .finish();
  if (auto* l = layout.as<layout::NvmmaShared>())
    return write(Kind::NVMMASharedLayout)
        .number(l->swizzlingByteWidth)
        .number(l->elementBitWidth)
        .number(layout.rank())
        .flag(l->transposed)
        .flag(l->fp4Padded)
        .bases(l->CGALayout, Dim::Block)
        .finish();
  if (auto* l = layout.as<layout::SwizzledShared>())
    return write(Kind::SwizzledSharedLayout)
        .number(l->vec)
        .number(l->perPhase)
        .number(l->maxPhase)
        .ints(l->order)
        .bases(l->CGALayout, Dim::Block)
        .finish();
  if (auto* l = layout.as<layout::SharedLinear>())
    return write(Kind::SharedLinearLayout)
        .bases(l->linearLayout, Dim::Offset)
        .bases(l->linearLayout, Dim::Block)
        .number(l->layoutAlignment)
        .finish();
  if (auto* l = layout.as<layout::PaddedShared>()) {
    llvm::SmallVector<Basis, 4> pairs;
    for (auto [interval, padding] : llvm::zip(l->intervals, l->paddings))
      pairs.push_back({interval, padding});
    // The block part before it was placed above the offsets' part.
    Bases images;
    for (unsigned bit = 0;
         l->linearComponent.hasIn(Dim::Offset) && bit < l->linearComponent.inBits(Dim::Offset);
         ++bit)
      images.push_back(l->linearComponent.basis(Dim::Offset, bit));
    auto offsets = LinearLayout::fromBases({{Dim::Offset, images}}, l->linearComponent.outDims());
    auto blocks = offsets ? l->linearComponent.divideLeft(*offsets) : std::nullopt;
    return write(Kind::PaddedSharedLayout)
        .add(listOf(llvm::ArrayRef<Basis>(pairs), heap))
        .bases(l->linearComponent, Dim::Offset)
        .bases(blocks ? *blocks : l->linearComponent, Dim::Block)
        .ints(l->linearComponent.outSizes())
        .finish();
  }
  if (auto* l = layout.as<layout::PartitionedShared>())
    return write(Kind::PartitionedSharedLayout)
        .number(l->numPartitions)
        .number(l->numGroups)
        .number(l->partitionDim)
        .object(toObject(l->partitionLayout, heap, isRubin))
        .finish();
  if (auto* l = layout.as<layout::TensorMemory>())
    return write(Kind::TensorMemoryLayout)
        .ints(layout::Ints{static_cast<int32_t>(l->blockM), static_cast<int32_t>(l->blockN)})
        .number(l->colStride)
        .bases(l->CGALayout, Dim::Block)
        .flag(l->twoCTAs)
        .flag(l->fp4Padded)
        .finish();
  if (auto* l = layout.as<layout::TensorMemoryScales>()) {
    if (!isRubin)
      return write(Kind::TensorMemoryScalesLayout).bases(l->CGALayout, Dim::Block).finish();
    return write(Kind::RubinTensorMemoryScalesLayout)
        .bases(l->CGALayout, Dim::Block)
        .add(heap.str(l->kThenMn ? "kThenMn" : "mnThenK"))
        .finish();
  }
  return nullptr;
}

} // namespace gluond::language
