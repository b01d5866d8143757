// The text of encodings: `#ttg.blocked<{sizePerThread = [1], ...}>`.
#include "ir/ttg/Attributes.h"

#include <llvm/ADT/STLExtras.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/DialectImplementation.h>

using namespace mlir;

namespace gluond::ttg {

using layout::Dim;
using layout::LinearLayout;

// ---------------------------------------------------------------- reading

namespace {

// The fields of `<{name = value, ...}>`. The first problem is reported and makes it false from then
// on.
class Fields {
public:
  // Reads `{...}`; Fields::angled() also reads the brackets around it.
  explicit Fields(AsmParser& parser) : parser_(parser) {
    ok_ = succeeded(parser.parseAttribute(dict_));
  }
  Fields(AsmParser& parser, DictionaryAttr dict) : parser_(parser), dict_(dict) {}
  static Fields angled(AsmParser& parser) {
    bool less = succeeded(parser.parseLess());
    Fields fields(parser);
    fields.ok_ = less && fields.ok_ && succeeded(parser.parseGreater());
    return fields;
  }
  explicit operator bool() const { return ok_; }
  bool has(StringRef name) const { return ok_ && dict_.contains(name); }
  Attribute get(StringRef name) const { return ok_ ? dict_.get(name) : Attribute(); }
  DictionaryAttr dict() const { return dict_; }

  Fields& only(ArrayRef<StringRef> names) {
    if (ok_)
      for (NamedAttribute attr : dict_)
        if (!llvm::is_contained(names, attr.getName().strref())) {
          fail() << "unexpected key: " << attr.getName().strref();
          break;
        }
    return *this;
  }
  Fields& uint(StringRef name, unsigned& value, StringRef what = {}) {
    if (Attribute attr = get(name)) read(attr, value, what.empty() ? name : what);
    return *this;
  }
  Fields& boolean(StringRef name, bool& value) {
    if (Attribute attr = get(name)) {
      if (auto b = dyn_cast<BoolAttr>(attr))
        value = b.getValue();
      else
        fail() << "expected a bool type in " << name;
    }
    return *this;
  }
  Fields& uints(StringRef name, SmallVector<unsigned>& values, StringRef what = {}) {
    if (what.empty()) what = name;
    Attribute attr = get(name);
    if (!attr) return *this;
    auto array = dyn_cast<ArrayAttr>(attr);
    if (!array) {
      fail() << "expected an array for " << what;
      return *this;
    }
    values.clear();
    for (Attribute element : array)
      if (!read(element, values.emplace_back(), what)) break;
    return *this;
  }
  CGAEncodingAttr cga(size_t rank) {
    return ok_ ? parseCGALayout(parser_, dict_.get("CGALayout"), static_cast<unsigned>(rank))
               : CGAEncodingAttr();
  }
  // Parses bases of the named inputs; a rank of 0 means that the bases determine it.
  std::optional<LinearLayout> linear(ArrayRef<Dim> ins, unsigned rank = 0);

  InFlightDiagnostic fail() {
    ok_ = false;
    return parser_.emitError(parser_.getNameLoc());
  }

private:
  bool read(Attribute attr, unsigned& value, StringRef what) {
    auto integer = dyn_cast<IntegerAttr>(attr);
    if (!integer || isa<BoolAttr>(attr)) {
      fail() << "expected an integer type in " << what;
      return false;
    }
    bool isUnsigned = integer.getType().isUnsignedInteger();
    if (integer.getValue().getBitWidth() > 64 || (!isUnsigned && integer.getValue().isNegative())) {
      fail() << "expected an unsigned integer value in " << what;
      return false;
    }
    value = static_cast<unsigned>(integer.getValue().getZExtValue());
    return true;
  }

