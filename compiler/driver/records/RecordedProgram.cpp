#include "driver/records/RecordedProgram.h"

#include "driver/workspace/Imports.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

RecordedProgram::RecordedProgram(codegen::CodegenContext& context, std::string target, Trees trees)
    : context_(context), trees_(std::move(trees)), types_(context.names()),
      interpreter_(heap_, context.names(), types_, [&] {
        evaluate::InterpreterOptions options;
        options.target = std::move(target);
        options.importer = [this](llvm::StringRef importer, llvm::StringRef module,
                                  unsigned level) { return import(importer, module, level); };
        return options;
      }()) {}

RecordedProgram::~RecordedProgram() = default;

syntax::SyntaxTree::Ptr RecordedProgram::tree(llvm::StringRef path) {
  auto [it, isNew] = parsed_.try_emplace(path);
  if (isNew) it->second = trees_(path);
  return it->second;
}

std::optional<evaluate::ModuleSource>
RecordedProgram::import(llvm::StringRef importer, llvm::StringRef module, unsigned level) {
  if (module.empty() && level == 0) return std::nullopt; // a file of data
  llvm::StringRef folder = folderOfImport(importer, level);
  if (auto found = moduleIn(folder, module)) return found;
  if (level > 0) return std::nullopt;
  // The root of the packages that contain the file.
  llvm::StringRef top = module.split('.').first;
  for (llvm::StringRef up = path::parent_path(folder); !up.empty(); up = path::parent_path(up)) {
    if (path::filename(folder) == top)
      if (auto found = moduleIn(up, module)) return found;
    folder = up;
  }
  return std::nullopt;
}

std::optional<evaluate::ModuleSource> RecordedProgram::moduleIn(llvm::StringRef folder,
                                                                llvm::StringRef module) {
  llvm::SmallString<256> base(folder);
  llvm::SmallVector<llvm::StringRef, 4> parts;
  module.split(parts, '.', -1, false);
  for (llvm::StringRef part : parts)
    path::append(base, part);
  for (llvm::StringRef suffix : {"/__init__.py", ".py"}) {
    std::string path = (base + suffix).str();
    if (syntax::SyntaxTree::Ptr found = tree(path))
      return evaluate::ModuleSource{found->body(), path, module.str(), found};
  }
  return std::nullopt;
}

const RecordedProgram::Loaded* RecordedProgram::loaded(llvm::StringRef path, llvm::StringRef name) {
  auto [it, isNew] = modules_.try_emplace((path + "\n" + name).str());
  Loaded& result = it->second;
  if (!isNew) return result.module ? &result : nullptr;
  result.tree = tree(path);
  if (!result.tree) return nullptr;
  // Imported before by another file of the program.
  for (const auto& entry : interpreter_.workspaceModules())
    if (entry.second && entry.second->path == path && entry.second->name == name)
      result.module = entry.second;
  if (!result.module)
    result.module =
        interpreter_.runModule({result.tree->body(), path.str(), name.str(), result.tree}, name);
  result.source = {result.tree->file(), &result.tree->source(), result.tree->nodeCount(),
                   result.tree->body()};
  return result.module ? &result : nullptr;
}

bool RecordedProgram::load(llvm::StringRef path, llvm::StringRef moduleName) {
  return loaded(path, moduleName) != nullptr;
}

const codegen::SourceFile* RecordedProgram::find(const language::ModuleObject& module) const {
  auto tree = parsed_.find(module.path);
  if (tree == parsed_.end() || !tree->second) return nullptr;
  auto [it, isNew] = sources_.try_emplace(module.path);
  if (isNew)
    it->second = {tree->second->file(), &tree->second->source(), tree->second->nodeCount(),
                  tree->second->body()};
  return &it->second;
}

tl::expected<codegen::Specialization, std::string>
RecordedProgram::resolve(const LaunchRecord& record) {
  RecordResolver resolver(
      interpreter_, types_, context_.prelude(),
      [this](llvm::StringRef path, llvm::StringRef name) -> std::optional<ProgramModule> {
        const Loaded* module = loaded(path, name);
        if (!module) return std::nullopt;
        return ProgramModule{module->module, module->tree->body(), &module->tree->source()};
      });
  return resolver.resolve(record);
}

} // namespace gluond::driver
