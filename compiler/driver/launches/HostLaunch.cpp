#include "driver/launches/HostLaunch.h"

#include "driver/json/Json.h"
#include "evaluate/torch/Torch.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace gluond::driver {

using evaluate::HostDescriptorObject;
using evaluate::LaunchArgument;
using evaluate::TensorObject;
using language::Value;
using language::ValueKind;

namespace {

constexpr std::pair<const char*, std::vector<int64_t> HostDescriptor::*> cornerNames[] = {
    {"pixel_box_lower_corner", &HostDescriptor::lowerCorner},
    {"pixel_box_upper_corner", &HostDescriptor::upperCorner},
    {"element_strides", &HostDescriptor::elementStrides}};

// ---------------------------------------------------------------- launches that were evaluated

class LaunchReader {
public:
  LaunchReader(const Interner& names, HostLaunch& out) : names_(names), out_(out) {}

  void read(const LaunchArgument& argument, const std::string& prefix = "") {
    std::string name = prefix.empty() ? names_.text(argument.name).str() : prefix;
    if (argument.isTuple) {
      for (size_t i = 0; i < argument.elements.size(); ++i)
        read(argument.elements[i],
             name + "." +
                 (i < argument.fields.size() ? names_.text(argument.fields[i]).str()
                                             : std::to_string(i)));
      return;
    }
    if (argument.isConstexpr || !argument.type) {
      out_.constants.push_back(name);
      return;
    }
    HostArgument made;
    made.name = std::move(name);
    made.type = evaluate::signature(argument);
    made.isAligned = argument.divisibleBy.has_value();
    made.isDtypeAssumed = argument.isDtypeAssumed;
    if (argument.type->is(language::TypeKind::TensorDescriptor))
      made.dtype =
          language::scalarInfo(argument.type->element()->scalar()->scalarKind()).mangled.str();
    Value host = argument.host;
    if (auto* descriptor =
            evaluate::hostAs<HostDescriptorObject>(host, evaluate::tensorDescriptorClass)) {
      readDescriptor(*descriptor, made);
    } else if (auto* tensor = evaluate::hostAs<TensorObject>(host, evaluate::tensorClass)) {
      readTensor(*tensor, made);
    } else if (host.is(ValueKind::Float)) {
      made.real = host.asFloat();
    } else if (host.isIntegral()) {
      if (argument.type->isFloat())
        made.real = static_cast<double>(host.asInt());
      else
        made.integer = host.asInt();
    }
    if (argument.type->is(language::TypeKind::TensorDescriptor))
      made.rank = made.tensor ? static_cast<unsigned>(made.tensor->shape.size())
                  : argument.inputRank
                      ? argument.inputRank
                      : static_cast<unsigned>(argument.type->element()->shape().size());
    out_.arguments.push_back(std::move(made));
  }

private:
  static std::optional<std::vector<int64_t>> known(llvm::ArrayRef<evaluate::Extent> extents) {
    std::vector<int64_t> all;
    for (evaluate::Extent extent : extents) {
      if (!extent || *extent < 0) return std::nullopt;
      all.push_back(*extent);
    }
    return all;
  }

  void readTensor(const TensorObject& tensor, HostArgument& out) {
    auto shape = known(tensor.shape), strides = known(tensor.strides);
    if (!tensor.hasShape || !shape || !strides) return;
    HostTensor made;
    made.dtype = elementTypeOf(out);
    made.shape = std::move(*shape);
    made.strides = std::move(*strides);
    // Views move by whole elements; only how that breaks alignment matters.
    made.offset = static_cast<uint64_t>(std::max<int64_t>(0, tensor.offset.value_or(0))) % 256;
    made.low = tensor.contents.low;
    made.high = tensor.contents.high;
    static constexpr const char* kinds[] = {"", "constant", "iota", "normal", "uniform"};
    made.contents = kinds[static_cast<size_t>(tensor.contents.kind)];
    out.tensor = std::move(made);
    auto [it, isNew] = seen_.try_emplace(&tensor, out_.arguments.size());
    if (!isNew) out.sameAs = static_cast<int>(it->second);
  }

