// Conversions from and to float8e4b15. No chip has this format: e4m3 with a bias of 15, whose
// largest numbers stand in for infinity and NaN. Triton's library converts it by inline assembly,
// four at a time.
#include "codegen/rules/arithmetic/Float8e4b15.h"

#include "ir/tt/Ops.h"

namespace gluond::codegen {

namespace {

constexpr llvm::StringLiteral toHalf = "{                                      \n"
                                       ".reg .b32 a<2>, b<2>;                  \n"
                                       "prmt.b32 a0, 0, $2, 0x5746;            \n"
                                       "and.b32 b0, a0, 0x7f007f00;            \n"
                                       "and.b32 b1, a0, 0x00ff00ff;            \n"
                                       "and.b32 a1, a0, 0x00800080;            \n"
                                       "shr.b32  b0, b0, 1;                    \n"
                                       "add.u32 b1, b1, a1;                    \n"
                                       "lop3.b32 $0, b0, 0x80008000, a0, 0xf8; \n"
                                       "shl.b32 $1, b1, 7;                     \n"
                                       "}                                      \n";

// The magnitude is limited to the largest number of the format, by one instruction where the chip
// has it.
constexpr llvm::StringLiteral fromHalf = "{\n"
                                         "            .reg .pred p<4>;\n"
                                         "            .reg .b32 a<2>, b<2>;\n"
                                         "            .reg .b16 c<4>;\n"
                                         "            .reg .b16 max_val_f16;\n"
                                         "            .reg .b32 max_val_f16x2;\n"
                                         "            mov.b16 max_val_f16,   0x3F00;\n"
                                         "            mov.b32 max_val_f16x2, 0x3F003F00;\n"
                                         "            and.b32 a0, $1, 0x7fff7fff;\n"
                                         "            and.b32 a1, $2, 0x7fff7fff;";
constexpr llvm::StringLiteral limitByMinimum = "min.f16x2 a0, a0, max_val_f16x2;\n"
                                               "                  min.f16x2 a1, a1, max_val_f16x2;";
constexpr llvm::StringLiteral limitByComparison =
    "setp.lt.f16x2  p0|p1, a0, max_val_f16x2;\n"
    "                  setp.lt.f16x2  p2|p3, a1, max_val_f16x2;\n"
    "                  mov.b32 {c0, c1}, a0;\n"
    "                  mov.b32 {c2, c3}, a1;\n"
    "                  selp.b16  c0, c0, max_val_f16, p0;\n"
    "                  selp.b16  c1, c1, max_val_f16, p1;\n"
    "                  selp.b16  c2, c2, max_val_f16, p2;\n"
    "                  selp.b16  c3, c3, max_val_f16, p3;\n"
    "                  mov.b32 a0, {c0, c1};\n"
    "                  mov.b32 a1, {c2, c3};";
constexpr llvm::StringLiteral fromLimitedHalf =
    "mad.lo.u32 a0, a0, 2, 0x00800080;\n"
    "              mad.lo.u32 a1, a1, 2, 0x00800080;\n"
    "              lop3.b32 b0, $1, 0x80008000, a0, 0xea;\n"
    "              lop3.b32 b1, $2, 0x80008000, a1, 0xea;\n"
    "              prmt.b32 $0, b0, b1, 0x7531;\n"
    "              }";

Tensor byAssembly(IrBuilder& emit, Tensor tensor, ScalarKind to, llvm::StringRef text,
                  llvm::StringRef constraints) {
  constexpr uint32_t together = 4;
  const Type* type = emit.types().withElement(tensor.type, scalarType(to));
  auto op = emit.create<tt::ElementwiseInlineAsmOp>(
      llvm::SmallVector<mlir::Type, 1>{emit.irType(type)}, text, constraints, true, together,
      llvm::SmallVector<mlir::Value, 1>{tensor.handle});
  return {op->getResult(0), type};
}

} // namespace

Tensor castFloat8e4b15(IrBuilder& emit, Tensor tensor, const Type* to, const Node* at) {
  const Type* from = tensor.scalar();
  auto refused = [&]() -> Tensor {
    emit.error(Id::InvalidCast, at, from, to);
    return {};
  };
  if (!emit.target().isCuda()) return refused();
  if (from->isScalar(ScalarKind::Fp8e4b15)) {
    Tensor half = byAssembly(emit, tensor, ScalarKind::Fp16, toHalf, "=r,=r,r");
    return to->isScalar(ScalarKind::Fp32) ? cast(emit, half, to, at) : half;
  }
  if (from->isScalar(ScalarKind::Fp32))
    tensor = cast(emit, tensor, scalarType(ScalarKind::Fp16), at, "rtz");
  else if (!from->isScalar(ScalarKind::Fp16))
    return refused();
  if (!tensor) return {};
  bool hasMinimum = emit.target().has(chips::Feature::AmpereMma);
  std::string text =
      (fromHalf + (hasMinimum ? limitByMinimum : limitByComparison) + fromLimitedHalf).str();
  return byAssembly(emit, tensor, ScalarKind::Fp8e4b15, text, "=r,r,r");
}

} // namespace gluond::codegen
