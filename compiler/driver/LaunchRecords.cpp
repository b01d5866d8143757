#include "driver/LaunchRecords.h"

#include "driver/RecordReader.h"
#include "support/JsonDepth.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

namespace gluond::driver {

using nlohmann::json;

namespace {

// What of `options` the frontend looks at; others are for later stages.
std::string readOptions(const json& options, codegen::Options& out) {
  auto number = [&](const char* name, auto&& set) -> std::string {
    auto it = options.find(name);
    if (it == options.end() || it->is_null()) return {};
    if (!it->is_number_integer() || it->get<int64_t>() < 0 || it->get<int64_t>() > 1 << 20)
      return std::string("option '") + name + "' is not a number that makes sense";
    set(static_cast<unsigned>(it->get<int64_t>()));
    return {};
  };
  auto flag = [&](const char* name, bool& set) {
    if (auto it = options.find(name); it != options.end() && it->is_boolean())
      set = it->get<bool>();
  };
  std::string error;
  for (std::string problem : {number("num_warps", [&](unsigned n) { out.numWarps = n; }),
                              number("num_ctas", [&](unsigned n) { out.numCtas = n; }),
                              number("num_stages", [&](unsigned n) { out.numStages = n; }),
                              number("maxnreg", [&](unsigned n) { out.maxnreg = n; })})
    if (error.empty()) error = problem;
  if (error.empty() && !llvm::isPowerOf2_32(out.numWarps))
    error = "num_warps is not a power of two";
  if (error.empty() && !llvm::isPowerOf2_32(out.numCtas)) error = "num_ctas is not a power of two";
  flag("debug", out.debug);
  flag("sanitize_overflow", out.sanitizeOverflow);
  if (auto it = options.find("instrumentation_mode"); it != options.end() && it->is_string())
    out.instrumentationMode = it->get<std::string>();
  auto strings = [&](const char* name, std::vector<std::string>& set) {
    auto it = options.find(name);
    if (it == options.end()) return;
    const json& list = it->is_object() && it->contains("$tuple") ? (*it)["$tuple"] : *it;
    if (!list.is_array()) return;
    set.clear();
    for (const json& item : list)
      if (item.is_string()) set.push_back(item.get<std::string>());
  };
  strings("supported_fp8_dtypes", out.supportedFp8Dtypes);
  strings("deprecated_fp8_dot_operand_dtypes", out.deprecatedFp8DotOperandDtypes);
  strings("allowed_dot_input_precisions", out.allowedDotInputPrecisions);
  if (auto it = options.find("default_dot_input_precision"); it != options.end() && it->is_string())
    out.defaultDotInputPrecision = it->get<std::string>();
  if (auto it = options.find("max_num_imprecise_acc_default");
      it != options.end() && it->is_number_unsigned())
    out.maxNumImpreciseAccDefault = it->get<unsigned>();
  return error;
}

// Empty: fine.
std::string readRecord(const json& line, llvm::StringRef folder, LaunchRecord& out) {
  auto text = [&](const char* name, std::string& set, bool required) -> std::string {
    auto it = line.find(name);
    if (it == line.end())
      return required ? std::string("'") + name + "' is missing" : std::string();
    if (!it->is_string()) return std::string("'") + name + "' is not a string";
    set = it->get<std::string>();
    return {};
  };
  std::string target, language;
  for (std::string problem : {text("id", out.id, true), text("file", out.file, true),
                              text("kernel", out.kernel, true), text("target", target, true),
                              text("module", out.module, false), text("language", language, false)})
    if (!problem.empty()) return problem;
  if (out.id.empty() || out.id.find_first_of("/\\") != std::string::npos ||
      out.id.find('\0') != std::string::npos)
    return "'id' is not a file name";
  std::optional<codegen::Target> parsed = codegen::Target::parse(target);
  if (!parsed) return "'" + target + "' is not a target such as cuda:90 or hip:gfx942";
  out.target = *parsed;
  out.options = codegen::defaultOptions(out.target);
  if (auto it = line.find("line"); it != line.end()) {
    if (!it->is_number_unsigned()) return "'line' is not a line number";
    out.line = it->get<unsigned>();
  }
  if (auto it = line.find("options"); it != line.end()) {
    if (!it->is_object()) return "'options' is not an object";
    if (std::string problem = readOptions(*it, out.options); !problem.empty()) return problem;
  }
  auto args = line.find("args");
  if (args == line.end() || !args->is_array()) return "'args' is not a list";
  llvm::SmallString<256> path(out.file);
  if (!llvm::sys::path::is_absolute(path)) {
    path = folder;
    llvm::sys::path::append(path, out.file);
  }
  llvm::sys::path::remove_dots(path, true);
  out.path = path.str().str();
  if (out.module.empty()) out.module = llvm::sys::path::stem(path).str();
  return {};
}

} // namespace

LaunchRecordFile readLaunchRecords(llvm::StringRef text, llvm::StringRef path) {
  LaunchRecordFile result;
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  llvm::SmallVector<llvm::StringRef, 32> lines;
  text.split(lines, '\n');
  for (auto [i, raw] : llvm::enumerate(lines)) {
    llvm::StringRef line = raw.trim();
    if (line.empty()) continue;
    auto number = static_cast<unsigned>(i + 1);
    auto data = std::make_shared<RecordData>();
    if (isNestedDeeper(line, 200)) {
      result.problems.push_back({number, "", "this is nested too deeply"});
      continue;
    }
    data->json = json::parse(line.begin(), line.end(), nullptr, false);
    if (!data->json.is_object()) {
      result.problems.push_back(
          {number, "", data->json.is_discarded() ? "this is not JSON" : "this is not an object"});
      continue;
    }
    LaunchRecord record;
    if (std::string problem = readRecord(data->json, folder, record); !problem.empty()) {
      result.problems.push_back({number, record.id, problem});
      continue;
    }
    record.data = std::move(data);
    record.hash = llvm::xxh3_64bits(line);
    result.records.push_back(std::move(record));
  }
  return result;
}

} // namespace gluond::driver
