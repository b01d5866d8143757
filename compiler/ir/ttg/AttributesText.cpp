// The text of encodings: `#ttg.blocked<{sizePerThread = [1], ...}>`.
#include "ir/ttg/AttributeFields.h"

#include <mlir/IR/Builders.h>

using namespace mlir;

namespace gluond::ttg {

namespace names = layout::fieldsInIr;
using layout::Dim;
using layout::LinearLayout;

// ---------------------------------------------------------------- writing

template <class Range> static void printList(AsmPrinter& printer, const Range& values) {
  printer << '[';
  llvm::interleaveComma(values, printer);
  printer << ']';
}

static void printBases(AsmPrinter& printer, const layout::Bases& bases) {
  printer << '[';
  llvm::interleaveComma(bases, printer, [&](const auto& basis) { printList(printer, basis); });
  printer << ']';
}

void printCGALayout(AsmPrinter& printer, CGAEncodingAttr layout) {
  printBases(printer, layout.getLinearLayout().bases(Dim::Block));
}

// Writes `name = value, ...`.
class FieldPrinter {
public:
  explicit FieldPrinter(AsmPrinter& printer) : printer_(printer) {}
  template <class T> FieldPrinter& value(StringRef name, const T& value) {
    begin(name) << value;
    return *this;
  }
  template <class Range> FieldPrinter& list(StringRef name, const Range& values) {
    printList(begin(name), values);
    return *this;
  }
  // Where there is more than one CTA.
  FieldPrinter& cga(CGAEncodingAttr layout) {
    if (layout.getNumCTAs() != 1) printCGALayout(begin(names::CGALayout), layout);
    return *this;
  }
  // `name = `, whose value follows.
  AsmPrinter& begin(StringRef name) {
    if (!isFirst_) printer_ << ", ";
    isFirst_ = false;
    printer_ << name << " = ";
    return printer_;
  }

private:
  AsmPrinter& printer_;
  bool isFirst_ = true;
};

// `register = [...], lane = [...]` for the inputs that `keep` accepts.
static void printLinear(AsmPrinter& printer, const LinearLayout& linear,
                        function_ref<bool(layout::DimBits)> keep) {
  auto kept = llvm::make_filter_range(linear.ins(), keep);
  llvm::interleaveComma(kept, printer, [&](layout::DimBits dim) {
    printer << layout::name(dim.dim) << " = ";
    printBases(printer, linear.bases(dim.dim));
  });
}
static bool keepAll(layout::DimBits) {
  return true;
}
static bool keepNonEmpty(layout::DimBits dim) {
  return dim.bits != 0;
}

// ---------------------------------------------------------------- each encoding

void BlockedEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  FieldPrinter(printer)
      .list(names::sizePerThread, getSizePerThread())
      .list(names::threadsPerWarp, getThreadsPerWarp())
      .list(names::warpsPerCTA, getWarpsPerCTA())
      .list(names::order, getOrder())
      .cga(getCGALayout());
  printer << "}>";
}

Attribute BlockedEncodingAttr::parse(AsmParser& parser, Type) {
  SmallVector<unsigned> sizePerThread, threadsPerWarp, warpsPerCTA, order;
  AttributeFields fields = AttributeFields::angled(parser);
  fields
      .only({names::sizePerThread, names::threadsPerWarp, names::warpsPerCTA, names::order,
             names::CGALayout})
      .uints(names::sizePerThread, sizePerThread, "number of elements per thread")
      .uints(names::threadsPerWarp, threadsPerWarp, "number of threads per warp")
      .uints(names::warpsPerCTA, warpsPerCTA, "number of warps per CTA")
      .uints(names::order, order);
  CGAEncodingAttr cga = fields.cga(sizePerThread.size());
  if (!cga) return {};
  return parser.getChecked<BlockedEncodingAttr>(parser.getContext(), ArrayRef(sizePerThread),
                                                ArrayRef(threadsPerWarp), ArrayRef(warpsPerCTA),
                                                ArrayRef(order), cga);
}

void SliceEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  FieldPrinter(printer).value(names::dim, getDim()).value(names::parent, Attribute(getParent()));
  printer << "}>";
}

Attribute SliceEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned dim = 0;
  AttributeFields fields = AttributeFields::angled(parser);
  fields.uint(names::dim, dim);
  if (!fields) return {};
  auto parent = dyn_cast_or_null<DistributedEncodingTrait>(fields.get(names::parent));
  if (!parent || !fields.has(names::dim)) {
    fields.fail() << "expected a distributed encoding trait";
    return {};
  }
  return parser.getChecked<SliceEncodingAttr>(parser.getContext(), dim, parent);
}

static constexpr Dim distributedDims[] = {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block};

template <class Attr> static Attribute parseLinearEncoding(AsmParser& parser) {
  auto linear = AttributeFields::angled(parser).linear(distributedDims);
  return linear ? parser.getChecked<Attr>(parser.getContext(), *linear) : Attr();
}

void LinearEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  printLinear(printer, getLinearLayout(), keepAll);
  printer << "}>";
}
Attribute LinearEncodingAttr::parse(AsmParser& parser, Type) {
  return parseLinearEncoding<LinearEncodingAttr>(parser);
}

void GenericLinearEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  printLinear(printer, getLinearLayout(), keepAll);
  printer << "}>";
}
Attribute GenericLinearEncodingAttr::parse(AsmParser& parser, Type) {
  return parseLinearEncoding<GenericLinearEncodingAttr>(parser);
}

void NvidiaMmaEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  FieldPrinter(printer)
      .value(names::versionMajor, getVersionMajor())
      .value(names::versionMinor, getVersionMinor())
      .list(names::warpsPerCTA, getWarpsPerCTA())
      .cga(getCGALayout())
      .list(names::instrShape, getInstrShape());
  printer << "}>";
}

Attribute NvidiaMmaEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned versionMajor = 0, versionMinor = 0;
  SmallVector<unsigned> warpsPerCTA, instrShape;
  AttributeFields fields = AttributeFields::angled(parser);
  fields.uint(names::versionMajor, versionMajor)
      .uint(names::versionMinor, versionMinor)
      .uints(names::warpsPerCTA, warpsPerCTA)
      .uints(names::instrShape, instrShape);
  CGAEncodingAttr cga = fields.cga(warpsPerCTA.size());
  if (!cga) return {};
  return parser.getChecked<NvidiaMmaEncodingAttr>(parser.getContext(), versionMajor, versionMinor,
                                                  ArrayRef(warpsPerCTA), cga, ArrayRef(instrShape));
}

// The IR's names of what Gluon calls `transposed`, and of WMMA's map of warps to tiles.
static constexpr StringLiteral mfmaTransposed = "isTransposed", wmmaTransposed = "isTranspose",
                               ctaLayout = "ctaLayout";

void AMDMfmaEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  FieldPrinter fields(printer);
  fields.value(names::version, getVersion())
      .list(names::warpsPerCTA, getWarpsPerCTA())
      .list(names::instrShape, getInstrShape())
      .value(mfmaTransposed, getIsTransposed())
      .cga(getCGALayout());
  if (!hasUnitTilesPerWarp()) fields.list(names::tilesPerWarp, getTilesPerWarp());
  if (getElementBitWidth() != 32) fields.value(names::elementBitWidth, getElementBitWidth());
  printer << "}>";
}

Attribute AMDMfmaEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned version = 0, elementBitWidth = 32;
  SmallVector<unsigned> warpsPerCTA, instrShape, tilesPerWarp;
  bool isTransposed = false;
  AttributeFields fields = AttributeFields::angled(parser);
  fields.uint(names::version, version)
      .uints(names::warpsPerCTA, warpsPerCTA)
      .uints(names::instrShape, instrShape)
      .boolean(mfmaTransposed, isTransposed)
      .uints(names::tilesPerWarp, tilesPerWarp)
      .uint(names::elementBitWidth, elementBitWidth);
  CGAEncodingAttr cga = fields.cga(warpsPerCTA.size());
  if (!cga) return {};
  if (tilesPerWarp.empty()) tilesPerWarp.assign(warpsPerCTA.size(), 1);
  return parser.getChecked<AMDMfmaEncodingAttr>(parser.getContext(), version, ArrayRef(warpsPerCTA),
                                                ArrayRef(instrShape), isTransposed, cga,
                                                ArrayRef(tilesPerWarp), elementBitWidth);
}

