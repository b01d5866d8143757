#include "codegen/suggestions/Suggest.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::codegen {

namespace {

constexpr size_t shortestWord = 4, longWord = 6;
// Names that a program made may be much longer, and every one is compared with every other.
constexpr size_t longestName = 128;
// Pairs of letters that one search compares: a thousand names of 16 letters. Beyond that only slips
// are found.
constexpr size_t mostCompared = 256'000;

// Whether only case and underscores differ.
bool isSpelledAlike(llvm::StringRef a, llvm::StringRef b) {
  while (true) {
    a = a.ltrim('_');
    b = b.ltrim('_');
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (llvm::toLower(a.front()) != llvm::toLower(b.front())) return false;
    a = a.drop_front();
    b = b.drop_front();
  }
}

llvm::SmallVector<llvm::StringRef, 8> wordsOf(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '_', -1, false);
  return words;
}

// The same words in another order: async_fence_shared and fence_async_shared.
bool hasSameWords(llvm::StringRef a, llvm::StringRef b) {
  if (a.size() != b.size()) return false;
  auto left = wordsOf(a), right = wordsOf(b);
  return left.size() > 1 &&
         std::is_permutation(left.begin(), left.end(), right.begin(), right.end());
}

// Whether a whole word is in both names: print in debug_print and device_print.
bool sharesWord(llvm::StringRef a, llvm::ArrayRef<llvm::StringRef> words) {
  return llvm::any_of(wordsOf(a), [&](llvm::StringRef word) {
    return word.size() >= shortestWord && llvm::is_contained(words, word);
  });
}

// "next", "pow", "2" of next_pow2, and "padded", "shared", "layout" of PaddedSharedLayout.
llvm::SmallVector<std::string, 8> partsOf(llvm::StringRef name) {
  llvm::SmallVector<std::string, 8> parts;
  char before = '_';
  for (char c : name) {
    bool begins = before == '_' || llvm::isDigit(c) != llvm::isDigit(before) ||
                  (llvm::isUpper(c) && !llvm::isUpper(before));
    if (c != '_') {
      if (begins) parts.emplace_back();
      parts.back() += llvm::toLower(c);
    }
    before = c;
  }
  return parts;
}

// Whether one is an abbreviation or another form of the other: pow and power, block and blocked.
bool isFormOf(llvm::StringRef a, llvm::StringRef b) {
  constexpr size_t shortestStem = 3;
  size_t shorter = std::min(a.size(), b.size());
  return a == b || (shorter >= shortestStem && a.take_front(shorter) == b.take_front(shorter));
}

// The number of letters of `candidate` in words that have a counterpart in `wanted`, if all words
// of one of the names have one; 0 otherwise.
size_t sharedLetters(llvm::ArrayRef<std::string> left, llvm::StringRef candidate) {
  auto right = partsOf(candidate);
  size_t words = 0, letters = 0;
  for (const std::string& part : left) {
    auto* found =
        llvm::find_if(right, [&](const std::string& each) { return isFormOf(part, each); });
    if (found == right.end()) continue;
    ++words;
    letters += found->size();
    right.erase(found);
  }
  return words == left.size() || right.empty() ? letters : 0;
}

// The differing part of each, and the words (between underscores) around it.
struct Difference {
  llvm::StringRef written, meant;
  size_t wordLength;
};

Difference difference(llvm::StringRef written, llvm::StringRef meant) {
  size_t shorter = std::min(written.size(), meant.size()), front = 0, back = 0;
  while (front < shorter && written[front] == meant[front])
    ++front;
  while (back < shorter - front &&
         written[written.size() - 1 - back] == meant[meant.size() - 1 - back])
    ++back;
  auto wordLength = [&](llvm::StringRef name) {
    size_t begin = name.take_front(front).rfind('_'), end = name.find('_', name.size() - back);
    begin = begin == llvm::StringRef::npos ? 0 : begin + 1;
    return std::min(end, name.size()) - begin;
  };
  return {written.slice(front, written.size() - back), meant.slice(front, meant.size() - back),
          std::min(wordLength(written), wordLength(meant))};
}

} // namespace

