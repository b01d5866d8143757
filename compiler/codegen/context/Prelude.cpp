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

Prelude::File* Prelude::load(llvm::StringRef name, releases::Release release) {
  Library& library = libraryOf(release);
  if (auto known = library.files.find(name); known != library.files.end()) return &known->second;
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
  if (!library.interpreter) {
    evaluate::InterpreterOptions options;
    options.release = release;
    library.interpreter =
        std::make_unique<evaluate::Interpreter>(heap_, names_, types_, std::move(options));
  }
  evaluate::ModuleSource source{file.tree->body(), ("<gluond>/" + name + ".py").str(),
                                moduleName.str(), file.tree};
  file.module = library.interpreter->runModule(source, moduleName);
  // Loading was stopped because the caller had little stack or time left; the next caller starts
  // again.
  if (!library.interpreter->moduleErrors().empty() || library.interpreter->isStopped()) {
    library.interpreter = nullptr;
    return nullptr;
  }
  loads_.push_back(
      {source.path, millisecondsBetween(start, parsed), millisecondsBetween(parsed, Clock::now())});
  return &(library.files[name] = std::move(file));
}

Value Prelude::function(const language::Builtin& row, releases::Release release) {
  Library& library = libraryOf(release);
  if (auto known = library.functions.find(&row); known != library.functions.end())
    return known->second;
  auto [fileName, functionName] = llvm::StringRef(row.text).rsplit('.');
  File* file = load(fileName, release);
  if (!file) return Value::unknown();
  Value found = file->module->globals->get(names_.intern(functionName));
  return library.functions[&row] = found.isAbsent() ? Value::unknown() : found;
}

const SourceFile* Prelude::source(const language::ModuleObject& module) const {
  for (const Library& library : libraries_)
    for (const auto& entry : library.files)
      if (entry.second.module == &module) return &entry.second.source;
  return nullptr;
}

} // namespace gluond::codegen
