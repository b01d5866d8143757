// One version of one file: UTF-8 text, its lines, and positions in it.
//
// Inside gluond a place is a byte offset. At the LSP interface it is a 0-based line and a 0-based
// count of UTF-16 code units; in Triton's messages it is a 1-based line and a 1-based column. Text
// that is not valid UTF-8 is kept unchanged; each invalid byte counts as one character. Positions
// take constant time after a binary search for the line, even in long lines.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gluond::text {

using Offset = uint32_t;

// Returns the bytes of the UTF-8 sequence at text[at], or 0 if it is not valid (overlong forms,
// surrogates and values beyond U+10FFFF are not).
unsigned utf8Length(llvm::StringRef text, size_t at);
bool isValidUtf8(llvm::StringRef text);
// Appends `text` with U+FFFD for each invalid byte, because all output of gluond is valid UTF-8.
void appendValidUtf8(std::string& out, llvm::StringRef text);

// A half-open range of bytes.
struct Range {
  Offset begin = 0, end = 0;
  bool contains(Offset offset) const { return begin <= offset && offset < end; }
  // True at the end too: a cursor after the last character still touches the word.
  bool touches(Offset offset) const { return begin <= offset && offset <= end; }
  friend bool operator==(Range, Range) = default;
};

// The unit of positions along a line.
enum class Unit : uint8_t { Utf16, CodePoint };

// LSP position: 0-based line, UTF-16 code units (or code points) from its start.
struct Position {
  uint32_t line = 0, character = 0;
  friend auto operator<=>(const Position&, const Position&) = default;
};

// Replaces `range` (of the text before the edit) by `text`.
struct Edit {
  Range range;
  std::string text;
  friend bool operator==(const Edit&, const Edit&) = default;
};

// Immutable.
class SourceText {
public:
  explicit SourceText(std::string text);

  llvm::StringRef text() const { return text_; }
  Offset size() const { return static_cast<Offset>(text_.size()); }
  llvm::StringRef slice(Range range) const { return text().slice(range.begin, range.end); }

  // Lines end at "\n", "\r\n" or "\r". There is always at least one line.
  uint32_t lineCount() const { return static_cast<uint32_t>(lineStarts_.size()); }
  uint32_t lineOf(Offset offset) const; // 0-based
  Offset lineStart(uint32_t line) const { return lineStarts_[line]; }
  llvm::StringRef line(uint32_t line) const; // without its line break

  // Out-of-range input is clamped to the nearest valid place, as LSP requires.
  Position position(Offset offset, Unit unit = Unit::Utf16) const;
  Offset offset(Position position, Unit unit = Unit::Utf16) const;

  SourceText apply(const Edit& edit) const;

private:
  // A character's start within a long line, and the number of units before it in that line.
  struct Mark {
    Offset at;
    uint32_t units, characters;
    uint32_t count(Unit unit) const { return unit == Unit::Utf16 ? units : characters; }
  };
  void endLine(Offset end);
  llvm::ArrayRef<Mark> marksOf(uint32_t line) const;

  std::string text_;
  std::vector<Offset> lineStarts_;
  std::vector<Mark> marks_; // one per KiB in longer lines, in order
};

// Returns the text with all edits applied; they must not overlap and may be in any order.
std::string withEdits(const SourceText& source, llvm::ArrayRef<Edit> edits);

} // namespace gluond::text
