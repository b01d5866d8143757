// Resolves names across the files of a workspace: used for definition, references, rename, call
// hierarchy, hover and the completion of members.
//
// It first uses syntax and imports (Python's scopes, classes and their bases, `self`, names
// assigned once), then codegen's facts if these are not enough. For one request on one thread;
// files are indexed on first use and kept for the request.
#pragma once

#include "lsp/features/facts/FileFacts.h"
#include "lsp/features/names/GluonFiles.h"
#include "lsp/features/names/ResolvedName.h"
#include "lsp/features/names/StarImports.h"

#include <llvm/ADT/DenseMap.h>

#include <map>

namespace gluond::lsp {

// A file with its name index.
struct IndexedFile {
  std::shared_ptr<const driver::File> file;
  std::shared_ptr<const syntax::SyntaxTree> tree;
  std::shared_ptr<const NameIndex> names; // shared by all requests for this version
  const NameIndex& index = *names;
  const bool isGluon; // mentionsGluon(its text)
  IndexedFile(std::shared_ptr<const driver::File> file,
              std::shared_ptr<const syntax::SyntaxTree> tree,
              std::shared_ptr<const NameIndex> names)
      : file(std::move(file)), tree(std::move(tree)), names(std::move(names)),
        isGluon(mentionsGluon(this->file->text().text())) {}
  IndexedFile(const IndexedFile&) = delete;
};

// Something that names refer to, with the same identity from every file: the place of its name in
// its first binding.
struct Symbol {
  const IndexedFile* file = nullptr;
  text::Range range; // of the name
  Name name{};
  enum class Kind : uint8_t { Local, Global, Parameter, Member } kind = Kind::Local;
  friend bool operator==(const Symbol& a, const Symbol& b) {
    return a.file == b.file && a.range == b.range;
  }
};

// The object that an expression refers to, as far as names determine it.
struct Denoted {
  enum class Kind : uint8_t {
    Nothing,   // not known
    Builtin,   // a row of the table: `builtin`
    Namespace, // a module or class of the table: `module`
    File,      // a module of the workspace: `file`
    Function,  // `node` (a FunctionDef) of `file`
    Class,     // `node` (a ClassDef) of `file`
    Instance,  // of that class
    Value,     // something else; `symbol` is its name
  } kind = Kind::Nothing;
  const language::Builtin* builtin = nullptr;
  const language::BuiltinModule* module = nullptr;
  const IndexedFile* file = nullptr;
  const syntax::Node* node = nullptr;
  std::optional<Symbol> symbol; // the user's own name for it, if there is one
  bool isValue =
      false; // for Namespace: it has the methods of a value (a tensor), not those of the class
  bool isBound = false; // for Builtin, Function: a method of a value; its first parameter is bound
  explicit operator bool() const { return kind != Kind::Nothing || symbol; }
};

// A name in a file and what it refers to.
struct Resolved {
  text::Range range;
  Denoted denoted;
};

struct ParameterNames; // ParameterNames.h

class NameResolver {
public:
  NameResolver(const driver::Snapshot& snapshot, driver::Worker& worker, CancellationToken token)
      : snapshot_(snapshot), worker_(worker), token_(token) {}
  NameResolver(const NameResolver&) = delete;
  // Returns a new resolver of the same kind, without cached files.
  std::unique_ptr<NameResolver> another() const {
    return std::make_unique<NameResolver>(snapshot_, worker_, token_);
  }

  // Returns null if cancelled, or if there is no such file.
  const IndexedFile* indexed(const std::shared_ptr<const driver::File>& file);
  const IndexedFile* indexed(llvm::StringRef path);
  FileFacts& facts(const IndexedFile& file);
  const driver::Snapshot& snapshot() const { return snapshot_; }
  driver::Worker& worker() const { return worker_; }
  const CancellationToken& token() const { return token_; }
  // The release of Triton of the file that the request is about: the first one that was indexed.
  releases::Release release() const { return release_.value_or(releases::newest); }

