// Reductions, scans, histograms, gathers, map_elementwise.
#include "codegen/builder/OperandFixes.h"
#include "codegen/rules/common/Memory.h"
#include "ir/tt/Ops.h"

namespace gluond::codegen {

// The tensors of a reduction: one, or a tuple of them, all of one shape and layout.
static bool inputsOf(IrBuilder& emit, const Arguments& args, llvm::SmallVectorImpl<Tensor>& out,
                     bool& single) {
  single = static_cast<bool>(asTensor(args[0]));
  llvm::SmallVector<Value, 1> one{args[0]};
  for (Value item : single ? language::Items(one) : language::itemsOf(args[0])) {
    Tensor tensor = asTensor(item);
    if (!tensor || !tensor.isBlock()) {
      Reported reported = emit.error(Id::NotATensor, args.node(0), "input", item);
      offerPythonExtreme(emit, reported, args.node(0));
      return false;
    }
    if (!out.empty()) {
      if (tensor.shape() != out[0].shape()) {
        emit.error(Id::BadArgument, args.node(0),
                   "all inputs must have the same shape, not " + shapeText(out[0].shape()) +
                       " and " + shapeText(tensor.shape()));
        return false;
      }
      if (!language::equal(*tensor.type->layout(), *out[0].type->layout())) {
        emit.error(Id::LayoutMismatch, args.node(0), out[0].type->layout(), tensor.type->layout());
        return false;
      }
    }
    out.push_back(tensor);
  }
  if (!out.empty()) return true;
  emit.error(Id::NotATensor, args.node(0), "input", args[0]);
  return false;
}

// The least and the largest number of arguments that a function takes.
static std::optional<std::pair<size_t, size_t>>
parametersOf(const language::FunctionObject* function) {
  if (!function || !function->def) return std::nullopt;
  size_t least = 0, most = 0;
  for (auto [i, parameter] : llvm::enumerate(function->def->parameters)) {
    if (parameter.kind > syntax::ParameterKind::Positional) return std::nullopt;
    ++most;
    bool hasDefault = i < function->defaults.size() && !function->defaults[i].isAbsent();
    if (!hasDefault) least = most;
  }
  return std::pair(least, most);
}

// The block that combines two groups of scalars, ended by Return.
template <typename Return>
static bool combineRegion(IrBuilder& emit, mlir::Region& region, llvm::ArrayRef<Tensor> inputs,
                          Value combine, const Node* at) {
  IrBuilder::Guard guard(emit);
  llvm::SmallVector<mlir::Type, 4> types;
  llvm::SmallVector<const Type*, 4> scalars;
  for (int round = 0; round < 2; ++round)
    for (const Tensor& input : inputs) {
      scalars.push_back(input.scalar());
      types.push_back(emit.irType(input.scalar()));
    }
  llvm::SmallVector<mlir::Location, 4> locations(types.size(),
                                                 mlir::UnknownLoc::get(emit.context()));
  mlir::Block* block = emit.opBuilder().createBlock(&region, {}, types, locations);
  llvm::SmallVector<Value, 4> arguments;
  for (size_t i = 0; i < types.size(); ++i)
    arguments.push_back(emit.value(block->getArgument(static_cast<unsigned>(i)), scalars[i]));
  auto* function = combine.as<language::FunctionObject>();
  auto refuse = [&](const llvm::Twine& problem) {
    Reported reported = emit.error(Id::BadArgument, at, problem.str());
    if (function && function->def)
      reported.relatedIn(diagnostics::NoteId::DefinedHere, function->module,
                         function->def->name.range, function->qualname);
    return false;
  };
  if (auto accepted = parametersOf(function);
      accepted && (types.size() < accepted->first || types.size() > accepted->second))
    return refuse("the combine function gets two values of each input, " +
                  llvm::Twine(types.size()) + " in all, but '" + function->qualname + "' takes " +
                  llvm::Twine(types.size() < accepted->first ? accepted->first : accepted->second));
  Value result = emit.callJit(combine, arguments, at);
  if (result.isUnknown()) return false;
  llvm::SmallVector<mlir::Value, 4> handles;
  llvm::SmallVector<Value, 1> one{result};
  for (Value item :
       language::isSequence(result) ? language::itemsOf(result) : language::Items(one)) {
    Tensor tensor = asTensor(item);
    if (!tensor || handles.size() >= inputs.size() ||
        tensor.type != inputs[handles.size()].scalar())
      return refuse("the combine function must return a scalar of the type of each input");
    handles.push_back(tensor.handle);
  }
  if (handles.size() != inputs.size())
    return refuse("the combine function must return as many values as there are inputs");
  emit.create<Return>(handles);
  return true;
}

static bool isJit(IrBuilder& emit, const Arguments& args, size_t i) {
  auto* function = args[i].as<language::FunctionObject>();
  if (function && function->function == language::FunctionKind::Jit) {
    if (!args[i].isConstexpr()) return true;
    emit.error(Id::BadArgument, args.node(i),
               "the combine function must be named where it is used: Triton refuses one that is a "
               "constexpr, such as a parameter");
    return false;
  }
  bool isBuiltin = args[i].is(ValueKind::Builtin);
  emit.error(Id::BadArgument, args.node(i),
             isBuiltin ? "the combine function must be a function that is marked @gluon.jit, not a "
                         "builtin of Gluon: write one that calls it"
                       : "the combine function must be marked @gluon.jit");
  return false;
}

// gl.max(x, y): an operand where the axis belongs.
static bool isOperand(const Arguments& args, size_t i) {
  return asTensor(args[i]) || args.unwrapped(i).is(ValueKind::Float);
}

static Value resultOf(IrBuilder& emit, llvm::ArrayRef<Tensor> results, bool single) {
  if (single) return wrap(emit, results[0]);
  llvm::SmallVector<Value, 4> items;
  for (Tensor result : results)
    items.push_back(wrap(emit, result));
  return emit.heap().tuple(items);
}

namespace rules {

Value reduce(IrBuilder& emit, const Arguments& args) {
  if (isOperand(args, 1)) {
    Reported reported = emit.error(Id::NotAnInteger, args.node(1), "axis", "an integer", args[1]);
    offerElementwise(emit, reported, args.node(1));
    return Value::unknown();
  }
  llvm::SmallVector<Tensor, 4> inputs;
  bool single;
  if (!inputsOf(emit, args, inputs, single) || !isJit(emit, args, 2)) return Value::unknown();
  auto keepDims = truthArgument(emit, args, 3, "keep_dims");
  if (!keepDims) return Value::unknown();
  auto rank = static_cast<int64_t>(inputs[0].shape().size());
  int64_t axis = 0;
  bool all = isNone(args, 1);
  if (!all) {
    auto given = intArgument(emit, args, 1, "axis");
    if (!given) return Value::unknown();
    axis = *given;
    if (axis < -rank || axis >= rank) return invalidAxis(emit, args.node(1), axis, rank);
    if (axis < 0) axis += rank;
  } else {
    for (Tensor& input : inputs)
      if (!(input = reshaped(emit, input, input.type->numel(), args.node(0))))
        return Value::unknown();
  }
  llvm::SmallVector<mlir::Value, 4> handles;
  for (const Tensor& input : inputs)
    handles.push_back(input.handle);
  auto encoding = llvm::cast<mlir::RankedTensorType>(handles[0].getType()).getEncoding();
  auto* infer = tt::inferLayout(encoding);
  bool toScalar = inputs[0].shape().size() == 1;
  if (!toScalar &&
      (!infer || failed(infer->reduce(encoding, static_cast<unsigned>(axis), std::nullopt))))
    return emit.error(Id::AutoLayoutHere, args.node(0), "reduce", inputs[0].type->layout());
  auto op = emit.create<tt::ReduceOp>(handles, static_cast<uint32_t>(axis));
  if (!combineRegion<tt::ReduceReturnOp>(emit, op.getCombineOp(), inputs, args[2], args.node(2)))
    return Value::unknown();
  llvm::SmallVector<Tensor, 4> results;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Tensor result =
        inferLayout(emit, op->getResult(static_cast<unsigned>(i)), inputs[i].scalar(), args.call);
    if (result && *keepDims)
      for (int64_t n = 0; result && n < (all ? rank : 1); ++n)
        result = codegen::expandDims(emit, result, all ? 0 : axis, args.call);
    if (!result) return Value::unknown();
    results.push_back(result);
  }
  return resultOf(emit, results, single);
}

// argmax and its like need positions, which Triton makes with an arange that has no layout.
Value reduceWithIndices(IrBuilder& emit, const Arguments& args) {
  return emit.error(Id::InvalidOperation, args.call,
                    "a reduction cannot return indices in Gluon: reduce values and positions "
                    "together with gl.reduce and a combine function");
}

Value scan(IrBuilder& emit, const Arguments& args) {
  llvm::SmallVector<Tensor, 4> inputs;
  bool single;
  if (!inputsOf(emit, args, inputs, single) || !isJit(emit, args, 2)) return Value::unknown();
  auto axis = intArgument(emit, args, 1, "axis");
  auto reverse = axis ? boolArgument(emit, args, 3, "reverse") : std::nullopt;
  if (!reverse) return Value::unknown();
  auto rank = static_cast<int64_t>(inputs[0].shape().size());
  if (*axis < -rank || *axis >= rank) return invalidAxis(emit, args.node(1), *axis, rank);
  if (*axis < 0) *axis += rank;
  llvm::SmallVector<mlir::Value, 4> handles;
  llvm::SmallVector<mlir::Type, 4> types;
  for (const Tensor& input : inputs) {
    handles.push_back(input.handle);
    types.push_back(input.handle.getType());
  }
  auto op = emit.create<tt::ScanOp>(mlir::TypeRange(types), handles, static_cast<uint32_t>(*axis),
                                    *reverse);
  if (!combineRegion<tt::ScanReturnOp>(emit, op.getCombineOp(), inputs, args[2], args.node(2)))
    return Value::unknown();
  llvm::SmallVector<Tensor, 4> results;
  for (size_t i = 0; i < inputs.size(); ++i)
    results.push_back({op->getResult(static_cast<unsigned>(i)), inputs[i].type});
  return resultOf(emit, results, single);
}

Value histogram(IrBuilder& emit, const Arguments& args) {
  Tensor input = blockArgument(emit, args, 0, "input"), mask;
  auto bins = input ? intArgument(emit, args, 1, "num_bins") : std::nullopt;
  if (!bins || refusesNone(emit, args, 2, "mask") || !maskArgument(emit, args, 2, mask))
    return Value::unknown();
  if (input.shape().size() != 1)
    return emit.error(Id::BadArgument, args.node(0), "histogram needs a tensor with one dimension");
  if (!input.scalar()->isInt())
    return emit.error(Id::DtypeMismatch, args.node(0), "histogram", "an integer type",
                      input.scalar());
  if (isNone(args, 3)) return emit.error(Id::MissingArgument, args.call, "histogram", "layout");
  const LayoutObject* layout =
      layoutArgument(emit, args, 3, language::LayoutFamily::Distributed, "layout");
  if (!layout) return Value::unknown();
  if (mask && (!broadcast(emit, mask, input, args.node(2), args.node(0)) ||
               !checkMask(emit, mask, args.node(2))))
    return Value::unknown();
  const Type* type = tensorType(emit, scalarType(ScalarKind::Int32), *bins, layout, args.node(3));
  if (!type) return Value::unknown();
  return emit.value(emit.create<tt::HistogramOp>(emit.irType(type), input.handle, mask.handle),
                    type);
}

Value tensorHistogram(IrBuilder& emit, const Arguments& args) {
  return emit.error(Id::NoSuchOperation, args.call, "Gluon", "tensor.histogram",
                    "call gl.histogram, which takes a layout");
}

Value gather(IrBuilder& emit, const Arguments& args) {
  Tensor src = blockArgument(emit, args, 0, "src"),
         index = src ? blockArgument(emit, args, 1, "index") : Tensor();
  auto axis = index ? intArgument(emit, args, 2, "axis") : std::nullopt;
  if (!axis) return Value::unknown();
  if (!index.scalar()->isInt())
    return emit.error(Id::DtypeMismatch, args.node(1), "index", "an integer type", index.scalar());
  auto rank = static_cast<int64_t>(src.shape().size());
  if (index.shape().size() != src.shape().size())
    return emit.error(Id::RankMismatch, args.node(1), shapeText(src.shape()),
                      shapeText(index.shape()));
  if (*axis < -rank || *axis >= rank) return invalidAxis(emit, args.node(2), *axis, rank);
  if (*axis < 0) *axis += rank;
  for (int64_t d = 0; d < rank; ++d)
    if (d != *axis && index.shape()[static_cast<size_t>(d)] != src.shape()[static_cast<size_t>(d)])
      return emit.error(Id::ShapeMismatch, args.node(1), shapeText(src.shape()),
                        shapeText(index.shape()), d);
  const Type* type = emit.types().withElement(index.type, src.scalar());
  return emit.value(emit.create<tt::GatherOp>(emit.irType(type), src.handle, index.handle,
                                              static_cast<uint32_t>(*axis), false),
                    type);
}

Value mapElementwise(IrBuilder& emit, const Arguments& args) {
  if (!isJit(emit, args, 0)) return Value::unknown();
  auto pack = intArgument(emit, args, 2, "pack");
  if (!pack) return Value::unknown();
  if (*pack < 1) return emit.error(Id::BadArgument, args.node(2), "pack must be at least 1");
  auto step = static_cast<size_t>(*pack);
  llvm::SmallVector<Tensor, 4> inputs;
  for (Value item : language::itemsOf(args[1])) {
    Tensor tensor = asTensor(item);
    if (!tensor) return emit.error(Id::NotATensor, args.node(1), "args", item);
    inputs.push_back(tensor);
  }
  if (inputs.empty())
    return emit.error(Id::BadArgument, args.call, "map_elementwise needs at least one tensor");
  constexpr size_t mostScalars = 1 << 14; // far more than any function has parameters
  if (inputs.size() > mostScalars || step > mostScalars / inputs.size())
    return emit.unsupported(args.call, "functions of more than " + llvm::Twine(mostScalars) +
                                           " packed elements");

  // The function's body is generated first, because it determines the results.
  auto block = std::make_unique<mlir::Block>();
  llvm::SmallVector<Value, 8> arguments;
  for (const Tensor& input : inputs)
    for (size_t k = 0; k < step; ++k)
      arguments.push_back(
          emit.value(block->addArgument(emit.irType(input.scalar()), emit.loc()), input.scalar()));
  llvm::SmallVector<const Type*, 8> returned;
  bool single;
  {
    IrBuilder::Guard guard(emit);
    emit.opBuilder().setInsertionPointToStart(block.get());
    Value result = emit.callJit(args[0], arguments, args.call);
    if (result.isUnknown()) return Value::unknown();
    single = static_cast<bool>(asTensor(result));
    llvm::SmallVector<mlir::Value, 8> handles;
    llvm::SmallVector<Value, 1> one{result};
    for (Value item : single ? language::Items(one) : language::itemsOf(result)) {
      Tensor tensor = asTensor(item);
      if (!tensor)
        return emit.error(Id::BadArgument, args.node(0), "the mapped function must return scalars");
      handles.push_back(tensor.handle);
      returned.push_back(tensor.type);
    }
    emit.create<tt::MapElementwiseReturnOp>(handles);
  }
  llvm::SmallVector<const Type*, 4> scalars;
  for (size_t i = 0; i < returned.size(); i += step) {
    scalars.push_back(returned[i]);
    for (size_t k = 1; k < step && i + k < returned.size(); ++k)
      if (returned[i + k] != returned[i])
        return emit.error(Id::BadArgument, args.node(0),
                          "the results of one group of packed elements have different types");
  }
  llvm::SmallVector<const Node*, 4> at(inputs.size(), args.node(1));
  if (!broadcast(emit, inputs, at)) return Value::unknown();
  if (!inputs[0].isBlock())
    return emit.error(Id::NotATensor, args.node(1), "args", emit.text(inputs[0].type));
  llvm::SmallVector<mlir::Value, 4> handles;
  for (const Tensor& input : inputs)
    handles.push_back(input.handle);
  llvm::SmallVector<const Type*, 4> types;
  llvm::SmallVector<mlir::Type, 4> irTypes;
  for (const Type* scalar : scalars) {
    types.push_back(emit.types().withElement(inputs[0].type, scalar));
    irTypes.push_back(emit.irType(types.back()));
  }
  auto op = emit.create<tt::MapElementwiseOp>(mlir::TypeRange(irTypes), handles,
                                              static_cast<uint32_t>(*pack));
  op.getScalarOp().push_back(block.release());
  llvm::SmallVector<Tensor, 4> results;
  for (size_t i = 0; i < types.size(); ++i)
    results.push_back({op->getResult(static_cast<unsigned>(i)), types[i]});
  return resultOf(emit, results, single);
}

} // namespace rules

} // namespace gluond::codegen
