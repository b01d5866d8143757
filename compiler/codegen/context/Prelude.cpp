#include "codegen/context/Prelude.h"

#include <chrono>
#include <mutex>

namespace gluond::codegen {

using language::Value;

Prelude::Prelude(Interner& names, language::TypeContext& types) : names_(names), types_(types) {}
Prelude::~Prelude() = default;

using Clock = std::chrono::steady_clock;

static double millisecondsBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

namespace {

// The prelude's trees, parsed once for all contexts with the same names. Thread-safe.
class PreludeTrees {
public:
  explicit PreludeTrees(Interner& names) : names_(names) {}

  syntax::SyntaxTree::Ptr tree(llvm::StringRef file) const {
    std::lock_guard lock(mutex_); // other threads that wait need it as well
    auto [it, isNew] = trees_.try_emplace(file);
    if (isNew) {
      diagnostics::FileId id{Prelude::firstFile + static_cast<uint32_t>(trees_.size() - 1)};
      it->second = syntax::SyntaxTree::parse(
          std::make_shared<text::SourceText>(preludeText(file).str()), id, names_);
    }
    return it->second;
  }

private:
  Interner& names_;
  mutable std::mutex mutex_;
  mutable llvm::StringMap<syntax::SyntaxTree::Ptr> trees_;
};

} // namespace

Prelude::File* Prelude::load(llvm::StringRef name) {
  if (auto known = files_.find(name); known != files_.end()) return &known->second;
  llvm::StringRef text = preludeText(name);
  if (text.empty()) return nullptr;
  // "# module: triton.language.standard"
  llvm::StringRef moduleName =
      text.take_until([](char c) { return c == '\n'; }).split(": ").second.trim();
  Clock::time_point start = Clock::now();
  File file;
  file.tree = names_.table<PreludeTrees>().tree(name);
  file.source = {file.tree->file(), &file.tree->source(), file.tree->nodeCount(),
                 file.tree->body()};
  Clock::time_point parsed = Clock::now();
  if (!interpreter_)
    interpreter_ = std::make_unique<evaluate::Interpreter>(heap_, names_, types_,
                                                           evaluate::InterpreterOptions{});
  evaluate::ModuleSource source{file.tree->body(), ("<gluond>/" + name + ".py").str(),
                                moduleName.str(), file.tree};
  file.module = interpreter_->runModule(source, moduleName);
  // Loading was stopped because the caller had little stack or time left; the next caller starts
  // again.
  if (!interpreter_->moduleErrors().empty() || interpreter_->isStopped()) {
    interpreter_ = nullptr;
    return nullptr;
  }
  loads_.push_back(
      {source.path, millisecondsBetween(start, parsed), millisecondsBetween(parsed, Clock::now())});
  return &(files_[name] = std::move(file));
}

Value Prelude::function(const language::Builtin& row) {
  if (auto known = functions_.find(&row); known != functions_.end()) return known->second;
  auto [fileName, functionName] = llvm::StringRef(row.text).rsplit('.');
  File* file = load(fileName);
  if (!file) return Value::unknown();
  Value found = file->module->globals->get(names_.intern(functionName));
  return functions_[&row] = found.isAbsent() ? Value::unknown() : found;
}

const SourceFile* Prelude::source(const language::ModuleObject& module) const {
  for (const auto& entry : files_)
    if (entry.second.module == &module) return &entry.second.source;
  return nullptr;
}

} // namespace gluond::codegen
