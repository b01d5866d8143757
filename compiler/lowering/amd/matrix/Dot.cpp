// tt.dot and tt.dot_scaled by matrix instructions.
//
// Which registers belong to an instruction follows from the coordinates that thread 0 has. The
// lanes' share of rows and columns is the instruction's own. Along K any order will do that both
// operands have, as long as the lanes divide it alike: registers are taken as they come.
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/amd/Instructions.h"
#include "lowering/amd/matrix/DotOperands.h"
#include "lowering/amd/matrix/MatrixCore.h"
#include "lowering/tensors/FmaDot.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

// `isFnuz`: the 8-bit floats of the layout's instructions are those of CDNA 3.
std::optional<Number> numberOf(Generation generation, mlir::Type type, tt::InputPrecision precision,
                               chips::Mnk shape, bool isFnuz) {
  if (type.isF16()) return Number::F16;
  if (type.isBF16()) return Number::BF16;
  if (type.isF64()) return Number::F64;
  if (type.isInteger(8)) return Number::I8;
  // An fp32 layout with the K of xf32 can only mean it.
  if (type.isF32())
    return precision == tt::InputPrecision::TF32 && generation == Generation::Cdna3 &&
                   findMatrixInstruction(generation, Number::XF32, Number::XF32, shape)
               ? Number::XF32
               : Number::F32;
  switch (fp8Of(type)) {
  case Fp8::E4M3:
    return isFnuz ? std::nullopt : std::optional(Number::Fp8);
  case Fp8::E5M2:
    return isFnuz ? std::nullopt : std::optional(Number::Bf8);
  case Fp8::E4M3Fnuz:
    return isFnuz ? std::optional(Number::Fp8) : std::nullopt;
  case Fp8::E5M2Fnuz:
    return isFnuz ? std::optional(Number::Bf8) : std::nullopt;
  case Fp8::None:
    return std::nullopt;
  }
  return std::nullopt;
}

// The instruction that the product's layout names.
struct Encoding {
  chips::Mnk shape;
  bool isTransposed;
};
std::optional<Encoding> encodingOf(mlir::RankedTensorType type) {
  auto made = [](llvm::ArrayRef<unsigned> shape, bool isTransposed) -> std::optional<Encoding> {
    if (shape.size() < 3) return std::nullopt;
    shape = shape.take_back(3);
    return Encoding{{shape[0], shape[1], shape[2]}, isTransposed};
  };
  if (auto mfma = mlir::dyn_cast<ttg::AMDMfmaEncodingAttr>(type.getEncoding()))
    return made(mfma.getInstrShape(), mfma.getIsTransposed());
  if (auto wmma = mlir::dyn_cast<ttg::AMDWmmaEncodingAttr>(type.getEncoding()))
    return made(wmma.getInstrShape(), wmma.getIsTransposed());
  return std::nullopt;
}

llvm::Value* carried(FunctionEmitter& e, Registers words, Carrier carrier, llvm::Type* element) {
  llvm::Value* vector = vectorOf(e, words);
  auto bits = static_cast<unsigned>(vector->getType()->getPrimitiveSizeInBits());
  llvm::Type* type = vector->getType();
  switch (carrier) {
  case Carrier::Words:
    break;
  case Carrier::Long:
    type = e.b.getIntNTy(bits);
    break;
  case Carrier::Shorts:
    element = e.b.getInt16Ty();
    [[fallthrough]];
  case Carrier::Own: {
    unsigned count = bits / registerBits(element);
    type =
        count == 1 ? element : static_cast<llvm::Type*>(llvm::FixedVectorType::get(element, count));
  }
  }
  return e.b.CreateBitCast(vector, type);
}

