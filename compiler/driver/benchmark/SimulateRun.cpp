#include "driver/benchmark/SimulateRun.h"

#include "ir/tt/Types.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/STLExtras.h>

#include <cmath>
#include <cstring>

namespace gluond::driver {

using simulate::Outcome;

simulate::Value simulatedNumber(const runner::Json& value, simulate::Element element) {
  simulate::Scalar number{0, element};
  if (simulate::isFloat(element)) {
    double real = value.is_number()    ? value.get<double>()
                  : value == "inf"     ? HUGE_VAL
                  : value == "-inf"    ? -HUGE_VAL
                  : value.is_boolean() ? double(value.get<bool>())
                                       : std::nan("");
    simulate::storeNumber(element, real, &number.bits);
    return number;
  }
  uint64_t bits = value.is_number_unsigned() ? value.get<uint64_t>()
                  : value.is_boolean()       ? value.get<bool>()
                  : value.is_number()        ? static_cast<uint64_t>(value.get<int64_t>())
                                             : 0;
  std::memcpy(&number.bits, &bits, simulate::bytesOf(element));
  return number;
}

std::optional<simulate::Value> simulatedDescriptor(const runner::Descriptor& given,
                                                   llvm::ArrayRef<int64_t> shape,
                                                   llvm::ArrayRef<int64_t> strides,
                                                   uint64_t address, mlir::Type parameter) {
  auto type = mlir::dyn_cast<tt::TensorDescInterface>(parameter);
  auto element = type ? simulate::elementOf(tt::signless(type.getElementType())) : std::nullopt;
  if (!element) return std::nullopt;
  auto descriptor = std::make_shared<simulate::TensorDescriptor>();
  descriptor->base = address;
  descriptor->element = *element;
  descriptor->nanPadding = given.nanPadding;
  descriptor->isIm2Col = given.isIm2Col;
  descriptor->shape.assign(shape.begin(), shape.end());
  for (int64_t stride : strides)
    descriptor->strides.push_back(stride * simulate::bytesOf(*element));
  descriptor->lowerCorner.assign(given.lowerCorner.begin(), given.lowerCorner.end());
  descriptor->upperCorner.assign(given.upperCorner.begin(), given.upperCorner.end());
  descriptor->elementStrides.assign(given.elementStrides.begin(), given.elementStrides.end());
  return simulate::DescriptorRef(std::move(descriptor));
}

Outcome runAndExplain(const simulate::Program& program, const simulate::Setting& setting,
                      const simulate::GlobalMemory& memory, const simulate::Options& options,
                      llvm::ArrayRef<RestorableMemory> restorable,
                      llvm::function_ref<bool()> hasNewNan) {
  Outcome outcome = simulate::run(program, setting, memory, options);
  if (outcome.end != Outcome::End::Finished || !hasNewNan()) return outcome;
  std::vector<std::string> results;
  for (const RestorableMemory& each : restorable) {
    results.emplace_back(reinterpret_cast<const char*>(each.bytes.data()), each.bytes.size());
    std::memcpy(each.bytes.data(), each.before.data(), each.before.size());
  }
  simulate::Options watching = options;
  watching.watchNumbers = true;
  Outcome watched = simulate::run(program, setting, memory, watching);
  auto first = llvm::find_if(watched.findings, [](const simulate::Finding& finding) {
    return finding.id == simulate::Id::FirstNan;
  });
  if (first != watched.findings.end()) outcome.findings.push_back(std::move(*first));
  for (auto [each, result] : llvm::zip(restorable, results))
    std::memcpy(each.bytes.data(), result.data(), result.size());
  return outcome;
}

} // namespace gluond::driver
