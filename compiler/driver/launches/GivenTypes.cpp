#include "driver/launches/GivenTypes.h"

#include "driver/launches/ArgumentText.h"
#include "evaluate/launches/AssumedTypes.h"
#include "language/types/TypeText.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

namespace gluond::driver {

namespace {

using evaluate::LaunchArgument;
using language::ScalarKind;

// Calls `visit` with each argument and element of a tuple, by its dotted name.
template <typename Arguments, typename Visit>
void forEachArgument(Arguments&& arguments, const Interner& names, const Visit& visit,
                     const std::string& prefix = {}, llvm::ArrayRef<Name> fields = {}) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto& argument = arguments[i];
    std::string name = prefix + (i < fields.size() ? names.text(fields[i]).str()
                                 : prefix.empty()  ? names.text(argument.name).str()
                                                   : std::to_string(i));
    if (argument.isTuple)
      forEachArgument(argument.elements, names, visit, name + ".", argument.fields);
    else
      visit(name, argument);
  }
}

// The least type that holds a number which does not fit the assumed int32.
std::optional<ScalarKind> typeOfNumber(llvm::StringRef text) {
  int64_t whole;
  double real;
  if (text == "true" || text == "false") return std::nullopt;
  if (!text.getAsInteger(0, whole))
    return whole >= INT32_MIN && whole <= INT32_MAX ? ScalarKind::Int32 : ScalarKind::Int64;
  uint64_t magnitude;
  if (!text.getAsInteger(0, magnitude)) return ScalarKind::UInt64;
  if (!text.getAsDouble(real)) return ScalarKind::Fp32;
  return std::nullopt;
}

void retype(LaunchArgument& argument, const GivenType& given, llvm::StringRef target,
            language::TypeContext& types) {
  const language::Type* scalar = language::scalarType(given.scalar);
  if (!given.isTensor) {
    argument.type = scalar;
  } else if (argument.type->is(language::TypeKind::TensorDescriptor)) {
    const language::Type& old = *argument.type;
    argument.type = types.descriptor(
        old.descriptorKind(), types.tensor(scalar, old.element()->shape(), nullptr),
        types.import(old.elements()[0]), types.import(old.elements()[1]), old.layout());
  } else {
    if (!argument.type->isPointer())
      evaluate::assumePointer(argument, /*isConst=*/false, target, types);
    argument.type = types.pointer(scalar, argument.type->isConstPointer());
  }
  argument.isAssumed = argument.isTypeAssumed = argument.isDtypeAssumed = false;
}

// "x", "x and y", "x, y and z"; "x, y, z and 4 others".
std::string listed(llvm::ArrayRef<std::string> names) {
  constexpr size_t most = 6;
  if (names.size() > most)
    return llvm::join(names.take_front(most), ", ") + " and " +
           std::to_string(names.size() - most) + " others";
  std::string text = llvm::join(names.drop_back(), ", ");
  return text + (text.empty() ? "" : " and ") + names.back();
}

} // namespace

std::vector<GivenType> givenTypes(const Variant& variant, llvm::ArrayRef<std::string> arguments,
                                  const Interner& names) {
  std::vector<GivenType> given;
  if (!variant.launch) return given;
  for (llvm::StringRef text : arguments) {
    auto [name, value] = text.split('=');
    forEachArgument(
        variant.launch->arguments, names,
        [&, name = name, value = value](llvm::StringRef each, const LaunchArgument& argument) {
          if (each != name || !argument.isDtypeAssumed || !argument.type) return;
          if (!argument.type->isScalar() || !typeOfNumber(value)) {
            llvm::StringRef dtype = dtypeIn(value);
            bool isTensor = value.contains('[') || value.ends_with(".npy");
            auto scalar = language::scalarSpelled(dtype.empty() ? "fp32" : dtype);
            if (scalar && (!dtype.empty() || (isTensor && argument.type->isScalar())))
              given.push_back({each.str(), *scalar, true});
          } else {
            given.push_back({each.str(), *typeOfNumber(value), false});
          }
        });
  }
  return given;
}

Variant withTypes(const Variant& variant, llvm::ArrayRef<GivenType> given, const Interner& names) {
  if (given.empty() || !variant.launch) return variant;
  auto made = std::make_shared<RetypedLaunch>(names);
  made->launch = *variant.launch;
  made->original = variant.retyped ? variant.retyped->original : variant.launch;
  uint64_t hash = variant.hash;
  forEachArgument(made->launch.arguments, names,
                  [&](llvm::StringRef name, LaunchArgument& argument) {
                    for (const GivenType& each : given) {
                      if (each.name != name || !argument.type) continue;
                      retype(argument, each, made->launch.target, made->types);
                      hash = hash * 1099511628211u +
                             llvm::xxh3_64bits(each.name + "=" + evaluate::signature(argument));
                    }
                  });
  // Types that stay are those of the earlier retyping, which ends with it.
  if (variant.retyped)
    forEachArgument(made->launch.arguments, names, [&](llvm::StringRef, LaunchArgument& argument) {
      argument.type = made->types.import(argument.type);
    });
  Variant result = variant;
  result.hash = hash;
  result.launch = &made->launch;
  result.retyped = std::move(made);
  return result;
}

std::string assumedTypes(const Variant& variant, const Interner& names) {
  if (!variant.launch) return {};
  std::vector<std::pair<std::string, std::vector<std::string>>> byType;
  forEachArgument(
      variant.launch->arguments, names, [&](llvm::StringRef name, const LaunchArgument& argument) {
        if (!argument.isDtypeAssumed || !argument.type) return;
        std::string type = evaluate::signature(argument);
        if (argument.type->is(language::TypeKind::TensorDescriptor))
          type += " of " +
                  language::scalarInfo(argument.type->element()->scalar()->scalarKind()).name.str();
        auto same = llvm::find_if(byType, [&](const auto& each) { return each.first == type; });
        if (same == byType.end()) same = byType.insert(byType.end(), {type, {}});
        same->second.push_back(name.str());
      });
  std::vector<std::string> parts;
  for (const auto& [type, parameters] : byType)
    parts.push_back(type + " for " + listed(parameters));
  for (const evaluate::LaunchOption& option : variant.launch->options)
    if (option.value.isUnknown()) parts.push_back("the default of " + option.name);
  if (variant.origin == Origin::Default) parts.push_back("the usual launch options");
  return llvm::join(parts, ", ");
}

std::string howToGiveTypes(const Variant& variant, const Interner& names) {
  std::string tensor, any;
  forEachArgument(variant.launch->arguments, names,
                  [&](llvm::StringRef name, const LaunchArgument& argument) {
                    if (!argument.isDtypeAssumed || !argument.type) return;
                    if (any.empty()) any = name.str();
                    if (tensor.empty() && !argument.type->isScalar()) tensor = name.str();
                  });
  std::string name = tensor.empty() ? any : tensor;
  if (name.empty()) return "write the launch above the kernel: # gluond: launch(...)";
  return "give the right types: with the arguments (" + name +
         "=zeros:i64[1000], after --arg or in a tool's \"arguments\"), above the kernel (# gluond: "
         "launch(" +
         name + "=\"*i64\", ...)), or in a launch record";
}

} // namespace gluond::driver
