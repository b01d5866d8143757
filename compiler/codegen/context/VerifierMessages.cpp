#include "codegen/context/VerifierMessages.h"

#include "language/types/TypeText.h"

namespace gluond::codegen {

// Types as MLIR's verifiers describe and print them, in Gluon's words.
static std::string typeWords(llvm::StringRef text) {
  struct Words {
    llvm::StringLiteral start, ofGluon;
  };
  static constexpr Words words[] = {
      {"1-bit signless integer", "int1"},
      {"32-bit signless integer", "int32"},
      {"64-bit signless integer", "int64"},
      {"tensor<", "a tensor"},
      {"ranked tensor", "a tensor"},
      {"!tt.ptr", "a pointer"},
      {"!tt.tensordesc", "a tensor descriptor"},
      {"!ttg.memdesc", "a buffer"},
      {"Memory descriptor", "a buffer"},
      {"memory descriptor", "a buffer"},
      {"Tensor descriptor", "a tensor descriptor"},
  };
  if (auto kind = language::scalarInIr(text)) return language::scalarInfo(*kind).attribute.str();
  for (const Words& each : words)
    if (text.starts_with(each.start)) return each.ofGluon.str();
  return {};
}

// "operand #1 must be 32-bit signless integer, but got 'i1'".
static std::string operandWords(llvm::StringRef message) {
  unsigned index = 0;
  if (!message.consume_front("operand #") || message.consumeInteger(10, index) ||
      !message.consume_front(" must be "))
    return {};
  auto [wanted, got] = message.split(", but got '");
  std::string must = typeWords(wanted), is = typeWords(got.rtrim("'"));
  return must.empty() || is.empty() ? std::string() : "expected " + must + ", but got " + is;
}

std::string verifierWords(llvm::StringRef message) {
  struct Words {
    llvm::StringLiteral ofVerifier, ofGluon;
  };
  static constexpr Words words[] = {
      {"TMA descriptor must have NVMMA shared layout",
       "the buffer of a TMA copy must have the layout of its descriptor, a gl.NVMMASharedLayout"},
      {"barrier allocation must be a descriptor of Nxi64 type with N <= number of CTAs",
       "a barrier must be a buffer of int64 with one dimension and at most one element per CTA"},
      {"barrier must have a contiguous shared-memory layout without subviews",
       "a barrier must be a buffer with a contiguous layout, such as mbarrier.MBarrierLayout()"},
      {"WGMMA B operand must have NVMMA shared layout",
       "operand b of warpgroup_mma must have a gl.NVMMASharedLayout"},
      {"WGMMA result layout must be Hopper NVMMA",
       "the accumulator of warpgroup_mma must have a gl.NVMMADistributedLayout of version [3, 0]"},
      {"WGMMA A operand must have NVMMA shared or dot layout",
       "operand a of warpgroup_mma must be a buffer with a gl.NVMMASharedLayout, or a tensor with "
       "a "
       "gl.DotOperandLayout of the accumulator's layout"},
      {"mismatching kWidth between A and B operands",
       "the operands have layouts of different k_width"},
      {"mismatching encoding between A and B operands",
       "both operands must have a gl.DotOperandLayout, but one has another layout"},
      {"Wrong opIdx",
       "the first operand needs a layout with operand_index 0, the second one with 1"},
      {"Incompatible parent encoding",
       "the parent of the operands' layouts must be the layout of the accumulator"},
      {"expected all operands to have the same rank",
       "the operands must have as many dimensions as the accumulator"},
      {"expected the last dimension of the first operand to be equal to the second-to-last "
       "dimension of the second operand",
       "the first operand must have as many columns as the second one has rows"},
      {"expected the output shape to be the concatenation of the last dimension of the first "
       "operand and the last dimension of the second ",
       "the accumulator must have as many rows as the first operand, and as many columns as the "
       "second one"},
      {"The block size of the return operand must be less than or equal to 256",
       "the accumulator's layout has a block of more than 256 columns, which no instruction has"},
      {"failed to verify that dest element type matches pointee type of ptr",
       "the buffer and the pointer have different element types"},
      {"failed to verify that value element type matches the pointed type of ptr",
       "the value and the pointer have different element types"},
      {"failed to verify that result element type matches the pointed type of ptr",
       "the result and the pointer have different element types"},
      {"count must be greater than or equal to 1", "the count of a barrier must be at least 1"},
  };
  for (const Words& each : words)
    if (message == each.ofVerifier) return each.ofGluon.str();
  llvm::StringRef rest = message;
  if (rest.consume_front("The col stride of the return operand must be 32 / ")) {
    auto [bits, stride] = rest.split(" but got ");
    return ("an accumulator of " + bits + "-bit elements needs a layout with col_stride=32 // " +
            bits + ", but it has col_stride=" + stride)
        .str();
  }
  if (rest.consume_front("bitwidth * colStride must be less than or equal to 32. Got ")) {
    auto [bits, stride] = rest.split(" and ");
    return ("col_stride=" + stride + " is too large: the bits of an element (" + bits +
            ") times col_stride must be at most 32")
        .str();
  }
  if (rest.consume_front(
          "descriptor block and tensor must have the same number of elements, but got "
          "descriptor block with ")) {
    auto [block, buffer] = rest.split(" elements tensor with ");
    return ("the descriptor's block has " + block + " elements, but the buffer has " +
            buffer.split(' ').first)
        .str();
  }
  if (rest.consume_front("descriptor block and tensor element types must match, but got "
                         "descriptor element type '")) {
    auto [wanted, got] = rest.split("' and tensor element type '");
    std::string block = typeWords(wanted), buffer = typeWords(got.rtrim("'"));
    if (block.empty() || buffer.empty()) return message.str();
    return "the elements of the descriptor are " + block + ", but those of the buffer are " +
           buffer;
  }
  if (rest.consume_front("rank must be equal to or one less than the shape size. Got ")) {
    auto [layout, buffer] = rest.split(" and ");
    return ("the layout has rank " + layout + ", but the buffer has rank " + buffer).str();
  }
  if (rest.consume_front("shape must have power-of-2 and non-zero dimensions; got "))
    return ("the sizes of a buffer must be powers of two, but this one has the shape [" +
            rest.rtrim() + "]")
        .str();
  if (std::string words = operandWords(message); !words.empty()) return words;
  return message.str();
}

} // namespace gluond::codegen
