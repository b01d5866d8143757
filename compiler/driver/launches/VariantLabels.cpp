#include "driver/launches/VariantLabels.h"

#include "driver/json/Json.h"
#include "language/types/Text.h"
#include "syntax/parser/Keywords.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gluond::driver {

using namespace language;

namespace {

constexpr size_t longest = 44;     // of a value
constexpr unsigned mostShown = 32; // arguments in a label, beyond those that tell launches apart

// "SwizzledSharedLayout(8, 1, 8, [1, 0])" for "SwizzledSharedLayout(vec=8, per_phase=1, ...)": the
// fields of layouts have an order that people know. Other texts stay.
std::string withoutFields(llvm::StringRef text) {
  constexpr llvm::StringLiteral layout = "Layout(", oneCta = ", cga_layout=[]";
  std::string out;
  llvm::SmallVector<bool> isOfLayout{false}; // the open brackets
  while (!text.empty()) {
    if (isOfLayout.back() && text.consume_front(oneCta)) continue;
    char c = text.front();
    out += c;
    text = text.drop_front();
    if (c == '(' || c == '[') isOfLayout.push_back(llvm::StringRef(out).ends_with(layout));
    if ((c == ')' || c == ']') && isOfLayout.size() > 1) isOfLayout.pop_back();
    if (!isOfLayout.back() || (c != '(' && c != ' ')) continue; // no field begins here
    llvm::StringRef name = text.take_while(syntax::isIdentifierPart);
    if (text.drop_front(name.size()).starts_with("=")) text = text.drop_front(name.size() + 1);
  }
  return out;
}

// Labels have parts, between which are blanks.
std::string withoutBlanks(std::string text) {
  llvm::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

std::string shortened(llvm::StringRef whole) {
  constexpr size_t read = 4096; // of a long value, for which this is enough by far
  std::string text = withoutFields(whole.take_front(read));
  bool isString = whole.starts_with("'") || whole.starts_with("\"");
  if (text.size() > longest && !isString) text = withoutBlanks(std::move(text));
  return text.size() > longest || whole.size() > read ? text.substr(0, longest - 3) + "..." : text;
}

// Returns "fp16[128, 64]", or "" if it is no descriptor.
std::string blockOf(const evaluate::LaunchArgument& argument, const Interner& names) {
  if (!argument.type || !argument.type->is(language::TypeKind::TensorDescriptor)) return {};
  const language::Type* block = argument.type->element();
  std::string text;
  llvm::raw_string_ostream out(text);
  out << language::str(block->scalar(), names) << '[';
  llvm::interleaveComma(block->shape(), out);
  out << ']';
  return text;
}

} // namespace

std::string labelOf(const evaluate::Launch& launch, const Interner& names) {
  std::string label;
  llvm::StringMap<std::string> constants;
  unsigned shown = 0;
  for (const evaluate::LaunchArgument& argument : launch.arguments) {
    if (shown == mostShown) {
      label += "and others ";
      break;
    }
    std::string text = blockOf(argument, names), name = names.text(argument.name).str();
    if (argument.isConstexpr && !argument.constant.isUnknown())
      constants[name] = text = shortened(repr(argument.constant, names));
    if (text.empty()) continue;
    label += name + "=" + text + " ";
    ++shown;
  }
  for (const evaluate::LaunchOption& option : launch.options)
    if (std::string text = repr(option.value, names); constants.lookup(option.name) != text)
      label += option.name + "=" + text + " ";
  return label + "(" + launch.target + ")";
}

std::string labelOf(const LaunchRecord& record) {
  std::string label;
  for (const JsonValue& argument : record.json->find("args")->items()) {
    const JsonValue* value = argument.find("value");
    if (argument.textOf("type") != "constexpr" || !value) continue;
    llvm::StringRef text = value->source();
    for (const JsonValue& member : value->items()) // {"$layout": "BlockedLayout", ...}
      if (member.key().starts_with("$") && member.isString()) text = member.text();
    label += (argument.textOf("name") + "=" + shortened(text) + " ").str();
  }
  return label + "num_warps=" + std::to_string(record.options.numWarps) + " (" +
         record.target.name() + ")";
}

namespace {

// One of the things that a launch is specialized on, in full.
struct Attribute {
  std::string name, text;
};

// "*fp16:16", as directives write it.
std::string typeOf(const evaluate::LaunchArgument& argument) {
  std::string text = evaluate::signature(argument);
  if (argument.divisibleBy) text += ":" + std::to_string(*argument.divisibleBy);
  if (argument.pointerRange) text += " in " + std::to_string(*argument.pointerRange) + " bits";
  return text;
}

void addAttributes(const evaluate::LaunchArgument& argument, const std::string& name,
                   const Interner& names, std::vector<Attribute>& out) {
  if (argument.isTuple) {
    for (auto [i, element] : llvm::enumerate(argument.elements))
      addAttributes(element, name + "[" + std::to_string(i) + "]", names, out);
  } else if (argument.isConstexpr) {
    if (!argument.constant.isUnknown()) out.push_back({name, repr(argument.constant, names)});
  } else {
    out.push_back({name, typeOf(argument)});
    if (argument.type && argument.type->is(language::TypeKind::TensorDescriptor))
      out.back().text = language::str(argument.type, names);
  }
}

std::vector<Attribute> attributesOf(const Variant& variant, const Interner& names) {
  std::vector<Attribute> attributes;
  if (const evaluate::Launch* launch = variant.launch) {
    for (const evaluate::LaunchArgument& argument : launch->arguments)
      addAttributes(argument, names.text(argument.name).str(), names, attributes);
    for (const evaluate::LaunchOption& option : launch->options)
      attributes.push_back({option.name, repr(option.value, names)});
  } else if (variant.record.record) {
    const JsonValue& json = *variant.record.record->json;
    for (const JsonValue& argument : json.find("args")->items()) {
      const JsonValue* value = argument.find("value");
      std::string text = value ? value->source().str() : argument.textOf("type").str();
      for (llvm::StringRef more : {"divisible_by", "pointer_range"})
        if (const JsonValue* number = argument.find(more)) text += ":" + number->source().str();
      attributes.push_back({argument.textOf("name").str(), std::move(text)});
    }
    if (const JsonValue* options = json.find("options"))
      for (const JsonValue& option : options->items())
        attributes.push_back({option.key().str(), option.source().str()});
  }
  return attributes;
}

// Where the parameter begins whose value is at `at`: "order" in "..., order=[0, 1])". If that is
// far away, a little before `at`.
size_t parameterBefore(llvm::StringRef text, size_t at) {
  constexpr size_t far = 32, before = 8;
  size_t begin = text.rfind('=', at);
  while (begin != llvm::StringRef::npos && begin > 0 && syntax::isIdentifierPart(text[begin - 1]))
    --begin;
  if (begin != llvm::StringRef::npos && at - begin <= far) return begin;
  return at > before ? at - before : 0;
}

size_t sameAtTheBegin(llvm::StringRef a, llvm::StringRef b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// Returns the part of `text` that differs from the other texts, of which these are the first and
// the last by the alphabet: none of the others differs earlier. Without blanks: labels have parts.
std::string difference(llvm::StringRef text, llvm::StringRef first, llvm::StringRef last) {
  std::string brief = withoutBlanks(withoutFields(text));
  if (brief.size() <= longest) return brief;
  size_t at = text.size();
  for (llvm::StringRef other : {first, last})
    if (other != text) at = std::min(at, sameAtTheBegin(text, other));
  at = parameterBefore(text, at);
  std::string cut = (at ? "..." : "") + text.substr(at, longest).str();
  if (at + longest < text.size()) cut += "...";
  return withoutBlanks(std::move(cut));
}

// Classes of variants that are the same in all attributes so far.
class SameSoFar {
public:
  explicit SameSoFar(size_t variants) : classes_(variants, 0) {}
  // Returns whether an attribute with these texts tells some of them apart.
  bool split(llvm::ArrayRef<llvm::StringRef> texts) {
    std::map<std::pair<size_t, llvm::StringRef>, size_t> fresh;
    for (auto [its, text] : llvm::zip(classes_, texts))
      its = fresh.try_emplace({its, text}, fresh.size()).first->second;
    return std::exchange(count_, fresh.size()) != fresh.size();
  }

private:
  std::vector<size_t> classes_;
  size_t count_ = 1;
};

} // namespace

void tellApart(std::vector<Variant>& variants, const Interner& names) {
  llvm::StringMap<std::vector<Variant*>> byLabel;
  for (Variant& variant : variants)
    byLabel[variant.label].push_back(&variant);
  for (auto& [label, same] : byLabel) {
    if (same.size() < 2) continue;
    std::vector<std::vector<Attribute>> all;
    for (const Variant* variant : same)
      all.push_back(attributesOf(*variant, names));
    // By name, in the order of the first that has it.
    std::vector<std::string> order;
    llvm::StringMap<std::vector<llvm::StringRef>> texts;
    for (auto [i, attributes] : llvm::enumerate(all))
      for (const Attribute& each : attributes) {
        auto& known = texts[each.name];
        if (known.empty()) order.push_back(each.name);
        known.resize(same.size());
        known[i] = each.text;
      }
    unsigned shown = 0;
    SameSoFar classes(same.size());
    for (const std::string& name : order) {
      const std::vector<llvm::StringRef>& known = texts[name];
      if (llvm::all_equal(known) || (!classes.split(known) && shown >= mostShown)) continue;
      ++shown;
      auto [first, last] = std::minmax_element(known.begin(), known.end());
      for (auto [i, variant] : llvm::enumerate(same)) {
        size_t target = variant->label.rfind('(');
        // The truncated value, which was not specific enough, makes room.
        std::string part = name + "=" + difference(known[i], *first, *last) + " ";
        size_t old = (" " + variant->label).find(" " + name + "=");
        if (old != std::string::npos && old < target) {
          size_t end = variant->label.find("... ", old);
          if (end != std::string::npos && end < target) {
            variant->label.replace(old, end + 4 - old, part);
            continue;
          }
        }
        variant->label.insert(target, part);
      }
    }
  }
}

llvm::SmallVector<llvm::StringRef> partsOf(llvm::StringRef label) {
  llvm::SmallVector<llvm::StringRef> parts;
  size_t begin = 0;
  unsigned depth = 0;
  char quote = 0;
  for (size_t i = 0; i <= label.size(); ++i) {
    bool isEnd = i == label.size();
    char each = isEnd ? ' ' : label[i];
    if (quote) {
      if (each == '\\') ++i;
      if (each == quote) quote = 0;
    } else if (each == '"' || each == '\'') {
      quote = each;
    } else if (each == '[' || each == '(' || each == '{') {
      ++depth;
    } else if ((each == ']' || each == ')' || each == '}') && depth) {
      --depth;
    }
    if (!isEnd && (each != ' ' || depth || quote)) continue;
    if (i > begin) parts.push_back(label.slice(begin, i));
    begin = i + 1;
  }
  return parts;
}

std::string differenceOf(llvm::StringRef label, llvm::ArrayRef<llvm::StringRef> others) {
  std::string text;
  for (llvm::StringRef part : partsOf(label)) {
    bool isShared = llvm::all_of(
        others, [&](llvm::StringRef other) { return llvm::is_contained(partsOf(other), part); });
    if (!isShared) text += (text.empty() ? "" : " ") + part.str();
  }
  return text.empty() ? label.str() : text;
}

} // namespace gluond::driver
