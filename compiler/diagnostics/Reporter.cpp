#include "diagnostics/Reporter.h"

#include "text/SourceText.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <tuple>

namespace gluond::diagnostics {

void Argument::append(std::string& out) const {
  switch (kind_) {
  case ArgumentKind::Text:
    text::appendValidUtf8(out, text_);
    break;
  case ArgumentKind::Integer:
    out += std::to_string(integer_);
    break;
  case ArgumentKind::List:
    for (size_t i = 0; i < list_.size(); ++i) {
      if (i) out += ", ";
      text::appendValidUtf8(out, list_[i]);
    }
    break;
  }
}

// Templates have counted nouns in the plural, "3 positional arguments". If one follows at `at`,
// appends its singular and returns where it ends; otherwise returns `at`.
static size_t appendSingular(std::string& out, llvm::StringRef text, size_t at) {
  llvm::StringRef rest = text.substr(at);
  if (!rest.consume_front(" ")) return at;
  if (rest.consume_front("positional ")) out += " positional";
  at = text.size() - rest.size() - 1;
  llvm::StringRef noun = rest.take_while(llvm::isAlpha), stem = noun;
  constexpr size_t longestVerb = 2; // "is"
  if (noun.size() <= longestVerb || !stem.consume_back("s")) return at;
  bool isInIes = stem.consume_back("ie");
  out += (" " + stem + (isInIes ? "y" : "")).str();
  return at + 1 + noun.size();
}

std::string format(std::string_view text, llvm::ArrayRef<Argument> arguments) {
  std::string out;
  size_t copied = 0;
  detail::forEachPlaceholder(
      text, [&](size_t begin, size_t end, size_t argument, std::string_view name) {
        out.append(text, copied, begin - copied);
        size_t start = out.size();
        if (argument < arguments.size()) arguments[argument].append(out);
        bool isOne = name.ends_with(":int") && std::string_view(out).substr(start) == "1";
        copied = isOne ? appendSingular(out, text, end) : end;
      });
  return out.append(text.substr(copied));
}

// Messages may contain the user's own text, which may be long.
static std::string shortened(std::string text) {
  constexpr size_t longest = 16384;
  if (text.size() <= longest) return text;
  size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end; // not within a character
  text.resize(end);
  return text + "...";
}

Diagnostic describe(Id id, Severity severity, Location location,
                    llvm::ArrayRef<Argument> arguments) {
  Diagnostic diagnostic{id, severity, location, shortened(format(row(id).message, arguments)),
                        {}, {}};
  for (const Argument& each : arguments) {
    std::string text;
    each.append(text);
    diagnostic.arguments.push_back(shortened(std::move(text)));
  }
  return diagnostic;
}

llvm::StringRef argument(const Diagnostic& diagnostic, ArgumentOf which) {
  bool hasIt = diagnostic.id == which.id && which.index < diagnostic.arguments.size();
  return hasIt ? llvm::StringRef(diagnostic.arguments[which.index]) : llvm::StringRef();
}

void sortByPlace(std::vector<Diagnostic>& diagnostics) {
  auto key = [](const Diagnostic& d) {
    return std::tuple(d.location.file, d.location.range.begin);
  };
  if (llvm::is_sorted(diagnostics,
                      [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); }))
    return;
  std::vector<std::pair<size_t, Diagnostic>> indexed;
  indexed.reserve(diagnostics.size());
  for (size_t i = 0; i < diagnostics.size(); ++i)
    indexed.push_back({i, std::move(diagnostics[i])});
  llvm::sort(indexed, [&](const auto& a, const auto& b) {
    return std::tuple(key(a.second), a.first) < std::tuple(key(b.second), b.first);
  });
  for (size_t i = 0; i < diagnostics.size(); ++i)
    diagnostics[i] = std::move(indexed[i].second);
}

InFlight Reporter::emit(Id id, Location location, llvm::ArrayRef<Argument> arguments) {
  ++count_;
  if (out_.size() >= limit_) return InFlight(nullptr);
  out_.push_back(describe(id, row(id).severity, location, arguments));
  return InFlight(&out_.back());
}

} // namespace gluond::diagnostics