bool isSlip(llvm::StringRef written, llvm::StringRef meant) {
  if (written == meant || std::min(written.size(), meant.size()) < shortestWord) return false;
  if (std::max(written.size(), meant.size()) > longestName) return false;
  if (isSpelledAlike(written, meant)) return true;
  auto [had, wants, wordLength] = difference(written, meant);
  auto isLetter = [](char c) { return llvm::isAlpha(c); };
  if (wordLength < shortestWord || !llvm::all_of(had, isLetter) || !llvm::all_of(wants, isLetter))
    return false;
  if (had.size() + wants.size() == 1) return true; // one too many or too few
  if (had.size() == 2 && wants.size() == 2) return had[0] == wants[1] && had[1] == wants[0];
  return had.size() == 1 && wants.size() == 1 && wordLength >= longWord;
}

bool isOtherWidth(llvm::StringRef written, llvm::StringRef meant) {
  constexpr llvm::StringLiteral digits = "0123456789";
  llvm::StringRef first = written.rtrim(digits), second = meant.rtrim(digits);
  unsigned width = 0;
  return first == second && second.size() < meant.size() &&
         !written.drop_front(first.size()).getAsInteger(10, width) && llvm::isPowerOf2_32(width);
}

// Whether two neighbors are swapped, and all else agrees: "mxa" for "max".
static bool isSwap(llvm::StringRef written, llvm::StringRef meant) {
  if (written.size() != meant.size() || written.size() < 3) return false;
  size_t at = 0;
  while (at < written.size() && written[at] == meant[at])
    ++at;
  return at + 1 < written.size() && written[at] == meant[at + 1] && written[at + 1] == meant[at] &&
         written.drop_front(at + 2) == meant.drop_front(at + 2);
}

Nearest::Nearest(llvm::StringRef wanted)
    : wanted_(wanted), words_(wordsOf(wanted)), parts_(partsOf(wanted)),
      best_(static_cast<unsigned>(std::max<size_t>(wanted.size() / 3, 1)) + 1) {}

void Nearest::offer(llvm::StringRef candidate) {
  if (candidate.empty() || candidate.starts_with("__") || candidate == wanted_) return;
  if (candidate != slip_ && isSlip(wanted_, candidate)) {
    slip_ = candidate;
    ++slips_;
  }
  compared_ += wanted_.size() * candidate.size();
  if (compared_ > mostCompared) {
    if (candidate == slip_ && best_ > 1) {
      name_ = candidate;
      best_ = 1;
    }
    return;
  }
  if (name_.empty()) offerByWords(candidate);
  // Where a word agrees, one letter more may differ, until a closer name is found.
  unsigned limit = best_ + (name_.empty() && sharesWord(candidate, words_));
  unsigned distance = wanted_.edit_distance(candidate, true, std::max(limit, 3u));
  // Two neighbors that were swapped count as one letter; upper and lower case are closer than any.
  if (distance == 2 && (candidate == slip_ || isSwap(wanted_, candidate))) distance = 1;
  if (candidate.equals_insensitive(wanted_) || hasSameWords(wanted_, candidate)) distance = 0;
  if (distance >= wanted_.size()) return; // they have no letter in common
  if (distance == best_ && !name_.empty()) isTied_ = true;
  if (distance >= limit) return;
  isTied_ = false;
  best_ = distance;
  name_ = candidate;
}

// At least half of the letters must agree.
void Nearest::offerByWords(llvm::StringRef candidate) {
  if (2 * candidate.size() < wanted_.size()) return;
  size_t letters = sharedLetters(parts_, candidate);
  if (letters < shortestWord || 2 * letters < std::max(wanted_.size(), candidate.size())) return;
  if (letters == letters_) byWords_ = {};
  if (letters <= letters_) return;
  letters_ = letters;
  byWords_ = candidate;
}

void Nearest::offerMembers(language::ModuleId of) {
  llvm::SmallVector<const language::Builtin*, 0> rows;
  language::namesOf(of, rows);
  for (const language::Builtin* row : rows)
    offer(row->name);
}

} // namespace gluond::codegen
