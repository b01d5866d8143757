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
#pragma once

#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

#include <string>
#include <vector>

namespace gluond::driver {

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
