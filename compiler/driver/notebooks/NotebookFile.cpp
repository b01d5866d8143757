#include "driver/notebooks/NotebookFile.h"

#include "driver/json/Json.h"
#include "driver/notebooks/Magics.h"
#include "support/json/Text.h"
#include "text/UnifiedDiff.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace gluond::driver {

namespace {

// The texts of the lines with their line breaks, as nbformat stores them.
std::vector<llvm::StringRef> linesOf(llvm::StringRef text) {
  std::vector<llvm::StringRef> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.take_front(end == llvm::StringRef::npos ? end : end + 1));
    text = text.drop_front(lines.back().size());
  }
  return lines;
}

std::string jsonString(llvm::StringRef text, bool isAscii) {
  return json::quoted(text, isAscii);
}

// The language that the notebook's metadata names; empty if they name none.
llvm::StringRef languageOf(const JsonValue& notebook) {
  const JsonValue* metadata = notebook.find("metadata");
  if (!metadata) return {};
  if (const JsonValue* info = metadata->find("language_info"))
    if (llvm::StringRef name = info->textOf("name"); !name.empty()) return name;
  if (const JsonValue* kernel = metadata->find("kernelspec")) return kernel->textOf("language");
  return {};
}

} // namespace

bool isNotebook(llvm::StringRef path) {
  return llvm::sys::path::extension(path) == ".ipynb";
}

tl::expected<NotebookFile, std::string> NotebookFile::read(std::string json) {
  NotebookFile file;
  file.json_ = std::make_shared<const std::string>(std::move(json));
  llvm::BumpPtrAllocator arena;
  llvm::StringRef whole = *file.json_;
  const JsonValue* notebook = parseJson(whole, arena);
  if (!notebook) return tl::unexpected<std::string>("is no notebook: it is not valid JSON");
  const JsonValue* format = notebook->find("nbformat");
  if (unsigned number = 4; format && !format->source().getAsInteger(10, number) && number < 4)
    return tl::unexpected("is a notebook of nbformat " + std::to_string(number) +
                          "; convert it with `jupyter nbconvert --to notebook`");
  const JsonValue* cells = notebook->find("cells");
  if (!cells || !cells->isArray())
    return tl::unexpected<std::string>(
        notebook->find("worksheets")
            ? "is a notebook of nbformat 3; convert it with `jupyter nbconvert --to notebook`"
            : "is no notebook: it has no list `cells`");
  llvm::StringRef language = languageOf(*notebook);
  if (!language.empty() && !language.equals_insensitive("python") &&
      !language.equals_insensitive("ipython"))
    return tl::unexpected("is a notebook of " + language.str() + ", and gluond reads Python");

  text::SourceText fileText{whole.str()};
  auto rangeOf = [&](const JsonValue& value) {
    auto begin = static_cast<text::Offset>(value.source().data() - whole.data());
    return text::Range{begin, begin + static_cast<text::Offset>(value.source().size())};
  };
  for (auto [i, cell] : llvm::enumerate(cells->items())) {
    const JsonValue* value = cell.find("source");
    if (cell.textOf("cell_type") != "code" || !value || !(value->isArray() || value->isString()))
      continue;
    Source source{rangeOf(*value), {}};
    std::string text;
    uint32_t line = 0;
    for (const JsonValue& part :
         value->isArray() ? value->items() : llvm::ArrayRef<JsonValue>(*value)) {
      text::Range range = rangeOf(part);
      source.strings.push_back({range, line, fileText.lineOf(range.begin)});
      line += text::SourceText(part.text().str()).lineCount() - 1;
      text += part.text();
    }
    file.python_ += linesOfProgram(text);
    file.cells_.push_back({i + 1, text::SourceText(std::move(text))});
    file.lines_.add(file.cells_.back().text.lineCount());
    file.sources_.push_back(std::move(source));
  }
  return file;
}

NotebookFile::Place NotebookFile::placeOf(uint32_t line) const {
  if (cells_.empty()) return {};
  size_t cell = lines_.at(line).value_or(cells_.size() - 1);
  uint32_t lineOfCell = std::min(line - lines_.first(cell), cells_[cell].text.lineCount() - 1);
  // The string with the line is the last one that begins at or before it; an empty cell has none.
  const std::vector<Source::String>& strings = sources_[cell].strings;
  auto next = llvm::partition_point(
      strings, [&](const Source::String& each) { return each.firstLine <= lineOfCell; });
  uint32_t fileLine = next == strings.begin() ? 0 : std::prev(next)->fileLine;
  return {cells_[cell].number, lineOfCell, fileLine};
}

