#include "codegen/context/VerifierMessages.h"

#include "language/types/TypeText.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::codegen {

// Types as MLIR's verifiers describe and print them, in Gluon's words.
static std::string typeWords(llvm::StringRef text) {
  struct Words {
    llvm::StringLiteral start, ofGluon;
  };
  static constexpr Words words[] = {
      {"1-bit signless integer", "int1"},
      {"32-bit signless integer", "int32"},
      {"64-bit signless integer", "int64"},
      {"tensor<", "a tensor"},
      {"ranked tensor", "a tensor"},
      {"!tt.ptr", "a pointer"},
      {"!tt.tensordesc", "a tensor descriptor"},
      {"!ttg.memdesc", "a buffer"},
      {"Memory descriptor", "a buffer"},
      {"memory descriptor", "a buffer"},
      {"Tensor descriptor", "a tensor descriptor"},
  };
  if (auto kind = language::scalarInIr(text)) return language::scalarInfo(*kind).attribute.str();
  for (const Words& each : words)
    if (text.starts_with(each.start)) return each.ofGluon.str();
  return {};
}

// "operand #1 must be 32-bit signless integer, but got 'i1'".
static std::string operandWords(llvm::StringRef message) {
  unsigned index = 0;
  if (!message.consume_front("operand #") || message.consumeInteger(10, index) ||
      !message.consume_front(" must be "))
    return {};
  auto [wanted, got] = message.split(", but got '");
  std::string must = typeWords(wanted), is = typeWords(got.rtrim("'"));
  // Of a tensor its elements are wrong, where other tensors are accepted.
  if (got.consume_front("tensor<")) {
    llvm::StringRef element = got.take_until([](char c) { return c == ',' || c == '>'; });
    element = element.substr(element.rfind('x') + 1);
    if (auto kind = language::scalarInIr(element)) {
      std::string name = language::scalarInfo(*kind).attribute.str();
      is = wanted.contains("tensor of") && must != "a tensor" ? name : "a tensor of " + name;
    }
  }
  return must.empty() || is.empty() ? std::string() : "expected " + must + ", but got " + is;
}

// Matches a text with a pattern, in which "{}" stands for any text: the first occurrence of what
// follows ends it. Returns false if the text differs.
static bool matches(llvm::StringRef text, llvm::StringRef pattern,
                    llvm::SmallVectorImpl<llvm::StringRef>& holes) {
  auto [before, after] = pattern.split("{}");
  if (!text.consume_front(before)) return false;
  if (before.size() == pattern.size()) return text.empty();
  while (true) {
    auto [literal, rest] = after.split("{}");
    bool isLast = literal.size() == after.size();
    size_t end = literal.empty() ? text.size() : isLast ? text.rfind(literal) : text.find(literal);
    if (end == llvm::StringRef::npos) return false;
    holes.push_back(text.take_front(end).trim());
    text = text.drop_front(end + literal.size());
    if (isLast) return text.empty();
    after = rest;
  }
}

// "{0}" and so on in the text are what the pattern left open: a type in Gluon's words if it is one.
static std::string filled(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> holes) {
  std::string result;
  while (true) {
    auto [before, after] = text.split('{');
    result += before;
    if (before.size() == text.size()) return result;
    size_t index = static_cast<size_t>(after[0] - '0');
    if (index < holes.size()) {
      llvm::StringRef hole = holes[index].trim("'\"");
      std::string type = typeWords(hole);
      result += type.empty() ? hole.str() : type;
    }
    text = after.drop_front(2);
  }
}

// The text with Gluon's words for those of the IR, as a message: it begins with a small letter
// unless with a name, and has no period at its end.
static std::string withWords(llvm::StringRef message) {
  struct Words {
    llvm::StringLiteral ofIr, ofGluon;
  };
  static constexpr Words words[] = {
#define VERIFIER(...)
#define VERIFIER_WORD(ofIr, ofGluon) {ofIr, ofGluon},
#include "codegen/context/VerifierTexts.def"
#define LAYOUT_FIELD(ofIr, ofGluon) {#ofIr, ofGluon},
#include "layout/named/FieldNames.def"
  };
  std::string text = message.rtrim(". \n").str();
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '#'; };
  for (const Words& each : words)
    for (size_t at = text.find(each.ofIr); at != std::string::npos;
         at = text.find(each.ofIr, at + each.ofGluon.size())) {
      size_t end = at + each.ofIr.size();
      if ((at && isWord(text[at - 1])) || (end < text.size() && isWord(text[end]))) {
        at = end - each.ofGluon.size();
        continue;
      }
      text.replace(at, each.ofIr.size(), each.ofGluon);
    }
  if (text.size() > 1 && llvm::isUpper(text[0]) && (llvm::isLower(text[1]) || text[1] == ' '))
    text[0] = llvm::toLower(text[0]);
  return text;
}

std::string verifierWords(llvm::StringRef message) {
  struct Words {
    llvm::StringLiteral ofVerifier, ofGluon;
  };
  static constexpr Words words[] = {
#define VERIFIER(ofVerifier, ofGluon) {ofVerifier, ofGluon},
#define VERIFIER_WORD(...)
#include "codegen/context/VerifierTexts.def"
  };
  for (const Words& each : words) {
    llvm::SmallVector<llvm::StringRef, 4> holes;
    if (matches(message, each.ofVerifier, holes)) return filled(each.ofGluon, holes);
  }
  llvm::StringRef rest = message;
  if (rest.consume_front("descriptor block and tensor element types must match, but got "
                         "descriptor element type '")) {
    auto [wanted, got] = rest.split("' and tensor element type '");
    std::string block = typeWords(wanted), buffer = typeWords(got.rtrim("'"));
    if (!block.empty() && !buffer.empty())
      return "the elements of the descriptor are " + block + ", but those of the buffer are " +
             buffer;
  }
  if (std::string words = operandWords(message); !words.empty()) return words;
  return withWords(message);
}

} // namespace gluond::codegen
