#include "codegen/targets/OptionFields.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::codegen {

bool Options::instruments(llvm::StringRef sanitizer) const {
  llvm::SmallVector<llvm::StringRef, 2> names;
  llvm::StringRef(instrumentationMode).split(names, ',');
  return llvm::any_of(names, [&](llvm::StringRef name) { return name.trim() == sanitizer; });
}

static std::vector<std::string> wordsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.split(words, ' ', -1, false);
  return std::vector<std::string>(words.begin(), words.end());
}

Options defaultOptions(const Target& target) {
  Options options;
  auto defaultOf = [&](llvm::StringRef name) {
    return evaluate::findLaunchOption(name)->defaultOn(target.vendor);
  };
  for (const NumberOption& option : numberOptions())
    if (int64_t value = defaultOf(option.name); value != evaluate::LaunchOptionRow::noDefault)
      option.set(options, static_cast<unsigned>(value));
  for (const FlagOption& option : flagOptions())
    options.*option.field = defaultOf(option.name) != 0;
  if (const chips::Chip* chip = chips::closestChip(target.name()))
    options.deprecatedFp8DotOperandDtypes = wordsOf(chip->deprecatedFp8Operands);
  if (target.isCuda()) {
    options.supportedFp8Dtypes = {"fp8e4b15", "fp8e5"};
    if (target.has(Feature::Fp8)) options.supportedFp8Dtypes.push_back("fp8e4nv");
    options.defaultDotInputPrecision = "tf32";
    options.allowedDotInputPrecisions = {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"};
    options.maxNumImpreciseAccDefault = target.has(Feature::WarpGroupMma) ? 1u << 30 : 0;
    return options;
  }
  options.supportedFp8Dtypes = {"fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16"};
  options.defaultDotInputPrecision = "ieee";
  options.allowedDotInputPrecisions = {"ieee", "bf16x3", "bf16x6"};
  if (target.has(Feature::Xf32))
    options.allowedDotInputPrecisions = {"bf16x3", "bf16x6", "ieee", "tf32"};
  return options;
}

} // namespace gluond::codegen
