#include "chips/CodeOptions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/Twine.h>

namespace gluond::chips {

namespace {

bool setFlag(bool& flag, llvm::StringRef text) {
  if (text != "true" && text != "false") return false;
  flag = text == "true";
  return true;
}

bool setFunctionAttributes(CodeOptions& options, llvm::StringRef text) {
  options.functionAttributes.clear();
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [name, value] = part.split('=');
    if (name.trim().empty()) return false;
    options.functionAttributes.emplace_back(name.trim().str(), value.trim().str());
  }
  return true;
}

constexpr CodeOptionRow rows[] = {
    {"enable_fp_fusion", false, "True or False",
     [](CodeOptions& options, llvm::StringRef text) {
       return setFlag(options.fusesMultiplyAdd, text);
     }},
    {"allow_flush_denorm", true, "True or False",
     [](CodeOptions& options, llvm::StringRef text) {
       return setFlag(options.flushesDenormals, text);
     }},
    {"waves_per_eu", true, "a number from 0 to 1024",
     [](CodeOptions& options, llvm::StringRef text) {
       constexpr unsigned most = 1024; // no chip has as many
       unsigned waves = 0;
       if (text.getAsInteger(10, waves) || waves > most) return false;
       options.wavesPerUnit = waves;
       return true;
     }},
    {"wgp_cu_mode", true, "'wgp' or 'cu'",
     [](CodeOptions& options, llvm::StringRef text) {
       options.isCuMode = text == "cu";
       return text == "cu" || text == "wgp";
     }},
    {"llvm_fn_attrs", true, "attributes such as 'noinline,name=value'", setFunctionAttributes},
};

} // namespace

llvm::ArrayRef<CodeOptionRow> codeOptionRows() {
  return rows;
}

const CodeOptionRow* findCodeOption(llvm::StringRef name, Vendor vendor) {
  const auto* row = llvm::find_if(rows, [&](const CodeOptionRow& each) {
    return each.name == name && (!each.isOfAmd || vendor == Vendor::Amd);
  });
  return row == std::end(rows) ? nullptr : row;
}

std::string textOf(const CodeOptions& options) {
  std::string text;
  auto add = [&](llvm::StringRef name, llvm::StringRef value) {
    text += (llvm::Twine(name) + "=" + value + ";").str();
  };
  if (!options.fusesMultiplyAdd) add("enable_fp_fusion", "false");
  if (options.flushesDenormals) add("allow_flush_denorm", "true");
  if (options.wavesPerUnit) add("waves_per_eu", std::to_string(options.wavesPerUnit));
  if (options.isCuMode) add("wgp_cu_mode", "cu");
  std::string attributes;
  for (const auto& [name, value] : options.functionAttributes)
    attributes += (attributes.empty() ? "" : ",") + name + (value.empty() ? "" : "=" + value);
  if (!attributes.empty()) add("llvm_fn_attrs", attributes);
  return text;
}

} // namespace gluond::chips
