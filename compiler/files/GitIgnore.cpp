#include "files/GitIgnore.h"

#include "files/ReadFile.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace gluond::files {

namespace path = llvm::sys::path;

namespace {

// A rule that is longer than any path matches none.
constexpr size_t mostBytes = size_t{1} << 20, mostRules = 10'000, longestRule = 4096;

// Matches [a-z] or [!x] at the beginning of `pattern`; returns false if there is no such class.
bool takeClass(llvm::StringRef& pattern, char c, bool& matches) {
  llvm::StringRef rest = pattern.drop_front();
  bool isNegated = rest.consume_front("!") || rest.consume_front("^");
  matches = false;
  for (bool isFirst = true; !rest.empty(); isFirst = false) {
    if (rest.front() == ']' && !isFirst) {
      pattern = rest.drop_front();
      matches = matches != isNegated;
      return true;
    }
    char low = rest.front();
    rest = rest.drop_front();
    char high = low;
    if (rest.size() > 1 && rest.front() == '-' && rest[1] != ']') {
      high = rest[1];
      rest = rest.drop_front(2);
    }
    matches |= low <= c && c <= high;
  }
  return false;
}

// Works without recursion: a star that does not match is tried again one character further. Of
// several stars only the last one must be retried, except across folders.
bool match(llvm::StringRef pattern, llvm::StringRef name, unsigned& budget) {
  llvm::StringRef starPattern, starName, farPattern, farName; // where to try again
  bool hasStar = false, hasFar = false, byFolders = false;
  while (true) {
    if (budget == 0) return false;
    --budget;
    if (pattern.starts_with("**")) {
      llvm::StringRef rest = pattern.drop_while([](char c) { return c == '*'; });
      hasFar = true;
      hasStar = false;
      farPattern = rest;
      farName = name;
      // a/**/b may have no folder between them
      byFolders = farPattern.consume_front("/");
      pattern = farPattern;
      continue;
    }
    if (pattern.starts_with("*")) {
      pattern = pattern.drop_front();
      hasStar = true;
      starPattern = pattern;
      starName = name;
      continue;
    }
    bool fits = false;
    if (!name.empty() && !pattern.empty()) {
      char c = name.front();
      size_t before = pattern.size();
      if (pattern.front() == '?') {
        fits = c != '/';
        if (fits) pattern = pattern.drop_front();
      } else if (bool inClass = false; pattern.front() == '[' && takeClass(pattern, c, inClass)) {
        fits = inClass && c != '/';
        budget -= std::min(budget, static_cast<unsigned>(before - pattern.size()));
      } else {
        if (pattern.front() == '\\' && pattern.size() > 1) pattern = pattern.drop_front();
        fits = pattern.front() == c;
        if (fits) pattern = pattern.drop_front();
      }
      if (fits) name = name.drop_front();
    } else if (name.empty() && pattern.empty()) {
      return true;
    }
    if (fits) continue;
    if (hasStar && !starName.empty() && starName.front() != '/') {
      starName = starName.drop_front();
      pattern = starPattern;
      name = starName;
    } else if (hasFar && !farName.empty()) {
      size_t slash = byFolders ? farName.find('/') : 0;
      if (slash == llvm::StringRef::npos) return false;
      farName = farName.drop_front(slash + 1);
      hasStar = false;
      pattern = farPattern;
      name = farName;
    } else {
      return false;
    }
  }
}

} // namespace

bool matchesGlob(llvm::StringRef pattern, llvm::StringRef name) {
  unsigned budget = 100'000;
  return match(pattern, name, budget);
}

std::optional<std::string> whyNoGlob(llvm::StringRef pattern) {
  if (pattern.empty()) return "an empty pattern matches nothing";
  for (llvm::StringRef rest = pattern; !rest.empty();) {
    bool matches = false;
    if (rest.front() == '\\') {
      rest = rest.drop_front(std::min<size_t>(2, rest.size()));
    } else if (rest.front() != '[') {
      rest = rest.drop_front();
    } else if (!takeClass(rest, 'a', matches)) {
      return "'" + pattern.str() + "' is not a pattern: '[' has no ']' (write \\[ for a bracket)";
    }
  }
  return std::nullopt;
}

GitIgnore::GitIgnore(llvm::StringRef root) {
  llvm::StringRef up = root.rtrim('/');
  for (; !up.empty(); up = path::parent_path(up)) {
    if (!llvm::sys::fs::exists(up + "/.git")) {
      if (up == "/") break;
      continue;
    }
    repository_ = up.str();
    llvm::StringRef below = root.rtrim('/').drop_front(up.size()).ltrim('/');
    if (!below.empty()) prefix_ = below.str() + "/";
    exclude_ = read(repository_ + "/.git/info/exclude");
    return;
  }
}

GitIgnore::Rules GitIgnore::read(const std::string& file) const {
  Rules rules;
  auto text = readFileBeneath(repository_, file, mostBytes);
  if (!text) return rules;
  llvm::StringRef rest = *text;
  rest.consume_front("\xef\xbb\xbf");
  while (!rest.empty() && rules.size() < mostRules) {
    auto [line, after] = rest.split('\n');
    rest = after;
    line.consume_back("\r");
    if (line.starts_with("#")) continue;
    while (line.ends_with(" ") && !line.ends_with("\\ "))
      line = line.drop_back();
    Rule rule;
    rule.isNegated = line.consume_front("!");
    rule.onlyFolders = line.consume_back("/");
    if (line.size() > longestRule || whyNoGlob(line)) continue; // git matches nothing with '['
    // A slash anywhere but at the end ties the pattern to the folder of the file.
    rule.isAnchored = line.contains('/');
    line.consume_front("/");
    rule.pattern = line.str();
    rules.push_back(std::move(rule));
  }
  return rules;
}

const GitIgnore::Rules& GitIgnore::rulesOf(llvm::StringRef folder) {
  auto [it, isNew] = known_.try_emplace(folder);
  if (isNew) {
    std::string file =
        repository_ + "/" + folder.str() + (folder.empty() ? "" : "/") + ".gitignore";
    it->second = read(file);
  }
  return it->second;
}

bool GitIgnore::ignores(llvm::StringRef name, bool isFolder) {
  if (repository_.empty()) return false;
  std::string whole = prefix_ + name.str();
  llvm::StringRef last = path::filename(whole);
  bool isIgnored = false;
  // The last rule that fits decides; those of deeper folders come later.
  auto apply = [&](const Rules& rules, llvm::StringRef below) {
    for (const Rule& rule : rules) {
      if (rule.onlyFolders && !isFolder) continue;
      if (rule.isNegated != isIgnored) continue;
      if (matchesGlob(rule.pattern, rule.isAnchored ? below : last)) isIgnored = !rule.isNegated;
    }
  };
  apply(exclude_, whole);
  llvm::StringRef rest = whole;
  size_t folderSize = 0;
  while (true) {
    llvm::StringRef folder = llvm::StringRef(whole).take_front(folderSize);
    apply(rulesOf(folder.rtrim('/')), rest);
    size_t slash = rest.find('/');
    if (slash == llvm::StringRef::npos) return isIgnored;
    folderSize += slash + 1;
    rest = rest.drop_front(slash + 1);
  }
}

} // namespace gluond::files