  void readDescriptor(const HostDescriptorObject& descriptor, HostArgument& out) {
    auto get = [&](llvm::StringRef name) {
      for (auto [key, value] : *descriptor.attributes)
        if (names_.text(key) == name) return value.unwrapped();
      return Value::absent();
    };
    auto numbers = [&](llvm::StringRef name) -> std::optional<std::vector<int64_t>> {
      Value value = get(name);
      if (!language::isSequence(value)) return std::nullopt;
      std::vector<int64_t> all;
      for (Value item : language::itemsOf(value)) {
        item = item.unwrapped();
        if (!item.isIntegral()) return std::nullopt;
        all.push_back(item.asInt());
      }
      return all;
    };
    HostDescriptor made;
    if (auto* padding = get("padding").as<language::StrObject>())
      made.nanPadding = padding->text == "nan";
    Value tf32 = get("round_f32_to_tf32");
    made.roundsToTf32 = tf32.is(ValueKind::Bool) && tf32.asBool();
    for (const auto& [name, member] : cornerNames)
      made.*member = numbers(name).value_or(std::vector<int64_t>());
    out.descriptor = std::move(made);
    if (auto* base = evaluate::hostAs<TensorObject>(get("base"), evaluate::tensorClass))
      readTensor(*base, out);
    // The descriptor may see the tensor in another shape.
    auto shape = numbers("shape"), strides = numbers("strides");
    if (out.tensor && shape && strides && shape->size() == strides->size()) {
      out.tensor->shape = std::move(*shape);
      out.tensor->strides = std::move(*strides);
    }
  }

  const Interner& names_;
  HostLaunch& out_;
  llvm::DenseMap<const TensorObject*, size_t> seen_;
};

// ---------------------------------------------------------------- launch records

std::optional<std::vector<int64_t>> numbersOf(const JsonValue* list) {
  if (!list || !list->isArray()) return std::nullopt;
  std::vector<int64_t> all;
  for (const JsonValue& item : list->items()) {
    if (!item.isInteger() || item.isHuge()) return std::nullopt;
    all.push_back(item.integer());
  }
  return all;
}

// The argument's value, as the "run" of a record in the folder has it.
void readValue(const JsonValue& value, llvm::StringRef folder, HostArgument& out) {
  bool isFloat =
      llvm::StringRef(out.type).starts_with("fp") || llvm::StringRef(out.type).starts_with("bf");
  if (value.isBoolean()) out.integer = value.boolean();
  if (value.isInteger() && !isFloat) out.integer = value.integer();
  if (value.isInteger() && isFloat) out.real = static_cast<double>(value.integer());
  if (value.kind() == JsonValue::Kind::Real && isFloat) out.real = value.real();
  auto shape = numbersOf(value.find("shape")), strides = numbersOf(value.find("strides"));
  if (!out.isPointer() && !out.isDescriptor()) return;
  if (!shape || (strides && strides->size() != shape->size())) return;
  HostTensor tensor;
  tensor.dtype = elementTypeOf(out);
  tensor.strides = strides ? *strides : denseStrides(*shape);
  tensor.shape = std::move(*shape);
  auto number = [&](const char* name, double missing) {
    const JsonValue* found = value.find(name);
    return !found               ? missing
           : found->isInteger() ? static_cast<double>(found->integer())
                                : found->real();
  };
  tensor.offset = static_cast<uint64_t>(std::clamp(number("offset", 0), 0.0, 1e9));
  tensor.contents = value.textOf("fill").str();
  if (tensor.contents == "file") tensor.contents.clear();
  if (llvm::StringRef data = value.textOf("data"); data.ends_with(".npy")) {
    tensor.contents = "file";
    tensor.path = fromFolder(folder, data).str().str();
    tensor.folder = folder.str();
  }
  tensor.low = number("low", 0);
  tensor.high = number("high", 1);
  out.tensor = std::move(tensor);
  if (!out.descriptor) return;
  out.descriptor->nanPadding = value.textOf("padding") == "nan";
  const JsonValue* tf32 = value.find("round_f32_to_tf32");
  out.descriptor->roundsToTf32 = tf32 && tf32->isBoolean() && tf32->boolean();
  for (const auto& [key, member] : cornerNames)
    (*out.descriptor).*member = numbersOf(value.find(key)).value_or(std::vector<int64_t>());
}

void readRecorded(const JsonValue& argument, const std::string& name, const JsonValue* values,
                  llvm::StringRef folder, HostLaunch& out) {
  llvm::StringRef type = argument.textOf("type");
  if (type == "tuple") {
    const JsonValue *elements = argument.find("elements"), *fields = argument.find("fields");
    for (size_t i = 0; elements && i < elements->items().size(); ++i)
      readRecorded(elements->items()[i],
                   name + "." +
                       (fields && i < fields->items().size() ? fields->items()[i].text().str()
                                                             : std::to_string(i)),
                   values, folder, out);
    return;
  }
  if (type == "constexpr") {
    out.constants.push_back(name);
    return;
  }
  HostArgument made;
  made.name = name;
  made.type = type.str();
  made.isAligned = argument.find("divisible_by") != nullptr;
  if (made.isDescriptor()) {
    made.descriptor.emplace();
    const JsonValue *rank = argument.find("input_rank"), *block = argument.find("block");
    made.rank = rank && rank->isInteger()
                    ? static_cast<unsigned>(std::clamp<int64_t>(rank->integer(), 1, 8))
                : block ? static_cast<unsigned>(block->items().size())
                        : 0;
  }
  made.dtype = argument.textOf("dtype").str();
  if (const JsonValue* value = values ? values->find(name) : nullptr)
    readValue(*value, folder, made);
  out.arguments.push_back(std::move(made));
}

// The launch options that the driver is told, and no stage.
struct LaunchFlag {
  llvm::StringLiteral option;
  bool HostLaunch::* field;
};
constexpr LaunchFlag launchFlags[] = {
    {"launch_cooperative_grid", &HostLaunch::isCooperative},
    {"launch_pdl", &HostLaunch::isProgrammatic},
};

} // namespace