static constexpr unsigned defaultWmmaShape[] = {16, 16, 16};

void AMDWmmaEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  FieldPrinter fields(printer);
  fields.value(names::version, getVersion()).value(wmmaTransposed, getIsTransposed());
  printLinear(fields.begin(ctaLayout) << "{", getCtaLayout(), keepNonEmpty);
  printer << "}";
  fields.cga(getCGALayout());
  if (getInstrShape() != ArrayRef(defaultWmmaShape))
    fields.list(names::instrShape, getInstrShape());
  printer << "}>";
}

// Returns the length of the first basis of a register, a warp or a CTA.
static std::optional<unsigned> rankOfBases(const AttributeFields& fields,
                                           const NamedAttrList& bases) {
  for (Attribute each : {bases.get(layout::name(Dim::Register)), bases.get(layout::name(Dim::Warp)),
                         fields.get(names::CGALayout)})
    if (auto array = dyn_cast_or_null<ArrayAttr>(each); array && !array.empty())
      if (auto basis = dyn_cast<ArrayAttr>(array[0])) return static_cast<unsigned>(basis.size());
  return std::nullopt;
}

Attribute AMDWmmaEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned version = 0, rank = 0;
  bool isTransposed = false;
  SmallVector<unsigned> instrShape(ArrayRef<unsigned>{defaultWmmaShape});
  AttributeFields fields = AttributeFields::angled(parser);
  fields.uint(names::version, version)
      .uint(names::rank, rank)
      .boolean(wmmaTransposed, isTransposed)
      .uints(names::instrShape, instrShape);
  auto dict = dyn_cast_or_null<DictionaryAttr>(fields.get(ctaLayout));
  if (!dict) {
    fields.fail() << "expected dictionary value for 'ctaLayout'";
    return {};
  }
  // Empty inputs are left out of the text.
  NamedAttrList bases(dict);
  Builder builder(parser.getContext());
  for (Dim dim : {Dim::Register, Dim::Warp})
    if (!bases.get(layout::name(dim))) bases.append(layout::name(dim), builder.getArrayAttr({}));
  // The rank is not part of the text that is printed: the bases have it.
  if (rank == 0) rank = rankOfBases(fields, bases).value_or(2);
  CGAEncodingAttr cga = fields.cga(rank);
  if (!cga) return {};
  auto linear = AttributeFields(parser, bases.getDictionary(parser.getContext()))
                    .linear({Dim::Register, Dim::Warp}, rank);
  if (!linear) return {};
  return parser.getChecked<AMDWmmaEncodingAttr>(parser.getContext(), version, *linear, isTransposed,
                                                cga, ArrayRef(instrShape));
}

template <class Attr> static void printSwizzled(AsmPrinter& printer, Attr attr) {
  printer << "<{";
  FieldPrinter(printer)
      .value(names::vec, attr.getVec())
      .value(names::perPhase, attr.getPerPhase())
      .value(names::maxPhase, attr.getMaxPhase())
      .list(names::order, attr.getOrder())
      .cga(attr.getCGALayout());
  printer << "}>";
}

template <class Attr> static Attribute parseSwizzled(AsmParser& parser) {
  unsigned vec = 0, perPhase = 0, maxPhase = 0;
  SmallVector<unsigned> order;
  AttributeFields fields = AttributeFields::angled(parser);
  fields.only({names::vec, names::perPhase, names::maxPhase, names::order, names::CGALayout})
      .uint(names::vec, vec)
      .uint(names::perPhase, perPhase)
      .uint(names::maxPhase, maxPhase)
      .uints(names::order, order);
  CGAEncodingAttr cga = fields.cga(order.size());
  if (!cga) return {};
  return parser.getChecked<Attr>(parser.getContext(), vec, perPhase, maxPhase, ArrayRef(order),
                                 cga);
}

