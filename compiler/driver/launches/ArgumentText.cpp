#include "driver/launches/ArgumentText.h"

#include "language/parameters/SpecializedDivisor.h"
#include "runner/protocol/Dtype.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

namespace {

using Error = tl::unexpected<std::string>;

std::optional<double> realOf(llvm::StringRef text) {
  double value = 0;
  if (text.trim().getAsDouble(value)) return std::nullopt;
  return value;
}

std::optional<std::vector<int64_t>> extentsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', -1, false);
  std::vector<int64_t> all;
  for (llvm::StringRef part : parts) {
    int64_t extent;
    if (part.trim().getAsInteger(10, extent) || extent < 0) return std::nullopt;
    all.push_back(extent);
  }
  return all;
}

// Returns Triton's name of a type with other names in torch, or "" if there is no such type.
llvm::StringRef canonicalDtype(llvm::StringRef name) {
  const runner::Dtype* dtype = runner::findDtype(name);
  return dtype ? dtype->name : "";
}

// Reads "normal", "uniform(0,2)", "zeros"; returns false if it is no fill.
bool applyFill(llvm::StringRef text, HostTensor& tensor) {
  auto [name, rest] = text.split('(');
  llvm::SmallVector<double, 2> numbers;
  if (!rest.empty()) {
    if (!rest.consume_back(")")) return false;
    llvm::SmallVector<llvm::StringRef> parts;
    rest.split(parts, ',');
    for (llvm::StringRef part : parts) {
      auto number = realOf(part);
      if (!number) return false;
      numbers.push_back(*number);
    }
  }
  struct Row {
    llvm::StringLiteral name, contents;
    double low, high;
    unsigned numbers;
  };
  static constexpr Row rows[] = {{"random", "normal", 0, 1, 0},    {"normal", "normal", 0, 1, 2},
                                 {"uniform", "uniform", 0, 1, 2},  {"iota", "iota", 0, 1, 0},
                                 {"zeros", "constant", 0, 0, 0},   {"ones", "constant", 1, 1, 0},
                                 {"constant", "constant", 0, 0, 1}};
  for (const Row& row : rows) {
    if (name != row.name || (!numbers.empty() && numbers.size() != row.numbers)) continue;
    tensor.contents = row.contents.str();
    tensor.low = numbers.empty() ? row.low : numbers[0];
    tensor.high = numbers.size() > 1 ? numbers[1] : row.high;
    tensor.path.clear();
    tensor.folder.clear();
    return true;
  }
  return false;
}

// Returns the number if an integer of that type ("i32", "u1") can hold it. Numbers above the range
// of i64 are those of u64 with the same bits.
std::optional<int64_t> fittingInteger(const llvm::APInt& magnitude, bool isNegative,
                                      llvm::StringRef type) {
  unsigned bits = 64;
  bool isSigned = type.starts_with("i");
  if (type.drop_front().getAsInteger(10, bits) || bits > 64) bits = 64;
  if (bits == 1) isSigned = false;
  llvm::APInt number = magnitude.zext(std::max(magnitude.getBitWidth(), 64U) + 1);
  if (isNegative) number.negate();
  bool fits = isSigned ? number.isSignedIntN(bits) : !number.isNegative() && number.isIntN(bits);
  if (!fits) return std::nullopt;
  return static_cast<int64_t>(number.trunc(64).getZExtValue());
}

// A tensor's text without its shape: a fill, a type, or both with a colon between.
std::pair<llvm::StringRef, llvm::StringRef> fillAndDtype(llvm::StringRef text) {
  auto [fill, dtype] = text.contains(':') ? text.split(':') : std::pair(text, llvm::StringRef());
  if (dtype.empty() && !canonicalDtype(fill).empty()) std::swap(fill, dtype);
  return {fill, dtype};
}