std::string elementTypeOf(const HostArgument& argument) {
  llvm::StringRef type = argument.type;
  if (!type.consume_front("*")) return argument.dtype;
  type.consume_front("k");
  return type.str();
}

std::vector<int64_t> denseStrides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t next = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = next;
    if (__builtin_mul_overflow(next, std::max<int64_t>(shape[i], 1), &next)) next = INT64_MAX;
  }
  return strides;
}

lints::LaunchSizes sizesOf(const HostLaunch& launch) {
  lints::LaunchSizes sizes;
  sizes.grid = launch.grid;
  sizes.gridNumbers = launch.gridNumbers;
  for (auto [from, to] : llvm::zip(launch.gridQuotients, sizes.quotients))
    for (const evaluate::GridQuotient& each : from)
      to.push_back({each.number, each.divisor});
  for (const HostArgument& argument : launch.arguments) {
    // A descriptor becomes several arguments.
    if (argument.isDescriptor()) return {};
    lints::LaunchSizes::Argument& made = sizes.arguments.emplace_back();
    made.integer = argument.integer;
    if (!argument.tensor) continue;
    __int128 elements = 1;
    for (auto [extent, stride] : llvm::zip(argument.tensor->shape, argument.tensor->strides)) {
      if (extent == 0) elements = 0;
      if (elements == 0) break;
      elements += static_cast<__int128>(extent - 1) * stride;
      if (elements > std::numeric_limits<int64_t>::max()) break; // eight such products overflow
    }
    if (elements >= 0 && elements <= std::numeric_limits<int64_t>::max())
      made.elements = static_cast<int64_t>(elements);
  }
  return sizes;
}

HostLaunch hostLaunchOf(const Variant& variant, const Interner& names) {
  HostLaunch launch;
  if (variant.launch) {
    LaunchReader reader(names, launch);
    for (const LaunchArgument& argument : variant.launch->arguments)
      reader.read(argument);
    launch.grid = variant.launch->grid;
    launch.gridNumbers = variant.launch->gridNumbers;
    launch.gridQuotients = variant.launch->gridQuotients;
    for (const evaluate::LaunchOption& option : variant.launch->options) {
      bool isSet = (option.value.is(ValueKind::Bool) && option.value.asBool()) ||
                   (option.value.isIntegral() && option.value.asInt() != 0);
      for (const LaunchFlag& flag : launchFlags)
        if (flag.option == option.name) launch.*flag.field = isSet;
    }
  } else if (variant.record.record) {
    const JsonValue& json = *variant.record.record->json;
    const JsonValue* run = json.find("run");
    const JsonValue* values = run ? run->find("values") : nullptr;
    if (const JsonValue* arguments = json.find("args"))
      for (const JsonValue& argument : arguments->items())
        readRecorded(argument, argument.textOf("name").str(), values, variant.record.record->folder,
                     launch);
    if (auto grid = run ? numbersOf(run->find("grid")) : std::nullopt;
        grid && !grid->empty() && grid->size() <= 3 &&
        llvm::all_of(*grid, [](int64_t extent) { return extent > 0; })) {
      launch.grid = {1, 1, 1};
      llvm::copy(*grid, launch.grid->begin());
    }
    const JsonValue* options = json.find("options");
    for (const LaunchFlag& flag : launchFlags) {
      const JsonValue* option = options ? options->find(flag.option) : nullptr;
      launch.*flag.field = option && ((option->isBoolean() && option->boolean()) ||
                                      (option->isInteger() && option->integer() != 0));
    }
  }
  return launch;
}

