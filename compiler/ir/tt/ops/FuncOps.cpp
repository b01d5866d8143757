// Functions and calls: building, text, checks.
#include "ir/tt/Ops.h"

#include <mlir/Interfaces/FunctionImplementation.h>

using namespace mlir;

namespace gluond::tt {

void FuncOp::build(OpBuilder& builder, OperationState& state, StringRef name, FunctionType type,
                   ArrayRef<NamedAttribute> attrs, ArrayRef<DictionaryAttr> argAttrs) {
  auto& properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type = TypeAttr::get(type);
  for (NamedAttribute attr : attrs)
    if (attr.getName() == getSymVisibilityAttrName(state.name))
      properties.sym_visibility = cast<StringAttr>(attr.getValue());
    else
      state.attributes.push_back(attr);
  state.addRegion();
  if (argAttrs.empty()) return;
  assert(type.getNumInputs() == argAttrs.size() &&
         "one attribute dictionary per argument, or none");
  call_interface_impl::addArgAndResultAttrs(builder, state, argAttrs, /*resultAttrs=*/{},
                                            getArgAttrsAttrName(state.name),
                                            getResAttrsAttrName(state.name));
}

ParseResult FuncOp::parse(OpAsmParser& parser, OperationState& result) {
  auto makeType = [](Builder& builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag,
                     std::string&) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), makeType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter& printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

void CallOp::build(OpBuilder& builder, OperationState& state, FuncOp callee, ValueRange operands) {
  state.addOperands(operands);
  state.getOrAddProperties<Properties>().callee = FlatSymbolRefAttr::get(callee.getSymNameAttr());
  state.addTypes(callee.getResultTypes());
}

void CallOp::build(OpBuilder& builder, OperationState& state, StringRef callee, TypeRange results,
                   ValueRange operands) {
  state.addOperands(operands);
  state.getOrAddProperties<Properties>().callee =
      FlatSymbolRefAttr::get(builder.getContext(), callee);
  state.addTypes(results);
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection& symbols) {
  FlatSymbolRefAttr name = getCalleeAttr();
  if (!name) return emitOpError("requires a 'callee' symbol reference attribute");
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, name);
  if (!callee)
    return emitOpError() << "'" << name.getValue() << "' does not reference a valid function";
  FunctionType type = callee.getFunctionType();
  if (type.getNumInputs() != getNumOperands())
    return emitOpError("incorrect number of operands for callee");
  for (auto [i, expected, given] : llvm::enumerate(type.getInputs(), getOperandTypes()))
    if (expected != given)
      return emitOpError("operand type mismatch: expected operand type ")
             << expected << ", but provided " << given << " for operand number " << i;
  if (type.getNumResults() != getNumResults())
    return emitOpError("incorrect number of results for callee");
  for (auto [i, expected, given] : llvm::enumerate(type.getResults(), getResultTypes()))
    if (expected != given) {
      auto diagnostic = emitOpError("result type mismatch at index ") << i;
      diagnostic.attachNote() << "      op result types: " << getResultTypes();
      diagnostic.attachNote() << "function result types: " << type.getResults();
      return diagnostic;
    }
  return success();
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  auto results = function.getFunctionType().getResults();
  if (getNumOperands() != results.size())
    return emitOpError("has ") << getNumOperands() << " operands, but enclosing function (@"
                               << function.getName() << ") returns " << results.size();
  for (auto [i, given, expected] : llvm::enumerate(getOperandTypes(), results))
    if (given != expected)
      return emitError() << "type of return operand " << i << " (" << given
                         << ") doesn't match function result type (" << expected << ")"
                         << " in function @" << function.getName();
  return success();
}

} // namespace gluond::tt
