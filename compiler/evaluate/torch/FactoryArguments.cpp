// The arguments of torch's functions that make tensors: those that they need, and those that they
// refuse.
#include "evaluate/torch/FactoryArguments.h"

#include "evaluate/torch/TorchNames.h"
#include "language/types/Structure.h"

namespace gluond::evaluate {

namespace {

// The arguments that a factory needs, by position or by name.
struct NeededArguments {
  llvm::StringLiteral factory;
  llvm::StringLiteral names; // separated by spaces
};
constexpr NeededArguments neededArguments[] = {
    {"arange", "end"},
    {"as_tensor", "data"},
    {"empty", "size"},
    {"empty_like", "input"},
    {"empty_strided", "size stride"},
    {"eye", "n"},
    {"from_numpy", "ndarray"},
    {"full", "size fill_value"},
    {"full_like", "input fill_value"},
    {"linspace", "start end steps"},
    {"logspace", "start end steps"},
    {"ones", "size"},
    {"ones_like", "input"},
    {"rand", "size"},
    {"rand_like", "input"},
    {"randint", "high size"},
    {"randint_like", "input high"},
    {"randn", "size"},
    {"randn_like", "input"},
    {"randperm", "n"},
    {"tensor", "data"},
    {"zeros", "size"},
    {"zeros_like", "input"},
};

} // namespace

Value raiseMissing(Interpreter& in, llvm::StringRef factory, llvm::StringRef argument) {
  return in.raise("TypeError",
                  factory +
                      "() received an invalid combination of arguments: it is missing the "
                      "required argument '" +
                      argument + "'");
}

bool lacksArguments(Interpreter& in, llvm::StringRef factory, const CallArguments& arguments) {
  const auto* row = llvm::find_if(
      neededArguments, [&](const NeededArguments& each) { return each.factory == factory; });
  if (row == std::end(neededArguments)) return false;
  llvm::SmallVector<llvm::StringRef, 4> names;
  row->names.split(names, ' ');
  for (auto [i, name] : llvm::enumerate(names))
    if (torchArgument(in, arguments, i, name).isAbsent()) {
      raiseMissing(in, factory, name);
      return true;
    }
  return false;
}

bool refusesKeywords(Interpreter& in, llvm::StringRef factory, const CallArguments& arguments) {
  for (const KeywordArgument& each : arguments.keywords)
    if (llvm::StringRef name = in.text(each.name);
        isMisspeltInTorch("parameters of factories", name)) {
      in.raise({ErrorKind::TensorKeyword, name.str(), factory.str()}, "TypeError",
               factory + "() received an invalid combination of arguments: it has no keyword '" +
                   name + "'");
      return true;
    }
  if (torchKeyword(in, arguments, "dtype").is(ValueKind::Str)) {
    in.raise("TypeError", factory + "(): argument 'dtype' must be torch.dtype, not str");
    return true;
  }
  return refusesDevice(in, kindOfDevice(torchKeyword(in, arguments, "device")));
}

bool isRagged(Interpreter& in, Value data, llvm::ArrayRef<Extent> shape, size_t dim) {
  auto isSequence = [](Value value) {
    return value.is(ValueKind::List) || value.is(ValueKind::Tuple);
  };
  if (dim >= shape.size() || !isSequence(data)) return false;
  if (auto* list = data.as<ListObject>(); list && list->uncertain) return false;
  language::Items items = language::itemsOf(data);
  if (!in.spend(items.size())) return true;
  if (shape[dim] && items.size() != static_cast<size_t>(*shape[dim])) {
    in.raise("ValueError", "expected sequence of length " + llvm::Twine(*shape[dim]) + " at dim " +
                               llvm::Twine(dim) + " (got " + llvm::Twine(items.size()) + ")");
    return true;
  }
  if (dim + 1 == shape.size()) return false;
  for (size_t i = 0; i < items.size(); ++i)
    if (isRagged(in, items[i].unwrapped(), shape, dim + 1)) return true;
  return false;
}

} // namespace gluond::evaluate
