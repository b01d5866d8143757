#include "lsp/features/navigation/Navigation.h"

#include "driver/workspace/WorkspaceFiles.h"
#include "evaluate/launches/LaunchOptions.h"
#include "language/JitDecorator.h"
#include "language/parameters/CalledFunctions.h"
#include "lsp/features/names/ParameterNames.h"
#include "lsp/features/names/StarImports.h"
#include "lsp/features/navigation/Symbols.h"
#include "syntax/parser/Keywords.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/PlainText.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

namespace gluond::lsp {

using namespace syntax;

namespace {

// The definition or statement that a name belongs to.
text::Range wholeOf(const IndexedFile& file, text::Range name) {
  const Stmt* stmt = statementAt(*file.tree, name.begin);
  return stmt ? wholeRange(*stmt, file.tree->source()) : name;
}

Place placeOf(const Symbol& symbol) {
  return {symbol.file->file, symbol.range, wholeOf(*symbol.file, symbol.range)};
}

Place startOf(const IndexedFile& file) {
  return {file.file, {0, 0}, {0, 0}};
}

const Occurrence* occurrenceOf(const Symbol& symbol) {
  const Occurrence* here = symbol.file->index.at(symbol.range.begin);
  return here && here->range == symbol.range ? here : nullptr;
}

// For a variable assigned many times: returns the last assignment before the cursor, and the
// first.
std::vector<Place> bindings(const Symbol& symbol, const IndexedFile& here, text::Offset offset) {
  std::vector<text::Range> ranges;
  if (const Occurrence* binding = occurrenceOf(symbol))
    for (const Occurrence& each : symbol.file->index.of(binding->entity))
      if (each.binds) ranges.push_back(each.range);
  if (ranges.empty()) return {placeOf(symbol)};
  if (&here == symbol.file && ranges.size() > 2) {
    text::Range first = ranges.front(), last = first;
    for (text::Range range : ranges)
      if (range.begin < offset) last = range;
    ranges = last == first ? std::vector{first} : std::vector{last, first};
  }
  std::vector<Place> places;
  for (text::Range range : ranges)
    places.push_back({symbol.file->file, range, wholeOf(*symbol.file, range)});
  return places;
}

class UseFinder {
public:
  UseFinder(NameResolver& resolver, const Symbol& symbol) : resolver_(resolver), symbol_(symbol) {}

  void look(const IndexedFile& file) {
    file_ = &file;
    if (&file == symbol_.file) {
      if (const Occurrence* binding = occurrenceOf(symbol_))
        addEntity(binding->entity, false);
      else
        add(symbol_.range, true, false); // self.x = ... in a method
    }
    for (const Stmt* stmt : file.tree->body())
      visit(*stmt);
    if (symbol_.kind == Symbol::Kind::Global)
      for (const Constant* each : exportedNames(*file.tree).list)
        if (each->string == text(symbol_.name) && isMeant(resolver_.ofModule(file, symbol_.name)))
          if (auto range = plainText(*each, file.file->text())) add(*range, false, false);
    if (symbol_.kind == Symbol::Kind::Parameter)
      for (const NamedParameter& each : resolver_.parameterNames(file).named)
        if (each.parameter == symbol_) found_.push_back({each.file, each.range, false, false});
    all_.insert(all_.end(), found_.begin(), found_.end());
    found_.clear();
    entities_.clear();
  }
  // Sorted, the files in the order in which they were found.
  std::vector<Use> take() {
    llvm::DenseMap<const IndexedFile*, size_t> order;
    for (const Use& each : all_)
      order.try_emplace(each.file, order.size());
    auto place = [&](const Use& use) {
      return std::tuple(order[use.file], use.range.begin, !use.binds);
    };
    llvm::sort(all_, [&](const Use& a, const Use& b) { return place(a) < place(b); });
    auto isSame = [](const Use& a, const Use& b) { return a.file == b.file && a.range == b.range; };
    all_.erase(std::unique(all_.begin(), all_.end(), isSame), all_.end());
    return std::move(all_);
  }

private:
  void add(text::Range range, bool binds, bool isAlias) {
    found_.push_back({file_, range, binds, isAlias});
  }
  void addEntity(uint32_t entity, bool isAlias) {
    if (!entities_.insert(entity).second) return;
    for (const Occurrence& each : file_->index.of(entity))
      add(each.range, each.binds, isAlias);
  }
  llvm::StringRef text(Name name) const { return resolver_.snapshot().names().text(name); }
  bool isMeant(const Denoted& denoted) const {
    return denoted.symbol && *denoted.symbol == symbol_;
  }

