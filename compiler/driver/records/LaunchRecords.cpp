#include "driver/records/LaunchRecords.h"

#include "codegen/targets/OptionFields.h"
#include "driver/records/RecordReader.h"
#include "support/json/Depth.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

#include <chrono>

namespace gluond::driver {

llvm::SmallString<256> fromFolder(llvm::StringRef folder, llvm::StringRef file) {
  llvm::SmallString<256> path(file);
  if (!llvm::sys::path::is_absolute(path)) {
    path = folder;
    llvm::sys::path::append(path, file);
  }
  llvm::sys::path::remove_dots(path, true);
  return path;
}

namespace {

// Returns the value of an option as chips::CodeOptionRow takes it; Triton keeps attributes as
// pairs.
std::string textOfOption(const JsonValue& value) {
  if (value.isBoolean()) return value.boolean() ? "true" : "false";
  if (value.isInteger()) return std::to_string(value.integer());
  if (value.isString()) return value.text().str();
  const JsonValue* list = value.find("$tuple");
  if (!list) list = &value;
  std::string text;
  if (!list->isArray()) return "?";
  for (const JsonValue& item : list->items()) {
    const JsonValue* pair = item.find("$tuple");
    if (!pair) pair = &item;
    if (!pair->isArray() || pair->items().size() != 2 || !pair->items()[0].isString() ||
        !pair->items()[1].isString())
      return "?";
    llvm::StringRef name = pair->items()[0].text(), given = pair->items()[1].text();
    text += (text.empty() ? "" : ",") + name.str() + (given.empty() ? "" : "=" + given.str());
  }
  return text;
}

// Reads the part of `options` that gluond uses.
std::string readOptions(const JsonValue& options, chips::Vendor vendor, codegen::Options& out) {
  std::string error;
  for (const codegen::NumberOption& option : codegen::numberOptions()) {
    const JsonValue* given = options.find(option.name);
    if (!given || given->kind() == JsonValue::Kind::Null) continue;
    if (given->isInteger() && given->integer() >= std::min<int64_t>(option.least, 0) &&
        given->integer() < codegen::endOfNumberOptions)
      option.set(out, static_cast<unsigned>(std::max<int64_t>(given->integer(), 0)));
    else if (error.empty())
      error = "option '" + option.name.str() + "' is not a number in the allowed range";
  }
  for (const chips::CodeOptionRow& option : chips::codeOptionRows()) {
    const JsonValue* given = options.find(option.name);
    if (!given || given->kind() == JsonValue::Kind::Null ||
        !chips::findCodeOption(option.name, vendor))
      continue;
    if (!option.set(out.code, textOfOption(*given)) && error.empty())
      error = "option '" + option.name.str() + "' is not " + option.values.str();
  }
  if (error.empty() && !llvm::isPowerOf2_32(out.numWarps))
    error = "num_warps is not a power of two";
  if (error.empty() && !llvm::isPowerOf2_32(out.numCtas)) error = "num_ctas is not a power of two";
  for (const codegen::FlagOption& flag : codegen::flagOptions())
    if (const JsonValue* given = options.find(flag.name); given && given->isBoolean())
      out.*flag.field = given->boolean();
  auto text = [&](const char* name, std::string& set) {
    if (const JsonValue* given = options.find(name); given && given->isString())
      set = given->text().str();
  };
  text("instrumentation_mode", out.instrumentationMode);
  auto strings = [&](const char* name, std::vector<std::string>& set) {
    const JsonValue* list = options.find(name);
    if (!list) return;
    if (const JsonValue* tuple = list->find("$tuple")) list = tuple;
    if (!list->isArray()) return;
    set.clear();
    for (const JsonValue& item : list->items())
      if (item.isString()) set.push_back(item.text().str());
  };
  strings("supported_fp8_dtypes", out.supportedFp8Dtypes);
  strings("deprecated_fp8_dot_operand_dtypes", out.deprecatedFp8DotOperandDtypes);
  strings("allowed_dot_input_precisions", out.allowedDotInputPrecisions);
  text("default_dot_input_precision", out.defaultDotInputPrecision);
  if (const JsonValue* given = options.find("max_num_imprecise_acc_default");
      given && given->isInteger() && given->integer() >= 0)
    out.maxNumImpreciseAccDefault = static_cast<unsigned>(given->integer());
  return error;
}

bool namesCode(const JsonValue& value) {
  static constexpr llvm::StringLiteral tags[] = {"$fn",    "$class", "$object", "$namedtuple",
                                                 "$bound", "$enum",  "$module", "class"};
  return llvm::is_contained(tags, value.key()) || llvm::any_of(value.items(), namesCode);
}

// Returns "" if the record is valid.
std::string readRecord(const JsonValue& line, llvm::StringRef folder, LaunchRecord& out) {
  auto text = [&](const char* name, std::string& set, bool required) -> std::string {
    const JsonValue* given = line.find(name);
    if (!given) return required ? std::string("'") + name + "' is missing" : std::string();
    if (!given->isString()) return std::string("'") + name + "' is not a string";
    set = given->text().str();
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
  std::optional<chips::Target> parsed = chips::Target::parse(target);
  if (!parsed) return "'" + target + "' is not a target such as cuda:90 or hip:gfx942";
  out.target = *parsed;
  out.options = codegen::defaultOptions(out.target);
  if (const JsonValue* given = line.find("line")) {
    if (!given->isInteger() || given->integer() < 0) return "'line' is not a line number";
    out.line = static_cast<unsigned>(given->integer());
  }
  if (const JsonValue* given = line.find("options")) {
    if (!given->isObject()) return "'options' is not an object";
    if (std::string problem = readOptions(*given, out.target.vendor, out.options); !problem.empty())
      return problem;
  }
  const JsonValue* args = line.find("args");
  if (!args || !args->isArray()) return "'args' is not a list";
  out.folder = folder.str();
  llvm::SmallString<256> path = fromFolder(folder, out.file);
  out.path = path.str().str();
  if (out.module.empty()) out.module = llvm::sys::path::stem(path).str();
  return {};
}

} // namespace

namespace {

// The problems of a file. One of another kind is wrong in each line, and is reported once.
class Problems {
public:
  void add(RecordProblem problem) {
    auto [it, isNew] = told_.try_emplace(problem.message, Told{first_.size(), 0});
    if (isNew)
      first_.push_back(std::move(problem));
    else
      ++it->second.more;
  }
  std::vector<RecordProblem> take() {
    for (const auto& each : told_)
      if (auto [index, more] = each.second; more > 0)
        first_[index].message += "; " + std::to_string(more) +
                                 (more == 1 ? " more line is alike" : " more lines are alike");
    return std::move(first_);
  }

private:
  struct Told {
    size_t first, more; // its first problem, and how many follow
  };
  llvm::StringMap<Told> told_; // by message
  std::vector<RecordProblem> first_;
};

} // namespace

LaunchRecordFile readLaunchRecords(llvm::StringRef text, llvm::StringRef path) {
  LaunchRecordFile result;
  Problems problems;
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  auto data = std::make_shared<RecordData>();
  llvm::StringRef rest = text.copy(data->arena);
  for (unsigned number = 1; !rest.empty(); ++number) {
    auto [raw, after] = rest.split('\n');
    rest = after;
    llvm::StringRef line = raw.trim();
    if (line.empty()) continue;
    auto start = std::chrono::steady_clock::now();
    const JsonValue* json = parseJson(line, data->arena);
    if (!json || !json->isObject()) {
      problems.add(
          {number, "",
           json ? "this is not an object" : "this is not JSON, or it is nested too deeply"});
      continue;
    }
    LaunchRecord record;
    if (std::string problem = readRecord(*json, folder, record); !problem.empty()) {
      problems.add({number, record.id, problem});
      continue;
    }
    record.data = data;
    record.json = json;
    record.hash = llvm::xxh3_64bits(line);
    record.namesCode = namesCode(*json);
    record.readMilliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    result.records.push_back(std::move(record));
  }
  result.problems = problems.take();
  return result;
}

} // namespace gluond::driver