tl::expected<void, std::string> applyTensor(HostArgument& argument, llvm::StringRef text) {
  HostTensor tensor = argument.tensor.value_or(HostTensor());
  if (tensor.dtype.empty()) tensor.dtype = elementTypeOf(argument);
  std::string wanted = "'" + text.str() + "' for " + argument.name;
  if (text.ends_with(".npy")) {
    argument.sameAs = -1;
    if (tensor.contents == "file" && tensor.path == text) return {}; // as it was recorded
    tensor.folder.clear();
    tensor.contents = "file";
    tensor.path = text.str(); // whose shape counts when it is read
    argument.tensor = std::move(tensor);
    return {};
  }
  llvm::StringRef rest = text;
  bool hasShape = true;
  if (size_t bracket = rest.find('['); bracket != llvm::StringRef::npos) {
    llvm::StringRef inside = rest.drop_front(bracket + 1);
    rest = rest.take_front(bracket);
    if (!inside.consume_back("]")) return Error(wanted + ": ']' is missing");
    auto [shape, strides] = inside.split(';');
    auto extents = extentsOf(shape), steps = extentsOf(strides);
    if (!extents || !steps) return Error(wanted + ": the shape is not a list of numbers");
    if (!steps->empty() && steps->size() != extents->size())
      return Error(wanted + ": shape and strides have different lengths");
    tensor.strides = steps->empty() ? denseStrides(*extents) : *steps;
    tensor.shape = std::move(*extents);
  } else {
    hasShape = argument.tensor.has_value();
  }
  auto [fill, dtype] = fillAndDtype(rest);
  if (!hasShape && (!fill.empty() || dtype.empty()))
    return Error(wanted + ": its shape is unknown; append it, as in random:f16[4096,4096]");
  if (!fill.empty() && !applyFill(fill, tensor))
    return Error(
        (fill == text ? "unknown fill " + wanted : wanted + ": unknown fill '" + fill.str() + "'") +
        "; choose one of random, normal(mean,deviation), uniform(low,high), iota, zeros, "
        "ones, constant(x), or a file (.npy)");
  if (!dtype.empty()) {
    llvm::StringRef name = canonicalDtype(dtype);
    if (name.empty())
      return Error(wanted + ": unknown element type '" + dtype.str() +
                   "'; write it as Triton does and the shape in brackets, as in "
                   "random:f16[4096,4096]");
    if (!tensor.dtype.empty() && name != tensor.dtype)
      return Error(wanted + ": this launch is compiled for " + tensor.dtype +
                   "; choose a launch with " + name.str() +
                   ", or write one above the kernel: # gluond: launch(" + argument.name + "=\"*" +
                   name.str() + "\", ...)");
    tensor.dtype = name.str();
  }
  if (!hasShape) return {}; // the type alone
  argument.sameAs = -1;
  argument.tensor = std::move(tensor);
  return {};
}

} // namespace

llvm::StringRef dtypeIn(llvm::StringRef text) {
  return canonicalDtype(fillAndDtype(text.take_until([](char c) { return c == '['; })).second);
}

tl::expected<void, std::string> applyArgument(HostLaunch& launch, llvm::StringRef text) {
  auto [name, value] = text.split('=');
  if (value.empty()) return Error("'" + text.str() + "' is not NAME=VALUE");
  auto it =
      llvm::find_if(launch.arguments, [&](const HostArgument& each) { return each.name == name; });
  if (it == launch.arguments.end()) {
    if (llvm::is_contained(launch.constants, name))
      return Error(name.str() + " is a constexpr in this launch and cannot be changed; choose "
                                "another launch, or write one as a directive");
    std::string names;
    for (const HostArgument& each : launch.arguments)
      names += (names.empty() ? "" : ", ") + each.name;
    return Error("unknown argument '" + name.str() + "'; choose one of " + names);
  }
  HostArgument& argument = *it;
  if (argument.isPointer() || argument.isDescriptor()) {
    if (auto applied = applyTensor(argument, value); !applied) return applied;
    // Those that are the same tensor stay the same.
    for (HostArgument& other : launch.arguments)
      if (other.sameAs == it - launch.arguments.begin()) other.tensor = argument.tensor;
    return {};
  }
  if (!argument.isInteger()) {
    auto number = realOf(value);
    if (!number) return Error("'" + value.str() + "' for " + argument.name + " is not a number");
    argument.real = number;
    return {};
  }
  llvm::APInt whole;
  bool isNegative = value.starts_with("-");
  if (value == "true" || value == "false")
    whole = llvm::APInt(64, value == "true");
  else if (value.drop_front(isNegative).getAsInteger(0, whole))
    return Error("'" + value.str() + "' for " + argument.name + " is not an integer");
  auto fitting = fittingInteger(whole, isNegative, argument.type);
  if (!fitting)
    return Error(argument.name + " is " + argument.type + " in this launch, but " + value.str() +
                 " does not fit");
  int64_t number = *fitting;
  if (argument.isAligned && number % language::specializedDivisor != 0)
    return Error(argument.name + " must be a multiple of " +
                 std::to_string(language::specializedDivisor) + " in this launch, but " +
                 value.str() + " is not");
  argument.integer = number;
  return {};
}

tl::expected<std::array<int64_t, 3>, std::string> parseGrid(llvm::StringRef text) {
  std::string commas = text.str();
  llvm::replace(commas, 'x', ',');
  auto extents = extentsOf(llvm::StringRef(commas).trim("()"));
  if (!extents || extents->empty() || extents->size() > 3 || llvm::is_contained(*extents, 0))
    return Error("'" + text.str() + "' is not a grid; write it as 128 or 128,2,1");
  std::array<int64_t, 3> grid = {1, 1, 1};
  llvm::copy(*extents, grid.begin());
  return grid;
}

tl::expected<std::array<int64_t, 3>, std::string> parseProgramId(llvm::StringRef text) {
  auto numbers = extentsOf(text.trim("()"));
  if (!numbers || numbers->empty() || numbers->size() > 3)
    return Error("'" + text.str() + "' is not a program of a grid; write it as 3 or 3,0,0");
  std::array<int64_t, 3> id = {0, 0, 0};
  llvm::copy(*numbers, id.begin());
  return id;
}

} // namespace gluond::driver