  void visit(const Node& node) {
    if (auto* attribute = llvm::dyn_cast<Attribute>(&node)) {
      if (attribute->attribute.name == symbol_.name && isMeant(resolver_.of(*file_, attribute)))
        add(attribute->attribute.range, attribute->attribute.range == symbol_.range, false);
    } else if (auto* name = llvm::dyn_cast<NameExpr>(&node)) {
      // A name that the file does not bind may come from a star import.
      if (name->name == symbol_.name && !file_->index.at(name->range.begin) &&
          isMeant(resolver_.of(*file_, name)))
        add(name->range, false, false);
    } else if (auto* call = llvm::dyn_cast<Call>(&node)) {
      for (const Keyword& keyword : call->keywords)
        if (keyword.name.name == symbol_.name &&
            isMeant(resolver_.keyword(*file_, *call, keyword.name.name)))
          add(keyword.name.range, false, false);
    } else if (auto* import = llvm::dyn_cast<ImportFrom>(&node)) {
      for (const Alias& alias : import->names) {
        if (alias.path.empty() || alias.path.front().name != symbol_.name ||
            !isMeant(resolver_.ofImport(*file_, node, alias)))
          continue;
        add(alias.path.front().range, false, false);
        const Identifier& local = alias.asName.name ? alias.asName : alias.path.front();
        if (const Occurrence* bound = file_->index.at(local.range.begin))
          addEntity(bound->entity, bool(alias.asName.name));
      }
    }
    forEachChild(node, [&](const Node& child) { visit(child); });
  }

