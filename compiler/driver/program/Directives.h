// Directive comments: a launch written at the kernel itself.
//
//     # gluond: launch(src="*fp32:16", dst="*fp32:16", count="i32:16", BLOCK=256, num_warps=8,
//     target="cuda:100")
//     @gluon.jit
//     def copy(src, dst, count, BLOCK: gl.constexpr): ...
//
// The comment is in the lines directly above the kernel's first decorator, or between its
// decorators and `def`. It may continue over several comment lines until its parenthesis closes,
// and a kernel may have several. docs/launch-records.md explains the arguments; here a directive is
// only text and its places.
//
// The other directive, `# gluond: ignore[code, code]` or `# gluond: ignore`, silences findings
// (driver/findings/IgnoredFindings.h). One that is not well-formed silences nothing: a code whose
// bracket is missing must not silence all others.
#pragma once

#include "diagnostics/Table.h"
#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

// Returns the part of a comment that follows "gluond:", without blanks before it; nullopt if the
// comment does not begin with that. Blanks and case are free, as users of other linters write it:
// "#gluond:ignore", "# Gluond : ignore". `comment` is the text after "#".
std::optional<llvm::StringRef> afterGluondMark(llvm::StringRef comment);

// The texts of all such comments, in the order of the file, each to the end of its line or to the
// next "#" of it. They may be in strings.
std::vector<llvm::StringRef> gluondCommentsIn(const text::SourceText& source);
// Whether the place is in a string, where nothing is a comment.
bool isInString(syntax::Stmts body, text::Offset at);

struct IgnoreDirective {
  struct Code {
    text::Range range;
    std::optional<diagnostics::Id> id; // nullopt if no diagnostic has the code
  };
  text::Range range;     // from "ignore" to the closing bracket
  bool isForAll = false; // it has no brackets
  llvm::SmallVector<Code, 2> codes;
  std::string mistake; // if it is not well-formed: why; then it silences nothing
  std::string mended;  // replaces `range`; empty if it is not clear what was meant
};
// `text` is one of gluondCommentsIn(source). Returns nullopt if its first word is not "ignore".
std::optional<IgnoreDirective> readIgnore(llvm::StringRef text, const text::SourceText& source);

struct Directive {
  text::Range
      range; // in the file: from "launch" to the closing parenthesis, or to the end of the comment
  std::string call;     // "launch(...)": the comment's text without its comment marks
  bool isClosed = true; // false if the parenthesis never closes
  // Converts a place in `call` to a place in the file.
  text::Offset toFile(text::Offset inCall) const;

  struct Piece {
    text::Offset inCall, inFile;
  };
  std::vector<Piece> pieces; // one per comment line
};

// They come in the order of the file.
std::vector<Directive> directivesOf(const syntax::FunctionDef& kernel,
                                    const text::SourceText& source);

} // namespace gluond::driver
