#include "text/UnifiedDiff.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <vector>

namespace gluond::text {

namespace {

using Lines = llvm::SmallVector<llvm::StringRef, 0>;

// With their line ends.
Lines linesOf(llvm::StringRef text) {
  Lines lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    size_t size = end == llvm::StringRef::npos ? text.size() : end + 1;
    lines.push_back(text.take_front(size));
    text = text.drop_front(size);
  }
  return lines;
}

struct Change { // lines [begin, end) of the old text become those of the new one
  size_t oldBegin, oldEnd, newBegin, newEnd;
};

// Computes the longest common subsequence between the common beginning and end; if that would take
// too long, the difference is one change.
std::vector<Change> changesOf(llvm::ArrayRef<llvm::StringRef> a,
                              llvm::ArrayRef<llvm::StringRef> b) {
  size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head])
    ++head;
  while (tail < a.size() - head && tail < b.size() - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  size_t n = a.size() - head - tail, m = b.size() - head - tail;
  if (n == 0 && m == 0) return {};
  constexpr size_t mostCells = 16'000'000;
  if (n == 0 || m == 0 || n > mostCells / m) return {{head, head + n, head, head + m}};
  std::vector<uint32_t> length((n + 1) * (m + 1), 0);
  auto at = [&](size_t i, size_t k) -> uint32_t& { return length[i * (m + 1) + k]; };
  for (size_t i = n; i-- > 0;)
    for (size_t k = m; k-- > 0;)
      at(i, k) =
          a[head + i] == b[head + k] ? at(i + 1, k + 1) + 1 : std::max(at(i + 1, k), at(i, k + 1));
  std::vector<Change> changes;
  for (size_t i = 0, k = 0; i < n || k < m;) {
    if (i < n && k < m && a[head + i] == b[head + k]) {
      ++i;
      ++k;
      continue;
    }
    Change change{head + i, head + i, head + k, head + k};
    while ((i < n || k < m) && !(i < n && k < m && a[head + i] == b[head + k]))
      (k >= m || (i < n && at(i + 1, k) >= at(i, k + 1))) ? ++i : ++k;
    change.oldEnd = head + i;
    change.newEnd = head + k;
    changes.push_back(change);
  }
  return changes;
}

// The name as git and patch read it in a header: with quotes and escapes where it would forge lines
// or reach a terminal otherwise.
std::string nameInHeader(llvm::StringRef name) {
  auto isSpecial = [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f' || c == '"' || c == '\\';
  };
  if (llvm::none_of(name, isSpecial)) return name.str();
  std::string quoted = "\"";
  for (char c : name) {
    if (!isSpecial(c)) {
      quoted += c;
    } else if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else {
      auto code = static_cast<unsigned char>(c);
      quoted += '\\';
      for (unsigned shift : {6u, 3u, 0u})
        quoted += static_cast<char>('0' + (code >> shift & 7));
    }
  }
  return quoted + "\"";
}

} // namespace

std::string unifiedDiff(llvm::StringRef name, llvm::StringRef before, llvm::StringRef after) {
  constexpr size_t context = 3;
  Lines a = linesOf(before), b = linesOf(after);
  std::vector<Change> changes = changesOf(a, b);
  if (changes.empty()) return "";
  std::string shown = nameInHeader(name), out = "--- " + shown + "\n+++ " + shown + "\n";
  auto add = [&](char mark, llvm::StringRef line) {
    out += mark;
    out += line;
    if (!line.ends_with("\n")) out += "\n\\ No newline at end of file\n";
  };
  for (size_t first = 0; first < changes.size();) {
    size_t last = first;
    while (last + 1 < changes.size() &&
           changes[last + 1].oldBegin - changes[last].oldEnd <= 2 * context)
      ++last;
    size_t lead = std::min(context, changes[first].oldBegin);
    size_t oldBegin = changes[first].oldBegin - lead, newBegin = changes[first].newBegin - lead;
    size_t trail = std::min(context, a.size() - changes[last].oldEnd);
    size_t oldEnd = changes[last].oldEnd + trail, newEnd = changes[last].newEnd + trail;
    auto span = [](size_t begin, size_t end) {
      return std::to_string(end == begin ? begin : begin + 1) + "," + std::to_string(end - begin);
    };
    out += "@@ -" + span(oldBegin, oldEnd) + " +" + span(newBegin, newEnd) + " @@\n";
    size_t at = oldBegin;
    for (size_t i = first; i <= last; ++i) {
      for (; at < changes[i].oldBegin; ++at)
        add(' ', a[at]);
      for (; at < changes[i].oldEnd; ++at)
        add('-', a[at]);
      for (size_t k = changes[i].newBegin; k < changes[i].newEnd; ++k)
        add('+', b[k]);
    }
    for (; at < oldEnd; ++at)
      add(' ', a[at]);
    first = last + 1;
  }
  return out;
}

} // namespace gluond::text
