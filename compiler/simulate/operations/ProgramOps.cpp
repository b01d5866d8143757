// The program itself: its number, what it prints and asserts.
#include "ir/tt/Ops.h"
#include "simulate/operations/StridedWalk.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::simulate {
using namespace mlir;

namespace {

Made programId(Operation* op, Translator&) {
  auto axis = static_cast<size_t>(cast<tt::GetProgramIdOp>(op).getAxis());
  return Action([axis](Execution& x) {
    x.set(0, Scalar{static_cast<uint32_t>(x.state.program[axis]), Element::I32});
    return Step::Next;
  });
}

Made programCount(Operation* op, Translator&) {
  auto axis = static_cast<size_t>(cast<tt::GetNumProgramsOp>(op).getAxis());
  return Action([axis](Execution& x) {
    x.set(0, Scalar{static_cast<uint32_t>(x.machine.setting().grid[axis]), Element::I32});
    return Step::Next;
  });
}

Made nothing(Operation*, Translator&) {
  return Action([](Execution&) { return Step::Next; });
}

std::string textOf(Element element, const std::byte* at, bool isHex, bool isSigned) {
  std::string text;
  llvm::raw_string_ostream out(text);
  int64_t integer = integerAt(element, at);
  unsigned bits = bytesOf(element) * 8;
  uint64_t plain = bits == 64 ? static_cast<uint64_t>(integer)
                              : static_cast<uint64_t>(integer) & ((uint64_t(1) << bits) - 1);
  if (isHex)
    out << llvm::format("0x%0*llx", static_cast<int>(bits / 4),
                        static_cast<unsigned long long>(plain));
  else if (isFloat(element))
    out << llvm::format("%f", numberAt(element, at));
  else if (isSigned || element == Element::I1)
    out << integer;
  else
    out << plain;
  return text;
}

// As Triton prints: a line for each element, once for each element and not for each thread.
Made print(Operation* op, Translator&) {
  auto print = cast<tt::PrintOp>(op);
  auto isSigned = print.getIsSigned();
  return Action([prefix = print.getPrefix().str(), isHex = print.getHex(),
                 isSigned = std::vector<int32_t>(isSigned.begin(), isSigned.end())](Execution& x) {
    Printed& out = x.state.printed;
    auto [i, j, k] = x.state.program;
    std::string head =
        "pid (" + std::to_string(i) + ", " + std::to_string(j) + ", " + std::to_string(k) + ")";
    if (x.instruction.operands == 0) out.add(head + " " + prefix + "\n");
    for (unsigned operand = 0; operand < x.instruction.operands; ++operand) {
      bool isTensor = x.isTensor(operand);
      Element element = isTensor ? x.tensor(operand).element() : x.scalar(operand).element;
      Shape strides = isTensor ? rowMajor(x.tensor(operand).shape()) : Shape();
      for (size_t n = 0; n < x.count(operand) && !out.isFull(); ++n) {
        std::string line = head + " idx (";
        for (size_t d = 0; d < strides.size(); ++d)
          line += (d ? ", " : "") + std::to_string(static_cast<int64_t>(n) / strides[d] %
                                                   x.tensor(operand).shape()[d]);
        line += ")" + prefix;
        if (x.instruction.operands > 1) line += "(operand " + std::to_string(operand) + ") ";
        line += textOf(element, x.data(operand) + n * bytesOf(element), isHex,
                       operand < isSigned.size() && isSigned[operand]) +
                "\n";
        out.add(line);
      }
    }
    return Step::Next;
  });
}

Made assertion(Operation* op, Translator&) {
  return Action([message = cast<tt::AssertOp>(op).getMessage().str()](Execution& x) {
    auto* holds = reinterpret_cast<const uint8_t*>(x.data(0));
    for (size_t i = 0; i < x.count(0); ++i)
      if (!(holds[i] & 1)) return x.fail(Id::SimulatedAssertion, message, i);
    return Step::Next;
  });
}

Made assume(Operation*, Translator&) {
  return Action([](Execution& x) {
    if (x.checksRaces() && !x.flag(0))
      x.warn(Id::SimulatedPromise, "gl.assume", "the condition is false", 0);
    return Step::Next;
  });
}

} // namespace

void addProgramOps(OperationTable& table) {
  table["tt.get_program_id"] = programId;
  table["tt.get_num_programs"] = programCount;
  table["tt.print"] = print;
  table["tt.assert"] = assertion;
  table["llvm.intr.assume"] = assume;
  table["tt.grid_dependency_wait"] = nothing;
  table["tt.grid_dependency_launch_dependents"] = nothing;
}

} // namespace gluond::simulate
