#include "cli/output/Baseline.h"

#include "cli/output/FindingIdentity.h"
#include "cli/output/Output.h"
#include "diagnostics/Table.h"
#include "files/ReadFile.h"
#include "support/json/Text.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace gluond::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

std::optional<std::string> textIn(const Json& object, const char* key) {
  auto it = object.find(key);
  if (it == object.end() || !it->is_string()) return std::nullopt;
  return it->get<std::string>();
}

// Returns the text with a comma between entries where one is missing: the last entry has none, and
// is no longer the last after a merge that keeps the lines of both sides.
std::string withCommas(llvm::StringRef text) {
  std::string result;
  for (bool endsEntry = false; !text.empty();) {
    auto [line, rest] = text.split('\n');
    llvm::StringRef content = line.trim();
    if (endsEntry && content.starts_with("{")) result += ',';
    if (!content.empty()) endsEntry = content.ends_with("}");
    result += '\n';
    result += line;
    text = rest;
  }
  return result;
}

} // namespace

Baseline::Baseline(const std::string& path) : folder_(llvm::sys::path::parent_path(path).str()) {}

tl::expected<Baseline, std::string> Baseline::read(const std::string& path) {
  using Error = tl::unexpected<std::string>;
  constexpr size_t mostBytes = size_t{64} << 20;
  auto text = files::readFile(path, mostBytes);
  if (!text) return Error(text.error() + "; --update-baseline writes it");
  Json json = json::parse(withCommas(*text)).value_or(Json());
  auto wrong = [&](const std::string& why) {
    return Error("'" + path + "' is not a baseline: " + why +
                 "; --update-baseline writes one where there is no file");
  };
  if (!json.is_object()) return wrong("it is not a JSON object");
  if (json.value("version", Json()) != version) return wrong("its version is not 1");
  auto findings = json.find("findings");
  if (findings == json.end() || !findings->is_array()) return wrong("it has no list of findings");
  Baseline baseline(path);
  for (const Json& each : *findings) {
    auto file = each.is_object() ? textIn(each, "file") : std::nullopt;
    auto code = file ? textIn(each, "code") : std::nullopt;
    auto line = code ? textIn(each, "line") : std::nullopt;
    if (!line) return wrong("a finding has no file, code and line");
    auto count = each.find("count");
    bool isCounted = count != each.end();
    if (isCounted && !count->is_number_unsigned()) return wrong("a count is no number");
    // An entry is written once, with its count; a merge may have made two of it.
    size_t& known = baseline.entries_[{std::move(*file), std::move(*code), std::move(*line)}];
    known = std::max(known, isCounted ? count->get<size_t>() : size_t{1});
  }
  baseline.left_ = baseline.entries_;
  return baseline;
}

Baseline::Entry Baseline::entryOf(const Report& report, const driver::Finding& finding) const {
  std::filesystem::path path(report.path(finding.diagnostic.location.file));
  std::string name;
  text::appendValidUtf8(name, path.lexically_relative(folder_).generic_string());
  return {std::move(name), diagnostics::slug(finding.diagnostic.id).str(), lineOf(report, finding)};
}

size_t Baseline::withhold(Report& report) {
  auto take = [](size_t& left) {
    if (left == 0) return false;
    --left;
    return true;
  };
  size_t known = report.remove([&](const driver::Finding& finding) {
    auto it = left_.find(entryOf(report, finding));
    return it != left_.end() && take(it->second);
  });
  std::multimap<std::pair<llvm::StringRef, llvm::StringRef>, size_t*> renamed;
  for (auto& [entry, left] : left_)
    if (left > 0 && !isThere(entry.file)) renamed.insert({{entry.code, entry.line}, &left});
  if (renamed.empty()) return known;
  return known + report.remove([&](const driver::Finding& finding) {
    Entry entry = entryOf(report, finding);
    auto [begin, end] = renamed.equal_range({entry.code, entry.line});
    return std::any_of(begin, end, [&](auto& each) { return take(*each.second); });
  });
}

bool Baseline::isThere(const std::string& file) const {
  auto [it, isNew] = there_.try_emplace(file, false);
  if (isNew) it->second = llvm::sys::fs::exists((std::filesystem::path(folder_) / file).string());
  return it->second;
}

bool Baseline::isOf(const Entry& entry, const std::set<std::string>& checked) const {
  return checked.contains((std::filesystem::path(folder_) / entry.file).lexically_normal()) ||
         !isThere(entry.file);
}

size_t Baseline::gone(const std::set<std::string>& checked) const {
  size_t count = 0;
  for (const auto& [entry, left] : left_)
    if (isOf(entry, checked)) count += left;
  return count;
}

std::string Baseline::updated(const Report& report, const std::set<std::string>& checked) const {
  std::map<Entry, size_t> entries;
  for (const auto& [entry, count] : entries_)
    if (!isOf(entry, checked)) entries[entry] = count;
  for (const driver::Finding& finding : report.findings()) {
    Entry entry = entryOf(report, finding);
    bool isKept = entries_.contains(entry) && !isOf(entry, checked); // of a file beside the checked
    if (!isKept) ++entries[std::move(entry)];
  }
  std::string text = "{\"version\": " + std::to_string(version) + ", \"findings\": [";
  const char* separator = "\n";
  for (const auto& [entry, count] : entries) {
    Json json = {{"file", entry.file}, {"code", entry.code}, {"line", entry.line}};
    if (count > 1) json["count"] = count;
    text += separator + jsonText(json);
    separator = ",\n";
  }
  return text + "\n]}\n";
}

} // namespace gluond::cli
