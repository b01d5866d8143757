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

std::string attributesText(const CodeOptions& options) {
  std::string text;
  for (const auto& [name, value] : options.functionAttributes)
    text += (text.empty() ? "" : ",") + name + (value.empty() ? "" : "=" + value);
  return text;
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
     },
     [](const CodeOptions& options) -> std::string {
       return options.fusesMultiplyAdd ? "" : "false";
     }},
    {"allow_flush_denorm", true, "True or False",
     [](CodeOptions& options, llvm::StringRef text) {
       return setFlag(options.flushesDenormals, text);
     },
     [](const CodeOptions& options) -> std::string {
       return options.flushesDenormals ? "true" : "";
     }},
    {"waves_per_eu", true, "a number from 0 to 1024",
     [](CodeOptions& options, llvm::StringRef text) {
       constexpr unsigned most = 1024; // no chip has as many
       unsigned waves = 0;
       if (text.getAsInteger(10, waves) || waves > most) return false;
       options.wavesPerUnit = waves;
       return true;
     },
     [](const CodeOptions& options) {
       return options.wavesPerUnit ? std::to_string(options.wavesPerUnit) : std::string();
     }},
    {"wgp_cu_mode", true, "'wgp' or 'cu'",
     [](CodeOptions& options, llvm::StringRef text) {
       options.isCuMode = text == "cu";
       return text == "cu" || text == "wgp";
     },
     [](const CodeOptions& options) -> std::string { return options.isCuMode ? "cu" : ""; }},
    {"llvm_fn_attrs", true, "attributes such as 'noinline,name=value'", setFunctionAttributes,
     attributesText},
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
  std::string all;
  for (const CodeOptionRow& row : rows)
    if (std::string text = row.text(options); !text.empty())
      all += (row.name + "=" + text + ";").str();
  return all;
}

} // namespace gluond::chips
