// Files that others wrote: settings of a project, entries of the cache, arrays, notebooks.
#include "../Target.h"
#include "driver/cache/DiskCache.h"
#include "driver/notebooks/NotebookFile.h"
#include "driver/settings/Configuration.h"
#include "driver/stages/CompiledText.h"
#include "runner/data/Npy.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <filesystem>

namespace gluond::fuzz {

using llvm::StringRef;

void settings(StringRef input) {
  driver::ProjectSettings project = driver::readProject(input);
  driver::Settings settings;
  for (const driver::NamedSetting& setting : project.values)
    (void)driver::applySetting(settings, setting.name, setting.value);
  for (const auto& problem : project.problems)
    expect(problem.place.begin <= problem.place.end && problem.place.end <= input.size(),
           "a problem lies outside the file");
}

// `input` in the place of an entry: what is found there is what was kept, or nothing.
void cache(StringRef input) {
  static const std::string folder = [] {
    std::string pattern = std::filesystem::temp_directory_path() / "gluond-fuzz-XXXXXX";
    return std::string(mkdtemp(pattern.data()));
  }();
  driver::DiskCache cache(folder, uint64_t{1} << 30);
  driver::CacheKey key;
  key.add("fuzz");
  constexpr StringRef kept = "what was kept";
  cache.keep(key, kept);
  std::string entry;
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder))
    if (each.path().extension() == ".result") entry = each.path(); // and not the key
  expect(!entry.empty(), "nothing was kept");
  std::error_code error;
  {
    llvm::raw_fd_ostream file(entry, error);
    file << input;
  }
  (void)cache.find(key);
  (void)driver::fromBytes(input);
  (void)cache.usage();
  (void)cache.clear();
}

void npy(StringRef input) {
  auto file = runner::readNpy(input);
  if (!file) {
    expect(!file.error().empty(), "no array, and not why");
    return;
  }
  for (const char* name : {"fp16", "bf16", "fp32", "fp64", "fp8e4nv", "i1", "i64", "u8"}) {
    const runner::Dtype* dtype = runner::findDtype(name);
    auto elements = runner::elementsOf(*file, *dtype, nullptr);
    if (elements && elements->size() < 1 << 20)
      (void)runner::writeNpy(*dtype, file->shape, *elements);
  }
}

void notebooks(StringRef input) {
  auto notebook = driver::NotebookFile::read(input.str());
  if (!notebook) {
    expect(!notebook.error().empty(), "no notebook, and not why");
    return;
  }
  text::SourceText program{notebook->python()};
  uint32_t lines = text::SourceText(input.str()).lineCount();
  for (uint32_t line = 0; line < program.lineCount(); ++line)
    expect(notebook->placeOf(line).fileLine < lines, "a line lies outside the file");
  if (notebook->cells().empty()) return;
  // Anything may stand anywhere, also at the end and over several lines.
  for (text::Offset at : {program.size() / 2, program.size()}) {
    auto edited = notebook->withEdits({text::Edit{{at, at}, "x\n\"\u00e9\n"}});
    expect(edited.has_value(), "nothing can be inserted");
    expect(edited->cells().size() == notebook->cells().size(),
           "the edit of a cell is one of others");
  }
  (void)notebook->withEdits({text::Edit{{0, program.size() / 2}, ""}});
}

} // namespace gluond::fuzz
