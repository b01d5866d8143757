#include "lsp/handlers/session/EditedText.h"

#include "lsp/handlers/Convert.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace gluond::lsp {

namespace {

void sort(Range& range) {
  if (std::tie(range.end.line, range.end.character) <
      std::tie(range.start.line, range.start.character))
    std::swap(range.start, range.end);
}

// Whether the position is between the halves of a surrogate pair, whose character is at `offset`.
bool splitsPair(const text::SourceText& text, text::Offset offset, Position position,
                PositionEncoding encoding) {
  if (encoding != PositionEncoding::Utf16 || offset >= text.size() ||
      text::utf8Length(text.text(), offset) != 4)
    return false;
  Position begin = PositionMap(text, encoding).position(offset);
  return begin.line == position.line && begin.character < position.character;
}

// The half of a pair that an editor keeps where an edit begins or ends between the two: it becomes
// U+FFFD, which has one unit as well.
constexpr llvm::StringLiteral half = "\xEF\xBF\xBD";
constexpr uint32_t bytesOfPair = 4;

// A range of an editor's text as an edit of ours.
text::Edit editOf(const text::SourceText& text, Range range, llvm::StringRef put,
                  PositionEncoding encoding) {
  sort(range);
  text::Edit edit{PositionMap(text, encoding).range(range), put.str()};
  if (splitsPair(text, edit.range.begin, range.start, encoding)) edit.text.insert(0, half);
  if (splitsPair(text, edit.range.end, range.end, encoding)) {
    edit.text += half;
    edit.range.end += bytesOfPair;
  }
  return edit;
}

// Pieces are short enough to be searched, and long enough to be few.
constexpr size_t leastBytes = 512, usualBytes = 2048, mostBytes = 2 * usualBytes;

// Whether a line ends with the byte at `at`.
bool endsLine(llvm::StringRef text, size_t at) {
  return text[at] == '\n' || (text[at] == '\r' && !text.substr(at + 1).starts_with("\n"));
}

// The lines that end between two bytes.
uint32_t lineEndsIn(llvm::StringRef text, size_t begin, size_t end) {
  uint32_t ends = 0;
  for (size_t at = begin; at < end; ++at)
    ends += endsLine(text, at);
  return ends;
}

} // namespace

EditedText::EditedText(llvm::StringRef text, PositionEncoding encoding)
    : encoding_(encoding), pieces_(cut(text)) {}

EditedText::Character EditedText::characterAt(llvm::StringRef text, size_t at) const {
  if (encoding_ == PositionEncoding::Utf8) return {1, 1};
  unsigned bytes = std::max(1u, text::utf8Length(text, at));
  return {bytes, encoding_ == PositionEncoding::Utf16 && bytes == bytesOfPair ? 2u : 1u};
}

uint32_t EditedText::unitsIn(llvm::StringRef text, size_t begin, size_t end) const {
  uint32_t units = 0;
  while (begin < end) {
    Character character = characterAt(text, begin);
    begin += character.bytes;
    units += character.units;
  }
  return units;
}

std::vector<EditedText::Piece> EditedText::cut(llvm::StringRef text) const {
  std::vector<Piece> pieces;
  while (!text.empty()) {
    size_t size = text.size();
    if (size > mostBytes) {
      auto isInside = [&](size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
      };
      size = usualBytes;
      for (unsigned i = 1; i < bytesOfPair && isInside(size); ++i)
        ++size;
      size += text.substr(size - 1).starts_with("\r\n");
    }
    Piece piece{text.take_front(size).str()};
    piece.lineEnds = lineEndsIn(piece.text, 0, size);
    piece.units = unitsIn(piece.text, 0, size);
    pieces.push_back(std::move(piece));
    text = text.drop_front(size);
  }
  return pieces;
}

void EditedText::moveBack(Near& near) const {
  near.line -= pieces_[--near.piece].lineEnds;
}

EditedText::Place EditedText::placeOf(Position position) {
  // A line begins in the piece where the one before it ends, hence `>=` here and `>` below.
  while (near_.piece > 0 && near_.line >= position.line)
    moveBack(near_);
  while (near_.piece < pieces_.size() && position.line - near_.line > pieces_[near_.piece].lineEnds)
    near_.line += pieces_[near_.piece++].lineEnds;
  Place place{near_.piece};
  if (place.piece == pieces_.size()) return place;
  uint32_t line = position.line - near_.line, left = position.character;
  for (; line > 0; ++place.at)
    line -= endsLine(pieces_[place.piece].text, place.at);

  while (place.piece < pieces_.size()) {
    llvm::StringRef text = pieces_[place.piece].text;
    if (place.at == text.size()) {
      place.at = 0;
      for (++place.piece; place.piece < pieces_.size() && pieces_[place.piece].lineEnds == 0 &&
                          pieces_[place.piece].units <= left;
           ++place.piece)
        left -= pieces_[place.piece].units;
      continue;
    }
    Character character = characterAt(text, place.at);
    if (left == 0 || text[place.at] == '\n' || text[place.at] == '\r') break;
    if (character.units > left) {
      place.splitsPair = true;
      break;
    }
    left -= character.units;
    place.at += character.bytes;
  }
  return place;
}

