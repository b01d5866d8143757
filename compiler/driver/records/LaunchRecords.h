// Launch records: one line of JSON for each specialization of a kernel
// (docs/reference/launch-records.md). Reading has two steps: readLaunchRecords() parses the text
// and never needs the program; RecordResolver finds the kernel in the evaluated program and makes a
// codegen::Specialization of the record.
//
// Both report mistakes as text for the user; malformed input never crashes them.
#pragma once

#include "codegen/context/Prelude.h"
#include "codegen/context/Source.h"
#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/SmallString.h>
#include <tl/expected.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gluond::driver {

struct RecordData; // keeps the JSON of a record file's records
class JsonValue;

struct LaunchRecord {
  std::string id;
  std::string
      path; // of the program: the record's "file" beside the record file, absolute if that is
  std::string file;   // as the record has it
  std::string folder; // of the record file; the record's paths are relative to it
  std::string kernel; // qualified name
  std::string module; // __name__ of the program's file
  unsigned line = 0;  // 1-based line of the kernel's `def`; 0 if not given
  chips::Target target;
  codegen::Options options;
  uint64_t hash = 0; // of the whole line
  // Whether a value of the record names functions, classes or objects of the program ("$fn", ...).
  bool namesCode = false;
  double readMilliseconds = 0;
  std::shared_ptr<const RecordData> data; // keeps json
  const JsonValue* json = nullptr;        // the record itself, an object
};

struct RecordProblem {
  unsigned line = 0; // 1-based, in the record file
  std::string id;    // empty if it could not be read
  std::string message;
};

struct LaunchRecordFile {
  std::vector<LaunchRecord> records;
  std::vector<RecordProblem> problems;
};

// `path` is that of the record file; programs are found relative to its folder.
LaunchRecordFile readLaunchRecords(llvm::StringRef text, llvm::StringRef path);

// Resolves a path in a record: relative to the record file's folder unless absolute, dots removed.
llvm::SmallString<256> fromFolder(llvm::StringRef folder, llvm::StringRef file);

// A file of the program after evaluation.
struct ProgramModule {
  const language::ModuleObject* module = nullptr;
  syntax::Stmts body;
  const text::SourceText* text = nullptr;
};

// Turns records into specializations. Values are allocated on the interpreter's heap; heap and
// modules must outlive the specializations. For one thread only.
class RecordResolver {
public:
  // Finds the file at a path under a module name, evaluating it if needed; returns nullopt if there
  // is no such file.
  using Loader =
      std::function<std::optional<ProgramModule>(llvm::StringRef path, llvm::StringRef name)>;

  RecordResolver(evaluate::Interpreter& interpreter, language::TypeContext& types,
                 codegen::Prelude& prelude, Loader load)
      : interpreter_(interpreter), types_(types), prelude_(prelude), load_(std::move(load)) {}

  // The error says what the record names but the program lacks, or which value is malformed.
  tl::expected<codegen::Specialization, std::string> resolve(const LaunchRecord& record);

private:
  friend class RecordReader;
  evaluate::Interpreter& interpreter_;
  language::TypeContext& types_;
  codegen::Prelude& prelude_;
  Loader load_;
};

} // namespace gluond::driver
