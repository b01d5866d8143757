#include "driver/users/HandedOver.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

namespace {

// An object that can keep something: `{}`, `[]`, `Registry()`.
bool isObject(const NameScan::Piece& piece) {
  return !piece.statement.isDefinition && !piece.statement.isImport &&
         piece.text.find_first_of("([{") != std::string::npos;
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
          if (statement.hasMention(bound)) tables.insert(bound);
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
    llvm::ArrayRef<llvm::StringRef> mentions;
    if (statement.isDefinition && !statement.decorators.empty() && isOfInterest())
      mentions = statement.decorators;
    else if (!statement.isDefinition && !statement.isImport && flow.uses(static_cast<unsigned>(i)))
      mentions = statement.mentions;
    for (llvm::StringRef name : mentions)
      if (name.front() != '.' && name.front() != '"' && name.front() != '\'' &&
          handed.insert(name).second)
        follower.follow(file, name, mentions, flow.hasName(name));
  }
  return out;
}

} // namespace gluond::driver
