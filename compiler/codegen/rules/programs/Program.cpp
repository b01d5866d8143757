// The programming model: program ids, barriers, assertions, printing, hints.
#include "codegen/builder/Values.h"
#include "codegen/rules/common/Args.h"
#include "ir/LlvmDialect.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"

namespace gluond::codegen {

void deviceAssertion(IrBuilder& emit, Tensor condition, llvm::StringRef message) {
  if (emit.options().debug) emit.create<tt::AssertOp>(condition.handle, message);
}

namespace rules {

static std::optional<tt::ProgramIDDim> axis(IrBuilder& emit, const Arguments& args,
                                            llvm::StringRef function) {
  auto axis = intArgument(emit, args, 0, "axis");
  if (!axis) return std::nullopt;
  if (*axis >= 0 && *axis <= 2) return static_cast<tt::ProgramIDDim>(*axis);
  emit.error(Id::InvalidProgramAxis, args.node(0), function, std::to_string(*axis));
  return std::nullopt;
}

Value programId(IrBuilder& emit, const Arguments& args) {
  auto dim = axis(emit, args, "program_id");
  if (!dim) return Value::unknown();
  return emit.value(emit.create<tt::GetProgramIdOp>(emit.opBuilder().getI32Type(), *dim),
                    scalarType(ScalarKind::Int32));
}

Value numPrograms(IrBuilder& emit, const Arguments& args) {
  auto dim = axis(emit, args, "num_programs");
  if (!dim) return Value::unknown();
  return emit.value(emit.create<tt::GetNumProgramsOp>(emit.opBuilder().getI32Type(), *dim),
                    scalarType(ScalarKind::Int32));
}

Value numWarps(IrBuilder& emit, const Arguments&) {
  return emit.knowsNumWarps() ? Value::integer(emit.numWarps()).wrapped() : Value::unknown();
}
Value numCtas(IrBuilder& emit, const Arguments&) {
  return Value::integer(emit.options().numCtas).wrapped();
}

Value debugBarrier(IrBuilder& emit, const Arguments&) {
  emit.create<ttg::BarrierOp>(ttg::AddrSpace::All);
  return Value::none();
}

// The visitor knows static_assert's own way of evaluating its arguments; called indirectly it does
// nothing.
Value staticAssert(IrBuilder&, const Arguments&) {
  return Value::none();
}
Value staticPrint(IrBuilder&, const Arguments&) {
  return Value::none();
}

Value deviceAssert(IrBuilder& emit, const Arguments& args) {
  Tensor mask;
  if (!isNone(args, 2) && !(mask = toTensorArgument(emit, args, 2))) return Value::unknown();
  Tensor condition = toTensorArgument(emit, args, 0);
  if (!condition) return Value::unknown();
  if (!emit.options().debug) return Value::none();
  if (mask) {
    Tensor unmasked = logicalNot(emit, mask, args.node(2));
    if (!unmasked) return Value::unknown();
    condition = bitwise(emit, Bitwise::Or, operand(condition, args.node(0)),
                        operand(unmasked, args.node(2)), args.call);
    if (!condition) return Value::unknown();
  }
  auto message = stringArgument(emit, args, 1, "msg");
  if (!message) return Value::unknown();
  deviceAssertion(emit, condition, *message);
  return Value::none();
}

Value devicePrint(IrBuilder& emit, const Arguments& args) {
  if (asTensor(args[0])) { // device_print(x)
    Reported reported = emit.error(Id::WrongArgument, args.node(0), "prefix", "a string", args[0]);
    llvm::StringRef value = emit.sourceText(args.node(0));
    std::string prefix = ("\"" + value + "\", ").str();
    bool isPlain = !value.empty() && value.find_first_of("\"\\{}\n") == llvm::StringRef::npos;
    text::Offset begin = args.node(0)->range.begin;
    if (isPlain)
      reported.fix(diagnostics::FixId::TryText, {{{begin, begin}, prefix}}, prefix + value.str());
    return reported;
  }
  auto text = stringArgument(emit, args, 0, "prefix");
  auto hex = flagArgument(emit, args, 2, "hex");
  if (!text || !hex) return Value::unknown();
  for (char c : *text)
    if (!(c >= 32 && c < 127) && !(c >= 9 && c <= 13))
      return emit.error(Id::BadArgument, args.node(0),
                        "the prefix of device_print must be printable ASCII");
  llvm::SmallVector<mlir::Value, 4> values;
  llvm::SmallVector<int32_t, 4> isSigned;
  for (Value item : language::itemsOf(args[1])) {
    auto operand = asOperand(emit, item, args.node(1));
    Tensor tensor = operand ? toTensor(emit, *operand) : Tensor();
    if (!tensor) return Value::unknown();
    values.push_back(tensor.handle);
    isSigned.push_back(tensor.scalar()->isSignedInt());
  }
  // With values, the prefix ends in ": "; and it begins with a space.
  std::string prefix = text->str();
  if (!values.empty()) {
    if (!llvm::StringRef(prefix).ends_with(" ")) prefix += " ";
    if (!llvm::StringRef(prefix).ends_with(": ")) {
      prefix.pop_back();
      prefix += ": ";
    }
  }
  if (prefix.size() > 2 && prefix.front() != ' ') prefix = " " + prefix;
  emit.create<tt::PrintOp>(prefix, *hex, values, isSigned);
  return Value::none();
}

Value assume(IrBuilder& emit, const Arguments& args) {
  Tensor condition = toTensorArgument(emit, args, 0);
  if (!condition) return Value::unknown();
  if (condition.isBlock() || !condition.scalar()->isBool())
    return emit.error(Id::NotATensor, args.node(0), "cond", args[0]);
  ir::createAssume(emit.opBuilder(), emit.loc(), condition.handle);
  return Value::none();
}

// multiple_of, max_contiguous, max_constancy: an attribute on the op that makes the value.
Value hintAttribute(IrBuilder& emit, const Arguments& args, Hint hint) {
  mlir::Value input;
  size_t rank = 0;
  const Type* kind = IrBuilder::isIr(args[0]) ? irTypeOf(args[0]) : nullptr;
  if (kind && kind->is(language::TypeKind::SharedMemoryDescriptor)) { // has a shape as well
    input = IrBuilder::handle(args[0]);
    rank = kind->shape().size();
  } else if (Tensor tensor = tensorArgument(emit, args, 0, "input")) {
    input = tensor.handle;
    rank = tensor.shape().size();
  } else {
    return Value::unknown();
  }
  llvm::SmallVector<int64_t, 4> values;
  if (language::isSequence(args[1])) {
    auto list = intsArgument(emit, args, 1, "values");
    if (!list) return Value::unknown();
    values = *list;
  } else {
    auto one = intArgument(emit, args, 1, "values");
    if (!one) return Value::unknown();
    values.push_back(*one);
  }
  if (values.size() != (hint == Hint::Divisibility ? std::max<size_t>(1, rank) : rank))
    return emit.error(Id::BadArgument, args.node(1),
                      "there must be one value for each dimension of the input");
  if (!llvm::all_of(values, [](int64_t value) { return llvm::isInt<32>(value); }))
    return emit.error(Id::NotAnInteger, args.node(1), "values", "32-bit integers", args[1]);
  static constexpr llvm::StringLiteral names[] = {"tt.divisibility", "tt.contiguity",
                                                  "tt.constancy"};
  llvm::SmallVector<int32_t, 4> numbers(values.begin(), values.end());
  auto type = mlir::RankedTensorType::get({static_cast<int64_t>(numbers.size())},
                                          emit.opBuilder().getI32Type());
  auto attribute = mlir::DenseIntElementsAttr::get(type, numbers);
  llvm::StringRef name = names[static_cast<unsigned>(hint)];
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(input)) {
    // Triton drops the hint on a function's own parameters.
    mlir::Operation* parent = argument.getOwner()->getParentOp();
    if (parent && argument.getOwner()->isEntryBlock() && !llvm::isa<tt::FuncOp>(parent))
      parent->setAttr((name + "_arg" + llvm::Twine(argument.getArgNumber())).str(), attribute);
  } else {
    input.getDefiningOp()->setAttr(name, attribute);
  }
  return args[0];
}

} // namespace rules

} // namespace gluond::codegen