void SwizzledSharedEncodingAttr::print(AsmPrinter& printer) const {
  printSwizzled(printer, *this);
}
Attribute SwizzledSharedEncodingAttr::parse(AsmParser& parser, Type) {
  return parseSwizzled<SwizzledSharedEncodingAttr>(parser);
}
void AMDRotatingSharedEncodingAttr::print(AsmPrinter& printer) const {
  printSwizzled(printer, *this);
}
Attribute AMDRotatingSharedEncodingAttr::parse(AsmParser& parser, Type) {
  return parseSwizzled<AMDRotatingSharedEncodingAttr>(parser);
}

// offset -> a box in order, one CTA.
static LinearLayout plainOffsets(ArrayRef<unsigned> order, ArrayRef<int32_t> shape) {
  return LinearLayout::identityND(Dim::Offset, shape, order)
      .transposeOuts(layout::tensorDims(static_cast<unsigned>(shape.size())));
}

void PaddedSharedEncodingAttr::print(AsmPrinter& printer) const {
  const LinearLayout& linear = getLinearComponent();
  printer << "<[";
  llvm::interleaveComma(llvm::zip(getIntervals(), getPaddings()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << ":+" << std::get<1>(pair);
  });
  printer << "] {";
  auto order = getOrder();
  SmallVector<int32_t> shape;
  for (int64_t size : linear.outSizes())
    shape.push_back(static_cast<int32_t>(size));
  if (linear.inBits(Dim::Block) == 0 &&
      linear.sublayout(Dim::Offset, linear.outDims()) == plainOffsets(order, shape)) {
    FieldPrinter(printer).list(names::order, order).list(names::shape, shape);
  } else {
    printLinear(printer, linear, keepAll);
  }
  printer << "}>";
}

static bool isPermutation(ArrayRef<unsigned> order) {
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<unsigned>(0, static_cast<unsigned>(order.size())));
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser& parser, Type) {
  SmallVector<unsigned> intervals, paddings;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseInteger(intervals.emplace_back()) || parser.parseColon() ||
                   parser.parsePlus() || parser.parseInteger(paddings.emplace_back()));
  };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return {};
  AttributeFields fields(parser);
  if (!fields) return {};
  std::optional<LinearLayout> linear;
  if (fields.has(layout::name(Dim::Offset)) || fields.has(layout::name(Dim::Block))) {
    linear = fields.only({layout::name(Dim::Offset), layout::name(Dim::Block)})
                 .linear({Dim::Offset, Dim::Block});
  } else {
    SmallVector<unsigned> order, shape;
    fields.only({names::order, names::shape}).uints(names::order, order).uints(names::shape, shape);
    if (!fields) return {};
    if (order.size() != shape.size() || order.empty() || order.size() > layout::maxRank ||
        !isPermutation(order)) {
      fields.fail() << "Mismatch of shape and order ranks in padded layout";
      return {};
    }
    if (!llvm::all_of(shape, llvm::isPowerOf2_32)) {
      fields.fail() << "shape of a padded layout must be powers of two";
      return {};
    }
    SmallVector<int32_t> sizes(shape.begin(), shape.end());
    linear = plainOffsets(order, sizes).appendIn(Dim::Block, {});
    if (!linear->valid()) {
      fields.fail() << "shape of a padded layout is too large";
      return {};
    }
  }
  if (!linear || parser.parseGreater()) return {};
  return parser.getChecked<PaddedSharedEncodingAttr>(parser.getContext(), ArrayRef(intervals),
                                                     ArrayRef(paddings), *linear);
}

void SharedLinearEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  printLinear(printer, getLinearLayout(),
              [](layout::DimBits dim) { return dim.dim != Dim::Block || dim.bits != 0; });
  printer << "}, " << names::alignment << " = " << getLayoutAlignment() << ">";
}

