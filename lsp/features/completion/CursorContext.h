// What the text around a cursor says, without a syntax tree: completion and signature help ask
// while a line is half typed, when a tree has little to say about it.
#pragma once

#include "text/SourceText.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

// A call (or subscript) whose bracket is open at the cursor.
struct OpenCall {
  text::Range
      callee; // the dotted name before the bracket; empty for a mere bracket or a longer expression
  char bracket = '(';
  unsigned argument = 0;                      // commas so far at this level
  std::string keyword;                        // "mask" in f(a, mask=|: the argument is by keyword
  llvm::SmallVector<std::string, 4> keywords; // all keywords given so far
};

struct CursorContext {
  bool inText = false; // inside a string or comment
  // Inside a string of one line: what stands between its quotes, as far as it goes on in one word.
  std::optional<text::Range> string;
  text::Range base; // "gl.nvidia" in gl.nvidia.ho|; see afterDot
  text::Range word; // the letters before the cursor that belong to the name, and those behind it
  std::vector<OpenCall> calls; // outermost first
  bool afterDot =
      false; // a dot stands before the word; `base` is empty when it ends no simple dotted name
};

// The arguments that stand behind the cursor in the innermost call around it.
struct ArgumentsBehind {
  unsigned positional = 0;
  std::vector<std::string> keywords;
};
ArgumentsBehind argumentsBehind(const text::SourceText& source, text::Offset offset);

// Reads the text up to the cursor once (some 200 MB/s). A name at column 0 closes every bracket
// that is still open.
CursorContext contextAt(const text::SourceText& source, text::Offset offset);

} // namespace gluond::lsp
