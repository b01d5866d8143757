#include "driver/users/HandedOver.h"

#include "syntax/parser/Keywords.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

namespace {

// An object that can keep something: `{}`, `[]`, `Registry()`.
bool isObject(const NameScan::Piece& piece) {
  return !piece.statement.isDefinition && !piece.statement.isImport &&
         piece.text.find_first_of("([{") != std::string::npos;
}

// What follows the bracket that closes the one at the front; empty if none does.
llvm::StringRef behindBrackets(llvm::StringRef text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += llvm::StringRef("([{").contains(text[i]);
    if (llvm::StringRef(")]}").contains(text[i]) && --depth == 0) return text.drop_front(i + 1);
  }
  return "";
}

// Whether what follows the name of an object changes it, or may: `[key] = `, `+= `, `.append(x)`.
bool isChange(llvm::StringRef text) {
  static constexpr llvm::StringLiteral reading[] = {
      "copy",   "count", "critical",   "debug", "endswith", "error", "exception",
      "format", "get",   "index",      "info",  "items",    "join",  "keys",
      "log",    "split", "startswith", "strip", "values",   "warn",  "warning"};
  llvm::StringRef method;
  while (true) {
    text = text.ltrim(" \t");
    if (text.starts_with("[")) {
      text = behindBrackets(text);
    } else if (text.consume_front(".")) {
      method = text.take_while(syntax::isIdentifierPart);
      text = text.drop_front(method.size());
    } else {
      break;
    }
  }
  if (text.consume_front("("))
    return !method.empty() && !text.ltrim().starts_with(")") &&
           !llvm::is_contained(reading, method);
  text = text.drop_while([](char c) { return llvm::StringRef("+|&").contains(c); });
  return text.consume_front("=") && !text.starts_with("=");
}

// Whether a function that mentions an object may put something into it: most read settings.
bool mayFill(llvm::StringRef function, llvm::StringRef object) {
  for (size_t at = function.find(object); at != llvm::StringRef::npos;
       at = function.find(object, at + object.size())) {
    llvm::StringRef before = function.take_front(at), after = function.substr(at + object.size());
    if ((!before.empty() && (syntax::isIdentifierPart(before.back()) || before.back() == '.')) ||
        (!after.empty() && syntax::isIdentifierPart(after.front())))
      continue;
    if (before.ends_with("setattr(") || isChange(after)) return true;
  }
  return false;
}

llvm::StringSet<> tablesOf(const NameScan& scan, llvm::StringRef filler) {
  llvm::StringSet<> tables;
  for (const auto& piece : scan.pieces()) {
    const ScannedStatement& statement = piece->statement;
    if (!llvm::is_contained(statement.binds, filler)) continue;
    if (isObject(*piece) || (statement.isDefinition && statement.hasMention("class")))
      tables.insert(filler);
    if (!statement.isDefinition) continue;
    for (const auto& other : scan.pieces())
      if (isObject(*other))
        for (llvm::StringRef bound : other->statement.binds)
          if (statement.hasMention(bound) && mayFill(piece->text, bound)) tables.insert(bound);
  }
  return tables;
}

using Imported =
    llvm::function_ref<ScannedFile(const std::string&, llvm::StringRef module, unsigned level)>;

// Follows a name to the file that defines it.
class Follower {
public:
  Follower(Imported imported, std::vector<HandedOver>& out) : imported_(imported), out_(out) {}

  // `mentions` are those beside the name: of a module, members may be meant.
  void follow(const ScannedFile& file, llvm::StringRef name,
              llvm::ArrayRef<llvm::StringRef> mentions, bool isGiven, unsigned depth = 0) {
    constexpr unsigned mostReexports = 3;
    if (depth > mostReexports) return;
    if (!isGiven)
      if (auto tables = tablesOf(*file.scan, name); !tables.empty())
        out_.push_back({file.path, name.str(), std::move(tables)});
    for (const ScannedImport& import : file.scan->imports()->imports) {
      if (!import.isFrom && (import.alias.empty() ? import.module : import.alias) == name)
        inModule(file, import.module, import.level, mentions, depth);
      for (const auto& [given, bound] : import.names) {
        if (bound != name) continue;
        if (ScannedFile found = imported_(file.path, import.module, import.level); found.scan)
          follow(found, given, mentions, false, depth + 1);
        inModule(file, import.module.empty() ? given : import.module + "." + given, import.level,
                 mentions, depth);
      }
    }
  }

private:
  void inModule(const ScannedFile& file, llvm::StringRef module, unsigned level,
                llvm::ArrayRef<llvm::StringRef> mentions, unsigned depth) {
    ScannedFile found = imported_(file.path, module, level);
    if (!found.scan) return;
    for (llvm::StringRef member : mentions)
      if (member.consume_front(".")) follow(found, member, {}, false, depth + 1);
  }

  Imported imported_;
  std::vector<HandedOver>& out_;
};

} // namespace

std::vector<HandedOver> handedOver(const ScannedFile& file, const NameFlow& flow,
                                   llvm::StringSet<>& handed, Imported imported) {
  std::vector<HandedOver> out;
  Follower follower(imported, out);
  for (const auto& [i, piece] : llvm::enumerate(file.scan->pieces())) {
    const ScannedStatement& statement = piece->statement;
    auto isOfInterest = [&] {
      return llvm::any_of(statement.binds,
                          [&](llvm::StringRef name) { return flow.hasName(name); });
    };
    bool mayGive = statement.isDefinition
                       ? isOfInterest()
                       : !statement.isImport && flow.uses(static_cast<unsigned>(i));
    if (!mayGive) continue;
    for (llvm::StringRef name : statement.receivers)
      if (name.front() != '.' && handed.insert(name).second)
        follower.follow(file, name, statement.receivers, flow.hasName(name));
  }
  return out;
}

} // namespace gluond::driver
