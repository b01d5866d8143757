// The result of parsing one version of one file: a typed AST and the syntax errors. Parsing never
// fails.
//
//   auto tree = SyntaxTree::parse(source, file, interner);
//   auto next = SyntaxTree::reparse(*tree, newSource);
//
// Work and memory are linear in the text, whatever it holds; nesting is bounded. What is too large,
// or costs more than its task's allowance, is read as far as that goes, with a diagnostic there.
//
// Immutable, shared by std::shared_ptr; any thread may read it. Nodes live as long as the tree does
// (and, where a later tree took over unchanged parts, as long as that one does too).
//
// The file is cut into chunks, each a statement at column 0 with all that belongs to it; a chunk's
// nodes follow from its text alone. That is why a mistake in one function cannot spoil the next,
// why an edit costs what its own chunk costs, and why reparsing gives exactly what parsing from
// scratch gives.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "support/Cancellation.h"
#include "support/Interner.h"
#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

#include <memory>
#include <vector>

namespace gluond::diagnostics {
class Emitter;
}

namespace gluond::syntax {

struct LineScan;

class SyntaxTree {
public:
  using Ptr = std::shared_ptr<const SyntaxTree>;

  // Larger texts are not read.
  static constexpr size_t maxBytes = size_t{16} << 20;

  // `interner` must outlive the tree. May be called from any thread. Null: cancelled.
  static Ptr parse(std::shared_ptr<const text::SourceText> source, diagnostics::FileId file,
                   Interner& interner, CancellationToken token = {});
  // The tree of another version of the same file. Takes over from `previous` what did not change;
  // no list of edits is needed.
  static Ptr reparse(const SyntaxTree& previous, std::shared_ptr<const text::SourceText> source,
                     CancellationToken token = {});

  ~SyntaxTree();

  const text::SourceText& source() const { return *source_; }
  diagnostics::FileId file() const { return file_; }
  Interner& interner() const { return interner_; }

  Stmts body() const { return body_; }
  // The module's docstring, cleaned; empty when there is none.
  llvm::StringRef docstring() const { return docstring_; }
  // In order of their place. Empty for what CPython compiles.
  llvm::ArrayRef<diagnostics::Diagnostic> errors() const { return errors_; }
  // The file as it is cut at column 0, in order: a statement with what belongs to it. Nodes of two
  // pieces with the same text and the same cut that were not recovered differ in places alone.
  struct Piece {
    text::Range range;
    uint64_t cut;     // how its lines were told apart
    bool isRecovered; // it has syntax errors, and the body is what could be saved
    Stmts body;
  };
  std::vector<Piece> pieces() const;
  // Node ids are below this.
  uint32_t nodeCount() const { return nodeCount_; }

private:
  struct Impl;
  static Ptr make(std::shared_ptr<const text::SourceText> source, diagnostics::FileId file,
                  Interner& interner, const SyntaxTree* previous, const CancellationToken& token);
  bool build(const LineScan& scan, const SyntaxTree* previous, const CancellationToken& token);
  void finish(const LineScan& scan);
  void checkEncoding(diagnostics::Emitter& emit) const;
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