// The registers of the result that an instruction makes, in its order: along the dimension that
// its registers run.
llvm::SmallVector<unsigned> tileOf(const Places& places, int32_t row, int32_t column,
                                   const Encoding& encoding) {
  llvm::SmallVector<unsigned> tile;
  for (const auto& [at, number] : places) {
    bool isInside = encoding.isTransposed
                        ? at.first == row && at.second >= column &&
                              at.second < column + static_cast<int32_t>(encoding.shape[1])
                        : at.second == column && at.first >= row &&
                              at.first < row + static_cast<int32_t>(encoding.shape[0]);
    if (isInside) tile.push_back(number);
  }
  return tile;
}

// The same for a result that is smaller than the instruction's: some registers are the same
// element. The first registers of the layout, repetitions included, are those of an instruction.
llvm::SmallVector<unsigned> repeatedTileOf(mlir::RankedTensorType type, const Places& places,
                                           int32_t row, int32_t column, unsigned size) {
  LinearLayout layout = ir::toLinearLayout(type);
  llvm::SmallVector<unsigned> tile;
  if (layout.inSize(Dim::Register) < static_cast<int64_t>(size)) return tile;
  for (unsigned i = 0; i < size; ++i) {
    layout::Coordinates at = layout.unpack(layout::f2::multiply(layout.columns(Dim::Register), i));
    auto found = places.find({row ^ at[at.size() - 2], column ^ at.back()});
    if (found == places.end()) return {};
    tile.push_back(found->second);
  }
  return tile;
}

// All instructions of a product: `step` makes one of a tile's row, column, part of K and sums.
using Step =
    llvm::function_ref<llvm::Value*(int32_t row, int32_t column, size_t part, llvm::Value* sums)>;
bool eachTile(FunctionEmitter& e, mlir::Operation* op, mlir::RankedTensorType type,
              const Places& result, llvm::ArrayRef<int32_t> rows, llvm::ArrayRef<int32_t> columns,
              size_t parts, const Encoding& encoding, RegisterList& sums, Step step) {
  unsigned size = encoding.shape[0] * encoding.shape[1] / e.state().threadsPerWarp;
  for (int32_t row : rows)
    for (int32_t column : columns) {
      llvm::SmallVector<unsigned> tile = tileOf(result, row, column, encoding);
      if (tile.size() < size) tile = repeatedTileOf(type, result, row, column, size);
      if (tile.size() != size)
        return e.fail(op, "the accumulator's layout does not fit its matrix instruction");
      RegisterList elements;
      for (unsigned number : tile)
        elements.push_back(sums[number]);
      llvm::Value* vector = vectorOf(e, elements);
      for (size_t part = 0; part < parts; ++part) {
        vector = step(row, column, part, vector);
        if (!vector) return e.fail(op, "the operands' layouts do not fit their matrix instruction");
      }
      for (auto [number, value] : llvm::zip(tile, elementsOf(e, vector)))
        sums[number] = value;
    }
  return true;
}

