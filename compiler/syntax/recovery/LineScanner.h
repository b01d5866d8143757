// Cuts a text into logical lines like Python's tokenizer, without parsing it. Internal to the
// room.
//
// A logical line is a physical line with the lines that brackets, backslashes and triple-quoted
// strings join to it. The scanner follows these as long as the text may be correct, so correct
// files are cut as in Python. Where the text is certainly wrong (an open bracket before `def`, a
// string that never ends), it ends the construct at the next line that looks like a statement, so
// that a mistake only affects its own statement.
//
// Scanning is linear in the text, about 1 ns per byte, and depends only on the text.
#pragma once

#include "text/SourceText.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace gluond::syntax {

// The kind of token that a logical line begins with.
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
  Case, // soft keyword: only if the line ends with a colon
};

enum class ScanProblemKind : uint8_t {
  UnclosedBracket,    // at: the bracket
  UnmatchedBracket,   // at: the closing one
  MismatchedBracket,  // at: the closing one, other: the opening one
  UnterminatedString, // at: its opening
  UnclosedField,      // at: the brace in an f-string; other: the quote that ends the string
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
  text::Offset lineStart; // start of its first physical line
  text::Offset begin;     // start of its first token
  text::Offset end;       // end of its last token; comments and line break excluded
  uint32_t indent;        // columns of its indentation, with tabs to multiples of eight
  uint32_t altIndent;     // the same with tabs as one column: differs if tabs and spaces are mixed
  Lead lead = Lead::Other;
  bool opensBlock = false;   // its last token is a colon
  uint16_t problems = 0;     // number of scan problems in it
  uint32_t firstProblem = 0; // index into LineScan::problems
};

// A byte that is replaced for tree-sitter: its grammar treats `print`, `exec` and `type` as
// keywords where Python does not, does not know "\r" as a line end, knows no star before `(1, 2)`
// in a tuple without parentheses and no slices in types, and takes long to find the ends of lines
// continued by a backslash.
struct Mask {
  text::Offset at;
  char with;
};

struct LineScan {
  std::vector<LogicalLine> lines;
  std::vector<ScanProblem> problems; // in the order of the lines
  std::vector<Mask> masks;           // in the order of their places
  // Sorted, without those in f-strings. tree-sitter sees blanks instead, because at each of a run
  // of comments its scanner would look through all that follow.
  std::vector<text::Range> comments;
  std::vector<ScanProblem> outside; // null bytes in comments between the lines

  llvm::ArrayRef<ScanProblem> problemsOf(const LogicalLine& line) const {
    return llvm::ArrayRef(problems).slice(line.firstProblem, line.problems);
  }
  // Returns those in [begin, end) of the text.
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
  // Returns the text that tree-sitter parses, of the same length, or "" if it is the text itself.
  std::string seenText(llvm::StringRef text) const;
};

LineScan scanLines(llvm::StringRef text);

} // namespace gluond::syntax
