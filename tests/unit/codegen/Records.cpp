#include "Records.h"

#include "diagnostics/Table.h"
#include "ir/Context.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace gluond::test {

std::string readText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<driver::LaunchRecord> Records::read(const std::string& path) {
  std::vector<std::string> files;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path))
      if (entry.path().string().ends_with(".launches.jsonl"))
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
  } else
    files.push_back(path);
  std::vector<driver::LaunchRecord> records;
  for (const std::string& file : files)
    for (auto& record : driver::readLaunchRecords(readText(file), file).records)
      records.push_back(std::move(record));
  return records;
}

driver::RecordedProgram& Records::program(const driver::LaunchRecord& record) {
  auto& program = programs_[record.target.name()];
  if (!program)
    program = std::make_unique<driver::RecordedProgram>(
        context, record.target.name(), [this](llvm::StringRef path) -> syntax::SyntaxTree::Ptr {
          auto [it, isNew] = trees_.try_emplace(path.str());
          if (isNew && std::filesystem::is_regular_file(path.str())) {
            it->second = syntax::SyntaxTree::parse(
                std::make_shared<text::SourceText>(readText(path.str())),
                diagnostics::FileId{static_cast<uint32_t>(byFile_.size())}, names);
            byFile_.push_back(it->second);
          }
          return it->second;
        });
  return *program;
}

std::string Records::describe(const diagnostics::Diagnostic& diagnostic,
                              driver::RecordedProgram& program) const {
  std::string place = "?";
  if (diagnostic.location.file.id < byFile_.size()) {
    auto position =
        byFile_[diagnostic.location.file.id]->source().position(diagnostic.location.range.begin);
    place = std::to_string(position.line + 1) + ":" + std::to_string(position.character + 1);
  } else if (diagnostic.location.file.id >= codegen::Prelude::firstFile)
    place = "prelude@" + std::to_string(diagnostic.location.range.begin);
  return place + ": " + diagnostics::slug(diagnostic.id).str() + ": " + diagnostic.message;
}

Records::Result Records::generate(const driver::LaunchRecord& record,
                                  const codegen::SourceOptions& options) {
  Result result;
  driver::RecordedProgram& program = this->program(record);
  auto specialization = program.resolve(record);
  if (!specialization) {
    result.problems.push_back(specialization.error());
    return result;
  }
  codegen::GeneratedModule module =
      codegen::generateSource(context, *specialization, program, options);
  auto addLine = [&](diagnostics::Location location) {
    if (location.file.id < byFile_.size())
      result.lines.push_back(
          byFile_[location.file.id]->source().position(location.range.begin).line + 1);
  };
  for (const auto& diagnostic : module.diagnostics) {
    result.problems.push_back(describe(diagnostic, program));
    addLine(diagnostic.location);
    for (const auto& related : diagnostic.related)
      addLine(related.location);
  }
  result.facts = std::move(module.facts);
  if (module.incomplete) result.problems.push_back("incomplete: " + module.incompleteBecause);
  result.rejected = module.hasErrors();
  result.ok = module.ok();
  if (result.ok) result.text = ir::printModule(*module.module);
  return result;
}

} // namespace gluond::test