// A product by instructions of Form::Broadcast. `narrow` is the operand with four rows or columns:
// it is each instruction's first.
bool broadcastDot(FunctionEmitter& e, tt::DotOp op, const MatrixInstruction& instruction,
                  const Operand& narrow, const Operand& wide, const Encoding& encoding) {
  bool isA = !encoding.isTransposed; // whether A is the narrow one
  llvm::Type* element = e.elementType(op.getA().getType());
  constexpr unsigned size = 4;
  constexpr llvm::StringLiteral misfit =
      "the operands' layouts do not fit their matrix instruction";
  if (!holdsTile(narrow, size) || !holdsTile(wide, 64) ||
      !followResult(e.layoutOf(op.getType()), isA ? narrow : wide, isA ? wide : narrow))
    return e.fail(op, misfit);
  // Where the lanes' parts of the narrow operand are along K. Those that only repeat are left out.
  uint64_t repeating = lanesRepeatingK(narrow, size) / size;
  auto firstOf = [&](unsigned part) {
    uint64_t k = 0;
    for (unsigned bit = 0; bit < llvm::Log2_32(broadcastParts); ++bit)
      if (part >> bit & 1) k ^= narrow.innerBasis(Dim::Lane, llvm::Log2_32(size) + bit);
    return static_cast<int32_t>(k);
  };
  size_t share = encoding.shape[2] / broadcastParts;
  auto ofNarrow = placesOf(narrow.layout), ofWide = placesOf(wide.layout);
  RegisterList sums(e.get(op.getC()));
  for (auto& [batch, places] : placesOf(e.layoutOf(op.getType()))) {
    const Places &small = ofNarrow[batch], &large = ofWide[batch];
    llvm::SmallVector<int32_t> ks = distinct(small, !isA);
    if (ks.size() % share) return e.fail(op, misfit);
    auto step = [&](int32_t row, int32_t column, size_t part, llvm::Value* sum) -> llvm::Value* {
      llvm::ArrayRef<int32_t> own = llvm::ArrayRef(ks).slice(part * share, share);
      auto first = wordsOf(e, small, narrow.registers, isA, isA ? row : column, own);
      if (!first) return nullptr;
      for (unsigned i = 0; i < broadcastParts; ++i) {
        if (i & repeating) continue;
        auto there = llvm::map_to_vector(own, [&](int32_t k) { return k ^ firstOf(i); });
        auto second = wordsOf(e, large, wide.registers, !isA, isA ? column : row, there);
        if (!second) return nullptr;
        sum = e.intrinsic(instruction.intrinsic, {},
                          {carried(e, *first, instruction.carrier, element),
                           carried(e, *second, instruction.carrier, element), sum,
                           e.i32(llvm::Log2_32(broadcastParts)), e.i32(i), e.i32(0)});
      }
      return sum;
    };
    if (!eachTile(e, op, op.getType(), places, distinct(isA ? small : large, true),
                  distinct(isA ? large : small, false), ks.size() / share, encoding, sums, step))
      return false;
  }
  e.set(op.getResult(), sums);
  return true;
}

// Returns Triton's message for types and shapes that the chip has no instruction for. `kind` is
// mfma or wmma.
std::string noInstruction(llvm::StringRef kind, unsigned version, const chips::Mnk& shape,
                          mlir::TypeRange types) {
  std::string message;
  llvm::raw_string_ostream out(message);
  auto [m, n, k] = shape;
  out << "no matching matrix core intrinsic for " << kind << " version " << version
      << " with instruction shape [" << m << ", " << n << ", " << k << "] and element types";
  for (auto [name, type] : llvm::zip(llvm::StringRef("ABD"), types))
    out << (name == 'A' ? " " : ", ") << name << "='" << type << "'";
  out << ". Check whether the " << kind
      << " version, instruction shape, and data types are supported on the current AMD GPU "
         "architecture.";
  return message;
}

// Returns the chips whose instructions a layout of WMMA names.
Generation wmmaGeneration(ttg::AMDWmmaEncodingAttr wmma) {
  return wmma.getVersion() == 1   ? Generation::Rdna3
         : wmma.getVersion() == 2 ? Generation::Rdna4
                                  : Generation::Cdna5;
}