  NameResolver& resolver_;
  const Symbol& symbol_;
  const IndexedFile* file_ = nullptr;
  std::vector<Use> found_, all_;
  llvm::DenseSet<uint32_t> entities_; // of the file, whose places were added
};

// The local name of an import with `as`, or of one that cannot be resolved: only this file is
// affected.
const Occurrence* localImport(const IndexedFile& file, text::Offset offset,
                              const Resolved& resolved) {
  const Occurrence* here = file.index.at(offset);
  if (!here || here->range != resolved.range) return nullptr;
  const Entity& entity = file.index.entities()[here->entity];
  if (entity.kind != EntityKind::Import || !entity.alias) return nullptr;
  bool isRenamed = bool(entity.alias->asName.name);
  return isRenamed || !resolved.denoted.symbol ? here : nullptr;
}

} // namespace

std::optional<Definition> definitionAt(NameResolver& resolver, const IndexedFile& file,
                                       text::Offset offset) {
  auto resolved = resolver.at(file, offset);
  if (!resolved) return std::nullopt;
  Definition definition{resolved->range, {}};
  const Denoted& denoted = resolved->denoted;
  if (denoted.symbol)
    definition.places = bindings(*denoted.symbol, file, resolved->range.begin);
  else if (denoted.kind == Denoted::Kind::File)
    definition.places.push_back(startOf(*denoted.file));
  else if (const Occurrence* here =
               file.index.at(offset)) // an import that leads out of the workspace
    for (const Occurrence& each : file.index.of(here->entity))
      if (each.binds)
        definition.places.push_back({file.file, each.range, wholeOf(file, each.range)});
  return definition;
}

std::optional<Definition> typeDefinitionAt(NameResolver& resolver, const IndexedFile& file,
                                           text::Offset offset) {
  auto resolved = resolver.at(file, offset);
  if (!resolved) return std::nullopt;
  const Denoted& denoted = resolved->denoted;
  if (denoted.kind != Denoted::Kind::Instance && denoted.kind != Denoted::Kind::Class)
    return std::nullopt;
  auto* cls = llvm::cast<ClassDef>(denoted.node);
  return Definition{
      resolved->range,
      {{denoted.file->file, cls->name.range, wholeRange(*cls, denoted.file->tree->source())}}};
}

// The kernel that a symbol is a parameter of; null for other symbols.
static const FunctionDef* kernelOf(NameResolver& resolver, const Symbol& symbol) {
  if (symbol.kind != Symbol::Kind::Parameter) return nullptr;
  for (const Node* node : pathFrom(symbol.file->tree->body(), symbol.range.begin)) {
    auto* def = llvm::dyn_cast<FunctionDef>(node);
    bool has = def && llvm::any_of(def->parameters, [&](const Parameter& each) {
                 return each.name.range == symbol.range;
               });
    if (has) return language::isJitFunction(*def, resolver.snapshot().names()) ? def : nullptr;
  }
  return nullptr;
}

// The files of the workspace that may hold a symbol's name, for which all of them are read; none if
// only its own file may. A launch may take a kernel's parameters from a mapping that another file
// writes.
static std::vector<const IndexedFile*> filesOf(NameResolver& resolver, const Symbol& symbol,
                                               Where where) {
  const driver::Snapshot& snapshot = resolver.snapshot();
  std::vector<const IndexedFile*> files;
  if (where == Where::File || symbol.kind == Symbol::Kind::Local) return files;
  auto add = [&](Name word) {
    for (const auto& file :
         driver::filesWith(snapshot, snapshot.names().text(word), resolver.token()))
      if (const IndexedFile* indexed = resolver.indexed(file))
        if (!llvm::is_contained(files, indexed)) files.push_back(indexed);
  };
  add(symbol.name);
  if (const FunctionDef* kernel = kernelOf(resolver, symbol)) add(kernel->name.name);
  return files;
}

// The uses in the symbol's own file, and then in `files`.
static std::vector<Use> usesIn(NameResolver& resolver, const Symbol& symbol,
                               llvm::ArrayRef<const IndexedFile*> files) {
  UseFinder finder(resolver, symbol);
  finder.look(*symbol.file);
  for (const IndexedFile* file : files)
    if (file != symbol.file) finder.look(*file);
  return finder.take();
}

std::vector<Use> usesOf(NameResolver& resolver, const Symbol& symbol, Where where) {
  return usesIn(resolver, symbol, filesOf(resolver, symbol, where));
}

std::vector<Use> referencesAt(NameResolver& resolver, const IndexedFile& file, text::Offset offset,
                              Where where) {
  auto resolved = resolver.at(file, offset);
  if (!resolved) return {};
  if (!resolved->denoted.symbol) {
    // A name from outside the workspace: its places in this file.
    std::vector<Use> uses;
    if (const Occurrence* here = file.index.at(offset))
      for (const Occurrence& each : file.index.of(here->entity))
        uses.push_back({&file, each.range, each.binds, false});
    return uses;
  }
  const Symbol& symbol = *resolved->denoted.symbol;
  if (where == Where::Workspace) return usesOf(resolver, symbol, where);
  UseFinder finder(resolver, symbol);
  finder.look(file);
  std::vector<Use> uses = finder.take();
  llvm::erase_if(uses, [&](const Use& use) { return use.file != &file; });
  return uses;
}

// A function that pytest finds by its name.
static bool isFixture(NameResolver& resolver, const Denoted& denoted) {
  auto* def = llvm::dyn_cast_or_null<FunctionDef>(denoted.node);
  return def && llvm::any_of(def->decorators, [&](const Expr* each) {
           auto* call = llvm::dyn_cast<Call>(each);
           return language::calledName(call ? call->func : each, resolver.snapshot().names()) ==
                  "fixture";
         });
}

tl::expected<text::Range, std::string> renameable(NameResolver& resolver, const IndexedFile& file,
                                                  text::Offset offset) {
  auto fail = [](std::string why) { return tl::unexpected(std::move(why)); };
  auto resolved = resolver.at(file, offset);
  if (!resolved) return fail("there is no name of this workspace here");
  std::string name = file.file->text().slice(resolved->range).str();
  const Occurrence* local = localImport(file, offset, *resolved);
  if (local && file.index.entities()[local->entity].alias->asName.name) return resolved->range;
  const Denoted& denoted = resolved->denoted;
  if (isFixture(resolver, denoted))
    return fail("'" + name +
                "' is a fixture, which tests take by its name as a parameter: rename the "
                "parameters of its tests together with it");
  if (denoted.symbol) return resolved->range;
  if (denoted.kind == Denoted::Kind::File) {
    llvm::StringRef path = denoted.file->file->path();
    bool isPackage = llvm::sys::path::filename(path) == "__init__.py";
    if (isPackage) path = llvm::sys::path::parent_path(path);
    return fail("'" + name + "' is a " + (isPackage ? "folder" : "file") + ": rename '" +
                llvm::sys::path::filename(path).str() + "' and its imports");
  }
  if (denoted.kind == Denoted::Kind::Builtin || denoted.kind == Denoted::Kind::Namespace)
    return fail("'" + name + "' belongs to Gluon and cannot be renamed");
  if (local) return fail("'" + name + "' is imported under its own name; add `as` to rename it");
  return fail("the definition of '" + name + "' is unknown");
}

// Whether a keyword of this name is an option of the launch, not an argument of the kernel.
static bool isTakenByLaunches(llvm::StringRef name) {
  return name == "grid" || name == "warmup" ||
         llvm::any_of(evaluate::launchOptionRows(),
                      [&](const evaluate::LaunchOptionRow& row) { return row.name == name; });
}

// Why a function's parameter cannot be renamed: a launch may give it by a mapping that is not
// written in the workspace, a string that names it cannot be edited, pytest finds a fixture by it,
// or the string also names another function's parameter.
static std::string whyNamesStay(NameResolver& resolver, const Symbol& symbol,
                                llvm::ArrayRef<const IndexedFile*> files,
                                llvm::ArrayRef<Use> uses) {
  llvm::StringRef name = resolver.snapshot().names().text(symbol.name);
  auto at = [](const NamedParameter& each) {
    const text::SourceText& text = each.file->file->text();
    return each.file->file->path() + ":" + std::to_string(text.lineOf(each.range.begin) + 1);
  };
  for (const IndexedFile* file : files) {
    const ParameterNames& names = resolver.parameterNames(*file);
    if (names.isCutShort)
      return file->file->path() + " is too large to find all places that name '" + name.str() + "'";
    for (const NamedParameter& each : names.unknown)
      if (each.parameter == symbol)
        return "the launch at " + at(each) + " gives '" + name.str() + "' by '**" +
               each.file->file->text().slice(each.range).str() +
               "', whose keys are not known: write them out there first";
    for (const NamedParameter& each : names.unwritten)
      if (each.parameter == symbol)
        return "'" + each.file->file->text().slice(each.range).str() + "' at " + at(each) +
               " gives '" + name.str() + "' by its name: write the names there as one plain string";
    for (const NamedParameter& each : names.fixtures)
      if (each.parameter == symbol)
        return "'" + name.str() +
               "' is the name of a fixture, by which pytest finds it: rename the fixture and its "
               "uses together";
    for (const NamedParameter& each : names.named)
      if (!(each.parameter == symbol) && llvm::any_of(uses, [&](const Use& use) {
            return use.file == each.file && use.range == each.range;
          }))
        return "'" + name.str() + "' at " + at(each) +
               " also names a parameter of another function: give each function names of its own "
               "first";
  }
  return {};
}

// Whether something may name the symbol as a parameter, other than by keywords of calls.
static bool isNamed(NameResolver& resolver, const Symbol& symbol,
                    llvm::ArrayRef<const IndexedFile*> files) {
  if (symbol.kind != Symbol::Kind::Parameter) return false;
  if (kernelOf(resolver, symbol)) return true;
  auto isHere = [&](const NamedParameter& each) { return each.parameter == symbol; };
  return llvm::any_of(files, [&](const IndexedFile* file) {
    const ParameterNames& names = resolver.parameterNames(*file);
    return llvm::any_of(names.named, isHere) || llvm::any_of(names.unwritten, isHere) ||
           llvm::any_of(names.fixtures, isHere);
  });
}

tl::expected<std::vector<FileEdits>, std::string> renameAt(NameResolver& resolver,
                                                           const IndexedFile& file,
                                                           text::Offset offset,
                                                           llvm::StringRef newName) {
  auto fail = [](std::string why) { return tl::unexpected(std::move(why)); };
  if (!isIdentifier(newName) || isKeyword(newName))
    return fail("'" + newName.str() + "' is not a valid Python name");
  if (auto can = renameable(resolver, file, offset); !can) return fail(can.error());
  auto resolved = resolver.at(file, offset);

  std::vector<Use> uses;
  if (const Occurrence* local = localImport(file, offset, *resolved)) {
    for (const Occurrence& each : file.index.of(local->entity))
      uses.push_back({&file, each.range, each.binds, false});
  } else {
    const Symbol& symbol = *resolved->denoted.symbol;
    bool isOfKernel = kernelOf(resolver, symbol);
    if (isOfKernel && isTakenByLaunches(newName))
      return fail("launches take '" + newName.str() + "' for themselves, as a keyword argument");
    llvm::StringRef old = file.file->text().slice(resolved->range);
    if (isOfKernel && isTakenByLaunches(old))
      return fail("'" + old.str() +
                  "' is also an option of launches, which give one value to both: "
                  "name the parameter anew by hand, and pass it beside '" +
                  old.str() + "'");
    auto files = filesOf(resolver, symbol, Where::Workspace);
    uses = usesIn(resolver, symbol, files);
    llvm::erase_if(uses, [](const Use& use) { return use.isAlias; });
    if (isNamed(resolver, symbol, files))
      if (std::string why = whyNamesStay(resolver, symbol, files, uses); !why.empty())
        return fail(std::move(why));
  }

  // The new name must be free in every scope that contains the old one.
  Name wanted = resolver.snapshot().names().intern(newName);
  for (const Use& use : uses) {
    const Occurrence* here = use.file->index.at(use.range.begin);
    if (!here || here->range != use.range || here->isKeyword) continue;
    const Entity& entity = use.file->index.entities()[here->entity];
    for (const Entity* other : {use.file->index.lookup(wanted, use.range.begin),
                                use.file->index.inScopeOf(entity, wanted)})
      if (other && other != &entity)
        return fail("'" + newName.str() + "' already has another meaning here");
  }
  std::vector<FileEdits> edits;
  for (const Use& use : uses) {
    if (edits.empty() || edits.back().file != use.file->file) edits.push_back({use.file->file, {}});
    edits.back().edits.push_back({use.range, newName.str()});
  }
  return edits;
}

} // namespace gluond::lsp
