// The report of `gluond run`, for runs on a GPU and on the CPU.
#pragma once

#include "cli/kernels/Execution.h"

#include <llvm/Support/raw_ostream.h>
#include <nlohmann/json.hpp>

namespace gluond::cli {

// "NAME=FILE", as given to an option.
struct NamedFile {
  std::string name, file;
};
struct NamedContents : NamedFile {
  std::string data;
};
// The tensors that the user wants written or compared; nullopt after printing what is wrong.
struct RunFiles {
  std::vector<NamedFile> outputs;
  std::vector<NamedContents> references;
};
std::optional<RunFiles> readRunFiles(const RunOptions& options);

struct Comparison {
  std::string name, file;
  runner::CompareResult result;
  std::string owner; // of the first difference; empty if it is not known
};

// The result of a comparison with a reference, with the owner of the first difference.
Comparison comparisonWith(const NamedContents& reference, runner::CompareResult result,
                          const driver::Snapshot& snapshot, const driver::Variant& variant,
                          const driver::HostLaunch& host, driver::Worker& worker);

// Writes a tensor to the file that the user wants it in, and adds it to `written`. Returns false
// after printing why it cannot be written.
bool writeOutput(const NamedFile& output, llvm::StringRef contents,
                 std::vector<NamedFile>& written);

std::string shapeText(const std::vector<int64_t>& shape);
void writeTensors(llvm::raw_ostream& out, const runner::RunResult& result);
void writeOutputs(llvm::raw_ostream& out, const std::vector<NamedFile>& written);
void writeComparisons(llvm::raw_ostream& out, const std::vector<Comparison>& comparisons);
void writePrinted(llvm::raw_ostream& out, const std::string& printed);
// Adds the members "tensors" and "comparisons".
void addResults(nlohmann::ordered_json& json, const runner::RunResult& result,
                const std::vector<Comparison>& comparisons);

} // namespace gluond::cli
