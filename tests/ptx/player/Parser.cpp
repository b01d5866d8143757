#include "Module.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>

namespace ptx {

void refuse(const std::string& why) {
  fprintf(stderr, "%s\n", why.c_str());
  fflush(stdout);
  _Exit(3);
}

namespace {

bool isName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

std::string trimmed(std::string_view text) {
  size_t from = text.find_first_not_of(" \t\r\n"), to = text.find_last_not_of(" \t\r\n");
  return from == text.npos ? std::string() : std::string(text.substr(from, to - from + 1));
}

// Without comments, which become spaces, so that lines keep their numbers.
std::string withoutComments(std::string text) {
  bool quoted = false;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted || text[i] != '/') continue;
    size_t end = text[i + 1] == '/'   ? text.find('\n', i)
                 : text[i + 1] == '*' ? text.find("*/", i) + 2
                                      : i;
    for (end = std::min(end, text.size()); i < end; ++i)
      if (text[i] != '\n') text[i] = ' ';
    if (i) --i;
  }
  return text;
}

// At commas that are in no brackets.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t from = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (std::strchr("[{(", c) && c) ++depth;
    if (std::strchr("]})", c) && c) --depth;
    if (c != ',' || depth > 0) continue;
    std::string part = trimmed(text.substr(from, i - from));
    if (!part.empty()) parts.push_back(part);
    from = i + 1;
  }
  return parts;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  std::string word;
  for (char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      if (!word.empty()) result.push_back(std::move(word));
      word.clear();
    } else
      word += c;
  }
  if (!word.empty()) result.push_back(word);
  return result;
}

uint64_t bytesOfType(const std::string& type) {
  if (type == ".pred") return 1;
  size_t digits = type.find_first_of("0123456789");
  uint64_t bits = digits == type.npos ? 0 : std::strtoull(type.c_str() + digits, nullptr, 10);
  if (!bits) refuse("a type that is not known: " + type);
  return bits / 8;
}

struct Scope {
  int parent = -1;
  std::map<std::string, int> registers;                      // by their whole name
  std::map<std::string, std::pair<int, unsigned>> sequences; // %r<10>
  std::map<std::string, int> labels;
  std::set<std::string> parameters; // of calls
};

class Parser {
public:
  explicit Parser(const std::string& text) : text_(withoutComments(text)) {}
  Module run() {
    while (skipSpace(), at_ < text_.size())
      item();
    if (module_.kernel.empty()) refuse("the module has no kernel");
    return std::move(module_);
  }

private:
  std::string text_;
  size_t at_ = 0;
  int sourceLine_ = 0;
  Module module_;
  std::vector<Scope> scopes_;
  std::map<std::string, std::vector<std::string>> tables_; // of brx.idx

