// What the names of a workspace stand for, across files: the engine behind definition, references,
// rename, call hierarchy, hover and the completion of members.
//
// Goes by syntax and imports first (Python's scopes, classes and their bases, `self`, names
// assigned once), and by codegen's facts where these do not say enough. One request, one thread;
// files are indexed when they are first needed and kept for the request.
#pragma once

#include "lsp/features/facts/FileFacts.h"
#include "lsp/features/names/GluonFiles.h"
#include "lsp/features/names/Meaning.h"

#include <llvm/ADT/DenseMap.h>

#include <map>

namespace gluond::lsp {

// A file, read for names.
struct IndexedFile {
  std::shared_ptr<const driver::File> file;
  std::shared_ptr<const syntax::SyntaxTree> tree;
  std::shared_ptr<const NameIndex> names; // shared by all requests about this version
  const NameIndex& index = *names;
  const bool isGluon; // mentionsGluon(its text)
  IndexedFile(std::shared_ptr<const driver::File> file,
              std::shared_ptr<const syntax::SyntaxTree> tree,
              std::shared_ptr<const NameIndex> names)
      : file(std::move(file)), tree(std::move(tree)), names(std::move(names)),
        isGluon(mentionsGluon(this->file->text().text())) {}
  IndexedFile(const IndexedFile&) = delete;
};

// One thing that names stand for, the same from every file: known by the place of its name where it
// is bound first.
struct Symbol {
  const IndexedFile* file = nullptr;
  text::Range range; // of the name
  Name name{};
  enum class Kind : uint8_t { Local, Global, Parameter, Member } kind = Kind::Local;
  friend bool operator==(const Symbol& a, const Symbol& b) {
    return a.file == b.file && a.range == b.range;
  }
};

// What an expression denotes, as far as names tell.
struct Denoted {
  enum class Kind : uint8_t {
    Nothing,   // not known
    Builtin,   // a row of the table: `builtin`
    Namespace, // a module or class of the table: `module`
    File,      // a module of the workspace: `file`
    Function,  // `node` (a FunctionDef) of `file`
    Class,     // `node` (a ClassDef) of `file`
    Instance,  // of that class
    Value,     // something else; `symbol` says what it is called
  } kind = Kind::Nothing;
  const language::Builtin* builtin = nullptr;
  const language::BuiltinModule* module = nullptr;
  const IndexedFile* file = nullptr;
  const syntax::Node* node = nullptr;
  std::optional<Symbol> symbol; // the user's own name for it, where there is one
  bool isValue =
      false; // Namespace: that of a value's methods (a tensor's), not of the class itself
  bool isBound = false; // Builtin, Function: a method of a value; its first parameter is taken
  explicit operator bool() const { return kind != Kind::Nothing || symbol; }
};

// A name in a file and what it stands for.
struct Resolved {
  text::Range range;
  Denoted denoted;
};

class Resolver {
public:
  Resolver(const driver::Snapshot& snapshot, driver::Worker& worker, CancellationToken token)
      : snapshot_(snapshot), worker_(worker), token_(token) {}
  Resolver(const Resolver&) = delete;
  // One like it that has read nothing.
  std::unique_ptr<Resolver> another() const {
    return std::make_unique<Resolver>(snapshot_, worker_, token_);
  }

  // Null: cancelled, or no such file.
  const IndexedFile* indexed(const std::shared_ptr<const driver::File>& file);
  const IndexedFile* indexed(llvm::StringRef path);
  FileFacts& facts(const IndexedFile& file);
  const driver::Snapshot& snapshot() const { return snapshot_; }
  driver::Worker& worker() const { return worker_; }
  const CancellationToken& token() const { return token_; }

  // The name at `offset`: of a variable, an attribute, a keyword argument, an import, a definition.
  std::optional<Resolved> at(const IndexedFile& file, text::Offset offset);
  Denoted of(const IndexedFile& file, const syntax::Expr* expr);
  Denoted ofEntity(const IndexedFile& file, const Entity& entity);
  // A member of what `owner` denotes.
  Denoted member(const Denoted& owner, Name name);
  // The parameter that a keyword argument of `call` fills.
  Denoted keyword(const IndexedFile& file, const syntax::Call& call, Name name);
  // The module that a dotted name with so many leading dots means in `file`.
  Denoted ofPath(const IndexedFile& file, llvm::StringRef module, unsigned level);
  // What an import statement's alias brings in.
  Denoted ofImport(const IndexedFile& file, const syntax::Node& statement,
                   const syntax::Alias& alias);
  // The function a class's members are looked up through: its own, then its bases'.
  struct ClassMember {
    const IndexedFile* file;
    Name name;
    text::Range range;        // of the name
    const syntax::Node* node; // FunctionDef, or the statement that assigns or annotates it
  };
  // Made once for each class.
  const std::vector<ClassMember>& membersOf(const IndexedFile& file, const syntax::ClassDef& cls);
  const ClassMember* memberOf(const IndexedFile& file, const syntax::ClassDef& cls, Name name);
  // The class around a method; null for other functions.
  static const syntax::ClassDef* classOf(const IndexedFile& file,
                                         const syntax::FunctionDef& method);
  // What a value of that type denotes: its class or the namespace of its methods.
  Denoted ofType(const codegen::TypeFact& type);
  // The definition with the name at that place.
  Denoted definedAt(const diagnostics::Location& name);

private:
  Denoted ofName(const IndexedFile& file, Name name, text::Offset offset);
  Denoted ofFact(const IndexedFile& file, text::Range range);
  Denoted topLevel(const IndexedFile& file, Name name);
  Denoted defined(const IndexedFile& file, const syntax::Node& node);
  Symbol symbolOf(const IndexedFile& file, uint32_t entity);
  // What a function's first `return` with a value gives: null where it has none.
  const syntax::Expr* returnedBy(const syntax::Node& function);
  struct Members {
    std::vector<ClassMember> all;
    llvm::DenseMap<Name, size_t> places;
    void add(const ClassMember& member) {
      if (member.name && places.try_emplace(member.name, all.size()).second) all.push_back(member);
    }
  };
  const Members& allMembers(const IndexedFile& file, const syntax::ClassDef& cls);

  const driver::Snapshot& snapshot_;
  driver::Worker& worker_;
  CancellationToken token_;
  std::map<std::string, std::unique_ptr<IndexedFile>> files_; // by path
  std::map<const IndexedFile*, std::unique_ptr<FileFacts>> facts_;
  llvm::DenseMap<const syntax::ClassDef*, std::unique_ptr<Members>> members_;
  llvm::DenseMap<const syntax::Node*, const syntax::Expr*> returned_;
  unsigned depth_ = 0; // of names that lead to names
};

// The statement or definition a name is bound by: the innermost one around it.
const syntax::Stmt* statementAt(const syntax::SyntaxTree& tree, text::Offset offset);
std::string dottedPath(llvm::ArrayRef<syntax::Identifier> path, const Interner& names);

} // namespace gluond::lsp
