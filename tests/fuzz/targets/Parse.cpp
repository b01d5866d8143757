// Text to tree; and the tree after any edits is the one parsed from scratch.
#include "../Random.h"
#include "../Target.h"
#include "diagnostics/Table.h"
#include "syntax/AstDump.h"
#include "syntax/SyntaxTree.h"
#include "syntax/tree/Unparse.h"

#include <llvm/ADT/Twine.h>
#include <llvm/Support/xxhash.h>

namespace gluond::fuzz {

using llvm::StringRef;
using syntax::SyntaxTree;

namespace {

std::string everything(const SyntaxTree& tree) {
  std::string out = syntax::dump(tree, {.ranges = true, .ids = true}) + tree.docstring().str();
  for (const auto& error : tree.errors()) {
    text::Range range = error.location.range;
    expect(range.begin <= range.end && range.end <= tree.source().text().size(),
           "an error lies outside the text");
    out += std::to_string(range.begin) + "-" + std::to_string(range.end) + " " +
           diagnostics::slug(error.id).str() + error.message;
  }
  return out;
}

// An edit as people make them: some text goes, some of the text comes.
std::string edited(StringRef text, Random& random) {
  size_t begin = random.below(text.size() + 1),
         end = std::min(text.size(), begin + random.below(random.chance(20) ? 400 : 12));
  size_t from = random.below(text.size() + 1);
  StringRef put = text.substr(from, random.below(random.chance(20) ? 400 : 12));
  return (llvm::Twine(text.take_front(begin)) + put + text.drop_front(end)).str();
}

} // namespace

void parse(StringRef input) {
  Interner names;
  diagnostics::FileId file{0};
  auto tree = SyntaxTree::parse(std::make_shared<text::SourceText>(input.str()), file, names);
  (void)everything(*tree);
  (void)tree->pieces();

  Random random(llvm::xxh3_64bits(input));
  std::string now = input.str();
  for (unsigned edits = 0; edits < 4 && now.size() < 20000; ++edits) {
    now = edited(now, random);
    auto source = std::make_shared<text::SourceText>(now);
    tree = SyntaxTree::reparse(*tree, source);
    expect(everything(*tree) == everything(*SyntaxTree::parse(source, file, names)),
           "reparsing differs from parsing");
  }
}

} // namespace gluond::fuzz
