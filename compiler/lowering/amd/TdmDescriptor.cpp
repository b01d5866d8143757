// Tensor descriptors: made by a kernel, changed, taken from the host.
#include "chips/TdmDescriptorBits.h"
#include "ir/amdg/Ops.h"
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Tdm.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

namespace tdm = chips::tdm;

// Within a kernel, the words of a descriptor hold the predicate, the address, the sizes, and the
// strides of all dimensions but the innermost. There are as many words as the host passes.
constexpr unsigned sizesAt = 3;
static_assert(sizesAt + tdm::mostDims + 2 * (tdm::mostDims - 1) <= tdm::wordsOfAll &&
              sizesAt + 2 + 2 <= tdm::wordsOfTwoGroups);

llvm::Value* joined(FunctionEmitter& e, llvm::Value* low, llvm::Value* high) {
  llvm::Type* i64 = e.b.getInt64Ty();
  return e.b.CreateOr(e.b.CreateZExt(low, i64), e.b.CreateShl(e.b.CreateZExt(high, i64), 32));
}
llvm::Value* lowOf(FunctionEmitter& e, llvm::Value* wide) {
  return e.b.CreateTrunc(wide, e.b.getInt32Ty());
}
llvm::Value* highOf(FunctionEmitter& e, llvm::Value* wide) {
  return lowOf(e, e.b.CreateLShr(wide, 32));
}

size_t rankOf(mlir::Type descriptor) {
  return mlir::cast<tt::TensorDescInterface>(descriptor).getShape().size();
}

// Makes a descriptor of the words of the instruction, as the host fills them in.
TensorDescriptor fromHost(FunctionEmitter& e, llvm::Value* words, size_t rank) {
  // Up to 48 bits from any bit on.
  auto field = [&](tdm::Bits bits) {
    auto [bit, width] = bits;
    llvm::Value* whole = nullptr;
    for (unsigned done = 0; done < width; done += 32 - (bit + done) % 32) {
      unsigned at = bit + done, shift = at % 32;
      llvm::Value* part = e.b.CreateLShr(e.b.CreateExtractValue(words, at / 32), shift);
      if (unsigned left = width - done; left < 32 - shift)
        part = e.b.CreateAnd(part, e.i32((int64_t(1) << left) - 1));
      part = e.b.CreateShl(e.b.CreateZExt(part, e.b.getInt64Ty()), done);
      whole = whole ? e.disjointOr(whole, part) : part;
    }
    return whole;
  };
  TensorDescriptor made{e.b.CreateExtractValue(words, 0), field(tdm::globalAddress), {}, {}};
  for (size_t i = 0; i < rank; ++i) {
    made.sizes.push_back(lowOf(e, field(tdm::size[rank - 1 - i])));
    made.strides.push_back(i + 1 < rank ? field(tdm::stride[rank - 1 - i]) : e.i64(1));
  }
  return made;
}

bool make(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::MakeTensorDescOp>(operation);
  if (!needsTdm(e, op)) return false;
  if (op.getShape().size() > tdm::mostDims || op.getPadding() != tt::PaddingOption::PAD_ZERO)
    return e.fail(op, "gluond cannot compile this tensor descriptor for this target");
  TensorDescriptor made{
      e.i32(1), e.b.CreatePtrToInt(e.scalar(op.getBase()), e.b.getInt64Ty()), {}, {}};
  for (auto [size, stride] : llvm::zip(op.getShape(), op.getStrides())) {
    made.sizes.push_back(e.scalar(size));
    made.strides.push_back(e.scalar(stride));
  }
  e.set(op.getResult(), packed(e, made));
  return true;
}

