// Every row of the table is emitted somewhere and tested somewhere, or
// tests/data/diagnostics-exempt.txt says why not.
#include "diagnostics/Table.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>
#include <gtest/gtest.h>
#include <map>

using namespace gluond::diagnostics;
namespace fs = std::filesystem;

namespace {

const fs::path root = GLUOND_SOURCE_DIR;

// The text of every source below these folders, this room's own tests and tools left out.
std::string textBelow(std::initializer_list<const char*> folders) {
  std::string all;
  for (const char* folder : folders) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      fs::path path = entry.path();
      if (!entry.is_regular_file() ||
          path.string().find("/unit/diagnostics/") != std::string::npos ||
          path.string().find("/diagnostics/tables/") != std::string::npos ||
          path.filename() == "diagnostics-exempt.txt")
        continue;
      if (path.extension() != ".cpp" && path.extension() != ".h" && path.extension() != ".def" &&
          path.extension() != ".py" && path.extension() != ".json" &&
          path.extension() != ".jsonl" && path.extension() != ".txt")
        continue;
      if (auto buffer = llvm::MemoryBuffer::getFile(path.string())) all += (*buffer)->getBuffer();
    }
  }
  return all;
}

// "slug: reason" a line; # begins a comment.
std::map<std::string, std::string> exemptions() {
  std::map<std::string, std::string> result;
  auto buffer = llvm::MemoryBuffer::getFile((root / "tests/data/diagnostics-exempt.txt").string());
  if (!buffer) return result;
  llvm::SmallVector<llvm::StringRef, 64> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (line.trim().empty() || line.starts_with("#")) continue;
    auto [slug, reason] = line.split(':');
    result[slug.trim().str()] = reason.trim().str();
  }
  return result;
}

bool mentionsId(llvm::StringRef text, llvm::StringRef name) {
  std::string wanted = ("Id::" + name).str();
  for (size_t at = 0; (at = text.find(wanted, at)) != llvm::StringRef::npos; at += wanted.size())
    if (at + wanted.size() == text.size() || !llvm::isAlnum(text[at + wanted.size()])) return true;
  return false;
}

TEST(Coverage, EveryDiagnosticIsEmittedAndTested) {
  std::string code = textBelow({"compiler", "lsp"}), tests = textBelow({"tests"});
  auto exempt = exemptions();
  for (const Row& row : table()) {
    bool isEmitted = mentionsId(code, row.name);
    bool isTested = tests.find("[" + row.slug.str() + "]") != std::string::npos ||
                    tests.find("\"" + row.slug.str() + "\"") != std::string::npos ||
                    mentionsId(tests, row.name);
    if (auto it = exempt.find(row.slug.str()); it != exempt.end()) {
      EXPECT_FALSE(it->second.empty()) << row.slug.str() << " is exempt without a reason";
      EXPECT_FALSE(isEmitted && isTested)
          << row.slug.str() << " is tested now: take it out of diagnostics-exempt.txt";
      exempt.erase(it);
      continue;
    }
    EXPECT_TRUE(isEmitted) << row.slug.str() << " is in the table and nobody emits it";
    EXPECT_TRUE(isTested) << row.slug.str() << " has no test: a '# error: [" << row.slug.str()
                          << "]' line or a unit test";
  }
  for (const auto& [slug, reason] : exempt)
    ADD_FAILURE() << "diagnostics-exempt.txt names " << slug << ", which is not in the table";
}

} // namespace
