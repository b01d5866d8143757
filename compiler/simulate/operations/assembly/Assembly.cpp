#include "simulate/operations/assembly/Assembly.h"

#include <llvm/ADT/StringExtras.h>

#include <bit>
#include <cstring>

namespace gluond::simulate::assembly {

void Code::run(Thread& thread) const {
  constexpr size_t most = 1'000'000; // a loop without end
  size_t steps = 0;
  for (size_t at = 0; at < instructions.size() && !thread.hasFailed; ++steps) {
    const Instruction& instruction = instructions[at++];
    if (steps == most) {
      thread.x.unsupported("it runs for too long");
      thread.hasFailed = true;
    }
    if (instruction.predicate &&
        ((thread.read(*instruction.predicate) & 1) != 0) == instruction.predicate->isNegated)
      continue;
    if (instruction.run)
      instruction.run(thread);
    else
      at = instruction.target;
  }
}

namespace {

std::string withoutComments(llvm::StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
      plain += '\n';
    } else if (text.substr(i).starts_with("/*")) {
      i = text.find("*/", i + 2);
      if (i == llvm::StringRef::npos) break;
      ++i;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

class Parser {
public:
  Parser(unsigned operands, const Dialect& dialect) : dialect_(dialect) { code_.slots = operands; }

  tl::expected<Code, std::string> parse(llvm::StringRef text) {
    std::string plain = withoutComments(text);
    llvm::SmallVector<llvm::StringRef> statements;
    split(plain, statements);
    for (llvm::StringRef statement : statements)
      if (!this->statement(statement)) return tl::unexpected(error_);
    for (const auto& [at, label] : branches_) {
      auto found = labels_.find(label);
      if (found == labels_.end()) return tl::unexpected("there is no label '" + label + "'");
      code_.instructions[at].target = found->second;
    }
    return std::move(code_);
  }

private:
  // Statements end with a semicolon, or with a line; braces that are no vector's are scopes.
  void split(llvm::StringRef text, llvm::SmallVectorImpl<llvm::StringRef>& statements) const {
    size_t begin = 0;
    bool isInVector = false;
    auto end = [&](size_t at) {
      llvm::StringRef statement = text.slice(begin, at).trim();
      if (!statement.empty()) statements.push_back(statement);
      begin = at + 1;
    };
    for (size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      llvm::StringRef before = text.slice(begin, i).trim();
      if (c == '{' && before.empty()) {
        begin = i + 1;
      } else if (c == '{') {
        isInVector = true;
      } else if (c == '}') {
        if (!isInVector) end(i);
        isInVector = false;
      } else if (c == ';' || (c == '\n' && dialect_.linesEndStatements)) {
        end(i);
      } else if (c == ':' && isLabel(before) && dialect_.special) {
        statements.push_back(text.slice(begin, i + 1).trim());
        begin = i + 1;
      }
    }
    end(text.size());
  }
  static bool isLabel(llvm::StringRef text) {
    return !text.empty() &&
           llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; });
  }

  bool fail(const std::string& why) {
    error_ = why;
    return false;
  }

  bool statement(llvm::StringRef text) {
    if (text.consume_back(":")) {
      labels_[text] = code_.instructions.size();
      return true;
    }
    if (text.starts_with(".reg")) return declaration(text);
    Instruction instruction;
    if (text.consume_front("@")) {
      bool isNegated = text.consume_front("!");
      auto [name, rest] = text.split(' ');
      Operand predicate;
      if (!operand(name.trim(), predicate)) return false;
      predicate.isNegated = isNegated;
      instruction.predicate = predicate;
      text = rest.trim();
    }
    size_t space = text.find_first_of(" \t\n");
    instruction.name = text.substr(0, space).str();
    llvm::StringRef rest = space == llvm::StringRef::npos ? "" : text.substr(space).trim();
    if (instruction.name == "bra" || instruction.name == "bra.uni") {
      branches_.push_back({code_.instructions.size(), rest.str()});
      code_.instructions.push_back(std::move(instruction));
      return true;
    }
    if (!operands(rest, instruction.operands)) return false;
    if (!dialect_.resolve(instruction)) return fail("'" + text.str() + "'");
    code_.instructions.push_back(std::move(instruction));
    return true;
  }

