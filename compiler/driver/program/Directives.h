// Directive comments: a launch written at the kernel itself.
//
//     # gluond: launch(src="*fp32:16", dst="*fp32:16", count="i32:16", BLOCK=256, num_warps=8,
//     target="cuda:100")
//     @gluon.jit
//     def copy(src, dst, count, BLOCK: gl.constexpr): ...
//
// The comment stands in the lines directly above the kernel's first decorator, or between its
// decorators and `def`. It may go on over several comment lines until its parenthesis closes, and a
// kernel may have several. docs/launch-records.md says what the arguments mean; here a directive is
// text and its places only.
#pragma once

#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

#include <string>
#include <vector>

namespace gluond::driver {

struct Directive {
  text::Range
      range; // in the file: from "launch" to the closing parenthesis, or to the end of the comment
  std::string call;     // "launch(...)": the comment's text without the marks of its lines
  bool isClosed = true; // false: the parenthesis never closes
  // The place in the file of a place in `call`.
  text::Offset toFile(text::Offset inCall) const;

  struct Piece {
    text::Offset inCall, inFile;
  };
  std::vector<Piece> pieces; // one per comment line
};

// In order of the file.
std::vector<Directive> directivesOf(const syntax::FunctionDef& kernel,
                                    const text::SourceText& source);

} // namespace gluond::driver
