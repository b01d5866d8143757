#include "releases/Release.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <array>

namespace gluond::releases {

namespace {

struct Row {
  Release release;
  llvm::StringLiteral name, version;
};
constexpr Row rows[] = {
    {Release::Triton36, "3.6", "3.6.0"},
    {Release::Triton37, "3.7", "3.7.1"},
    {Release::Triton38, "3.8", "3.8.0"},
    {Release::Triton39, "3.9", "3.9.0"},
};

// The first numbers of a version, as many as are written, and whether ".*" follows.
struct Version {
  llvm::SmallVector<unsigned, 3> numbers;
  bool isPrefix = false;

  static std::optional<Version> read(llvm::StringRef text) {
    Version version;
    text = text.trim();
    text.consume_front("v");
    while (true) {
      if (text.starts_with("*")) {
        version.isPrefix = true;
        break;
      }
      unsigned number = 0;
      if (text.consumeInteger(10, number)) break;
      version.numbers.push_back(number);
      if (!text.consume_front(".")) break; // what follows is a suffix: rc1, +git, .post1
    }
    if (version.numbers.empty()) return std::nullopt;
    return version;
  }
  // -1, 0 or 1, with missing numbers read as 0.
  int compare(const Version& other) const {
    for (size_t i = 0; i < std::max(numbers.size(), other.numbers.size()); ++i) {
      unsigned a = i < numbers.size() ? numbers[i] : 0,
               b = i < other.numbers.size() ? other.numbers[i] : 0;
      if (a != b) return a < b ? -1 : 1;
    }
    return 0;
  }
  bool beginsWith(const Version& other, size_t count) const {
    for (size_t i = 0; i < count; ++i)
      if ((i < numbers.size() ? numbers[i] : 0) != other.numbers[i]) return false;
    return true;
  }
};

// Whether some version of a release (its first one, or the one that gluond knows) fits
// "<op><text>".
bool fits(const Row& row, llvm::StringRef op, const Version& wanted) {
  auto any = [&](auto test) {
    return test(*Version::read(row.version)) || test(*Version::read((row.name + ".0").str()));
  };
  if (op == "==" || op == "===") {
    // The patch does not matter: 3.7.0 has the Gluon of 3.7.1.
    size_t count = std::min<size_t>(wanted.numbers.size(), 2);
    return any([&](const Version& own) { return own.beginsWith(wanted, count); });
  }
  if (op == "!=")
    return !(wanted.isPrefix && any([&](const Version& own) {
               return own.beginsWith(wanted, wanted.numbers.size());
             }));
  if (op == "~=")
    return any([&](const Version& own) {
      return own.compare(wanted) >= 0 &&
             own.beginsWith(wanted, std::max<size_t>(wanted.numbers.size(), 2) - 1);
    });
  if (op == ">=") return any([&](const Version& own) { return own.compare(wanted) >= 0; });
  if (op == "<=") return any([&](const Version& own) { return own.compare(wanted) <= 0; });
  if (op == ">") return any([&](const Version& own) { return own.compare(wanted) > 0; });
  return any([&](const Version& own) { return own.compare(wanted) < 0; });
}

} // namespace

llvm::ArrayRef<Release> all() {
  static constexpr std::array releases = {Release::Triton36, Release::Triton37, Release::Triton38,
                                          Release::Triton39};
  return releases;
}
llvm::StringRef name(Release release) {
  return rows[static_cast<size_t>(release)].name;
}
llvm::StringRef version(Release release) {
  return rows[static_cast<size_t>(release)].version;
}

std::optional<Release> parse(llvm::StringRef text) {
  std::optional<Version> wanted = Version::read(text);
  if (!wanted || wanted->numbers.size() < 2) return std::nullopt;
  for (const Row& row : rows)
    if (Version::read(row.name)->beginsWith(*wanted, 2)) return row.release;
  return std::nullopt;
}

std::optional<Release> closest(llvm::StringRef version) {
  if (std::optional<Release> known = parse(version)) return known;
  std::optional<Version> wanted = Version::read(version);
  if (!wanted) return std::nullopt;
  return wanted->compare(*Version::read(name(oldest))) < 0 ? oldest : newest;
}

std::optional<Release> required(llvm::StringRef requirement) {
  requirement = requirement.split(';').first.split('#').first.trim();
  if (!requirement.consume_front("triton")) return std::nullopt;
  requirement = requirement.ltrim();
  if (requirement.consume_front("[")) requirement = requirement.split(']').second.ltrim(); // extras
  requirement.consume_front("(");
  requirement.consume_back(")");
  if (requirement.empty() || !llvm::StringRef("=<>~!").contains(requirement.front()))
    return std::nullopt; // "triton", "triton-windows", "triton @ https://..."
  llvm::SmallVector<std::pair<llvm::StringRef, Version>, 2> wanted;
  llvm::SmallVector<llvm::StringRef, 2> clauses;
  requirement.split(clauses, ',');
  for (llvm::StringRef clause : clauses) {
    clause = clause.trim();
    llvm::StringRef op =
        clause.take_while([](char c) { return llvm::StringRef("=<>~!").contains(c); });
    std::optional<Version> version = Version::read(clause.drop_front(op.size()));
    if (op.empty() || !version) return std::nullopt;
    wanted.push_back({op, *version});
  }
  for (const Row& row : llvm::reverse(rows))
    if (llvm::all_of(wanted, [&](const auto& each) { return fits(row, each.first, each.second); }))
      return row.release;
  // Only versions before or after the known ones fit.
  auto isBelow = [&](const auto& each) {
    return each.first.front() != '>' && each.second.compare(*Version::read(name(oldest))) < 0;
  };
  return llvm::any_of(wanted, isBelow) ? oldest : newest;
}

} // namespace gluond::releases