  // .reg .b32 a, b<4>
  bool declaration(llvm::StringRef text) {
    text = text.drop_front(4).trim();
    text = text.substr(std::min(text.find_first_of(" \t"), text.size())).trim(); // the type
    llvm::SmallVector<llvm::StringRef> names;
    text.split(names, ',');
    for (llvm::StringRef name : names) {
      auto [stem, count] = name.trim().split('<');
      unsigned number = 0;
      if (count.empty()) {
        code_.names[stem] = code_.slots++;
      } else if (count.consumeInteger(10, number) || number > 1024) {
        return fail("'" + name.str() + "'");
      } else {
        for (unsigned i = 0; i < number; ++i)
          code_.names[stem.str() + std::to_string(i)] = code_.slots++;
      }
    }
    return true;
  }

  bool operands(llvm::StringRef text, std::vector<Operand>& all) {
    unsigned depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      char c = i < text.size() ? text[i] : ',';
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      if (c != ',' || depth) continue;
      llvm::StringRef each = text.slice(begin, i).trim();
      begin = i + 1;
      if (!each.empty() && !operand(each, all.emplace_back())) return false;
    }
    return true;
  }

  bool operand(llvm::StringRef text, Operand& out) {
    if (text.consume_front("{")) {
      out.kind = Operand::Kind::Vector;
      text.consume_back("}");
      return operands(text, out.parts);
    }
    if (text.consume_front("[")) {
      text.consume_back("]");
      auto [base, offset] = text.split('+');
      if (!operand(base.trim(), out)) return false;
      out.isConstantAddress = out.kind == Operand::Kind::Immediate;
      uint64_t start = out.isConstantAddress ? out.immediate : 0, number = 0;
      offset = offset.trim();
      bool isNegative = offset.consume_front("-");
      if (!offset.empty() && offset.getAsInteger(0, number)) return fail("'[" + text.str() + "]'");
      out.kind = Operand::Kind::Address;
      out.immediate = isNegative ? start - number : start + number;
      return true;
    }
    if (text.consume_front("|")) {
      text.consume_back("|");
      out.isAbsolute = true;
    }
    if (text.consume_front("!")) out.isNegated = true;
    if (number(text, out)) return true;
    if (text.consume_front("-")) {
      out.isNegated = true;
      if (text.consume_front("|")) {
        text.consume_back("|");
        out.isAbsolute = true;
      }
    }
    llvm::StringRef digits = text;
    unsigned slot = 0;
    if (digits.consume_front("$") && !digits.getAsInteger(10, slot)) {
      if (slot >= code_.slots) return fail("an operand '" + text.str() + "' that is not given");
      out.slot = slot;
      return true;
    }
    auto found = code_.names.find(text);
    if (found == code_.names.end()) {
      if (!text.starts_with("%") || !dialect_.special) {
        out.kind = Operand::Kind::Label; // a modifier, of which instructions know
        return true;
      }
      found = code_.names.try_emplace(text, code_.slots++).first;
    }
    out.slot = found->second;
    return true;
  }

  static bool number(llvm::StringRef text, Operand& out) {
    uint64_t value = 0;
    if (text.size() == 10 && text.starts_with_insensitive("0f") &&
        !text.drop_front(2).getAsInteger(16, value)) {
      out.immediate = value;
    } else if (text.size() == 18 && text.starts_with_insensitive("0d") &&
               !text.drop_front(2).getAsInteger(16, value)) {
      out.immediate = value;
    } else {
      text.consume_back("U");
      int64_t integer = 0;
      double real = 0;
      bool looksLike = !text.empty() && (llvm::isDigit(text[0]) || text[0] == '-');
      if (!looksLike) return false;
      if (!text.getAsInteger(0, value)) {
        out.immediate = value;
      } else if (!text.getAsInteger(0, integer)) {
        out.immediate = static_cast<uint64_t>(integer);
      } else if (!text.getAsDouble(real)) {
        out.immediate = std::bit_cast<uint64_t>(real);
        out.isReal = true;
      } else {
        return false;
      }
    }
    out.kind = Operand::Kind::Immediate;
    return true;
  }

  const Dialect& dialect_;
  Code code_;
  llvm::StringMap<size_t> labels_;
  std::vector<std::pair<size_t, std::string>> branches_;
  std::string error_;
};

} // namespace

tl::expected<Code, std::string> parse(llvm::StringRef text, unsigned operands,
                                      const Dialect& dialect) {
  return Parser(operands, dialect).parse(text);
}

} // namespace gluond::simulate::assembly