bool update(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::UpdateTensorDescriptorOp>(operation);
  TensorDescriptor made = unpacked(e, op.getDesc());
  unsigned bytes = elementBytesOf(e, op.getDesc().getType());
  for (auto [dim, value] : llvm::enumerate(op.getAddOffsets())) {
    llvm::Value* offset = e.scalar(value);
    advance(e, made, dim, offset, bytes, op.getClampBounds());
    // Nothing lies before the tensor.
    if (op.getClampBounds())
      made.sizes[dim] =
          e.b.CreateSelect(e.b.CreateICmpSLT(offset, e.i32(0)), e.i32(0), made.sizes[dim]);
  }
  for (auto [dim, value] : llvm::enumerate(op.getSetBounds()))
    made.sizes[dim] = e.scalar(value);
  if (op.getPred()) made.predicate = e.scalar(op.getPred());
  e.set(op.getResult(), packed(e, made));
  return true;
}

} // namespace

llvm::Type* AmdTarget::descriptorType(llvm::LLVMContext& context, mlir::Type type) const {
  return llvm::ArrayType::get(llvm::Type::getInt32Ty(context), tdm::wordsOf(rankOf(type)));
}

void takeDescriptors(FunctionEmitter& e, mlir::ValueRange arguments) {
  for (mlir::Value argument : arguments) {
    if (!mlir::isa<tt::TensorDescInterface>(argument.getType()) || argument.use_empty()) continue;
    e.set(argument, packed(e, fromHost(e, e.scalar(argument), rankOf(argument.getType()))));
  }
}

TensorDescriptor unpacked(FunctionEmitter& e, mlir::Value value) {
  llvm::Value* words = e.scalar(value);
  auto word = [&](size_t i) { return e.b.CreateExtractValue(words, static_cast<unsigned>(i)); };
  TensorDescriptor made{word(0), joined(e, word(1), word(2)), {}, {}};
  size_t rank = rankOf(value.getType()), stridesAt = sizesAt + rank;
  for (size_t i = 0; i < rank; ++i) {
    made.sizes.push_back(word(sizesAt + i));
    made.strides.push_back(
        i + 1 < rank ? joined(e, word(stridesAt + 2 * i), word(stridesAt + 2 * i + 1)) : e.i64(1));
  }
  return made;
}

llvm::Value* packed(FunctionEmitter& e, const TensorDescriptor& descriptor) {
  RegisterList words{descriptor.predicate, lowOf(e, descriptor.address),
                     highOf(e, descriptor.address)};
  llvm::append_range(words, descriptor.sizes);
  for (llvm::Value* stride : Registers(descriptor.strides).drop_back()) {
    words.push_back(lowOf(e, stride));
    words.push_back(highOf(e, stride));
  }
  words.resize(tdm::wordsOf(descriptor.sizes.size()), e.i32(0));
  llvm::Value* made = llvm::PoisonValue::get(llvm::ArrayType::get(e.b.getInt32Ty(), words.size()));
  for (auto [i, word] : llvm::enumerate(words))
    made = e.b.CreateInsertValue(made, word, static_cast<unsigned>(i));
  return made;
}

llvm::Value* atLeastZero(FunctionEmitter& e, llvm::Value* value) {
  return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, e.i32(0));
}

void advance(FunctionEmitter& e, TensorDescriptor& descriptor, size_t dim, llvm::Value* offset,
             unsigned bytes, bool shrinks) {
  llvm::Value* distance = e.b.CreateMul(e.b.CreateSExt(offset, e.b.getInt64Ty()),
                                        e.b.CreateMul(descriptor.strides[dim], e.i64(bytes)));
  descriptor.address = e.b.CreateAdd(descriptor.address, distance);
  if (shrinks) descriptor.sizes[dim] = atLeastZero(e, e.b.CreateSub(descriptor.sizes[dim], offset));
}

unsigned elementBytesOf(FunctionEmitter& e, mlir::Type descriptor) {
  auto type = mlir::cast<tt::TensorDescInterface>(descriptor);
  return e.memoryBits(type.getBlockType().getElementType()) / 8;
}

bool needsTdm(FunctionEmitter& e, mlir::Operation* op) {
  return needsCdna5(e, op, "tensor descriptors need");
}

llvm::ArrayRef<OpRow> tensorDescriptorOps() {
  static constexpr OpRow rows[] = {
      {"tt.make_tensor_descriptor", make},
      {"amdg.update_tensor_descriptor", update},
  };
  return rows;
}

} // namespace gluond::lowering::amd