bool dot(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::DotOp>(operation);
  auto result = mlir::cast<mlir::RankedTensorType>(op.getType());
  std::optional<Encoding> encoding = encodingOf(result);
  if (!encoding) return fmaDot(e, op);
  auto wmma = mlir::dyn_cast<ttg::AMDWmmaEncodingAttr>(result.getEncoding());
  Generation generation = wmma ? wmmaGeneration(wmma) : generationOf(e);
  mlir::Type aType = mlir::getElementTypeOrSelf(op.getA().getType()),
             bType = mlir::getElementTypeOrSelf(op.getB().getType());
  auto mfma = mlir::dyn_cast<ttg::AMDMfmaEncodingAttr>(result.getEncoding());
  constexpr unsigned fnuzVersion = 3; // of MFMA; later versions have OCP's types
  bool isFnuz = mfma && mfma.getVersion() == fnuzVersion;
  auto aNumber = numberOf(generation, aType, op.getInputPrecision(), encoding->shape, isFnuz),
       bNumber = numberOf(generation, bType, op.getInputPrecision(), encoding->shape, isFnuz);
  auto [m, n, k] = encoding->shape;
  bool isTransposed = encoding->isTransposed;
  llvm::Type *element = e.elementType(aType), *sum = e.elementType(result);
  bool hasHalves = sum->isHalfTy(),
       isSum = hasHalves || sum->isFloatTy() || sum->isDoubleTy() || sum->isIntegerTy(32);
  const MatrixInstruction* instruction = nullptr;
  if (aNumber && bNumber) {
    if (isTransposed) std::swap(aNumber, bNumber);
    instruction = findMatrixInstruction(generation, *aNumber, *bNumber, encoding->shape, hasHalves);
  }
  if (mfma && !instruction)
    return e.reject(op, noInstruction("mfma", mfma.getVersion(), encoding->shape, {aType, bType}));
  if (mfma && !isFnuz && generation == Generation::Cdna3 && fp8Of(aType) != Fp8::None)
    return e.fail(op, "gluond compiles no product of OCP's 8-bit floats with MFMA of version 4 for "
                      "this target, whose instructions read them as other numbers (fnuz): use "
                      "version 3");
  if (wmma && !instruction)
    return e.reject(op, noInstruction("wmma", wmma.getVersion(), encoding->shape,
                                      {aType, bType, result.getElementType()}));
  if (!instruction || !isSum)
    return e.fail(
        op, "gluond cannot compile a matrix product of these types with instructions of " +
                llvm::Twine(m) + "x" + llvm::Twine(n) + "x" + llvm::Twine(k) + " for this target");
  if (generation != generationOf(e))
    return e.fail(op, "gluond compiles no kernel with WMMA of version " +
                          llvm::Twine(wmma.getVersion()) +
                          " for this target, which has no such instruction: Triton's would be "
                          "empty");

  const LinearLayout& c = e.layoutOf(result);
  Operand a = operandOf(e, c, op.getA(), true), b = operandOf(e, c, op.getB(), false);
  if (instruction->form == Form::Broadcast) {
    if (isTransposed != (m == 64))
      return e.fail(op, "products of 4x64 need a layout that is not transposed, those of 64x4 one "
                        "that is");
    return broadcastDot(e, op, *instruction, isTransposed ? b : a, isTransposed ? a : b, *encoding);
  }
  unsigned copies = generation == Generation::Rdna3 ? 2 : 1;
  size_t lanes = e.state().threadsPerWarp,
         share = size_t(m) * k / lanes * copies; // of K, for a lane
  int64_t depth = mlir::cast<mlir::RankedTensorType>(op.getA().getType()).getShape().back();
  if (!holdsTile(a, m) || !holdsTile(b, n) || !divideAlike(a, b, m, n, copies > 1) ||
      !followResult(c, a, b))
    return e.fail(op, "the operands' layouts do not fit their matrix instruction");
  uint64_t aRepeating = lanesRepeatingK(a, m), bRepeating = lanesRepeatingK(b, n);
  size_t owners = (lanes / m) >> llvm::popcount(aRepeating); // lanes that hold a part of K

  auto as = placesOf(a.layout), bs = placesOf(b.layout);
  RegisterList sums(e.get(op.getC()));
  for (auto& [batch, places] : placesOf(c)) {
    const Places &ofA = as[batch], &ofB = bs[batch];
    llvm::SmallVector<int32_t> ks = distinct(ofA, false);
    size_t taken = std::min(share, ks.size());
    if (ks != distinct(ofB, true) || ks.size() % taken ||
        static_cast<int64_t>(ks.size() * owners) != depth)
      return e.fail(op, "the operands' layouts do not fit their matrix instruction");
    bool done = eachTile(
        e, op, result, places, distinct(ofA, true), distinct(ofB, false), ks.size() / taken,
        *encoding, sums,
        [&](int32_t row, int32_t column, size_t part, llvm::Value* vector) -> llvm::Value* {
          llvm::ArrayRef<int32_t> own = llvm::ArrayRef(ks).slice(part * taken, taken);
          auto left = wordsOf(e, ofA, a.registers, true, row, own),
               right = wordsOf(e, ofB, b.registers, false, column, own);
          if (!left || !right) return nullptr;
          if (copies == 1) {
            continueWithZeros(e, *left, left->size() * share / taken, aRepeating);
            continueWithZeros(e, *right, right->size() * share / taken, bRepeating);
          }
          if (isTransposed) std::swap(left, right);
          return multiply(e, *instruction, carried(e, *left, instruction->carrier, element),
                          carried(e, *right, instruction->carrier, element), vector);
        });
    if (!done) return false;
  }
  e.set(op.getResult(), sums);
  return true;
}