bool EditedText::replaceWithin(Place begin, Place end, llvm::StringRef put) {
  if (begin.piece != end.piece || begin.splitsPair || end.splitsPair || pieces_.empty())
    return false;
  if (begin.piece == pieces_.size()) { // at the end of the text
    --begin.piece;
    begin.at = end.at = pieces_.back().text.size();
  }
  Piece& piece = pieces_[begin.piece];
  std::string& text = piece.text;
  size_t after = begin.at + put.size(), size = text.size() - (end.at - begin.at) + put.size();
  if (size < leastBytes || size > mostBytes) return false;
  char front = begin.at > 0 ? text.front() : put.empty() ? text[end.at] : put.front();
  if (front == '\n' && begin.piece > 0) return false; // it may belong to a '\r'
  // Whether the byte before the edit ends a line depends on the byte after it.
  size_t before = begin.at - (begin.at > 0);
  piece.lineEnds -= lineEndsIn(text, before, end.at);
  piece.units -= unitsIn(text, begin.at, end.at);
  text.replace(begin.at, end.at - begin.at, put.data(), put.size());
  piece.lineEnds += lineEndsIn(text, before, after);
  piece.units += unitsIn(text, begin.at, after);
  return true;
}

void EditedText::replace(Range range, llvm::StringRef put) {
  sort(range);
  // The end comes first, so that nothing before the piece that is remembered changes.
  Place end = placeOf(range.end), begin = placeOf(range.start);
  if (near_.piece > 0 && near_.piece == pieces_.size()) moveBack(near_); // the last piece may grow
  if (replaceWithin(begin, end, put)) return;
  std::string fresh;
  if (begin.piece < pieces_.size()) fresh = pieces_[begin.piece].text.substr(0, begin.at);
  if (begin.splitsPair) fresh += half;
  fresh += put;
  if (end.splitsPair) fresh += half;
  size_t first = begin.piece, last = end.piece;
  if (last < pieces_.size())
    fresh += llvm::StringRef(pieces_[last++].text)
                 .drop_front(end.at + (end.splitsPair ? bytesOfPair : 0));
  // The neighbours of a short piece, or of a part of a "\r\n", become one with it.
  if (first > 0 && (fresh.size() < leastBytes || fresh.front() == '\n'))
    fresh.insert(0, pieces_[--first].text);
  while (near_.piece > first)
    moveBack(near_);
  if (last < pieces_.size() && pieces_[last].text.front() == '\n' &&
      llvm::StringRef(fresh).ends_with("\r"))
    fresh += pieces_[last++].text;

  std::vector<Piece> pieces = cut(fresh);
  size_t kept = std::min(pieces.size(), last - first);
  std::move(pieces.begin(), pieces.begin() + static_cast<ptrdiff_t>(kept),
            pieces_.begin() + static_cast<ptrdiff_t>(first));
  auto rest = pieces_.begin() + static_cast<ptrdiff_t>(first + kept);
  rest = pieces_.erase(rest, rest + static_cast<ptrdiff_t>(last - first - kept));
  pieces_.insert(rest, std::move_iterator(pieces.begin() + static_cast<ptrdiff_t>(kept)),
                 std::move_iterator(pieces.end()));
}

std::string EditedText::text() const {
  std::string result;
  for (const Piece& piece : pieces_)
    result += piece.text;
  return result;
}

text::SourceText afterChanges(const text::SourceText& text, llvm::ArrayRef<ContentChange> changes,
                              PositionEncoding encoding) {
  if (changes.size() == 1) { // typing
    const ContentChange& change = changes.front();
    if (!change.range) return text::SourceText(change.text);
    return text.apply(editOf(text, *change.range, change.text, encoding));
  }
  EditedText edited(text.text(), encoding);
  for (const ContentChange& change : changes) {
    if (change.range)
      edited.replace(*change.range, change.text);
    else
      edited = EditedText(change.text, encoding);
  }
  return text::SourceText(edited.text());
}

} // namespace gluond::lsp
