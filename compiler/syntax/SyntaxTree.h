// The result of parsing one version of one file: a typed AST and the syntax errors. Parsing never
// fails.
//
//   auto tree = SyntaxTree::parse(source, file, interner);
//   auto next = SyntaxTree::reparse(*tree, newSource);
//
// Time and memory are linear in the text, whatever it contains; nesting is bounded. A text that is
// too large, or exceeds its task's allowance, is parsed up to a point, with a diagnostic there.
//
// It is immutable and shared by std::shared_ptr; any thread may read it. Nodes live as long as the
// tree (and as long as later trees that reuse unchanged parts).
//
// The file is cut into chunks, each a statement at column 0 with everything that belongs to it; a
// chunk's nodes depend on its text alone. So a mistake in one function cannot affect the next, an
// edit costs only its own chunk, and reparsing gives exactly the same result as parsing from
// scratch.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "support/Cancellation.h"
#include "support/Interner.h"
#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

#include <memory>
#include <vector>

namespace gluond::diagnostics {
class Reporter;
}

namespace gluond::syntax {

struct LineScan;

class SyntaxTree {
public:
  using Ptr = std::shared_ptr<const SyntaxTree>;

  // Larger texts are not parsed.
  static constexpr size_t maxBytes = size_t{16} << 20;

  // `interner` must outlive the tree. May be called from any thread. Returns null if cancelled.
  static Ptr parse(std::shared_ptr<const text::SourceText> source, diagnostics::FileId file,
                   Interner& interner, CancellationToken token = {});
  // Returns the tree of another version of the same file. Unchanged parts of `previous` are reused;
  // no list of edits is needed.
  static Ptr reparse(const SyntaxTree& previous, std::shared_ptr<const text::SourceText> source,
                     CancellationToken token = {});

  ~SyntaxTree();

  const text::SourceText& source() const { return *source_; }
  diagnostics::FileId file() const { return file_; }
  Interner& interner() const { return interner_; }

  Stmts body() const { return body_; }
  // The module's cleaned docstring, or "" if there is none.
  llvm::StringRef docstring() const { return docstring_; }
  // Sorted by place. Empty for files that CPython compiles.
  llvm::ArrayRef<diagnostics::Diagnostic> errors() const { return errors_; }
  // The file cut at column 0, in order: each statement with everything that belongs to it. Nodes of
  // two pieces with the same text and the same cut that were not recovered differ only in places.
  struct Piece {
    text::Range range;
    uint64_t cut;     // how its lines were separated
    bool isRecovered; // it has syntax errors, and the body is the part that could be parsed
    Stmts body;
  };
  std::vector<Piece> pieces() const;
  // All node ids are below this.
  uint32_t nodeCount() const { return nodeCount_; }

private:
  struct Impl;
  static Ptr make(std::shared_ptr<const text::SourceText> source, diagnostics::FileId file,
                  Interner& interner, const SyntaxTree* previous, const CancellationToken& token);
  bool build(const LineScan& scan, const SyntaxTree* previous, const CancellationToken& token);
  void finish(const LineScan& scan);
  void checkEncoding(diagnostics::Reporter& emit) const;
  SyntaxTree(std::shared_ptr<const text::SourceText> source, diagnostics::FileId file,
             Interner& interner);

  std::shared_ptr<const text::SourceText> source_;
  diagnostics::FileId file_;
  Interner& interner_;
  Stmts body_;
  llvm::StringRef docstring_;
  std::vector<diagnostics::Diagnostic> errors_;
  uint32_t nodeCount_ = 0;
  std::unique_ptr<Impl> impl_;
};

} // namespace gluond::syntax
