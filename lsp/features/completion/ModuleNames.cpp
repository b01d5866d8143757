#include "lsp/features/completion/ModuleNames.h"

#include "driver/workspace/WorkspaceFiles.h"
#include "syntax/parser/Keywords.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>

namespace gluond::lsp {

namespace path = llvm::sys::path;

namespace {

// Returns the statement up to the cursor (all lines of parentheses), or "" if it is no import.
std::string statementBefore(const text::SourceText& source, text::Offset offset) {
  constexpr uint32_t mostLines = 100;
  auto isImport = [](llvm::StringRef text) {
    return text.starts_with("import ") || text.starts_with("from ");
  };
  uint32_t line = source.lineOf(offset);
  std::string text = source.slice({source.lineStart(line), offset}).ltrim().str();
  if (isImport(text)) return text;
  for (uint32_t up = line; up > 0 && line - up + 1 < mostLines;) {
    --up;
    llvm::StringRef before = source.line(up);
    if (before.contains(')')) return {};
    text = (before.split('#').first + " " + text).str();
    if (!isImport(before.ltrim())) continue;
    return before.contains('(') ? llvm::StringRef(text).ltrim().str() : std::string();
  }
  return {};
}

// Returns all but the last part, which is incomplete.
llvm::StringRef beforeLastDot(llvm::StringRef dotted) {
  return dotted.contains('.') ? dotted.rsplit('.').first : llvm::StringRef();
}

// Whether the cursor is after `as`, of `a.b as |` or `a.b as ali|`.
bool endsWithAs(llvm::StringRef part) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  llvm::SplitString(part, words);
  bool isAfterSpace = part.ends_with(" ");
  return words.size() >= 2 && words[words.size() - (isAfterSpace ? 1 : 2)] == "as";
}

} // namespace

std::optional<ImportText> importAt(const text::SourceText& source, text::Offset offset) {
  std::string statement = statementBefore(source, offset);
  llvm::StringRef text = statement;
  ImportText import;
  if (text.consume_front("import ")) {
    import.wantsAlias = endsWithAs(text.rsplit(',').second);
    if (!text.contains(',')) import.wantsAlias = endsWithAs(text);
    import.module = beforeLastDot(text.rsplit(',').second.empty() && !text.contains(',')
                                      ? text.trim()
                                      : text.rsplit(',').second.trim())
                        .str();
    return import;
  }
  if (!text.consume_front("from ")) return std::nullopt;
  text = text.ltrim();
  while (text.consume_front("."))
    ++import.level;
  llvm::StringRef module =
      text.take_while([](char c) { return c == '.' || syntax::isIdentifierPart(c); });
  llvm::StringRef rest = text.drop_front(module.size());
  import.wantsName = rest.ltrim().starts_with("import") && !rest.empty() && rest != rest.ltrim();
  import.module = (import.wantsName ? module : beforeLastDot(module)).str();
  if (!import.wantsName) return import;
  llvm::SmallVector<llvm::StringRef, 8> names;
  rest.ltrim().drop_front(llvm::StringRef("import").size()).split(names, ',');
  import.wantsAlias = endsWithAs(names.pop_back_val());
  for (llvm::StringRef each : names)
    import.imported.push_back(each.trim(" \t(").split(' ').first.str());
  return import;
}

std::set<std::string> moduleNames(const driver::Snapshot& snapshot, llvm::StringRef importingPath,
                                  const ImportText& import) {
  std::vector<std::string> folders;
  llvm::StringRef here = path::parent_path(importingPath);
  for (unsigned i = 1; i < import.level; ++i)
    here = path::parent_path(here);
  folders.push_back(here.str());
  if (import.level == 0)
    for (const std::string& root : snapshot.settings().roots) {
      folders.push_back(root);
      folders.push_back(root + "/src");
    }
  std::string module = import.module;
  std::replace(module.begin(), module.end(), '.', '/');
  std::set<std::string> names;
  auto take = [&](llvm::StringRef file) {
    if (!file.ends_with(".py") || file == importingPath) return;
    for (const std::string& folder : folders) {
      llvm::StringRef rest = file;
      if (!rest.consume_front(folder) || !rest.consume_front("/")) continue;
      if (!module.empty() && (!rest.consume_front(module) || !rest.consume_front("/"))) continue;
      auto [name, after] = rest.split('/');
      if (after.empty()) name.consume_back(".py");
      if (name != "__init__" && syntax::isIdentifier(name) && !syntax::isKeyword(name))
        names.insert(name.str());
    }
  };
  for (const std::string& each : snapshot.openPaths())
    take(each);
  if (auto files = driver::pythonFiles(snapshot, {}))
    for (const std::string& each : *files)
      take(each);
  return names;
}

} // namespace gluond::lsp