std::string NotebookFile::rewritten(size_t cell, llvm::StringRef text) const {
  const Source& source = sources_[cell];
  llvm::StringRef before = json().slice(source.value.begin, source.value.end);
  bool isAscii = llvm::all_of(json(), [](char c) { return static_cast<unsigned char>(c) < 128; });
  if (!before.starts_with("[")) return jsonString(text, isAscii);
  // Lines that stay are written as they were. Between the strings stands what stood there.
  llvm::StringMap<llvm::StringRef> known;
  llvm::BumpPtrAllocator arena;
  for (const Source::String& string : source.strings) {
    llvm::StringRef written = json().slice(string.range.begin, string.range.end);
    if (const JsonValue* value = parseJson(written, arena))
      known.try_emplace(value->text(), written);
  }
  auto between = [&](text::Offset begin, text::Offset end) { return json().slice(begin, end); };
  llvm::StringRef open = "[\n    ", separator = ",\n    ", close = "\n   ]"; // as nbformat writes
  if (!source.strings.empty()) {
    open = between(source.value.begin, source.strings.front().range.begin);
    close = between(source.strings.back().range.end, source.value.end);
  }
  std::string comma;
  if (source.strings.size() > 1) {
    separator = between(source.strings[0].range.end, source.strings[1].range.begin);
  } else if (!source.strings.empty()) {
    comma = "," + open.drop_front().str();
    separator = comma;
  }
  std::string out;
  for (llvm::StringRef line : linesOf(text)) {
    auto it = known.find(line);
    out += (out.empty() ? open : separator).str();
    out += it == known.end() ? jsonString(line, isAscii) : it->second.str();
  }
  return out.empty() ? "[]" : out + close.str();
}

tl::expected<NotebookFile, std::string>
NotebookFile::withEdits(llvm::ArrayRef<text::Edit> edits) const {
  text::SourceText program{python_};
  std::vector<std::vector<text::Edit>> byCell(cells_.size());
  for (const text::Edit& edit : edits) {
    if (cells_.empty()) return tl::unexpected<std::string>("it has no Python cell");
    uint32_t line = program.lineOf(edit.range.begin), last = program.lineOf(edit.range.end);
    // After the last line: a new line at the end of the last cell.
    bool isAfter = !lines_.at(line);
    size_t cell = lines_.at(line).value_or(cells_.size() - 1);
    const text::SourceText& text = cells_[cell].text;
    auto offsetIn = [&](text::Offset at, uint32_t lineOfProgram) {
      uint32_t inCell = lineOfProgram - lines_.first(cell);
      // The break after the last line is the program's, not the cell's.
      if (inCell >= text.lineCount()) return text.size();
      return std::min(text.size(),
                      text.lineStart(inCell) + (at - program.lineStart(lineOfProgram)));
    };
    bool reachesNext = lines_.at(last).value_or(cells_.size()) != cell;
    if (reachesNext && !isAfter && edit.range.end != program.lineStart(last))
      return tl::unexpected<std::string>("an edit spans two cells");
    bool needsBreak = isAfter && text.size() && !text.text().ends_with("\n");
    byCell[cell].push_back({{offsetIn(edit.range.begin, line), offsetIn(edit.range.end, last)},
                            (needsBreak ? "\n" : "") + edit.text});
  }
  std::vector<text::Edit> inFile;
  for (auto [i, own] : llvm::enumerate(byCell)) {
    if (own.empty()) continue;
    std::string edited = text::withEdits(cells_[i].text, own);
    llvm::StringRef kept = edited;
    if (!cells_[i].text.text().ends_with("\n")) kept = kept.rtrim('\n');
    inFile.push_back({sources_[i].value, rewritten(i, kept)});
  }
  return read(text::withEdits(text::SourceText{json().str()}, inFile));
}

std::string unifiedDiff(llvm::StringRef name, const NotebookFile& before,
                        const NotebookFile& after) {
  std::string all;
  for (const auto& [old, edited] : llvm::zip_equal(before.cells(), after.cells()))
    if (old.text.text() != edited.text.text())
      all += text::unifiedDiff((name + ":cell " + llvm::Twine(old.number)).str(),
                               old.text.text().str() + "\n", edited.text.text().str() + "\n");
  return all;
}

} // namespace gluond::driver