  AsmParser& parser_;
  DictionaryAttr dict_;
  bool ok_ = true;
};

std::optional<LinearLayout> Fields::linear(ArrayRef<Dim> ins, unsigned rank) {
  if (!ok_) return std::nullopt;
  SmallVector<layout::Bases, 4> bases(ins.size());
  for (auto [dim, columns] : llvm::zip(ins, bases)) {
    Attribute attr = dict_.get(layout::name(dim));
    if (!attr) {
      fail() << "Expected basis of '" << layout::name(dim) << "' not found";
      return std::nullopt;
    }
    auto array = dyn_cast<ArrayAttr>(attr);
    if (!array) {
      fail() << "Expected array of arrays for basis of '" << layout::name(dim) << "'";
      return std::nullopt;
    }
    for (Attribute element : array) {
      auto basis = dyn_cast<ArrayAttr>(element);
      if (!basis) {
        fail() << "Expected array of integers in basis for '" << layout::name(dim) << "'";
        return std::nullopt;
      }
      layout::Coordinates& coordinates = columns.emplace_back();
      for (Attribute value : basis) {
        auto integer = dyn_cast<IntegerAttr>(value);
        if (!integer || integer.getValue().getSignificantBits() > 32) {
          fail() << "Expected integer in basis for '" << layout::name(dim) << "'";
          return std::nullopt;
        }
        coordinates.push_back(static_cast<int32_t>(integer.getValue().getSExtValue()));
      }
    }
  }
  unsigned found = 0;
  for (const auto& columns : bases)
    if (!columns.empty()) {
      found = static_cast<unsigned>(columns.front().size());
      break;
    }
  if (found == 0 && rank == 0) {
    fail() << "Empty Layout not supported";
    return std::nullopt;
  }
  if (found != 0 && rank != 0 && found != rank) {
    fail() << "Serialized rank and rank deduced from LL need to match";
    return std::nullopt;
  }
  rank = found ? found : rank;
  if (rank > layout::maxRank) {
    fail() << "layouts have at most " << layout::maxRank << " dimensions";
    return std::nullopt;
  }
  SmallVector<LinearLayout::InBases, 4> inputs;
  for (auto [dim, columns] : llvm::zip(ins, bases))
    inputs.push_back({dim, columns});
  auto made = LinearLayout::fromBases(inputs, layout::tensorDims(rank));
  if (made) return std::move(*made);
  fail() << made.error();
  return std::nullopt;
}

} // namespace

CGAEncodingAttr parseCGALayout(AsmParser& parser, Attribute attr, unsigned rank) {
  if (rank > layout::maxRank) {
    parser.emitError(parser.getNameLoc())
        << "layouts have at most " << layout::maxRank << " dimensions";
    return {};
  }
  if (!attr) return CGAEncodingAttr::get1CTALayout(parser.getContext(), rank);
  if (auto cga = dyn_cast<CGAEncodingAttr>(attr)) return cga;
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array) {
    parser.emitError(parser.getNameLoc(), "expected array value for 'CGALayout'");
    return {};
  }
  for (Attribute basis : array)
    if (auto values = dyn_cast<ArrayAttr>(basis); values && values.size() != rank) {
      parser.emitError(parser.getNameLoc())
          << "'CGALayout' entry length does not match rank " << rank;
      return {};
    }
  Builder builder(parser.getContext());
  Fields fields(parser,
                builder.getDictionaryAttr(builder.getNamedAttr(layout::name(Dim::Block), array)));
  auto linear = fields.linear(Dim::Block, rank);
  return linear ? parser.getChecked<CGAEncodingAttr>(parser.getContext(), *linear)
                : CGAEncodingAttr();
}

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

// `, CGALayout = [...]`, where there is more than one CTA.
static void printOptionalCGA(AsmPrinter& printer, CGAEncodingAttr layout) {
  if (layout.getNumCTAs() == 1) return;
  printer << ", CGALayout = ";
  printCGALayout(printer, layout);
}

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
  printer << "<{sizePerThread = ";
  printList(printer, getSizePerThread());
  printer << ", threadsPerWarp = ";
  printList(printer, getThreadsPerWarp());
  printer << ", warpsPerCTA = ";
  printList(printer, getWarpsPerCTA());
  printer << ", order = ";
  printList(printer, getOrder());
  printOptionalCGA(printer, getCGALayout());
  printer << "}>";
}

