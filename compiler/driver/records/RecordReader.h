// Turns the JSON of a launch record, with $ tags, into language Values. Internal to LaunchRecords.
#pragma once

#include "driver/json/Json.h"
#include "driver/records/LaunchRecords.h"

namespace gluond::driver {

// A record file's own copy of its text, and the parsed lines.
struct RecordData {
  llvm::BumpPtrAllocator arena;
};

// Reads one record. Functions that fail keep the first problem and return Absent (or null).
class RecordReader {
public:
  RecordReader(RecordResolver& resolver, const LaunchRecord& record)
      : resolver_(resolver), record_(record) {}

  const language::FunctionObject* kernel();
  bool argument(const JsonValue& argument, codegen::KernelArgument& out);
  language::Value value(const JsonValue& value);
  bool globals(std::vector<codegen::GlobalValue>& out);
  const std::string& problem() const { return problem_; }

private:
  using Value = language::Value;

  Value tagged(const JsonValue& value, llvm::StringRef tag, const JsonValue& content);
  Value layout(const JsonValue& value, llvm::StringRef name);
  Value type(const JsonValue& value, llvm::StringRef name);
  Value object(const JsonValue& value, llvm::StringRef name);
  Value namedTuple(const JsonValue& value);
  Value reference(const JsonValue& reference, llvm::StringRef qualname);
  Value definition(const ProgramModule& module, const JsonValue& reference,
                   llvm::StringRef qualname);
  Value builtin(llvm::StringRef dottedName);
  Value define(const ProgramModule& module, llvm::StringRef qualname, unsigned line,
               const JsonValue& reference);
  std::optional<ProgramModule> moduleOf(const JsonValue* file, const JsonValue* named);
  const language::Type* signature(llvm::StringRef text);
  const language::Type* descriptor(const JsonValue& argument, bool im2col);
  const language::Type* constantType(Value constant);
  bool list(const JsonValue& items, llvm::SmallVectorImpl<Value>& out);
  Value fail(const llvm::Twine& message);
  Name name(llvm::StringRef text) { return resolver_.interpreter_.name(text); }
  language::Heap& heap() { return resolver_.interpreter_.heap(); }

  RecordResolver& resolver_;
  const LaunchRecord& record_;
  std::string problem_;
  unsigned depth_ = 0;
};

} // namespace gluond::driver