// The scales of an operand: one for so many numbers along K.
class Scales {
public:
  static constexpr int64_t one = 0x7f;

  Scales(FunctionEmitter& e, const LinearLayout& result, mlir::Value scales, int64_t numbersAlongK)
      : e_(e) {
    if (!scales) return;
    auto type = mlir::cast<mlir::RankedTensorType>(scales.getType());
    count_ = type.getShape().back();
    factor = numbersAlongK / count_;
    held_ = ofOwnBatch(e, result, scales);
    byBatch_ = placesOf(held_->layout);
  }
  // Later calls are about the matrices of this batch.
  void choose(int32_t batch) { places_ = byBatch_[batch]; }
  // A lane's scale, for CDNA's instructions: the lanes divide K as those of the operand do.
  llvm::Value* word(int32_t outer, int64_t k) const {
    if (!held_) return e_.i32(one);
    auto at = places_.find({outer, static_cast<int32_t>(k / factor)});
    return at == places_.end() ? nullptr
                               : e_.b.CreateZExt(held_->registers[at->second], e_.b.getInt32Ty());
  }
  // All scales of a row along an instruction's K, and which half of the lanes has them.
  llvm::Value* words(int32_t outer, int64_t k, unsigned count, int64_t& upperLanes) const {
    llvm::Type* type = e_.b.getIntNTy(count * 8);
    upperLanes = 0;
    if (!held_) return llvm::ConstantInt::get(type, llvm::APInt::getSplat(count * 8, {8, one}));
    RegisterList bytes;
    for (unsigned i = 0; i < count; ++i) {
      int64_t number = k / factor + i;
      if (number >= count_) { // the tensor is shorter than the instruction: it would scale zeros
        bytes.push_back(e_.b.getInt8(one));
        continue;
      }
      auto at = places_.find({outer, static_cast<int32_t>(number)});
      if (at == places_.end()) { // in the lanes from 16 on, whose rows are further on
        at = places_.find({outer - laneRows(4), static_cast<int32_t>(number)});
        if (at == places_.end() || !laneRows(4)) return nullptr;
        upperLanes = 1;
      }
      bytes.push_back(held_->registers[at->second]);
    }
    return e_.b.CreateBitCast(vectorOf(e_, bytes), type);
  }
  bool fits(unsigned tile) const {
    for (unsigned bit = 0; held_ && bit < llvm::Log2_32(tile); ++bit)
      if (laneRows(bit) != 1 << bit) return false;
    return true;
  }
  int64_t factor = 32;

private:
  int32_t laneRows(unsigned bit) const {
    auto rank = static_cast<unsigned>(held_->layout.outs().size());
    return held_->layout.basis(Dim::Lane, bit, layout::tensorDim(rank - 2));
  }
  FunctionEmitter& e_;
  std::optional<Held> held_;
  int64_t count_ = 0;
  std::map<int32_t, Places> byBatch_;
  Places places_;
};

