// Text that Triton prints is read and printed back as it was.
#include "ir/Context.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <mlir/IR/Diagnostics.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace {

using gluond::ir::createContext;
using gluond::ir::parseModule;
using gluond::ir::printModule;

std::vector<std::string> filesIn(const std::string& folder,
                                 llvm::ArrayRef<llvm::StringRef> extensions) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (llvm::is_contained(extensions, llvm::sys::path::extension(it->path())))
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

// Why the text is not printed back as it is; empty if it is.
std::string roundTrip(llvm::StringRef text, mlir::MLIRContext& context) {
  std::string problems;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
    llvm::raw_string_ostream(problems) << diagnostic.getLocation() << ": " << diagnostic << "\n";
  });
  auto module = parseModule(text, context);
  if (!module) return "not read: " + problems;
  std::string printed = printModule(*module);
  if (printed == text) return {};
  // The first line that differs.
  llvm::StringRef a = text, b = printed;
  while (!a.empty() && a.split('\n').first == b.split('\n').first) {
    a = a.split('\n').second;
    b = b.split('\n').second;
  }
  return ("expected: " + a.split('\n').first + "\nprinted:  " + b.split('\n').first).str();
}

void expectRoundTrips(const std::vector<std::string>& files) {
  auto context = createContext();
  unsigned failures = 0;
  for (const auto& file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(buffer) << file;
    std::string problem = roundTrip((*buffer)->getBuffer(), *context);
    if (!problem.empty() && ++failures <= 10) ADD_FAILURE() << file << "\n" << problem;
  }
  EXPECT_EQ(failures, 0u) << "of " << files.size() << " files";
}

TEST(RoundTrip, CorpusGoldens) {
  auto files = filesIn(GLUOND_SHARED_DIR "/corpus/golden", {".source", ".ttgir"});
  if (files.empty()) GTEST_SKIP() << "no corpus beside the checkout: ../shared/corpus/golden";
  expectRoundTrips(files);
}

TEST(RoundTrip, OwnFiles) {
  auto files = filesIn(GLUOND_SOURCE_DIR "/tests/data/ir", {".mlir"});
  EXPECT_FALSE(files.empty());
  expectRoundTrips(files);
}

} // namespace
