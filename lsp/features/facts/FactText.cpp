#include "lsp/features/facts/FactText.h"

#include "driver/analysis/ChosenLayouts.h"
#include "driver/inspect/LayoutMap.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace gluond::lsp {

using codegen::FactKind;
using codegen::TypeFact;

std::string shortened(llvm::StringRef text, size_t most) {
  if (text.size() <= most) return text.str();
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80)
    --most; // not within a character
  return text.take_front(most).str() + "...";
}

std::string code(llvm::StringRef whole) {
  std::string text = shortened(whole, mostShown);
  // A longer fence than any in the text, so that it cannot end early.
  size_t longest = 2, run = 0;
  for (char c : text)
    longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  std::string fence(longest + 1, '`');
  return fence + "python\n" + text + "\n" + fence + "\n";
}

// Returns the escaped form of a mark that changes the direction of text (U+202A to 202E, 2066 to
// 2069) at the beginning of the text, or "" if there is none.
static std::string directionMark(llvm::StringRef text) {
  if (text.size() < 3 || text[0] != '\xE2' || (text[1] != '\x80' && text[1] != '\x81')) return {};
  unsigned code = 0x2000 + (text[1] == '\x81' ? 0x40 : 0) + (text[2] & 0x3F);
  bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return turns ? "\\\\u" + llvm::utohexstr(code, /*LowerCase=*/true) : std::string();
}

std::string plainInMarkdown(llvm::StringRef whole) {
  std::string plain, shown = shortened(whole, mostShown);
  for (llvm::StringRef text = shown; !text.empty(); text = text.drop_front()) {
    char c = text.front();
    if (std::string mark = directionMark(text); !mark.empty()) {
      plain += mark;
      text = text.drop_front(2);
    } else if (c == '<')
      plain += "&lt;";
    else if (c == '[' || c == ']' || c == '\\')
      (plain += '\\') += c;
    else
      plain += c;
  }
  return plain;
}

std::string bytesText(uint64_t bytes) {
  if (bytes >= 1024 && bytes % 1024 == 0) return std::to_string(bytes / 1024) + " KiB";
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

namespace {

std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

std::string basesText(const layout::Bases& bases) {
  if (bases.empty()) return "[]";
  std::string text = "[";
  for (const auto& basis : bases) {
    if (text.size() > 1) text += ", ";
    text += "[";
    for (auto [i, coordinate] : llvm::enumerate(basis))
      text += (i ? ", " : "") + std::to_string(coordinate);
    text += "]";
  }
  return text + "]";
}

// The elements that each thread holds, and how often each element is held.
std::string ownership(const layout::LayoutReport& report, unsigned elementBits) {
  std::string text;
  int64_t copies = 1;
  for (auto [i, dim] : llvm::enumerate(report.dims)) {
    copies *= report.replication[i];
    if (layout::name(dim) != "register") continue;
    uint64_t registers = uint64_t{1} << report.bases[i].size();
    text += std::to_string(registers) + (registers == 1 ? " element" : " elements");
    if (elementBits) text += " (" + bytesText((registers * elementBits + 7) / 8) + ")";
    text += " per thread";
  }
  if (text.empty()) return "";
  if (copies > 1) text += ", each element held " + std::to_string(copies) + " times";
  return text;
}

std::string describeMembers(const Fact& fact) {
  std::string text;
  for (const TypeFact::Member& member : fact.type.members) {
    const TypeFact& type = fact.member(member);
    if (text.size() > 2000) return text + "\n...";
    if (!text.empty()) text += "\n";
    text += member.name.empty() ? "" : member.name;
    bool isConstant = type.kind == FactKind::Constexpr || type.kind == FactKind::Other;
    std::string what = isConstant ? type.text : shortText(type);
    if (what.empty()) what = type.text;
    text += member.name.empty() ? what : (isConstant ? " = " : ": ") + what;
    if (!type.layout.empty() && !isConstant) text += "  # " + type.layout;
  }
  return text;
}

} // namespace

std::string describeLayout(const Fact& fact, Interner& names) {
  const TypeFact& type = fact.type;
  if (type.layout.empty()) return "";
  // A layout's own text is shown above already.
  std::string markdown = type.kind == FactKind::Constexpr ? "" : code(type.layout);
  if (driver::isChosenLayout(type)) markdown += "chosen by the compiler\n";
  driver::LayoutRequest request;
  request.expression = fact.layout();
  request.shape.assign(type.shape.begin(), type.shape.end());
  request.target = fact.target;
  auto map = driver::layoutMap(names, request);
  if (!map) return markdown;
  layout::LayoutReport report = layout::report(map->picture);
  std::string linear;
  for (auto [i, dim] : llvm::enumerate(report.dims)) {
    if (report.bases[i].empty()) continue;
    linear +=
        (linear.empty() ? "" : "\n") + layout::name(dim).str() + " = " + basesText(report.bases[i]);
  }
  if (type.shape.empty() && !report.shape.empty())
    markdown += "\nover its own tile, " + shapeText(report.shape) + ":\n";
  if (!linear.empty()) markdown += "\n" + code(linear);
  if (std::string held = ownership(report, type.elementBits); !held.empty())
    markdown += "\n" + held + "\n";
  return markdown;
}

std::string describeFact(const Fact& fact, llvm::StringRef expression, Interner& names) {
  const TypeFact& type = fact.type;
  bool isShort = expression.size() <= 60 && !expression.contains('\n');
  std::string name = isShort ? expression.str() : "...";
  std::string markdown;
  switch (type.kind) {
  case FactKind::Constexpr:
    markdown = code(name + " = " + type.text);
    break;
  case FactKind::Aggregate: {
    std::string text = name + ": " + type.className;
    if (std::string members = describeMembers(fact); !members.empty()) text += "\n\n" + members;
    markdown = code(text);
    break;
  }
  case FactKind::Tuple: {
    std::string members = describeMembers(fact);
    markdown = code(name + ": tuple" + (members.empty() ? "" : "\n\n" + members));
    break;
  }
  default:
    markdown = code(name + ": " + (type.shape.empty() ? type.text : shortText(type)));
  }
  if (std::string layout = describeLayout(fact, names); !layout.empty()) markdown += "\n" + layout;
  if (!type.shape.empty()) {
    markdown += "\n" + shapeText(type.shape);
    if (type.bytes)
      markdown += ", " + bytesText(type.bytes) +
                  (type.kind == FactKind::MemoryDescriptor
                       ? type.isTensorMemory ? " of tensor memory" : " of shared memory"
                       : "");
    markdown += "\n";
  }
  return markdown + "\n*" + fact.kernel.qualname + "*: " + fact.variant.label + "\n";
}

} // namespace gluond::lsp
