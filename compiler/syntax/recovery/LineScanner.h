// Cuts a text into logical lines, as Python's tokenizer does, without parsing it. Private to the
// room.
//
// A logical line is a physical one with what brackets, backslashes and triple-quoted strings join
// to it. The scanner trusts these as long as the text may be right: nothing here changes how a
// correct file is cut. Where the text is certainly wrong (a bracket open in front of `def`, a
// string that never ends), it ends the construct at the next line that looks like a statement, so
// that a mistake costs its own statement and no more.
//
// Scanning is linear in the text, about 1 ns a byte, and does not depend on anything but the text.
#pragma once

#include "text/SourceText.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace gluond::syntax {

// What a logical line begins with.
enum class Lead : uint8_t {
  Other,
  Decorator,
  Def,
  Class,
  Async,
  If,
  Elif,
  Else,
  For,
  While,
  Try,
  Except,
  Finally,
  With,
  Match,
  Case, // soft: only where the line ends with a colon
};

enum class ScanProblemKind : uint8_t {
  UnclosedBracket,    // at: the bracket
  UnmatchedBracket,   // at: the closing one
  MismatchedBracket,  // at: the closing one, other: the opening one
  UnterminatedString, // at: its opening
  InvalidCharacter,   // at: the character
  NullByte,
  BadContinuation, // at: the backslash
  TooManyBrackets, // at: the bracket nested too deeply
};
struct ScanProblem {
  ScanProblemKind kind;
  text::Offset at;
  text::Offset other = 0;
};

struct LogicalLine {
  text::Offset lineStart; // of its first physical line
  text::Offset begin;     // of its first token
  text::Offset end;       // behind its last token; comments and line break excluded
  uint32_t indent;        // columns of its indentation, tabs to multiples of eight
  uint32_t altIndent; // the same with tabs counting one: differs where tabs and spaces are mixed
  Lead lead = Lead::Other;
  bool opensBlock = false;   // its last token is a colon
  uint16_t problems = 0;     // how many scan problems are in it
  uint32_t firstProblem = 0; // index into LineScan::problems
};

// One byte that tree-sitter is to see differently: its grammar treats `print`, `exec` and `type` as
// keywords where Python does not, does not know "\r" as a line end, and takes long to see where
// lines that a backslash continues go on.
struct Mask {
  text::Offset at;
  char with;
};

struct LineScan {
  std::vector<LogicalLine> lines;
  std::vector<ScanProblem> problems; // in the order of the lines
  std::vector<Mask> masks;           // in the order of their places
  // In order; those in f-strings are not among them. tree-sitter sees blanks: at each of a run of
  // comments its scanner would look through all that follow.
  std::vector<text::Range> comments;
  std::vector<ScanProblem> outside; // null bytes in comments between the lines

  llvm::ArrayRef<ScanProblem> problemsOf(const LogicalLine& line) const {
    return llvm::ArrayRef(problems).slice(line.firstProblem, line.problems);
  }
  // Those in [begin, end) of the text.
  llvm::ArrayRef<Mask> masksIn(text::Offset begin, text::Offset end) const {
    auto before = [](const Mask& mask, text::Offset at) { return mask.at < at; };
    auto first = std::lower_bound(masks.begin(), masks.end(), begin, before);
    auto last = std::lower_bound(first, masks.end(), end, before);
    return llvm::ArrayRef(masks).slice(static_cast<size_t>(first - masks.begin()),
                                       static_cast<size_t>(last - first));
  }
  llvm::ArrayRef<text::Range> commentsIn(text::Offset begin, text::Offset end) const {
    auto before = [](text::Range comment, text::Offset at) { return comment.begin < at; };
    auto first = std::lower_bound(comments.begin(), comments.end(), begin, before);
    auto last = std::lower_bound(first, comments.end(), end, before);
    return llvm::ArrayRef(comments).slice(static_cast<size_t>(first - comments.begin()),
                                          static_cast<size_t>(last - first));
  }
  // The text as tree-sitter is to see it, of the same length; empty: as it is.
  std::string seenText(llvm::StringRef text) const;
};

LineScan scanLines(llvm::StringRef text);

// Whether the line's last token wants another behind it: "gl.", "x =", "x:". tree-sitter's grammar
// knows no line break there and would take the next line's first token, without an error.
bool endsAmid(llvm::StringRef text, const LogicalLine& line);

} // namespace gluond::syntax