Attribute BlockedEncodingAttr::parse(AsmParser& parser, Type) {
  SmallVector<unsigned> sizePerThread, threadsPerWarp, warpsPerCTA, order;
  Fields fields = Fields::angled(parser);
  fields.only({"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order", "CGALayout"})
      .uints("sizePerThread", sizePerThread, "number of elements per thread")
      .uints("threadsPerWarp", threadsPerWarp, "number of threads per warp")
      .uints("warpsPerCTA", warpsPerCTA, "number of warps per CTA")
      .uints("order", order);
  CGAEncodingAttr cga = fields.cga(sizePerThread.size());
  if (!cga) return {};
  return parser.getChecked<BlockedEncodingAttr>(parser.getContext(), ArrayRef(sizePerThread),
                                                ArrayRef(threadsPerWarp), ArrayRef(warpsPerCTA),
                                                ArrayRef(order), cga);
}

void SliceEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << Attribute(getParent()) << "}>";
}

Attribute SliceEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned dim = 0;
  Fields fields = Fields::angled(parser);
  fields.uint("dim", dim);
  if (!fields) return {};
  auto parent = dyn_cast_or_null<DistributedEncodingTrait>(fields.get("parent"));
  if (!parent || !fields.has("dim")) {
    fields.fail() << "expected a distributed encoding trait";
    return {};
  }
  return parser.getChecked<SliceEncodingAttr>(parser.getContext(), dim, parent);
}

static constexpr Dim distributedDims[] = {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block};

template <class Attr> static Attribute parseLinearEncoding(AsmParser& parser) {
  auto linear = Fields::angled(parser).linear(distributedDims);
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
  printer << "<{versionMajor = " << getVersionMajor() << ", versionMinor = " << getVersionMinor()
          << ", warpsPerCTA = ";
  printList(printer, getWarpsPerCTA());
  printOptionalCGA(printer, getCGALayout());
  printer << ", instrShape = ";
  printList(printer, getInstrShape());
  printer << "}>";
}

Attribute NvidiaMmaEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned versionMajor = 0, versionMinor = 0;
  SmallVector<unsigned> warpsPerCTA, instrShape;
  Fields fields = Fields::angled(parser);
  fields.uint("versionMajor", versionMajor)
      .uint("versionMinor", versionMinor)
      .uints("warpsPerCTA", warpsPerCTA)
      .uints("instrShape", instrShape);
  CGAEncodingAttr cga = fields.cga(warpsPerCTA.size());
  if (!cga) return {};
  return parser.getChecked<NvidiaMmaEncodingAttr>(parser.getContext(), versionMajor, versionMinor,
                                                  ArrayRef(warpsPerCTA), cga, ArrayRef(instrShape));
}

void AMDMfmaEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{version = " << getVersion() << ", warpsPerCTA = ";
  printList(printer, getWarpsPerCTA());
  printer << ", instrShape = ";
  printList(printer, getInstrShape());
  printer << ", isTransposed = " << getIsTransposed();
  printOptionalCGA(printer, getCGALayout());
  if (!hasUnitTilesPerWarp()) {
    printer << ", tilesPerWarp = ";
    printList(printer, getTilesPerWarp());
  }
  if (getElementBitWidth() != 32) printer << ", elementBitWidth = " << getElementBitWidth();
  printer << "}>";
}

Attribute AMDMfmaEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned version = 0, elementBitWidth = 32;
  SmallVector<unsigned> warpsPerCTA, instrShape, tilesPerWarp;
  bool isTransposed = false;
  Fields fields = Fields::angled(parser);
  fields.uint("version", version)
      .uints("warpsPerCTA", warpsPerCTA)
      .uints("instrShape", instrShape)
      .boolean("isTransposed", isTransposed)
      .uints("tilesPerWarp", tilesPerWarp)
      .uint("elementBitWidth", elementBitWidth);
  CGAEncodingAttr cga = fields.cga(warpsPerCTA.size());
  if (!cga) return {};
  if (tilesPerWarp.empty()) tilesPerWarp.assign(warpsPerCTA.size(), 1);
  return parser.getChecked<AMDMfmaEncodingAttr>(parser.getContext(), version, ArrayRef(warpsPerCTA),
                                                ArrayRef(instrShape), isTransposed, cga,
                                                ArrayRef(tilesPerWarp), elementBitWidth);
}

