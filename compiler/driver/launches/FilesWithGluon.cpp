#include "driver/launches/FilesWithGluon.h"

#include "driver/launches/NameScan.h"
#include "files/ReadFile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::driver {

std::vector<bool> concernedWithGluon(const Snapshot& snapshot, llvm::ArrayRef<std::string> paths) {
  constexpr llvm::StringLiteral word = "gluon";
  std::vector<bool> concerned(paths.size(), false);
  std::vector<std::string> folders = snapshot.folders();
  auto textOf = [&](const std::string& file) {
    auto text = files::readFileBeneath(folders, file, snapshot.settings().maxFileBytes);
    return text ? std::move(*text) : std::string();
  };
  bool isAny = false;
  for (size_t i = 0; i < paths.size(); ++i) {
    auto text = files::readFileBeneath(folders, paths[i], snapshot.settings().maxFileBytes);
    concerned[i] = !text || llvm::StringRef(*text).contains(word); // read errors are reported later
    isAny |= concerned[i];
  }
  if (!isAny) return concerned;
  llvm::StringSet<> modules; // all there are
  for (const std::string& file : paths)
    modules.insert(moduleNameOf(file));
  std::vector<llvm::SmallVector<llvm::StringRef, 0>> imports(paths.size());
  for (size_t i = 0; i < paths.size(); ++i)
    if (!concerned[i])
      forEachWord(scanImports(textOf(paths[i])), [&](llvm::StringRef name) {
        if (auto known = modules.find(name); known != modules.end())
          imports[i].push_back(known->first());
      });
  llvm::StringSet<> wanted; // those that are concerned
  for (size_t i = 0; i < paths.size(); ++i)
    if (concerned[i]) wanted.insert(moduleNameOf(paths[i]));
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (size_t i = 0; i < paths.size(); ++i) {
      if (concerned[i]) continue;
      if (llvm::none_of(imports[i], [&](llvm::StringRef name) { return wanted.contains(name); }))
        continue;
      concerned[i] = true;
      isNew |= wanted.insert(moduleNameOf(paths[i])).second;
    }
  }
  return concerned;
}

} // namespace gluond::driver