nlohmann::ordered_json runOf(const HostLaunch& launch) {
  using Json = nlohmann::ordered_json;
  Json run = Json::object(), values = Json::object();
  if (launch.grid) run["grid"] = *launch.grid;
  for (const HostArgument& argument : launch.arguments) {
    if (argument.integer) values[argument.name] = *argument.integer;
    if (argument.real && std::isfinite(*argument.real)) values[argument.name] = *argument.real;
    if (!argument.tensor) continue;
    const HostTensor& tensor = *argument.tensor;
    Json value = {{"shape", tensor.shape}, {"strides", tensor.strides}};
    if (tensor.offset) value["offset"] = tensor.offset;
    if (tensor.contents == "file") {
      value["data"] = tensor.path;
    } else if (!tensor.contents.empty()) {
      value["fill"] = tensor.contents;
      if (tensor.contents != "iota") value["low"] = tensor.low;
      if (tensor.contents == "normal" || tensor.contents == "uniform") value["high"] = tensor.high;
    }
    if (argument.descriptor) {
      if (argument.descriptor->nanPadding) value["padding"] = "nan";
      if (argument.descriptor->roundsToTf32) value["round_f32_to_tf32"] = true;
      for (const auto& [key, member] : cornerNames)
        if (const auto& list = (*argument.descriptor).*member; !list.empty()) value[key] = list;
    }
    values[argument.name] = std::move(value);
  }
  if (!values.empty()) run["values"] = std::move(values);
  return run;
}

void assumeMissing(HostLaunch& launch, std::vector<std::string>& assumptions) {
  // Sizes that fit each other: a matrix of 4096 by 4096, dense.
  constexpr int64_t side = 4096, elements = side * side;
  for (HostArgument& argument : launch.arguments) {
    if (argument.isKnown()) {
      if (argument.tensor && argument.isDtypeAssumed)
        assumptions.push_back(argument.name + ": assumed elements of type " +
                              elementTypeOf(argument));
      continue;
    }
    if (argument.isPointer() || argument.isDescriptor()) {
      HostTensor tensor;
      tensor.dtype = elementTypeOf(argument);
      tensor.shape = {elements};
      if (argument.isDescriptor()) {
        tensor.shape.assign(std::max(1u, argument.rank), 1);
        for (size_t i = 0; i < std::min<size_t>(2, tensor.shape.size()); ++i)
          tensor.shape[tensor.shape.size() - 1 - i] = side;
      }
      tensor.strides = denseStrides(tensor.shape);
      std::string shape;
      for (int64_t extent : tensor.shape)
        shape += (shape.empty() ? "" : ",") + std::to_string(extent);
      assumptions.push_back(argument.name + ": assumed a tensor of shape [" + shape + "]" +
                            (argument.isDtypeAssumed ? " and type " + tensor.dtype : ""));
      argument.tensor = std::move(tensor);
    } else if (argument.isInteger()) {
      bool isNarrow = argument.type == "u1" || argument.type == "i8" || argument.type == "u8";
      argument.integer = isNarrow ? 1 : side;
      assumptions.push_back(argument.name + ": assumed " + std::to_string(*argument.integer));
    } else {
      argument.real = 1;
      assumptions.push_back(argument.name + ": assumed 1.0");
    }
  }
  if (!launch.grid) {
    launch.grid = {1, 1, 1};
    assumptions.push_back("grid: assumed 1 program");
  }
}

} // namespace gluond::driver
