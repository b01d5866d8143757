#include "Grammar.h"

#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"

#include <llvm/Support/MemoryBuffer.h>

namespace gluond::fuzz {

using llvm::StringRef;

namespace {

constexpr unsigned mostDepth = 14; // past it only leaves are taken
constexpr int mostParts = 400;

// The next <rule> of a line at or behind `from`: where it begins and its name; empty: there is
// none.
StringRef nextRule(StringRef line, size_t& from) {
  for (; (from = line.find('<', from)) != StringRef::npos; ++from) {
    StringRef name =
        line.substr(from + 1).take_while([](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    if (!name.empty() && line.substr(from + 1 + name.size()).starts_with(">")) return name;
  }
  return {};
}

} // namespace

Grammar Grammar::read(StringRef file) {
  auto text =
      llvm::MemoryBuffer::getFile(llvm::Twine(GLUOND_SOURCE_DIR "/tests/fuzz/grammar/") + file);
  Grammar result(text ? (*text)->getBuffer() : StringRef());
  for (const language::Builtin& row : language::builtins()) {
    result.add("intrinsic", row.name.str());
    if (!row.where.empty())
      result.add("builtin", (StringRef(row.where).split(' ').first + "." + row.name).str());
    if (row.kind == language::BuiltinKind::Layout) result.add("layout", row.name.str());
  }
  result.finish();
  return result;
}

const Grammar& Grammar::python() {
  static const Grammar grammar = read("python.txt");
  return grammar;
}

const Grammar& Grammar::kernels() {
  static const Grammar grammar = read("kernels.txt");
  return grammar;
}

Grammar::Grammar(StringRef text) {
  bool inBlocks = false;
  StringRef rule;
  std::string block;
  auto close = [&] {
    if (!block.empty()) add(rule, std::exchange(block, {}));
  };
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line.starts_with("%lines ") || line.starts_with("%blocks ")) {
      close();
      inBlocks = line.starts_with("%blocks");
      rule = line.split(' ').second;
    } else if (line.empty() || rule.empty()) {
      close();
    } else if (inBlocks) {
      if (!block.empty()) block += '\n';
      block += line.str();
    } else {
      add(rule, line.str());
    }
  }
  close();
}

void Grammar::add(StringRef rule, std::string alternative) {
  rules_[rule].alternatives.push_back(std::move(alternative));
}

void Grammar::finish() {
  for (auto& entry : rules_) {
    Rule& rule = entry.second;
    for (const std::string& alternative : rule.alternatives) {
      size_t from = 0;
      if (nextRule(alternative, from).empty()) rule.leaves.push_back(alternative);
    }
    if (rule.leaves.empty()) rule.leaves = rule.alternatives;
  }
}

std::string Grammar::make(Random& random, StringRef rule) const {
  int parts = mostParts;
  return make(random, rule, 0, parts);
}

std::string Grammar::make(Random& random, StringRef rule, unsigned depth, int& parts) const {
  auto found = rules_.find(rule);
  if (found == rules_.end() || depth > 2 * mostDepth) return "0";
  bool ends = --parts < 0 || depth > mostDepth;
  StringRef text = random.of(ends ? found->second.leaves : found->second.alternatives);
  std::string out;
  while (true) {
    StringRef line = text.take_until([](char c) { return c == '\n'; });
    std::string indent(line.size() - line.ltrim(' ').size(), ' ');
    size_t done = 0, at = 0;
    for (StringRef inner; !(inner = nextRule(line, at)).empty(); done = at) {
      out += line.slice(done, at);
      at += inner.size() + 2;
      for (char c : make(random, inner, depth + 1, parts)) {
        out += c;
        if (c == '\n') out += indent;
      }
    }
    out += line.substr(done);
    if (line.size() == text.size()) return out;
    out += '\n';
    text = text.drop_front(line.size() + 1);
  }
}

} // namespace gluond::fuzz
