#include "driver/Concerned.h"

#include "files/ReadFile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

namespace {

// What other files import the file as: kern.py as kern, ops/__init__.py as ops.
llvm::StringRef importedAs(llvm::StringRef file) {
  llvm::StringRef stem = path::stem(file);
  return stem == "__init__" ? path::filename(path::parent_path(file)) : stem;
}

// The names in the import statements of a text that are names of files, or of folders that hold
// some. A statement may go on in parentheses over several lines.
llvm::SmallVector<llvm::StringRef, 0> imported(llvm::StringRef text,
                                               const llvm::StringSet<>& modules) {
  llvm::SmallVector<llvm::StringRef, 0> found;
  bool isOpen = false;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::StringRef begin = line.ltrim();
    if (!isOpen && !begin.starts_with("from ") && !begin.starts_with("import ") &&
        !begin.contains("import_module"))
      continue;
    isOpen = (isOpen || begin.contains('(') || begin.ends_with("\\")) && !begin.contains(')');
    while (!begin.empty()) {
      begin = begin.drop_until(isWord);
      llvm::StringRef word = begin.take_while(isWord);
      begin = begin.drop_front(word.size());
      if (auto known = modules.find(word); known != modules.end()) found.push_back(known->first());
    }
  }
  return found;
}

} // namespace

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
    concerned[i] = !text || llvm::StringRef(*text).contains(word); // why it cannot be read is told
    isAny |= concerned[i];
  }
  if (!isAny) return concerned;
  llvm::StringSet<> modules; // all there are
  for (const std::string& file : paths)
    modules.insert(importedAs(file));
  std::vector<llvm::SmallVector<llvm::StringRef, 0>> imports(paths.size());
  for (size_t i = 0; i < paths.size(); ++i)
    if (!concerned[i]) imports[i] = imported(textOf(paths[i]), modules);
  llvm::StringSet<> wanted; // those that are concerned
  for (size_t i = 0; i < paths.size(); ++i)
    if (concerned[i]) wanted.insert(importedAs(paths[i]));
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (size_t i = 0; i < paths.size(); ++i) {
      if (concerned[i]) continue;
      if (llvm::none_of(imports[i], [&](llvm::StringRef name) { return wanted.contains(name); }))
        continue;
      concerned[i] = true;
      isNew |= wanted.insert(importedAs(paths[i])).second;
    }
  }
  return concerned;
}

} // namespace gluond::driver