static constexpr unsigned defaultWmmaShape[] = {16, 16, 16};

void AMDWmmaEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{version = " << getVersion() << ", isTranspose = " << getIsTransposed()
          << ", ctaLayout = {";
  printLinear(printer, getCtaLayout(), keepNonEmpty);
  printer << "}";
  printOptionalCGA(printer, getCGALayout());
  if (getInstrShape() != ArrayRef(defaultWmmaShape)) {
    printer << ", instrShape = ";
    printList(printer, getInstrShape());
  }
  printer << "}>";
}

// Returns the length of the first basis of a register, a warp or a CTA.
static std::optional<unsigned> rankOfBases(const Fields& fields, const NamedAttrList& bases) {
  for (Attribute each : {bases.get(layout::name(Dim::Register)), bases.get(layout::name(Dim::Warp)),
                         fields.get("CGALayout")})
    if (auto array = dyn_cast_or_null<ArrayAttr>(each); array && !array.empty())
      if (auto basis = dyn_cast<ArrayAttr>(array[0])) return static_cast<unsigned>(basis.size());
  return std::nullopt;
}

Attribute AMDWmmaEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned version = 0, rank = 0;
  bool isTransposed = false;
  SmallVector<unsigned> instrShape(ArrayRef<unsigned>{defaultWmmaShape});
  Fields fields = Fields::angled(parser);
  fields.uint("version", version)
      .uint("rank", rank)
      .boolean("isTranspose", isTransposed)
      .uints("instrShape", instrShape);
  auto dict = dyn_cast_or_null<DictionaryAttr>(fields.get("ctaLayout"));
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
  auto linear = Fields(parser, bases.getDictionary(parser.getContext()))
                    .linear({Dim::Register, Dim::Warp}, rank);
  if (!linear) return {};
  return parser.getChecked<AMDWmmaEncodingAttr>(parser.getContext(), version, *linear, isTransposed,
                                                cga, ArrayRef(instrShape));
}

template <class Attr> static void printSwizzled(AsmPrinter& printer, Attr attr) {
  printer << "<{vec = " << attr.getVec() << ", perPhase = " << attr.getPerPhase()
          << ", maxPhase = " << attr.getMaxPhase() << ", order = ";
  printList(printer, attr.getOrder());
  printOptionalCGA(printer, attr.getCGALayout());
  printer << "}>";
}

template <class Attr> static Attribute parseSwizzled(AsmParser& parser) {
  unsigned vec = 0, perPhase = 0, maxPhase = 0;
  SmallVector<unsigned> order;
  Fields fields = Fields::angled(parser);
  fields.only({"vec", "perPhase", "maxPhase", "order", "CGALayout"})
      .uint("vec", vec)
      .uint("perPhase", perPhase)
      .uint("maxPhase", maxPhase)
      .uints("order", order);
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
    printer << "order = ";
    printList(printer, order);
    printer << ", shape = ";
    printList(printer, shape);
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
  Fields fields(parser);
  if (!fields) return {};
  std::optional<LinearLayout> linear;
  if (fields.has("offset") || fields.has("block")) {
    linear = fields.only({"offset", "block"}).linear({Dim::Offset, Dim::Block});
  } else {
    SmallVector<unsigned> order, shape;
    fields.only({"order", "shape"}).uints("order", order).uints("shape", shape);
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
  printer << "}, alignment = " << getLayoutAlignment() << ">";
}

Attribute SharedLinearEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned alignment = 0;
  if (parser.parseLess()) return {};
  Fields fields(parser);
  if (!fields) return {};
  if (fields.has("alignment")) {
    fields.fail() << "alignment must be specified outside of the linear layout braces";
    return {};
  }
  if (parser.parseComma() || parser.parseKeyword("alignment") || parser.parseEqual() ||
      parser.parseInteger(alignment) || parser.parseGreater())
    return {};
  NamedAttrList bases(fields.dict());
  if (!bases.get("block")) bases.append("block", Builder(parser.getContext()).getArrayAttr({}));
  Fields all(parser, bases.getDictionary(parser.getContext()));
  auto linear = all.linear({Dim::Offset, Dim::Block});
  if (!linear) return {};
  if (all.dict().size() != 2) {
    all.fail() << "SharedLinearEncodingAttr must have exactly two attributes: offset and block";
    return {};
  }
  return parser.getChecked<SharedLinearEncodingAttr>(parser.getContext(), *linear, alignment);
}

void NVMMASharedEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{swizzlingByteWidth = " << getSwizzlingByteWidth()
          << ", transposed = " << getTransposed() << ", elementBitWidth = " << getElementBitWidth();
  if (getFp4Padded()) printer << ", fp4Padded = true";
  unsigned rank = getCGALayout().getRank();
  if (rank != 2 && getCGALayout().getNumCTAs() == 1)
    printer << ", rank = " << rank;
  else
    printOptionalCGA(printer, getCGALayout());
  printer << "}>";
}

Attribute NVMMASharedEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned swizzlingByteWidth = 0, elementBitWidth = 0, rank = 2;
  bool transposed = false, fp4Padded = false;
  Fields fields = Fields::angled(parser);
  fields.only(
      {"swizzlingByteWidth", "transposed", "elementBitWidth", "fp4Padded", "CGALayout", "rank"});
  // Without a rank, that of the first CTA basis.
  if (auto cga = dyn_cast_or_null<ArrayAttr>(fields.get("CGALayout")); cga && !cga.empty())
    if (auto basis = dyn_cast<ArrayAttr>(cga[0])) rank = static_cast<unsigned>(basis.size());
  fields.uint("swizzlingByteWidth", swizzlingByteWidth)
      .boolean("transposed", transposed)
      .uint("elementBitWidth", elementBitWidth)
      .boolean("fp4Padded", fp4Padded)
      .uint("rank", rank);
  CGAEncodingAttr cga = fields.cga(rank);
  if (!cga) return {};
  return parser.getChecked<NVMMASharedEncodingAttr>(parser.getContext(), swizzlingByteWidth,
                                                    transposed, elementBitWidth, fp4Padded, cga);
}

void PartitionedSharedEncodingAttr::print(AsmPrinter& printer) const {
  printer << "<{numPartitions = " << getNumPartitions() << ", numGroups = " << getNumGroups()
          << ", partitionDim = " << getPartitionDim()
          << ", partitionLayout = " << Attribute(getPartitionLayout()) << "}>";
}

Attribute PartitionedSharedEncodingAttr::parse(AsmParser& parser, Type) {
  unsigned numPartitions = 0, numGroups = 0, partitionDim = 0;
  Fields fields = Fields::angled(parser);
  fields.only({"numPartitions", "numGroups", "partitionDim", "partitionLayout"})
      .uint("numPartitions", numPartitions)
      .uint("numGroups", numGroups)
      .uint("partitionDim", partitionDim);
  if (!fields) return {};
  if (!fields.has("partitionLayout")) {
    fields.fail() << "missing partitionLayout";
    return {};
  }
  auto layout = dyn_cast<SharedEncodingTrait>(fields.get("partitionLayout"));
  if (!layout) {
    fields.fail() << "partitionLayout must be a SharedEncodingTrait";
    return {};
  }
  return parser.getChecked<PartitionedSharedEncodingAttr>(parser.getContext(), numPartitions,
                                                          numGroups, partitionDim, layout);
}

} // namespace gluond::ttg
