// Analyses the text around a cursor without a syntax tree: completion and signature help are
// requested while a line is incomplete and the tree has little information about it.
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
  text::Range member; // of a longer expression: "to" in (x * 2).to(
  char bracket = '(';
  text::Offset bracketAt = 0;
  unsigned argument = 0;                      // number of commas so far at this level
  std::string keyword;                        // "mask" in f(a, mask=|
  llvm::SmallVector<std::string, 4> keywords; // all keywords given so far
};

struct CursorContext {
  bool inText = false; // inside a string or comment
  // Inside a string of one line: the part of its contents that forms one word around the cursor.
  std::optional<text::Range> string;
  text::Range base;            // "gl.nvidia" in gl.nvidia.ho|; see afterDot
  text::Range word;            // the part of the name before the cursor, and the part after it
  std::vector<OpenCall> calls; // outermost first
  bool afterDot =
      false; // a dot precedes the word; `base` is empty if no simple dotted name precedes the dot
};

// The arguments after the cursor in the innermost enclosing call.
struct ArgumentsAfter {
  unsigned positional = 0;
  std::vector<std::string> keywords;
};
ArgumentsAfter argumentsAfter(const text::SourceText& source, text::Offset offset);

// Reads the text up to the cursor once (some 200 MB/s). A name at column 0 closes all open
// brackets.
CursorContext contextAt(const text::SourceText& source, text::Offset offset);

} // namespace gluond::lsp