Attribute SharedLinearEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned alignment = 0;
  if (parser.parseLess()) return {};
  AttributeFields fields(parser);
  if (!fields) return {};
  if (fields.has(names::alignment)) {
    fields.fail() << "alignment must be specified outside of the linear layout braces";
    return {};
  }
  if (parser.parseComma() || parser.parseKeyword(names::alignment) || parser.parseEqual() ||
      parser.parseInteger(alignment) || parser.parseGreater())
    return {};
  NamedAttrList bases(fields.dict());
  if (!bases.get(layout::name(Dim::Block)))
    bases.append(layout::name(Dim::Block), Builder(parser.getContext()).getArrayAttr({}));
  AttributeFields all(parser, bases.getDictionary(parser.getContext()));
  auto linear = all.linear({Dim::Offset, Dim::Block});
  if (!linear) return {};
  if (all.dict().size() != 2) {
    all.fail() << "SharedLinearEncodingAttr must have exactly two attributes: offset and block";
    return {};
  }
  return parser.getChecked<SharedLinearEncodingAttr>(parser.getContext(), *linear, alignment);
}

void NVMMASharedEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  FieldPrinter fields(printer);
  fields.value(names::swizzlingByteWidth, getSwizzlingByteWidth())
      .value(names::transposed, getTransposed())
      .value(names::elementBitWidth, getElementBitWidth());
  if (getFp4Padded()) fields.value(names::fp4Padded, "true");
  unsigned rank = getCGALayout().getRank();
  if (rank != 2 && getCGALayout().getNumCTAs() == 1)
    fields.value(names::rank, rank);
  else
    fields.cga(getCGALayout());
  printer << "}>";
}

Attribute NVMMASharedEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned swizzlingByteWidth = 0, elementBitWidth = 0, rank = 2;
  bool transposed = false, fp4Padded = false;
  AttributeFields fields = AttributeFields::angled(parser);
  fields.only({names::swizzlingByteWidth, names::transposed, names::elementBitWidth,
               names::fp4Padded, names::CGALayout, names::rank});
  // If no rank is given, it is that of the first CTA basis.
  if (auto cga = dyn_cast_or_null<ArrayAttr>(fields.get(names::CGALayout)); cga && !cga.empty())
    if (auto basis = dyn_cast<ArrayAttr>(cga[0])) rank = static_cast<unsigned>(basis.size());
  fields.uint(names::swizzlingByteWidth, swizzlingByteWidth)
      .boolean(names::transposed, transposed)
      .uint(names::elementBitWidth, elementBitWidth)
      .boolean(names::fp4Padded, fp4Padded)
      .uint(names::rank, rank);
  CGAEncodingAttr cga = fields.cga(rank);
  if (!cga) return {};
  return parser.getChecked<NVMMASharedEncodingAttr>(parser.getContext(), swizzlingByteWidth,
                                                    transposed, elementBitWidth, fp4Padded, cga);
}

void PartitionedSharedEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{";
  FieldPrinter(printer)
      .value(names::numPartitions, getNumPartitions())
      .value(names::numGroups, getNumGroups())
      .value(names::partitionDim, getPartitionDim())
      .value(names::partitionLayout, Attribute(getPartitionLayout()));
  printer << "}>";
}

Attribute PartitionedSharedEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned numPartitions = 0, numGroups = 0, partitionDim = 0;
  AttributeFields fields = AttributeFields::angled(parser);
  fields.only({names::numPartitions, names::numGroups, names::partitionDim, names::partitionLayout})
      .uint(names::numPartitions, numPartitions)
      .uint(names::numGroups, numGroups)
      .uint(names::partitionDim, partitionDim);
  if (!fields) return {};
  if (!fields.has(names::partitionLayout)) {
    fields.fail() << "missing partitionLayout";
    return {};
  }
  auto layout = dyn_cast<SharedEncodingTrait>(fields.get(names::partitionLayout));
  if (!layout) {
    fields.fail() << "partitionLayout must be a SharedEncodingTrait";
    return {};
  }
  return parser.getChecked<PartitionedSharedEncodingAttr>(parser.getContext(), numPartitions,
                                                          numGroups, partitionDim, layout);
}

} // namespace gluond::ttg
