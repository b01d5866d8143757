#include "driver/stages/CompiledLines.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <optional>

namespace gluond::driver {

namespace {

// Calls `visit` with each line of a text and its number.
void forEachLine(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef, uint32_t)> visit) {
  for (uint32_t number = 0; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    visit(line, number);
    text = rest;
  }
}

unsigned numberIn(llvm::StringRef text) {
  unsigned number = 0;
  (void)text.take_while(llvm::isDigit).getAsInteger(10, number);
  return number;
}

std::string quoted(llvm::StringRef text) {
  return text.split('"').second.split('"').first.str();
}

// The path of `"name"` or `"folder" "name"`.
std::string pathIn(llvm::StringRef text) {
  std::string first = quoted(text);
  std::string name = quoted(text.split('"').second.split('"').second);
  if (name.empty()) return first;
  return first.empty() || first == "." ? name : first + "/" + name;
}

// `.file 1 "path"` or `.file 1 "folder" "name"` names a file, `.loc 1 12 3` gives the source of the
// following lines. `comment` begins lines that are not code; where `isEnd` holds for a line, the
// code ends that the last .loc was for.
std::vector<CompiledLine> linesOfAssembly(llvm::StringRef text, llvm::StringRef comment,
                                          bool (*isEnd)(llvm::StringRef line)) {
  std::vector<CompiledLine> lines;
  llvm::DenseMap<unsigned, std::string> files;
  forEachLine(text, [&](llvm::StringRef line, uint32_t) {
    llvm::StringRef trimmed = line.trim();
    if (trimmed.consume_front(".file")) files[numberIn(trimmed.trim())] = pathIn(trimmed);
  });
  std::optional<std::pair<std::string, uint32_t>> here;
  forEachLine(text, [&](llvm::StringRef line, uint32_t number) {
    llvm::StringRef trimmed = line.trim();
    if (trimmed.consume_front(".loc")) {
      llvm::SmallVector<llvm::StringRef> parts;
      trimmed.split(parts, ' ', -1, false);
      for (llvm::StringRef& part : parts)
        part = part.trim();
      if (parts.size() >= 2) here = {files.lookup(numberIn(parts[0])), numberIn(parts[1])};
      return;
    }
    if (trimmed.starts_with(comment) || trimmed.empty()) return;
    if (isEnd(trimmed)) here.reset();
    if (here && here->second) lines.push_back({number, here->first, here->second - 1});
  });
  return lines;
}

} // namespace

std::vector<CompiledLine> linesOfPtx(llvm::StringRef text) {
  return linesOfAssembly(text, "//", [](llvm::StringRef line) { return line == "}"; });
}

std::vector<CompiledLine> linesOfAmdgcn(llvm::StringRef text) {
  return linesOfAssembly(text, ";", [](llvm::StringRef line) {
    return line.starts_with(".section") || line.starts_with(".Lfunc_end");
  });
}

// `!dbg !7` refers to a location further down, that to a scope, that to a file.
std::vector<CompiledLine> linesOfLlvm(llvm::StringRef text) {
  llvm::DenseMap<unsigned, llvm::StringRef> nodes;
  forEachLine(text, [&](llvm::StringRef line, uint32_t) {
    if (line.starts_with("!") && line.size() > 1 && llvm::isDigit(line[1]))
      nodes[numberIn(line.drop_front())] = line.split(" = ").second;
  });
  auto field = [](llvm::StringRef node, llvm::StringRef name) {
    return node.split((name + ": ").str()).second;
  };
  std::vector<CompiledLine> lines;
  forEachLine(text, [&](llvm::StringRef line, uint32_t number) {
    size_t at = line.find("!dbg !");
    if (at == llvm::StringRef::npos || line.starts_with("!")) return;
    llvm::StringRef location = nodes.lookup(numberIn(line.drop_front(at + 6)));
    if (!location.contains("DILocation")) return;
    llvm::StringRef scope = nodes.lookup(numberIn(field(location, "scope").ltrim('!')));
    llvm::StringRef file = nodes.lookup(numberIn(field(scope, "file").ltrim('!')));
    std::string name = quoted(field(file, "filename")), folder = quoted(field(file, "directory"));
    uint32_t source = numberIn(field(location, "line"));
    if (source)
      lines.push_back(
          {number, folder.empty() || folder == "." ? name : folder + "/" + name, source - 1});
  });
  return lines;
}

// `//## File "path", line 12` precedes the lines made from it.
std::vector<CompiledLine> linesOfSass(llvm::StringRef text) {
  std::vector<CompiledLine> lines;
  std::optional<std::pair<std::string, uint32_t>> here;
  forEachLine(text, [&](llvm::StringRef line, uint32_t number) {
    size_t at = line.find("//## File \"");
    if (at != llvm::StringRef::npos) {
      here = {quoted(line.drop_front(at)), numberIn(line.split("line ").second)};
      return;
    }
    if (here && here->second && line.contains("/*"))
      lines.push_back({number, here->first, here->second - 1});
  });
  return lines;
}

} // namespace gluond::driver
