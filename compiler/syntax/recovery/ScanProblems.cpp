#include "syntax/recovery/ScanProblems.h"

namespace gluond::syntax {

using diagnostics::FixId;
using diagnostics::Id;
using diagnostics::NoteId;
using text::Offset;
using text::Range;

// A fix is found for mistakes whose line begins and ends within so many bytes: a line can have a
// hundred, and megabytes.
constexpr size_t mostOfLine = 4096;

// Returns the end of the code of the line that holds an opening bracket, before comments; 0 if a
// string makes that unclear, or the length of the line.
static Offset endOfCode(llvm::StringRef text, Offset at) {
  llvm::StringRef near = text.take_front(at + mostOfLine);
  size_t end = near.find_first_of("#\r\n", at);
  if (end == llvm::StringRef::npos && near.size() < text.size()) return 0;
  end = std::min(end, near.size());
  llvm::StringRef line = text.slice(at, end);
  if (line.contains("\"\"\"") || line.contains("'''")) return 0;
  return static_cast<Offset>(at + line.rtrim().size());
}

// The name that a file has for Gluon's language; "" if it imports none.
static llvm::StringRef languageName(llvm::StringRef text) {
  constexpr size_t mostOfImports = 16384;
  llvm::StringRef rest = text.take_front(mostOfImports).split("import language as ").second;
  return rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

// Python's spelling of `a ? b : c` at the question mark, and its range; "" if the parts are
// unclear. `ofTensors` becomes the one for elements of tensors.
static std::string conditionalText(llvm::StringRef text, Offset question, Range& range,
                                   std::string& ofTensors) {
  size_t first = question - std::min<size_t>(question, mostOfLine), end = endOfCode(text, question);
  size_t newline = text.slice(first, question).rfind('\n');
  if (end == 0 || (newline == llvm::StringRef::npos && first > 0)) return {};
  size_t begin = newline == llvm::StringRef::npos ? 0 : first + newline + 1;
  llvm::StringRef line = text.slice(begin, end);
  size_t equal = line.find(" = "), colon = line.rfind(" : ");
  bool isAssignment = equal != llvm::StringRef::npos;
  if (!isAssignment && line.ltrim().starts_with("return ")) equal = line.find("return ") + 4;
  if (equal == llvm::StringRef::npos || colon == llvm::StringRef::npos ||
      begin + colon < question || line.count('?') != 1 || line.find_first_of("'\"") != line.npos)
    return {};
  llvm::StringRef condition = text.slice(begin + equal + 3, question).trim(),
                  yes = text.slice(question + 1, begin + colon).trim(),
                  no = text.slice(begin + colon + 3, end).trim();
  if (condition.empty() || yes.empty() || no.empty()) return {};
  range = {static_cast<Offset>(begin + equal + 3), static_cast<Offset>(end)};
  if (llvm::StringRef language = languageName(text); !language.empty())
    ofTensors = (language + ".where(" + condition + ", " + yes + ", " + no + ")").str();
  return (yes + " if " + condition + " else " + no).str();
}

// The code from `at` to the end of its line.
static llvm::StringRef restOfLine(llvm::StringRef text, Offset at) {
  llvm::StringRef rest = text.drop_front(at);
  return rest.take_front(rest.find_first_of("\r\n"));
}

// Whether a bracket is open only because a string without an end has taken the bracket that closes
// it.
static bool isInUnterminatedString(llvm::StringRef text, llvm::ArrayRef<ScanProblem> problems,
                                   Offset bracket, char closing) {
  return llvm::any_of(problems, [&](const ScanProblem& each) {
    return each.kind == ScanProblemKind::UnterminatedString && each.at > bracket &&
           each.at - bracket < mostOfLine && restOfLine(text, each.at).contains(closing);
  });
}

void reportScanProblems(llvm::StringRef text, const LineScan& scan,
                        llvm::ArrayRef<LogicalLine> lines, diagnostics::Reporter& emit) {
  for (const LogicalLine& line : lines) {
    for (const ScanProblem& problem : scan.problemsOf(line)) {
      Range at{problem.at, problem.at + 1};
      llvm::StringRef here = text.slice(at.begin, at.end);
      switch (problem.kind) {
      case ScanProblemKind::UnclosedBracket: {
        const char* closing = here == "(" ? ")" : here == "[" ? "]" : here == "{" ? "}" : nullptr;
        if (closing && isInUnterminatedString(text, scan.problemsOf(line), problem.at, *closing))
          break;
        auto told = emit(Id::UnclosedBracket, at, here);
        // At the end of the line, if nothing but this bracket is open there.
        Offset end = endOfCode(text, problem.at);
        if (end && closing) {
          told.fix(FixId::TryText, {{{end, end}, closing}},
                   (text.slice(problem.at, end) + closing).str());
        }
        break;
      }
      case ScanProblemKind::UnmatchedBracket:
        emit(Id::UnmatchedBracket, at, here);
        break;
      case ScanProblemKind::MismatchedBracket: {
        llvm::StringRef open = text.slice(problem.other, problem.other + 1);
        emit(Id::MismatchedBracket, at, here, open)
            .related(NoteId::OpenedHere, {emit.file(), {problem.other, problem.other + 1}}, open);
        break;
      }
      case ScanProblemKind::UnterminatedString: {
        size_t size = restOfLine(text, problem.at).size();
        emit(Id::UnterminatedString, Range{problem.at, static_cast<Offset>(problem.at + size)});
        break;
      }
      case ScanProblemKind::UnclosedField: {
        Offset end = problem.other;
        emit(Id::InvalidFString, Range{problem.at, end}, "expecting '}'")
            .fix(FixId::TryText, {{{end, end}, "}"}}, text.slice(at.begin, end).str() + "}");
        break;
      }
      case ScanProblemKind::InvalidCharacter: {
        unsigned length = std::max(1u, text::utf8Length(text, problem.at));
        at.end = at.begin + length;
        llvm::StringRef character = text.slice(at.begin, at.end);
        unsigned char first = static_cast<unsigned char>(character.front());
        bool isPrintable = first > 0x20 && first < 0x7F;
        std::string shown =
            isPrintable ? ("'" + character + "'").str() : "(not printable, as in copied text)";
        auto told = emit(Id::InvalidCharacter, at, shown);
        std::string ofTensors;
        std::string other =
            character == "?" ? conditionalText(text, problem.at, at, ofTensors) : "";
        if (!other.empty()) {
          told.fix(FixId::TryText, {{at, other}}, other);
          if (!ofTensors.empty()) told.fix(FixId::TryText, {{at, ofTensors}}, ofTensors);
        } else if (character == "!")
          told.fix(FixId::TryText, {{at, "not "}}, "not ");
        else if (isPrintable)
          told.fix(FixId::RemoveCharacter, {{at, ""}}, character.str());
        else
          told.fix(FixId::RemoveInvisible, {{at, ""}});
        break;
      }
      case ScanProblemKind::NullByte:
        emit(Id::NullByte, at);
        break;
      case ScanProblemKind::BadContinuation:
        emit(Id::BadContinuation, at);
        break;
      case ScanProblemKind::TooManyBrackets:
        emit(Id::TooManyBrackets, at);
        break;
      }
    }
  }
}

} // namespace gluond::syntax
