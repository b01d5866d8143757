// Assembly in kernels; functions of the device libraries.
#include "codegen/rules/common/Args.h"
#include "ir/ttg/Ops.h"
#include "language/types/LayoutBridge.h"
#include "layout/tolinear/ToLinearLayout.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::codegen {

namespace rules {

// to_inline_asm_operand: returns the handle of a memory descriptor or of a value converted to a
// tensor; null after reporting.
static mlir::Value asmOperand(IrBuilder& emit, Value value, const Node* at, Tensor& tensor) {
  Value item = value.unwrapped();
  if (auto* ir = item.as<language::IrObject>())
    if (ir->type->is(TypeKind::SharedMemoryDescriptor) ||
        ir->type->is(TypeKind::TensorMemoryDescriptor))
      return IrBuilder::handle(item);
  auto operand = asOperand(emit, item, at);
  if (operand) tensor = toTensor(emit, *operand);
  return tensor.handle;
}

// (asm, constraints, args, dtype, is_pure, pack)
Value inlineAsmElementwise(IrBuilder& emit, const Arguments& args) {
  auto text = stringArgument(emit, args, 0, "asm");
  auto constraints = text ? stringArgument(emit, args, 1, "constraints") : std::nullopt;
  auto pure = constraints ? flagArgument(emit, args, 4, "is_pure") : std::nullopt;
  auto pack = pure ? intArgument(emit, args, 5, "pack") : std::nullopt;
  if (!pack) return Value::unknown();
  if (!language::isSequence(args[2]))
    return emit.error(Id::NotATensor, args.node(2), "args", args[2]);
  llvm::SmallVector<const Type*, 4> types;
  bool several = language::isSequence(args[3]);
  llvm::SmallVector<Value, 4> dtypes{args[3]};
  if (several) dtypes.assign(language::itemsOf(args[3]).begin(), language::itemsOf(args[3]).end());
  for (Value dtype : dtypes) {
    const Type* type = dtypeOf(emit, dtype.unwrapped());
    if (!type) return emit.error(Id::NotADtype, args.node(3), "dtype", dtype);
    if (dtype.isConstexpr())
      return emit.error(Id::BadArgument, args.node(3),
                        "'dtype' must be a dtype itself, such as gl.int32: Triton refuses a "
                        "constexpr, such as a parameter, here");
    types.push_back(type);
  }
  llvm::SmallVector<mlir::Value, 8> handles;
  llvm::SmallVector<Tensor, 8> tensors;
  llvm::SmallVector<size_t, 8> places;
  for (Value item : language::itemsOf(args[2])) {
    Tensor tensor;
    mlir::Value handle = asmOperand(emit, item, args.node(2), tensor);
    if (!handle) return Value::unknown();
    if (tensor) {
      places.push_back(handles.size());
      tensors.push_back(tensor);
    }
    handles.push_back(handle);
  }
  llvm::SmallVector<const Node*, 8> nodes(tensors.size(), args.node(2));
  if (!tensors.empty()) {
    if (tensors.size() > 1 && !broadcast(emit, tensors, nodes)) return Value::unknown();
    for (auto [place, tensor] : llvm::zip(places, tensors))
      handles[place] = tensor.handle;
    for (const Type*& type : types)
      type = emit.types().withElement(tensors[0].type, type);
  }
  llvm::SmallVector<mlir::Type, 4> results;
  for (const Type* type : types)
    results.push_back(emit.irType(type));
  auto op = emit.create<tt::ElementwiseInlineAsmOp>(results, *text, *constraints, *pure,
                                                    static_cast<uint32_t>(*pack), handles);
  llvm::SmallVector<Value, 4> values;
  for (auto [result, type] : llvm::zip(op->getResults(), types))
    values.push_back(emit.value(result, type));
  return several ? emit.heap().tuple(values) : values[0];
}

// Registers of a thread that hold an operand.
static std::optional<unsigned> registersOf(IrBuilder& emit, const Type* type, const Node* at) {
  if (!type->isTensor()) return 1;
  if (!type->layout() || language::isUnresolved(type->layout())) {
    emit.error(Id::AutoLayoutHere, at, "inline_asm", type->layout());
    return std::nullopt;
  }
  auto meaning = language::toLayout(*type->layout());
  auto linear = meaning ? layout::toLinearLayout(*meaning, type->shape())
                        : tl::make_unexpected(meaning.error());
  constexpr unsigned mostBits = 16;
  if (linear && linear->inBits(layout::Dim::Register) <= mostBits)
    return 1u << linear->inBits(layout::Dim::Register);
  if (linear) {
    emit.error(Id::BadArgument, at, "a thread holds too many elements of this type");
    return std::nullopt;
  }
  emit.error(Id::InvalidLayout, at, emit.text(type->layout()), linear.error().message);
  return std::nullopt;
}

// (asm, constraints, args, result_types, is_pure)
Value inlineAsm(IrBuilder& emit, const Arguments& args) {
  auto pure = flagArgument(emit, args, 4, "is_pure");
  if (!pure) return Value::unknown();
  bool several = language::isSequence(args[3]);
  llvm::SmallVector<Value, 4> wanted{args[3]};
  if (several) wanted.assign(language::itemsOf(args[3]).begin(), language::itemsOf(args[3]).end());
  if (!language::isSequence(args[2]))
    return emit.error(Id::NotATensor, args.node(2), "args", args[2]);
  llvm::SmallVector<mlir::Value, 8> handles;
  llvm::SmallVector<Tensor, 8> operands;
  for (Value item : language::itemsOf(args[2])) {
    mlir::Value handle = asmOperand(emit, item, args.node(2), operands.emplace_back());
    if (!handle) return Value::unknown();
    handles.push_back(handle);
  }
  llvm::SmallVector<const Type*, 4> types;
  llvm::SmallVector<unsigned, 8> counts;
  for (Value each : wanted) {
    const Type* type = dtypeOf(emit, each.unwrapped());
    if (!type) return emit.error(Id::NotADtype, args.node(3), "result type", each);
    auto count = registersOf(emit, type, args.node(3));
    if (!count) return Value::unknown();
    types.push_back(type);
    counts.push_back(*count);
  }
  for (const Tensor& operand : operands) {
    auto count =
        operand ? registersOf(emit, operand.type, args.node(2)) : std::optional<unsigned>(1);
    if (!count) return Value::unknown();
    counts.push_back(*count);
  }
  Value assembly = args.unwrapped(0);
  if (assembly.is(ValueKind::Function)) {
    // The function gets the operands' names, grouped.
    unsigned number = 0;
    llvm::SmallVector<Value, 8> groups;
    for (unsigned count : counts) {
      llvm::SmallVector<Value, 8> names;
      for (unsigned i = 0; i < count; ++i)
        names.push_back(emit.heap().str("$" + std::to_string(number++)));
      groups.push_back(emit.heap().tuple(names));
    }
    auto all = llvm::ArrayRef(groups);
    Value both[] = {emit.heap().tuple(all.take_front(types.size())),
                    emit.heap().tuple(all.drop_front(types.size()))};
    assembly = emit.call(assembly, both, args.call).unwrapped();
    if (assembly.isUnknown()) return assembly;
  }
  auto* text = assembly.as<language::StrObject>();
  if (!text)
    return emit.error(Id::BadArgument, args.node(0),
                      "the assembly must be a string, or a constexpr function that returns one");
  std::string constraints;
  if (auto* given = args.unwrapped(1).as<language::StrObject>()) {
    constraints = given->text.str();
  } else {
    language::Items each = language::itemsOf(args[1]);
    if (each.size() != counts.size())
      return emit.error(Id::BadArgument, args.node(1),
                        std::to_string(counts.size()) +
                            " constraints are expected, one for each output and input, but got " +
                            std::to_string(each.size()));
    llvm::SmallVector<std::string, 16> list;
    for (auto [constraint, count] : llvm::zip(each, counts)) {
      auto* one = constraint.unwrapped().as<language::StrObject>();
      if (!one) return emit.error(Id::BadArgument, args.node(1), "a constraint must be a string");
      list.append(count, one->text.str());
    }
    constraints = llvm::join(list, ",");
  }
  llvm::SmallVector<mlir::Type, 4> results;
  for (const Type* type : types)
    results.push_back(emit.irType(type));
  auto op = emit.create<ttg::InlineAsmOp>(results, text->text, constraints, *pure, handles);
  llvm::SmallVector<Value, 4> values;
  for (auto [result, type] : llvm::zip(op->getResults(), types))
    values.push_back(emit.value(result, type));
  return several ? emit.heap().tuple(values) : values[0];
}

// ---------------------------------------------------------------- device libraries

struct Symbol {
  llvm::StringRef name;
  const Type* result = nullptr;
};

// extern_elementwise after choosing the function: `find` selects by the operands' dtypes.
template <typename Find>
static Tensor callLibrary(IrBuilder& emit, const Node* at, llvm::StringRef library,
                          llvm::StringRef path, llvm::MutableArrayRef<Tensor> operands,
                          llvm::ArrayRef<const Node*> nodes, bool pure, Find&& find) {
  llvm::SmallVector<const Type*, 4> types;
  for (const Tensor& operand : operands)
    types.push_back(operand.scalar());
  Symbol symbol = find(types);
  if (!symbol.result) return {};
  if (!operands.empty()) {
    // Broadcasts like Triton: unused results stay in the IR.
    Tensor shape = operands[0];
    for (size_t i = 0; i < operands.size(); ++i) {
      Tensor item = operands[i];
      if (!broadcast(emit, item, shape, nodes[i], nodes[0])) return {};
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      Tensor other = shape;
      if (!broadcast(emit, operands[i], other, nodes[i], nodes[0])) return {};
    }
    symbol.result = emit.types().withElement(shape.type, symbol.result);
  }
  llvm::SmallVector<mlir::Value, 4> handles;
  for (const Tensor& operand : operands)
    handles.push_back(operand.handle);
  auto op = emit.create<tt::ExternElementwiseOp>(emit.irType(symbol.result), handles, library, path,
                                                 symbol.name, pure);
  return {op, symbol.result};
}

static std::string typesText(IrBuilder& emit, llvm::ArrayRef<const Type*> types) {
  std::string text;
  for (const Type* type : types)
    text += (text.empty() ? "" : ", ") + emit.text(type);
  return text;
}

// (lib_name, lib_path, args, arg_type_symbol_dict, is_pure)
Value externElementwise(IrBuilder& emit, const Arguments& args) {
  auto library = stringArgument(emit, args, 0, "lib_name");
  auto path = library ? stringArgument(emit, args, 1, "lib_path") : std::nullopt;
  auto pure = path ? flagArgument(emit, args, 4, "is_pure") : std::nullopt;
  if (!pure) return Value::unknown();
  auto* symbols = args.unwrapped(3).as<language::DictObject>();
  if (!symbols || !language::isSequence(args[2]))
    return emit.error(Id::BadArgument, args.node(symbols ? 2 : 3),
                      "expected a list of operands and a dict of symbols");
  llvm::SmallVector<Tensor, 4> operands;
  llvm::SmallVector<const Node*, 4> nodes;
  for (Value item : language::itemsOf(args[2])) {
    auto operand = asOperand(emit, item, args.node(2));
    Tensor tensor = operand ? toTensor(emit, *operand) : Tensor();
    if (!tensor) return Value::unknown();
    operands.push_back(tensor);
    nodes.push_back(args.node(2));
  }
  auto find = [&](llvm::ArrayRef<const Type*> types) -> Symbol {
    for (auto [names, symbol] : symbols->items) {
      language::Items key = language::itemsOf(names), value = language::itemsOf(symbol);
      if (key.size() != types.size() || value.size() != 2) continue;
      bool fits = llvm::all_of(llvm::zip(key, types), [](auto pair) {
        Value type = std::get<0>(pair).unwrapped();
        return type.is(ValueKind::Type) && same(type.asType(), std::get<1>(pair));
      });
      auto* name = value[0].unwrapped().template as<language::StrObject>();
      const Type* result = dtypeOf(emit, value[1].unwrapped());
      if (fits && name && result) return {name->text, result};
    }
    emit.error(Id::BadArgument, args.node(3),
               "there is no symbol for operands of " + typesText(emit, types));
    return {};
  };
  return wrap(emit, callLibrary(emit, args.call, *library, *path, operands, nodes, *pure, find));
}

namespace {
struct DeviceRow {
  llvm::StringLiteral name, cuda, hip;
};
constexpr DeviceRow deviceRows[] = {
#define DEVICE(name, signature, cuda, hip) {#name, cuda, hip},
#include "language/builtins/Libdevice.inc"
#undef DEVICE
};

const Type* scalarNamed(llvm::StringRef name) {
  language::ScalarKind kind;
  return language::findScalar(name, kind) ? scalarType(kind) : nullptr;
}
} // namespace

Value libdevice(IrBuilder& emit, const Arguments& args, DeviceFunction function) {
  const DeviceRow& row = deviceRows[static_cast<size_t>(function)];
  llvm::StringRef table = emit.target().isCuda() ? row.cuda : row.hip;
  if (table.empty())
    return emit.error(Id::TargetTooOld, args.call, "libdevice." + row.name.str(),
                      "a GPU whose device library has it", emit.target().name());
  llvm::SmallVector<Tensor, 4> operands;
  llvm::SmallVector<const Node*, 4> nodes;
  for (size_t i = 0; i < args.size(); ++i) {
    Tensor tensor = toTensorArgument(emit, args, i);
    if (!tensor) return Value::unknown();
    operands.push_back(tensor);
    nodes.push_back(args.node(i));
  }
  // "operand types:symbol:result type" or "...:result type>cast" for each overload.
  const Type* castTo = nullptr;
  auto find = [&](llvm::ArrayRef<const Type*> types) -> Symbol {
    llvm::SmallVector<llvm::StringRef, 4> overloads;
    table.split(overloads, ' ');
    for (llvm::StringRef overload : overloads) {
      auto [names, rest] = overload.split(':');
      auto [symbol, result] = rest.split(':');
      llvm::SmallVector<llvm::StringRef, 4> wanted;
      names.split(wanted, ',');
      if (wanted.size() == types.size() && llvm::all_of(llvm::zip(wanted, types), [](auto pair) {
            return std::get<1>(pair)->isScalar() &&
                   std::get<1>(pair)->info().name == std::get<0>(pair);
          })) {
        auto [scalar, cast] = result.split('>');
        if (!cast.empty()) castTo = scalarNamed(cast);
        return {symbol, scalarNamed(scalar)};
      }
    }
    emit.error(Id::UnexpectedType, args.call, "libdevice." + row.name.str(),
               typesText(emit, types));
    return {};
  };
  Tensor result = callLibrary(emit, args.call, "", "", operands, nodes, true, find);
  if (result && castTo) result = cast(emit, result, castTo, args.call);
  return wrap(emit, result);
}

} // namespace rules

} // namespace gluond::codegen
