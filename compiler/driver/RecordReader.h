// The values of a launch record: JSON with $ tags to language Values. Internal to LaunchRecords.
#pragma once

#include "driver/LaunchRecords.h"

#include <nlohmann/json.hpp>

namespace gluond::driver {

struct RecordData {
  nlohmann::json json;
};

// A member that is a string, or nothing: records are written by anybody, and json::value() throws
// at what it does not expect.
inline std::string textIn(const nlohmann::json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// Reads one record. Every function that fails keeps the first problem and answers Absent (or null).
class RecordReader {
public:
  RecordReader(RecordResolver& resolver, const LaunchRecord& record)
      : resolver_(resolver), record_(record) {}

  const language::FunctionObject* kernel();
  bool argument(const nlohmann::json& argument, codegen::KernelArgument& out);
  language::Value value(const nlohmann::json& value);
  bool globals(std::vector<codegen::GlobalValue>& out);
  const std::string& problem() const { return problem_; }

private:
  using json = nlohmann::json;
  using Value = language::Value;

  Value tagged(const json& value, llvm::StringRef tag, const json& content);
  Value layout(const json& value, const std::string& name);
  Value type(const json& value, const std::string& name);
  Value object(const json& value, const std::string& name);
  Value namedTuple(const json& value);
  Value reference(const json& reference, const std::string& qualname);
  Value builtin(llvm::StringRef dottedName);
  Value define(const ProgramModule& module, llvm::StringRef qualname, unsigned line,
               const json& reference);
  std::optional<ProgramModule> moduleOf(const json& reference);
  const language::Type* signature(llvm::StringRef text);
  const language::Type* descriptor(const json& argument, bool im2col);
  const language::Type* constantType(Value constant);
  bool list(const json& items, llvm::SmallVectorImpl<Value>& out);
  Value fail(const llvm::Twine& message);
  Name name(llvm::StringRef text) { return resolver_.interpreter_.name(text); }
  language::Heap& heap() { return resolver_.interpreter_.heap(); }

  RecordResolver& resolver_;
  const LaunchRecord& record_;
  std::string problem_;
  unsigned depth_ = 0;
};

} // namespace gluond::driver