  // Resolves the name at `offset`: a variable, attribute, keyword argument, import or definition.
  std::optional<Resolved> at(const IndexedFile& file, text::Offset offset);
  Denoted of(const IndexedFile& file, const syntax::Expr* expr);
  Denoted ofEntity(const IndexedFile& file, const Entity& entity);
  // Returns a member of what `owner` refers to.
  Denoted member(const Denoted& owner, Name name);
  // `member`, a field of an instance, with the type that its annotation names.
  Denoted annotated(const Denoted& owner, Name name, const Denoted& member);
  // Returns what a call of `callee` calls: also the kernel of `kernel[grid]`, `kernel.warmup`,
  // `partial(kernel[grid], ...)`, `triton.autotune(...)(kernel)`, or of a name for one of these.
  Denoted called(const IndexedFile& file, const syntax::Expr* callee);
  // Returns the places of a file that name the parameters of kernels, searched once.
  const ParameterNames& parameterNames(const IndexedFile& file);
  // Returns the parameter for a keyword argument of `call`.
  Denoted keyword(const IndexedFile& file, const syntax::Call& call, Name name);
  // Returns the module that a dotted name with this many leading dots refers to in `file`.
  Denoted ofPath(const IndexedFile& file, llvm::StringRef module, unsigned level);
  // Returns what a name of the module itself refers to, by its star imports too.
  Denoted ofModule(const IndexedFile& file, Name name) { return topLevel(file, name); }
  // Returns what a name that the file does not bind refers to by its star imports.
  Denoted starImported(const IndexedFile& file, Name name);
  // Returns what an alias of an import statement refers to.
  Denoted ofImport(const IndexedFile& file, const syntax::Node& statement,
                   const syntax::Alias& alias);
  // A member for look-ups in a class: its own first, then its bases'.
  struct ClassMember {
    const IndexedFile* file;
    Name name;
    text::Range range;        // of the name
    const syntax::Node* node; // FunctionDef, or the statement that assigns or annotates it
  };
  // The members of a class, computed once.
  const std::vector<ClassMember>& membersOf(const IndexedFile& file, const syntax::ClassDef& cls);
  const ClassMember* memberOf(const IndexedFile& file, const syntax::ClassDef& cls, Name name);
  // Returns the class around a method; null for other functions.
  static const syntax::ClassDef* classOf(const IndexedFile& file,
                                         const syntax::FunctionDef& method);
  static Denoted ofBuiltin(const language::Builtin* row);
  // Returns what a value of that type refers to: its class or the namespace of its methods.
  Denoted ofType(const codegen::TypeFact& type);
  // Returns the definition with the name at that place.
  Denoted definedAt(const diagnostics::Location& name);

private:
  // Of names that lead to names, and imports that lead to imports.
  static constexpr unsigned maxDepth = 24;
  Denoted ofName(const IndexedFile& file, Name name, text::Offset offset);
  Denoted ofFact(const IndexedFile& file, text::Range range);
  Denoted topLevel(const IndexedFile& file, Name name);
  Denoted defined(const IndexedFile& file, const syntax::Node& node);
  Symbol symbolOf(const IndexedFile& file, uint32_t entity);
  // Returns the value of a name that is assigned once, and its file.
  std::pair<const IndexedFile*, const syntax::Expr*> onlyValueOf(const Symbol& symbol);
  // Returns the name that `string` or a keyword gives to a kernel's parameter.
  std::optional<Resolved> namedParameter(const IndexedFile& file, text::Offset offset);
  // Returns the value of a function's first `return` with a value, or null if there is none.
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
  std::optional<releases::Release> release_;                  // known once a file was indexed
  std::map<std::string, std::unique_ptr<IndexedFile>> files_; // by path
  std::map<const IndexedFile*, std::unique_ptr<FileFacts>> facts_;
  std::map<const IndexedFile*, std::shared_ptr<const ParameterNames>> parameterNames_;
  // Of a file: its star imports, what it exports, and what names that it does not bind refer to.
  // Modules may import each other in circles: a name that is being looked for is not found.
  struct StarNames {
    std::vector<const syntax::ImportFrom*> imports;
    ExportedNames exported;
    llvm::DenseMap<Name, Denoted> found;
  };
  StarNames& starNames(const IndexedFile& file);
  std::map<const IndexedFile*, std::unique_ptr<StarNames>> starNames_;
  llvm::DenseMap<const syntax::ClassDef*, std::unique_ptr<Members>> members_;
  llvm::DenseMap<const syntax::Node*, const syntax::Expr*> returned_;
  size_t inherited_ = 0; // members that were copied from base classes
  unsigned depth_ = 0;   // of names that refer to other names
};

// Returns the innermost statement or definition around a place, which binds the name there.
const syntax::Stmt* statementAt(const syntax::SyntaxTree& tree, text::Offset offset);
// Returns what the statement around a name assigns to it (`name = value`), or null.
const syntax::Expr* valueOf(const syntax::SyntaxTree& tree, text::Range name);
std::string dottedPath(llvm::ArrayRef<syntax::Identifier> path, const Interner& names);

} // namespace gluond::lsp