bool scaledDot(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::DotScaledOp>(operation);
  auto result = mlir::cast<mlir::RankedTensorType>(op.getType());
  std::optional<Encoding> encoding = encodingOf(result);
  Generation generation = generationOf(e);
  bool isMfma = generation == Generation::Cdna4;
  auto aFormat = formatOf(op.getAElemType()), bFormat = formatOf(op.getBElemType());
  if (!encoding || (!isMfma && generation != Generation::Cdna5) || !aFormat || !bFormat ||
      !op.getLhsKPack() || !op.getRhsKPack())
    return e.fail(op, "gluond cannot compile this scaled matrix product for this target");
  auto [m, n, k] = encoding->shape;
  constexpr int64_t fp4 = 4;
  // WMMA of fp4 alone multiplies 32 rows (columns, if it is transposed) by 16: two registers'
  // worth of the one operand, the second with those 16 further on.
  bool isLong = !isMfma && m == 32, isTransposed = encoding->isTransposed,
       aIsLong = isLong && !isTransposed, bIsLong = isLong && isTransposed;
  constexpr int32_t half = 16;
  bool isKnown =
      isMfma ? chips::hasScaledMfmaShape(encoding->shape)
             : chips::hasScaledWmmaShape(encoding->shape, *aFormat == fp4 && *bFormat == fp4);
  if (!isKnown || !e.elementType(result)->isFloatTy())
    return e.fail(op, "gluond cannot compile this scaled matrix product for this target");

  const LinearLayout& c = e.layoutOf(result);
  Operand a = operandOf(e, c, op.getA(), true), b = operandOf(e, c, op.getB(), false);
  a.pack = *aFormat == fp4 ? 2 : 1;
  b.pack = *bFormat == fp4 ? 2 : 1;
  int64_t numbers =
      mlir::cast<mlir::RankedTensorType>(op.getA().getType()).getShape().back() * a.pack;
  Scales aScales(e, c, op.getAScale(), numbers), bScales(e, c, op.getBScale(), numbers);
  unsigned rowsOfTile = isMfma ? m : half, columnsOfTile = isMfma ? n : half;
  if (!holdsTile(a, rowsOfTile) || !holdsTile(b, columnsOfTile) || !followResult(c, a, b) ||
      !aScales.fits(aIsLong ? 2 * half : rowsOfTile) ||
      !bScales.fits(bIsLong ? 2 * half : columnsOfTile))
    return e.fail(op, "the operands' layouts do not fit their matrix instruction");
  if (bIsLong) std::swap(encoding->shape[0], encoding->shape[1]);

  auto as = placesOf(a.layout), bs = placesOf(b.layout);
  llvm::SmallVector<int32_t> aKs = distinct(as[0], false), bKs = distinct(bs[0], true);
  size_t lanes = e.state().threadsPerWarp, aShare = size_t(rowsOfTile) * k / lanes / a.pack,
         bShare = size_t(columnsOfTile) * k / lanes / b.pack;
  // A tensor that is shorter along K is continued with zeros, also in lanes that repeat others.
  bool isShort = aKs.size() < aShare;
  uint64_t aCopies = lanesRepeatingK(a, rowsOfTile), bCopies = lanesRepeatingK(b, columnsOfTile);
  auto held = [&](const Operand& operand, size_t ks, unsigned tile, uint64_t copies) {
    return static_cast<int64_t>(ks * operand.pack * (lanes / tile) >> llvm::popcount(copies));
  };
  if (isShort ? held(a, aKs.size(), rowsOfTile, aCopies) != numbers ||
                    held(b, bKs.size(), columnsOfTile, bCopies) != numbers
              : aKs.size() % aShare || bKs.size() % bShare ||
                    aKs.size() / aShare != bKs.size() / bShare)
    return e.fail(op, "the operands' layouts do not fit their matrix instruction");
  size_t parts = isShort ? 1 : aKs.size() / aShare;
  RegisterList sums(e.get(op.getC()));
  auto operandWords = [&](const Places& places, Registers registers, bool isA, int32_t outer,
                          llvm::ArrayRef<int32_t> ks, size_t share, size_t part, bool isDouble,
                          uint64_t copies) -> std::optional<RegisterList> {
    RegisterList all;
    for (int32_t from = outer; from <= outer + (isDouble ? half : 0); from += half) {
      auto words =
          wordsOf(e, places, registers, isA, from, isShort ? ks : ks.slice(part * share, share));
      if (!words) return std::nullopt;
      if (isShort) continueWithZeros(e, *words, share / 4, copies);
      all.append(*words);
    }
    return all;
  };
  Places ofA, ofB; // of the batch at hand
  auto step = [&](int32_t row, int32_t column, size_t part, llvm::Value* vector) -> llvm::Value* {
    auto left = operandWords(ofA, a.registers, true, row, aKs, aShare, part, aIsLong, aCopies),
         right = operandWords(ofB, b.registers, false, column, bKs, bShare, part, bIsLong, bCopies);
    if (!left || !right) return nullptr;
    llvm::Value *x = vectorOf(e, *left), *y = vectorOf(e, *right), *none = e.b.getInt16(0),
                *no = e.i1(false), *zero = e.i32(0);
    int64_t xFormat = *aFormat, yFormat = *bFormat, at = static_cast<int64_t>(part * k);
    if (isMfma) {
      llvm::Value *xScale = aScales.word(row, at), *yScale = bScales.word(column, at);
      if (!xScale || !yScale) return nullptr;
      if (isTransposed) {
        std::swap(x, y);
        std::swap(xScale, yScale);
        std::swap(xFormat, yFormat);
      }
      return e.intrinsic(
          m == 32 ? In::amdgcn_mfma_scale_f32_32x32x64_f8f6f4
                  : In::amdgcn_mfma_scale_f32_16x16x128_f8f6f4,
          {x->getType(), y->getType()},
          {x, y, vector, e.i32(xFormat), e.i32(yFormat), zero, xScale, zero, yScale});
    }
    int64_t factor = op.getAScale() ? aScales.factor : bScales.factor;
    if (factor != 32 && factor != 16) return nullptr;
    auto count = static_cast<unsigned>(k / factor);
    int64_t xUpper, yUpper;
    llvm::Value *xScale = aScales.words(row, at, count, xUpper),
                *yScale = bScales.words(column, at, count, yUpper);
    if (!xScale || !yScale) return nullptr;
    if (isTransposed) {
      std::swap(x, y);
      std::swap(xScale, yScale);
      std::swap(xUpper, yUpper);
      std::swap(xFormat, yFormat);
    }
    if (isLong)
      return e.intrinsic(
          factor == 32 ? In::amdgcn_wmma_scale_f32_32x16x128_f4
                       : In::amdgcn_wmma_scale16_f32_32x16x128_f4,
          {vector->getType(), x->getType(), y->getType()},
          {x, y, none, vector, e.i32(xUpper), zero, xScale, e.i32(yUpper), zero, yScale, no, no});
    return e.intrinsic(factor == 32 ? In::amdgcn_wmma_scale_f32_16x16x128_f8f6f4
                                    : In::amdgcn_wmma_scale16_f32_16x16x128_f8f6f4,
                       {vector->getType(), x->getType(), y->getType()},
                       {e.i32(xFormat), x, e.i32(yFormat), y, none, vector, e.i32(xUpper), zero,
                        xScale, e.i32(yUpper), zero, yScale, no, no});
  };
  for (auto& [batch, places] : placesOf(c)) {
    ofA = as[batch];
    ofB = bs[batch];
    aScales.choose(batch);
    bScales.choose(batch);
    llvm::SmallVector<int32_t> rows = distinct(ofA, true), columns = distinct(ofB, false);
    if (isLong) llvm::erase_if(aIsLong ? rows : columns, [&](int32_t at) { return at & half; });
    if (!eachTile(e, op, result, places, rows, columns, parts, *encoding, sums, step)) return false;
  }
  e.set(op.getResult(), sums);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> dotOps() {
  static constexpr OpRow rows[] = {{"tt.dot", dot}, {"tt.dot_scaled", scaledDot}};
  return rows;
}

} // namespace gluond::lowering::amd
