#include "cli/kernels/RunReport.h"

#include "cli/input/Inputs.h"
#include "cli/kernels/EmitRecords.h"
#include "cli/output/Output.h"
#include "driver/inspect/ElementOwner.h"
#include "files/ReadFile.h"
#include "support/json/Text.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>

namespace gluond::cli {

// Splits "NAME=FILE"; returns false for other text.
static bool split(const std::string& text, NamedFile& out) {
  auto [before, after] = llvm::StringRef(text).split('=');
  out.name = before.str();
  out.file = after.str();
  return !out.name.empty() && !out.file.empty();
}

std::optional<RunFiles> readRunFiles(const RunOptions& options) {
  RunFiles files;
  for (const std::string& text : options.outputs)
    if (!split(text, files.outputs.emplace_back())) {
      complain("--out takes NAME=FILE.npy, not '" + text + "'");
      return std::nullopt;
    }
  for (const std::string& text : options.references) {
    NamedContents& reference = files.references.emplace_back();
    if (!split(text, reference)) {
      complain("--reference takes NAME=FILE.npy, not '" + text + "'");
      return std::nullopt;
    }
    auto data = files::readFile(absolutePath(reference.file), size_t{8} << 30);
    if (!data) {
      complain(data.error());
      return std::nullopt;
    }
    reference.data = std::move(*data);
  }
  return files;
}

Comparison comparisonWith(const NamedContents& reference, runner::CompareResult result,
                          const driver::Snapshot& snapshot, const driver::Variant& variant,
                          const driver::HostLaunch& host, driver::Worker& worker) {
  std::string owner;
  if (result.first)
    if (auto element =
            driver::ownerOf(snapshot, variant, host, reference.name, result.first->index, worker))
      owner = driver::describe(*element);
  return {reference.name, reference.file, std::move(result), std::move(owner)};
}

bool writeOutput(const NamedFile& output, llvm::StringRef contents,
                 std::vector<NamedFile>& written) {
  std::string why = writeFile(output.file, contents);
  if (!why.empty()) return complain(why), false;
  written.push_back(output);
  return true;
}

std::string shapeText(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (int64_t extent : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

void writeTensors(llvm::raw_ostream& stream, const runner::RunResult& result) {
  for (const runner::TensorSummary& tensor : result.tensors) {
    stream << "  " << tensor.name << "  " << tensor.dtype << shapeText(tensor.shape) << "  "
           << (tensor.isChanged ? "written" : "unchanged");
    llvm::ListSeparator separator;
    stream << ": ";
    uint64_t count = 1;
    for (int64_t extent : tensor.shape)
      count *= static_cast<uint64_t>(extent);
    if (tensor.nans + tensor.infinities < count) // otherwise no element is finite
      stream << separator
             << llvm::format("%.6g to %.6g, mean %.6g", tensor.least, tensor.most, tensor.mean);
    if (tensor.nans) stream << separator << tensor.nans << " NaN";
    if (tensor.infinities) stream << separator << tensor.infinities << " infinite";
    stream << "\n";
  }
  for (const std::string& name : result.overwritten)
    stream << "  out of bounds: the kernel writes beside " << name << "\n";
}

void writeOutputs(llvm::raw_ostream& stream, const std::vector<NamedFile>& written) {
  for (const auto& [name, file] : written)
    stream << "  " << name << " is in " << file << "\n";
}

void writeComparisons(llvm::raw_ostream& stream, const std::vector<Comparison>& comparisons) {
  for (const Comparison& comparison : comparisons) {
    const runner::CompareResult& compared = comparison.result;
    stream
        << "  " << comparison.name << (compared.isEqual ? " equals " : " DIFFERS FROM ")
        << comparison.file << ": " << compared.differing << " of " << compared.elements
        << " elements differ"
        << (compared.notFinite
                ? " (" + std::to_string(compared.notFinite) + " of them NaN or infinite in one)"
                : "")
        << llvm::format(
               ", finite ones by at most %.3g absolute, %.3g relative (tolerances %.3g and %.3g)",
               compared.mostAbsolute, compared.mostRelative, compared.absolute, compared.relative)
        << "\n";
    if (compared.first)
      stream << "    first at " << shapeText(compared.first->index) << ": "
             << json::compact(compared.first->result) << ", expected "
             << json::compact(compared.first->reference) << "\n";
    if (!comparison.owner.empty()) stream << "    written by " << comparison.owner << "\n";
  }
}

void writePrinted(llvm::raw_ostream& stream, const std::string& printed) {
  if (!printed.empty()) stream << "  printed:\n";
  for (llvm::StringRef rest = llvm::StringRef(printed).rtrim(); !rest.empty();
       rest = rest.split('\n').second)
    stream << "    " << rest.split('\n').first << "\n";
}

void addResults(nlohmann::ordered_json& json, const runner::RunResult& result,
                const std::vector<Comparison>& comparisons) {
  using Json = nlohmann::ordered_json;
  json["tensors"] = Json::array();
  json["comparisons"] = Json::array();
  for (runner::TensorSummary tensor : result.tensors) {
    tensor.data.reset();
    json["tensors"].push_back(json::encode(tensor));
  }
  for (const Comparison& comparison : comparisons) {
    Json one = json::encode(comparison.result);
    one["name"] = comparison.name;
    one["file"] = comparison.file;
    if (!comparison.owner.empty()) one["first"]["owner"] = comparison.owner;
    json["comparisons"].push_back(std::move(one));
  }
}

} // namespace gluond::cli
