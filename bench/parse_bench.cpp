// parse_bench FILE...: what parsing costs, from scratch and after a keystroke.
//
// For each file: the median time of a parse from scratch, and the median, 99th percentile and worst
// time of reparsing after typing and deleting characters at places spread over the file (the text's
// own lines included). Every reparsed tree is the base of the next.
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>

using namespace gluond;
using Clock = std::chrono::steady_clock;

namespace {

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Times {
  std::vector<double> ms;
  double at(double part) {
    llvm::sort(ms);
    return ms.empty() ? 0
                      : ms[std::min(ms.size() - 1,
                                    static_cast<size_t>(part * static_cast<double>(ms.size())))];
  }
};

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    llvm::errs() << "usage: parse_bench FILE...\n";
    return 2;
  }
  llvm::outs() << "file                             lines   KB  scratch ms | keystroke ms: p50    "
                  "p99    max\n";
  for (int i = 1; i < argc; ++i) {
    auto buffer = llvm::MemoryBuffer::getFile(argv[i]);
    if (!buffer) {
      llvm::errs() << argv[i] << ": " << buffer.getError().message() << "\n";
      return 2;
    }
    std::string original = (*buffer)->getBuffer().str();
    Interner interner;
    Times scratch, keystroke;
    std::shared_ptr<const text::SourceText> source;
    syntax::SyntaxTree::Ptr tree;
    for (int round = 0; round < 15; ++round) {
      auto start = Clock::now();
      source = std::make_shared<text::SourceText>(original);
      tree = syntax::SyntaxTree::parse(source, {}, interner);
      scratch.ms.push_back(msSince(start));
    }
    // Types a call character by character at every 40th line and takes it away again.
    const std::string typed = "x = gl.load(ptr + 1, mask=m)";
    for (uint32_t line = 0; line < source->lineCount(); line += 40) {
      text::Offset at =
          source->lineStart(line) + static_cast<text::Offset>(source->line(line).size());
      auto edit = [&](text::Edit edit) {
        auto next = std::make_shared<text::SourceText>(source->apply(edit));
        auto start = Clock::now();
        tree = syntax::SyntaxTree::reparse(*tree, next);
        keystroke.ms.push_back(msSince(start));
        source = next;
      };
      std::string indent = source->line(line).take_while([](char c) { return c == ' '; }).str();
      edit({{at, at}, "\n" + indent});
      at += 1 + static_cast<text::Offset>(indent.size());
      for (char c : typed) {
        edit({{at, at}, std::string(1, c)});
        ++at;
      }
      for (size_t n = 0; n < typed.size() + 1 + indent.size(); ++n) {
        edit({{at - 1, at}, ""});
        --at;
      }
    }
    llvm::StringRef name = llvm::StringRef(argv[i]).rsplit('/').second;
    llvm::outs() << llvm::left_justify(name.empty() ? argv[i] : name, 32)
                 << llvm::format("%6u %5.1f %10.2f  |         %8.3f %6.3f %6.3f\n",
                                 source->lineCount(), static_cast<double>(original.size()) / 1024,
                                 scratch.at(0.5), keystroke.at(0.5), keystroke.at(0.99),
                                 keystroke.at(1.0));
  }
}