  int line() const {
    return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + long(at_), '\n'));
  }
  void skipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }
  std::string until(char end) {
    size_t found = text_.find(end, at_);
    if (found == text_.npos) refuse("the module ends within a statement");
    std::string result = text_.substr(at_, found - at_);
    at_ = found + 1;
    return result;
  }
  void skipBlock() {
    int depth = 0;
    do {
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}') --depth;
      ++at_;
    } while (depth > 0 && at_ < text_.size());
  }
  bool begins(const char* word) const { return !text_.compare(at_, std::strlen(word), word); }

  void item() {
    if (begins(".version") || begins(".file") || begins(".address_size")) {
      until('\n');
    } else if (begins(".target")) {
      module_.target = trimmed(until('\n').substr(7));
    } else if (begins(".section")) {
      until('{');
      --at_;
      skipBlock();
    } else if (begins(".extern .func")) {
      until(';');
    } else if (begins(".visible .entry") || begins(".entry")) {
      entry();
    } else if (begins(".")) {
      variable(until(';'));
    } else
      refuse("line " + std::to_string(line()) + ": not known: " + until('\n'));
  }

  // `.extern .shared .align 16 .b8 name[40] = {1, 2}`
  void variable(const std::string& text) {
    Variable result;
    std::string head = text.substr(0, text.find('='));
    for (const std::string& word : words(head)) {
      if (word == ".extern" || word == ".visible" || word == ".align" || word == ".weak") continue;
      if (word == ".shared" || word == ".global" || word == ".local" || word == ".const")
        result.space = word;
      else if (std::isdigit(static_cast<unsigned char>(word[0])))
        result.align = std::strtoull(word.c_str(), nullptr, 10);
      else if (word[0] == '.')
        result.bytes = bytesOfType(word);
      else {
        size_t bracket = word.find('[');
        result.name = word.substr(0, bracket);
        if (bracket != word.npos)
          result.bytes *= std::strtoull(word.c_str() + bracket + 1, nullptr, 10);
      }
    }
    if (result.space.empty()) refuse("line " + std::to_string(line()) + ": not known: " + text);
    if (size_t open = text.find('{'); open != text.npos)
      for (const std::string& part : split(text.substr(open + 1, text.find('}') - open - 1)))
        result.data.push_back(static_cast<uint8_t>(std::strtol(part.c_str(), nullptr, 0)));
    module_.variables.push_back(result);
  }

  void entry() {
    std::string head = until('(');
    module_.kernel = words(head).back();
    for (const std::string& text : split(until(')')))
      parameter(text);
    std::string directives = until('{');
    std::vector<std::string> all = words(directives);
    for (size_t i = 0; i < all.size(); ++i) {
      auto numbers = [&] {
        std::string text;
        while (i + 1 < all.size() && all[i + 1][0] != '.')
          text += all[++i];
        return split(text);
      };
      if (all[i] == ".reqntid") {
        module_.threads = 1;
        for (const std::string& number : numbers())
          module_.threads *= unsigned(std::strtoul(number.c_str(), nullptr, 10));
      } else if (all[i] == ".reqnctapercluster") {
        size_t axis = 0;
        for (const std::string& number : numbers())
          module_.cluster[axis++] = unsigned(std::strtoul(number.c_str(), nullptr, 10));
      } else if (all[i] == ".maxnreg" || all[i] == ".minnctapersm" || all[i] == ".maxntid" ||
                 all[i] == ".explicitcluster" || all[i] == ".maxclusterrank" ||
                 all[i] == ".blocksareclusters")
        numbers();
      else
        refuse("a directive of the kernel that is not known: " + all[i]);
    }
    scopes_.emplace_back();
    body(0);
    resolve();
  }

  void parameter(const std::string& text) {
    Parameter result{"", 0, 0, 0};
    std::vector<std::string> all = words(text);
    uint64_t align = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i] == ".param" || all[i] == ".ptr" || all[i] == ".global" || all[i] == ".shared" ||
          all[i] == ".const")
        continue;
      if (all[i] == ".align") { // of the parameter, or of what it points to
        uint64_t number = std::strtoull(all[++i].c_str(), nullptr, 10);
        if (!result.bytes) align = number;
      } else if (all[i][0] == '.')
        result.bytes = bytesOfType(all[i]);
      else {
        size_t bracket = all[i].find('[');
        result.name = all[i].substr(0, bracket);
        if (bracket != std::string::npos)
          result.bytes *= std::strtoull(all[i].c_str() + bracket + 1, nullptr, 10);
      }
    }
    result.align = align ? align : result.bytes;
    uint64_t at = module_.parameterBytes;
    result.at = (at + result.align - 1) / result.align * result.align;
    module_.parameterBytes = result.at + result.bytes;
    module_.parameters.push_back(result);
  }

  // Up to the brace that closes it.
  void body(int scope) {
    for (;;) {
      skipSpace();
      if (at_ >= text_.size()) refuse("the kernel does not end");
      char c = text_[at_];
      if (c == '}') {
        ++at_;
        return;
      }
      if (c == '{') {
        ++at_;
        scopes_.emplace_back();
        scopes_.back().parent = scope;
        body(int(scopes_.size()) - 1);
      } else if (c == ';') {
        ++at_;
      } else if (begins(".loc\t") || begins(".loc ")) {
        std::vector<std::string> place = words(until('\n'));
        sourceLine_ = place.at(1) == "1" ? std::atoi(place.at(2).c_str()) : 0;
      } else if (begins(".file")) {
        until('\n');
      } else if (begins(".pragma")) {
        until(';');
      } else if (begins(".reg")) {
        registers(scope, until(';'));
      } else if (begins(".param")) {
        std::string name = words(until(';')).back();
        scopes_[size_t(scope)].parameters.insert(name.substr(0, name.find('[')));
      } else if (begins(".local") || begins(".shared")) {
        variable(until(';'));
      } else if (!label(scope))
        statement(scope);
    }
  }

  bool label(int scope) {
    size_t end = at_;
    while (end < text_.size() && isName(text_[end]))
      ++end;
    size_t colon = end;
    while (colon < text_.size() && (text_[colon] == ' ' || text_[colon] == '\t'))
      ++colon;
    if (end == at_ || text_[colon] != ':' || text_[colon + 1] == ':') return false;
    std::string name = text_.substr(at_, end - at_);
    at_ = colon + 1;
    skipSpace();
    if (begins(".branchtargets")) {
      std::string text = until(';').substr(14);
      tables_[name] = split(text);
    } else
      scopes_[size_t(scope)].labels[name] = int(module_.code.size());
    return true;
  }

  void registers(int scope, const std::string& text) {
    std::string rest = trimmed(std::string_view(text).substr(4));
    size_t blank = rest.find_first_of(" \t");
    unsigned width = rest.substr(0, blank) == ".b128" ? 2 : 1;
    for (const std::string& name : split(rest.substr(blank))) {
      size_t angle = name.find('<');
      if (angle == name.npos) {
        scopes_[size_t(scope)].registers[name] = int(module_.slots);
        module_.slots += width;
      } else {
        unsigned count = unsigned(std::strtoul(name.c_str() + angle + 1, nullptr, 10));
        scopes_[size_t(scope)].sequences[name.substr(0, angle)] = {int(module_.slots), width};
        module_.slots += count * width;
      }
    }
  }

  int find(int scope, const std::string& name) const {
    size_t digits = name.find_last_not_of("0123456789") + 1;
    for (; scope >= 0; scope = scopes_[size_t(scope)].parent) {
      const Scope& one = scopes_[size_t(scope)];
      if (auto found = one.registers.find(name); found != one.registers.end()) return found->second;
      if (auto found = one.sequences.find(name.substr(0, digits));
          found != one.sequences.end() && digits < name.size())
        return found->second.first + int(found->second.second) * std::atoi(name.c_str() + digits);
    }
    return -1;
  }

  struct Pending {
    size_t instruction;
    int scope;
    std::vector<std::string> labels;
  };
  std::vector<Pending> pending_;

  void statement(int scope) {
    Instruction result;
    result.line = line();
    result.sourceLine = sourceLine_;
    std::string text = trimmed(until(';'));
    result.text = text;
    if (text[0] == '@') {
      size_t end = text.find_first_of(" \t");
      std::string guard = text.substr(1, end - 1);
      result.guardNegated = guard[0] == '!';
      if (result.guardNegated) guard.erase(0, 1);
      result.guard = find(scope, guard);
      if (result.guard < 0) refuse("no such predicate: " + text);
      text = trimmed(std::string_view(text).substr(end));
    }
    size_t end = text.find_first_of(" \t\n");
    result.opcode = text.substr(0, end);
    std::string rest = end == text.npos ? "" : trimmed(std::string_view(text).substr(end));
    for (size_t from = 0; from <= result.opcode.size();) {
      size_t dot = std::min(result.opcode.find('.', from), result.opcode.size());
      result.parts.push_back(result.opcode.substr(from, dot - from));
      from = dot + 1;
    }
    const std::string& name = result.parts[0];
    std::vector<std::string> operands = split(rest);
    if (name == "bra" || name == "brx") {
      pending_.push_back({module_.code.size(), scope, {operands.back()}});
      if (name == "brx") {
        auto table = tables_.find(operands.back());
        pending_.back().labels =
            table == tables_.end() ? std::vector<std::string>() : table->second;
        if (table == tables_.end()) pending_.back().labels = {"table " + operands.back()};
      }
      operands.pop_back();
    }
    if (name == "call") { // what is called, only; its arguments are not followed
      for (const std::string& operand : operands)
        if (operand[0] != '(') {
          Operand callee;
          callee.kind = Operand::Symbol;
          callee.name = operand;
          result.operands.push_back(callee);
        }
    } else
      for (const std::string& operand : operands)
        result.operands.push_back(parseOperand(scope, operand, result));
    module_.code.push_back(std::move(result));
  }

  bool isParameterOfCall(int scope, const std::string& name) const {
    for (; scope >= 0; scope = scopes_[size_t(scope)].parent)
      if (scopes_[size_t(scope)].parameters.count(name)) return true;
    return false;
  }

  Operand parseOperand(int scope, std::string text, const Instruction& within) {
    Operand result;
    auto wrong = [&] {
      refuse("line " + std::to_string(within.line) + ": operand `" + text + "` of " + within.text);
    };
    if (text.empty()) wrong();
    if (text == "_") return result;
    if (text[0] == '{') {
      result.kind = Operand::Vector;
      for (const std::string& part : split(std::string_view(text).substr(1, text.size() - 2)))
        result.parts.push_back(parseOperand(scope, part, within));
      return result;
    }
    if (text[0] == '[') {
      result.kind = Operand::Address;
      std::vector<std::string> parts = split(std::string_view(text).substr(1, text.size() - 2));
      if (parts.empty()) wrong();
      size_t plus = parts[0].find('+');
      if (plus != std::string::npos) {
        result.value =
            uint64_t(std::strtoll(trimmed(parts[0].substr(plus + 1)).c_str(), nullptr, 0));
        parts[0] = trimmed(parts[0].substr(0, plus));
      }
      for (const std::string& part : parts)
        result.parts.push_back(parseOperand(scope, part, within));
      return result;
    }
    if (text[0] == '!') {
      result = parseOperand(scope, trimmed(std::string_view(text).substr(1)), within);
      result.negated = true;
      return result;
    }
    if (size_t bar = text.find('|'); bar != text.npos) {
      std::string first = trimmed(text.substr(0, bar)), second = trimmed(text.substr(bar + 1));
      result = parseOperand(scope, first, within);
      if (second != "_") result.second = find(scope, second);
      return result;
    }
    if (text[0] == '0' && text.size() > 2 &&
        (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D')) {
      result.kind = Operand::Integer;
      result.value = std::strtoull(text.c_str() + 2, nullptr, 16);
      return result;
    }
    if (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-') {
      if (text.find('.') != text.npos) {
        result.kind = Operand::Decimal;
        result.decimal = std::strtod(text.c_str(), nullptr);
        return result;
      }
      result.kind = Operand::Integer;
      char* end = nullptr;
      result.value = text[0] == '-' ? uint64_t(std::strtoll(text.c_str(), &end, 0))
                                    : std::strtoull(text.c_str(), &end, 0);
      if (*end && *end != 'U') wrong();
      return result;
    }
    if (int slot = find(scope, text); slot >= 0) {
      result.kind = Operand::Register;
      result.slot = slot;
      return result;
    }
    if (text[0] == '%') {
      result.kind = Operand::Special;
      result.name = text.substr(1);
      return result;
    }
    result.kind = Operand::Symbol;
    if (size_t plus = text.find('+'); plus != text.npos) {
      result.value = uint64_t(std::strtoll(trimmed(text.substr(plus + 1)).c_str(), nullptr, 0));
      text = trimmed(text.substr(0, plus));
    }
    result.name = text;
    if (isParameterOfCall(scope, text)) result.name = "call parameter";
    return result;
  }

  void resolve() {
    for (const Pending& pending : pending_)
      for (std::string name : pending.labels) {
        if (name.starts_with("table ")) {
          auto table = tables_.find(name.substr(6));
          if (table == tables_.end()) refuse("no such table of labels: " + name);
          for (const std::string& each : table->second)
            target(pending, each);
        } else
          target(pending, name);
      }
  }
  void target(const Pending& pending, const std::string& name) {
    for (int scope = pending.scope; scope >= 0; scope = scopes_[size_t(scope)].parent) {
      const auto& labels = scopes_[size_t(scope)].labels;
      if (auto found = labels.find(name); found != labels.end()) {
        module_.code[pending.instruction].targets.push_back(found->second);
        return;
      }
    }
    refuse("no such label: " + name);
  }
};

} // namespace

Module parse(const std::string& text) {
  return Parser(text).run();
}

} // namespace ptx
