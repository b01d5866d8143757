// The launches found by evaluating the corpus's host code cover those that were recorded from its
// real runs. Skipped where ../shared/corpus is absent.
#include "LaunchJson.h"
#include "evaluate/ModuleEvaluation.h"
#include "syntax/SyntaxTree.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

namespace gluond::evaluate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path corpus = fs::path(GLUOND_SHARED_DIR) / "corpus";

std::shared_ptr<const syntax::SyntaxTree> parse(Interner& names, const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text.str()), {}, names);
}

ModuleSource sourceOf(Interner& names, const fs::path& path) {
  auto tree = parse(names, path);
  return {tree->body(), path.string(), path.stem().string(), tree};
}

ModuleEvaluation::Ptr evaluateFile(Interner& names, const fs::path& path,
                                   const std::string& target) {
  EvaluationRequest request;
  request.source = sourceOf(names, path);
  request.target = target;
  request.importer = [&names](llvm::StringRef importing, llvm::StringRef module,
                              unsigned) -> std::optional<ModuleSource> {
    fs::path candidate = fs::path(importing.str()).parent_path() / (module.str() + ".py");
    if (!fs::exists(candidate)) return std::nullopt;
    return sourceOf(names, candidate);
  };
  return ModuleEvaluation::evaluate(names, std::move(request));
}

std::vector<fs::path> recordFiles() {
  std::vector<fs::path> files;
  if (!fs::exists(corpus)) return files;
  for (auto& entry : fs::directory_iterator(corpus))
    if (entry.path().string().ends_with(".launches.jsonl") &&
        entry.path().string().find("-more") == std::string::npos)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// What identifies a specialization: everything but ids and hints.
json essence(json record) {
  for (const char* key : {"id", "file", "line", "globals", "module", "closure", "defaults"})
    record.erase(key);
  return record;
}

TEST(CorpusTest, FindsTheRecordedLaunches) {
  auto files = recordFiles();
  if (files.empty()) GTEST_SKIP() << "no ../shared/corpus";
  for (auto& file : files) {
    Interner names;
    std::ifstream in(file);
    std::map<std::string, std::pair<ModuleEvaluation::Ptr, std::set<std::string>>> found;
    unsigned records = 0, missing = 0;
    for (std::string line; std::getline(in, line);) {
      json record = json::parse(line);
      ++records;
      std::string target = record["target"], name = record["file"];
      auto& [evaluation, launches] = found[name + target];
      if (!evaluation) {
        // Launches of a file's kernels may come from another file's tests: the record file's own
        // program runs.
        fs::path program =
            corpus /
            (file.filename().string().substr(0, file.filename().string().find('.')) + ".py");
        evaluation = evaluateFile(names, program, target);
        for (auto& launch : evaluation->launches())
          launches.insert(essence(launchJson(names, launch, corpus.string())).dump());
        for (auto& error : evaluation->errors())
          ADD_FAILURE() << program << ": " << error.exceptionClass << ": " << error.message;
      }
      if (launches.contains(essence(record).dump())) continue;
      if (++missing <= 3) {
        ADD_FAILURE() << record["id"] << " is not found:\n" << essence(record).dump();
        unsigned shown = 0;
        for (auto& launch : launches)
          if (launch.find("\"kernel\":" + record["kernel"].dump()) != std::string::npos &&
              shown++ < 2)
            std::cerr << "  near: " << launch << "\n";
      }
    }
    std::cerr << file.filename() << ": " << records - missing << " of " << records
              << " records found\n";
  }
}

} // namespace
} // namespace gluond::evaluate
