// torch.return_types: the values and indices of x.max(dim), x.sort() and others.
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/torch/Torch.h"

namespace gluond::evaluate {

namespace {

struct PairObject : HostObject {
  Value values, indices;
};
extern const HostClass pairClass;

const PairObject* pairOf(Value self) {
  return hostAs<PairObject>(self, pairClass);
}

Value pairAttribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  if (text == "values") return pairOf(self)->values;
  if (text == "indices") return pairOf(self)->indices;
  return text.starts_with("__") ? Value::absent() : Value::unknown();
}

Value pairItem(Interpreter&, Value self, Value index) {
  if (!index.isIntegral()) return Value::unknown();
  int64_t at = index.asInt();
  if (at == 0 || at == -2) return pairOf(self)->values;
  return at == 1 || at == -1 ? pairOf(self)->indices : Value::unknown();
}

std::string pairRepr(Interpreter& in, Value) {
  in.notePrintedUnknown();
  return "torch.return_types(...)";
}

bool pairUnpack(Interpreter&, Value self, llvm::SmallVectorImpl<Value>& out) {
  out.push_back(pairOf(self)->values);
  out.push_back(pairOf(self)->indices);
  return true;
}

const HostClass pairClass = {
    .name = "return_types",
    .attribute = pairAttribute,
    .item = pairItem,
    .repr = pairRepr,
    .unpack = pairUnpack,
    .length = [](Interpreter&, Value) { return std::optional<int64_t>(2); },
    .rebinding = &copiedHost<PairObject, &PairObject::values, &PairObject::indices>};

} // namespace

Value valuesAndIndices(Interpreter& in, Value values, Value indices) {
  auto* pair = in.heap().make<PairObject>();
  pair->cls = &pairClass;
  pair->values = values;
  pair->indices = indices;
  return Value::object(ValueKind::Host, pair);
}

} // namespace gluond::evaluate
