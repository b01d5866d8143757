// Records and goldens of a folder, for tests and measurements of the frontend.
#pragma once

#include "codegen/context/CodegenContext.h"
#include "codegen/context/Source.h"
#include "driver/records/RecordedProgram.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gluond::test {

// Everything that codegen needs to make modules of records, file by file and target by target.
class Records {
public:
  Records() : context(names) {}
  // Every *.launches.jsonl of a folder, or the one file.
  std::vector<driver::LaunchRecord> read(const std::string& path);
  driver::RecordedProgram& program(const driver::LaunchRecord& record);
  // The module's text; else what went wrong, line by line.
  struct Result {
    bool ok = false;
    std::string text;
    std::vector<std::string> problems;
    bool rejected = false;       // problems are errors in the program
    std::vector<unsigned> lines; // 1-based, of the errors and what is related to them
    std::unique_ptr<codegen::ExpressionFacts> facts;
  };
  Result generate(const driver::LaunchRecord& record, const codegen::SourceOptions& options = {});
  std::string describe(const diagnostics::Diagnostic& diagnostic,
                       driver::RecordedProgram& program) const;

  Interner names;
  codegen::CodegenContext context;

private:
  std::map<std::string, std::unique_ptr<driver::RecordedProgram>> programs_;
  std::map<std::string, syntax::SyntaxTree::Ptr> trees_;
  std::vector<syntax::SyntaxTree::Ptr> byFile_;
};

std::string readText(const std::string& path);

} // namespace gluond::test
