#include "driver/launches/Kernels.h"

#include "diagnostics/Reporter.h"
#include "diagnostics/Traits.h"
#include "driver/launches/LaunchesElsewhere.h"
#include "driver/launches/LikelyTarget.h"
#include "driver/launches/RecordVariant.h"
#include "driver/launches/VariantLabels.h"
#include "driver/program/FileWork.h"
#include "driver/program/Fingerprint.h"
#include "driver/records/RecordReader.h"
#include "language/types/Structure.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

#include <set>

namespace gluond::driver {

using namespace language;

llvm::StringRef originName(Origin origin) {
  static constexpr llvm::StringLiteral names[] = {"directive", "record", "launch", "default"};
  return names[static_cast<unsigned>(origin)];
}

const File& Variant::file() const {
  const EvaluatedFile::Part* part =
      launch && launch->kernel->module ? program->part(*launch->kernel->module) : nullptr;
  return part ? *part->file : program->file();
}

std::vector<diagnostics::Location> launchPlaces(const Variant& variant) {
  std::vector<diagnostics::Location> places;
  if (variant.origin != Origin::Launch) return places;
  for (const evaluate::Place& place : llvm::reverse(variant.launch->places))
    if (const EvaluatedFile::Part* part =
            place.module ? variant.program->part(*place.module) : nullptr)
      places.push_back({part->file->id(), place.range});
  return places;
}

const Variant* Kernel::find(llvm::StringRef id) const {
  auto it = llvm::find_if(variants, [&](const Variant& each) { return each.id == id; });
  return it == variants.end() ? nullptr : &*it;
}

const Kernel* KernelList::find(llvm::StringRef qualname) const {
  auto it =
      llvm::find_if(kernels, [&](const Kernel& kernel) { return kernel.qualname == qualname; });
  return it == kernels.end() ? nullptr : &*it;
}

const FailedLaunch* KernelList::failedLaunchOf(const Kernel& kernel) const {
  auto found = llvm::find_if(
      failedLaunches, [&](const FailedLaunch& launch) { return launch.kernel == kernel.qualname; });
  return found == failedLaunches.end() ? nullptr : &*found;
}

const Kernel* KernelList::at(text::Offset offset) const {
  auto after = llvm::partition_point(
      kernels, [&](const Kernel& kernel) { return kernel.name.begin <= offset; });
  return after == kernels.begin() ? nullptr : &after[-1];
}

namespace {

// Calls visit(qualified name, def) for each definition of a function, in order. Definitions under
// if, with, try and loops belong to the scope around these. Only where `leadsOn(prefix)` looks
// further inside.
class Definitions {
public:
  using Visit = llvm::function_ref<void(const std::string&, const syntax::FunctionDef&)>;
  using LeadsOn = llvm::function_ref<bool(const std::string&)>;
  Definitions(const Interner& names, LeadsOn leadsOn, Visit visit)
      : names_(names), leadsOn_(leadsOn), visit_(visit) {}

  void walk(syntax::Stmts body, const std::string& prefix = "") {
    for (const syntax::Stmt* stmt : body) {
      if (auto* def = llvm::dyn_cast<syntax::FunctionDef>(stmt)) {
        std::string name = prefix + names_.text(def->name.name).str();
        visit_(name, *def);
        inside(def->body, name + ".<locals>.");
      } else if (auto* cls = llvm::dyn_cast<syntax::ClassDef>(stmt)) {
        inside(cls->body, prefix + names_.text(cls->name.name).str() + ".");
      } else if (auto* branch = llvm::dyn_cast<syntax::If>(stmt)) {
        walk(branch->body, prefix), walk(branch->orelse, prefix);
      } else if (auto* attempt = llvm::dyn_cast<syntax::Try>(stmt)) {
        walk(attempt->body, prefix), walk(attempt->orelse, prefix);
      } else if (auto* with = llvm::dyn_cast<syntax::With>(stmt)) {
        walk(with->body, prefix);
      } else if (auto* loop = llvm::dyn_cast<syntax::For>(stmt)) {
        walk(loop->body, prefix);
      }
    }
  }

private:
  void inside(syntax::Stmts body, const std::string& prefix) {
    if (!body.empty() && leadsOn_(prefix)) walk(body, prefix);
  }

  const Interner& names_;
  LeadsOn leadsOn_;
  Visit visit_;
};

uint64_t hashOf(const evaluate::LaunchArgument& argument, Fingerprinter& fingerprints) {
  std::string text = evaluate::signature(argument);
  for (auto number : {argument.divisibleBy, argument.pointerRange})
    text += "," + std::to_string(number.value_or(0));
  uint64_t hash = llvm::xxh3_64bits(text) + argument.inputRank;
  if (argument.isConstexpr) hash ^= fingerprints.of(argument.constant) * 31;
  if (argument.type && !argument.isTuple)
    hash = hash * 31 + fingerprints.of(Value::type(argument.type));
  for (const evaluate::LaunchArgument& element : argument.elements)
    hash = hash * 1099511628211u + hashOf(element, fingerprints);
  return hash;
}

uint64_t hashOf(const evaluate::Launch& launch, Fingerprinter& fingerprints) {
  uint64_t hash = llvm::xxh3_64bits(launch.target);
  // Kernels that one factory made have one name, and differ in the values around them.
  if (const FunctionObject& kernel = *launch.kernel;
      kernel.module && kernel.scope != kernel.module->globals)
    hash ^= fingerprints.of(kernel).value;
  for (const evaluate::LaunchArgument& argument : launch.arguments)
    hash = hash * 1099511628211u + hashOf(argument, fingerprints);
  for (const evaluate::LaunchOption& option : launch.options)
    hash = hash * 1099511628211u + (llvm::xxh3_64bits(option.name) ^ fingerprints.of(option.value));
  return hash;
}

// The target that a file is evaluated for, and the __name__ in its first record.
struct Base {
  std::string target, module;
};
Base baseOf(const Snapshot& snapshot, const File& file, const syntax::SyntaxTree& tree,
            const FoundRecords& records) {
  Base base{snapshot.settingsOf(file.path())->target, ""};
  if (base.target.empty())
    base.target = records.records.empty() ? likelyTarget(tree, file.path())
                                          : records.records.front().record->target.name();
  if (!records.records.empty()) base.module = records.records.front().record->module;
  return base;
}

// A Gluon kernel whose launch counts: the rules for launches do not apply to plain Triton kernels.
bool isKernel(const FunctionObject* function) {
  return function && function->def && !function->isTritonJit && function->module;
}

Variant variantOf(const evaluate::Launch& launch, Origin origin,
                  const std::shared_ptr<const EvaluatedFile>& program, const Interner& names) {
  Variant variant;
  variant.id = launch.id;
  variant.kernel = launch.kernel->qualname.str();
  variant.origin = origin;
  variant.target = launch.target;
  variant.label = labelOf(launch, names);
  variant.hash = hashOf(launch, program->fingerprints());
  variant.program = program;
  variant.launch = &launch;
  return variant;
}

Variant elsewhereOf(const evaluate::Launch& launch,
                    const std::shared_ptr<const EvaluatedFile>& program, const Interner& names,
                    const std::string& fileName) {
  Variant variant = variantOf(launch, Origin::Launch, program, names);
  variant.isElsewhere = true;
  variant.id += "@" + fileName;
  if (auto places = launchPlaces(variant); !places.empty()) variant.source = places.front();
  return variant;
}

class Lister {
public:
  Lister(const Snapshot& snapshot, const std::shared_ptr<const File>& file, CancellationToken token,
         Depth depth)
      : snapshot_(snapshot), file_(file), token_(token), depth_(depth) {}

  std::shared_ptr<const KernelList> run() {
    if (snapshot_.quarantined(*file_)) return list_;
    tree_ = file_->tree(snapshot_.names(), token_);
    if (!tree_) return nullptr;
    FoundRecords records = recordsOf(snapshot_, *file_);
    base_ = baseOf(snapshot_, *file_, *tree_, records);
    auto base = program(base_.target, base_.module);
    if (!base) return nullptr;

    directives(*base);
    decide();
    if (!addRecords(records)) return nullptr;
    decide();
    launches(base, /*areBlind=*/false);
    if (!elsewhere(base)) return nullptr;
    decide();
    launches(base, /*areBlind=*/true);
    for (Variant& variant : blindElsewhere_)
      if (!decided_.contains(variant.kernel)) addElsewhere(std::move(variant));
    decide();
    defaults(base);

    llvm::sort(list_->kernels,
               [](const Kernel& a, const Kernel& b) { return a.name.begin < b.name.begin; });
    for (Kernel& kernel : list_->kernels) {
      tellApart(kernel.variants, snapshot_.names());
      auto chosen = snapshot_.selections().find({file_->path(), kernel.qualname});
      if (chosen == snapshot_.selections().end()) continue;
      if (const Variant* variant = kernel.find(chosen->second))
        kernel.selected = static_cast<size_t>(variant - kernel.variants.data());
    }
    return list_;
  }

private:
  // Returns null if cancelled.
  std::shared_ptr<const EvaluatedFile> program(const std::string& target, const std::string& name) {
    auto made = EvaluatedFile::of(snapshot_, file_, target, name, token_);
    if (made && !llvm::is_contained(list_->programs, made)) list_->programs.push_back(made);
    return made;
  }
  Kernel& kernel(llvm::StringRef qualname, text::Range name) {
    auto [it, isNew] = places_.try_emplace(qualname, list_->kernels.size());
    if (isNew) list_->kernels.push_back({qualname.str(), name, {}, 0, file_});
    return list_->kernels[it->second];
  }
  // Variants added from now on have a lower precedence: they only count for kernels without any.
  void decide() {
    for (const Kernel& kernel : list_->kernels)
      decided_.insert(kernel.qualname);
  }

  void add(const evaluate::Launch& launch, Origin origin,
           std::optional<diagnostics::Location> source,
           const std::shared_ptr<const EvaluatedFile>& program) {
    Variant variant = variantOf(launch, origin, program, snapshot_.names());
    variant.source = source;
    if (origin == Origin::Launch) seen_.insert({variant.kernel, variant.hash});
    kernel(variant.kernel, launch.kernel->def->name.range).variants.push_back(std::move(variant));
  }

  void directives(const EvaluatedFile& base) {
    auto shared = list_->programs.front();
    for (const EvaluatedFile::Directed& directed : base.directed())
      add(directed.launch, Origin::Directive, directed.place, shared);
  }

  // Whether the record is for the program that is evaluated anyway.
  bool isForBase(const LaunchRecord& record) const {
    return record.target.name() == list_->programs.front()->target() &&
           record.module == base_.module;
  }
  // Whether the kernel has a variant already and the user did not choose this one.
  bool isExtra(const LaunchRecord& record) const {
    auto chosen = snapshot_.selections().find({file_->path(), record.kernel});
    return places_.contains(record.kernel) &&
           (chosen == snapshot_.selections().end() || chosen->second != record.id);
  }

  bool addRecords(const FoundRecords& records) {
    diagnostics::Reporter emit(list_->problems, file_->id());
    llvm::StringMap<const syntax::FunctionDef*> definitions;
    llvm::StringSet<> unknown;
    if (!records.records.empty())
      Definitions(
          snapshot_.names(), [](const std::string&) { return true; },
          [&](const std::string& name, const syntax::FunctionDef& def) {
            definitions[name] = &def;
          })
          .walk(tree_->body());
    for (const FoundRecord& found : records.records) {
      const LaunchRecord& record = *found.record;
      if (decided_.contains(record.kernel)) continue;
      const syntax::FunctionDef* definition = definitions.lookup(record.kernel);
      if (!definition) {
        if (unknown.insert(record.kernel).second)
          emit(diagnostics::Id::UnknownKernel, text::Range{0, 0}, record.id, record.kernel,
               llvm::sys::path::filename(file_->path()));
        continue;
      }
      if (depth_ == Depth::Quick && !isForBase(record) && isExtra(record)) {
        list_->isComplete = false;
        continue;
      }
      // Evaluating the file again is useless; the existing results are used.
      if (FileWork::isStopped() && !isForBase(record)) {
        list_->isStopped = true;
        continue;
      }
      auto made = program(record.target.name(), record.module);
      if (!made) return false;
      kernel(record.kernel, definition->name.range)
          .variants.push_back(variantOf(found, std::move(made)));
    }
    for (const std::string& file : records.missing)
      emit(diagnostics::Id::ProjectSetting, text::Range{0, 0},
           "the launch records '" + file +
               "', which the setting recordFiles names, cannot be read: there is no such file");
    for (const FoundProblem& found : records.problems) {
      std::string where = llvm::sys::path::filename(found.set->file->path()).str() + ", line " +
                          std::to_string(found.problem->line) + ": " + found.problem->message;
      emit(diagnostics::Id::MalformedRecord, text::Range{0, 0}, where);
    }
    return true;
  }

  // Launches of kernels defined in this file.
  void launches(const std::shared_ptr<const EvaluatedFile>& base, bool areBlind) {
    for (const evaluate::Launch& launch : base->evaluation().launches()) {
      const FunctionObject* function = launch.kernel;
      if (launch.isBlind != areBlind || !isKernel(function) || !base->isOwn(function->module) ||
          decided_.contains(function->qualname))
        continue;
      std::optional<diagnostics::Location> source;
      for (const evaluate::Place& place : launch.places)
        if (base->isOwn(place.module)) source = diagnostics::Location{file_->id(), place.range};
      add(launch, Origin::Launch, source, base);
    }
  }

  // Kernels of this file that are still without a variant, and that no function in it calls.
  llvm::StringSet<> undecided(const EvaluatedFile& base) {
    CalledDefinitions called = calledIn(base);
    llvm::StringSet<> names;
    for (const FunctionObject* function : base.evaluation().functions())
      if (function->function == FunctionKind::Jit && isKernel(function) &&
          !function->qualname.contains(".") && !places_.contains(function->qualname) &&
          !called.contains(function->def))
        names.insert(function->qualname);
    return names;
  }

  // Adds launches in other files; with Depth::Quick only those needed to know what a kernel is
  // selected for. Returns false if cancelled.
  bool elsewhere(const std::shared_ptr<const EvaluatedFile>& base) {
    bool hasKernels = mayDefineForKernels(tree_->source().text());
    if (!hasKernels && !launchesOthers(*base)) return true;
    if (!hasKernels && depth_ == Depth::Quick) {
      list_->isComplete = false; // what its functions raise is found later
      return true;
    }
    llvm::StringSet<> open = undecided(*base);
    addFailed(*base);
    auto wants = [&](const File& user, const Uses& uses) {
      if (depth_ == Depth::Full || hasSelected(user)) return true;
      addCalled(uses, user);
      return llvm::any_of(uses.launched, [&](const auto& name) {
        return open.contains(name.getKey()) && !places_.contains(name.getKey());
      });
    };
    auto visit = [&](const std::shared_ptr<const EvaluatedFile>& user, const Uses& uses) {
      addCalled(uses, user->file());
      addFailed(*user);
      addRaised(*user);
      const EvaluatedFile::Part* own = user->part(file_->path());
      if (uses.launched.empty() || !own || own->file != file_) return;
      std::string name = launchingFileName(user->file().path());
      for (const evaluate::Launch& launch : user->evaluation().launches()) {
        const FunctionObject* function = launch.kernel;
        if (!isKernel(function) || function->module->path != file_->path() ||
            decided_.contains(function->qualname))
          continue;
        Variant variant = elsewhereOf(launch, user, snapshot_.names(), name);
        if (launch.isBlind)
          blindElsewhere_.push_back(std::move(variant));
        else
          addElsewhere(std::move(variant));
      }
    };
    auto look = forEachUser(snapshot_, file_, base_.target, token_, wants, visit);
    if (!look) return false;
    list_->isComplete &= look->isComplete;
    auto said = [&](const std::string& what) {
      diagnostics::Reporter(list_->problems, file_->id())(diagnostics::Id::BudgetExhausted,
                                                          text::Range{0, 0}, what);
    };
    if (look->leftOut > 0)
      said(std::to_string(look->leftOut) + " of the " + std::to_string(look->users) +
           " files that use this one were not searched for launches");
    if (!look->isWhole)
      said("the project has more files than gluond searches for launches of these kernels");
    if (manyOf_ > 0)
      said(std::to_string(manyOf_) +
           " launches in other files were left out: there are more than " +
           std::to_string(mostElsewhere) + " of a kernel");
    return true;
  }

  bool hasSelected(const File& user) const {
    for (auto it = snapshot_.selections().lower_bound({file_->path(), ""});
         it != snapshot_.selections().end() && it->first.first == file_->path(); ++it)
      if (llvm::StringRef id = it->second;
          id.contains('@') && id.rsplit('@').second == launchingFileName(user.path()))
        return true;
    return false;
  }

  void addFailed(const EvaluatedFile& program) {
    for (const FailedLaunch& launch : program.failedLaunches())
      if (launch.path == file_->path()) list_->failedLaunches.push_back(launch);
  }

  // Whether code of the file launches kernels of other files, or fails to.
  static bool launchesOthers(const EvaluatedFile& base) {
    return llvm::any_of(base.evaluation().launches(),
                        [&](const evaluate::Launch& launch) {
                          return launch.kernel && !base.isOwn(launch.kernel->module);
                        }) ||
           !base.failedLaunches().empty();
  }

  void addRaised(const EvaluatedFile& user) {
    llvm::copy_if(user.diagnostics(), std::back_inserter(list_->problems),
                  [&](const diagnostics::Diagnostic& each) {
                    return each.location.file == file_->id() &&
                           (diagnostics::has(each.id, diagnostics::Trait::OfLaunch) ||
                            each.id == diagnostics::Id::ModuleException);
                  });
  }

  void addCalled(const Uses& uses, const File& user) {
    if (uses.called.empty()) return;
    for (const auto& name : uses.called)
      calledElsewhere_.insert(name.getKey());
    if (auto file = snapshot_.found(user.path());
        file && file != file_ && !llvm::is_contained(list_->callers, file))
      list_->callers.push_back(std::move(file));
  }

  void addElsewhere(Variant variant) {
    if (!seen_.insert({variant.kernel, variant.hash}).second) return;
    Kernel& of = kernel(variant.kernel, variant.launch->kernel->def->name.range);
    if (of.variants.size() >= mostElsewhere) {
      ++manyOf_;
      return;
    }
    of.variants.push_back(std::move(variant));
  }

  // Functions that others name, or get as an argument of a launch. By their definitions: a run as a
  // script has functions of its own.
  using CalledDefinitions = llvm::SmallPtrSet<const syntax::FunctionDef*, 16>;
  static CalledDefinitions calledIn(const EvaluatedFile& base) {
    llvm::SmallPtrSet<const FunctionObject*, 16> called;
    for (const FunctionObject* function : base.evaluation().functions())
      if (function->function == FunctionKind::Jit)
        base.fingerprints().addReached(*function, called);
    CalledDefinitions result;
    // Each run of a factory makes a kernel of its own.
    for (const evaluate::Launch& launch : base.evaluation().launches()) {
      if (!isKernel(launch.kernel)) continue;
      base.fingerprints().addReached(*launch.kernel, called);
      for (const evaluate::LaunchArgument& argument : launch.arguments)
        if (argument.isConstexpr) addFunctions(argument.constant, result);
    }
    for (const FunctionObject* function : called)
      if (function->def) result.insert(function->def);
    return result;
  }
  static void addFunctions(language::Value value, CalledDefinitions& out, unsigned depth = 0) {
    constexpr unsigned deepest = 4;
    if (auto* function = value.as<FunctionObject>(); function && function->def)
      out.insert(function->def);
    if (language::isSequence(value) && depth < deepest)
      for (language::Value item : language::itemsOf(value))
        addFunctions(item, out, depth + 1);
  }

  // Adds kernels that are never launched and that no other function calls.
  void defaults(const std::shared_ptr<const EvaluatedFile>& base) {
    CalledDefinitions called = calledIn(*base);
    for (const evaluate::Launch& launch : base->evaluation().defaultLaunches())
      if (isKernel(launch.kernel) && !launch.kernel->qualname.contains(".") &&
          !decided_.contains(launch.kernel->qualname) && !called.contains(launch.kernel->def) &&
          !calledElsewhere_.contains(launch.kernel->qualname))
        add(launch, Origin::Default, std::nullopt, base);
  }

  static constexpr size_t mostElsewhere = 256; // variants of a kernel

  const Snapshot& snapshot_;
  const std::shared_ptr<const File>& file_;
  CancellationToken token_;
  Depth depth_;
  Base base_;
  std::shared_ptr<const syntax::SyntaxTree> tree_;
  std::shared_ptr<KernelList> list_ = std::make_shared<KernelList>();
  llvm::StringMap<size_t> places_;                  // of kernels in the list, until it is sorted
  llvm::StringSet<> decided_;                       // kernels with variants of higher precedence
  std::set<std::pair<std::string, uint64_t>> seen_; // launches, by kernel and hash
  std::vector<Variant> blindElsewhere_;
  llvm::StringSet<> calledElsewhere_;
  size_t manyOf_ = 0; // launches past `mostElsewhere`
};

} // namespace

const syntax::FunctionDef* findDefinition(const syntax::SyntaxTree& tree,
                                          llvm::StringRef qualname) {
  const syntax::FunctionDef* found = nullptr;
  Definitions(
      tree.interner(), [&](const std::string& prefix) { return qualname.starts_with(prefix); },
      [&](const std::string& name, const syntax::FunctionDef& def) {
        if (name == qualname) found = &def;
      })
      .walk(tree.body());
  return found;
}

std::shared_ptr<const KernelList> kernelsOf(const Snapshot& snapshot,
                                            const std::shared_ptr<const File>& file,
                                            CancellationToken token, Depth depth) {
  FileWork work(snapshot, file);
  auto list = [&] { return Lister(snapshot, file, token, depth).run(); };
  const Lazy<KernelList>& whole = snapshot.shared<KernelLists>().of(file);
  if (depth != Depth::Quick) return whole.get(token, list);
  if (auto known = whole.peek()) return known;
  std::shared_ptr<const KernelList> quick = list();
  // A complete list replaces the stored one: of several made at the same time, all callers get one.
  return quick && quick->isComplete ? whole.get(token, [&] { return quick; }) : quick;
}

std::shared_ptr<const KernelList> launchedElsewhere(const Snapshot& snapshot,
                                                    const std::shared_ptr<const File>& file,
                                                    CancellationToken token) {
  FileWork work(snapshot, file);
  auto list = std::make_shared<KernelList>();
  if (snapshot.quarantined(*file)) return list;
  auto tree = file->tree(snapshot.names(), token);
  if (!tree) return nullptr;
  FoundRecords records = recordsOf(snapshot, *file);
  Base base = baseOf(snapshot, *file, *tree, records);
  auto own = EvaluatedFile::of(snapshot, file, base.target, base.module, token);
  if (!own) return nullptr;
  auto isElsewhere = [&](const evaluate::Launch& launch) {
    return isKernel(launch.kernel) && !own->isOwn(launch.kernel->module) &&
           launch.kernel->module->path != file->path();
  };
  std::set<std::string> paths;
  for (const evaluate::Launch& launch : own->evaluation().launches())
    if (isElsewhere(launch) && own->part(*launch.kernel->module))
      paths.insert(launch.kernel->module->path.str());
  for (const std::string& path : paths) {
    auto kernelFile = own->part(path)->file;
    auto kernelTree = kernelFile->tree(snapshot.names(), token);
    if (!kernelTree) return nullptr;
    // As the kernel's own list has it.
    Base there = baseOf(snapshot, *kernelFile, *kernelTree, recordsOf(snapshot, *kernelFile));
    auto program = EvaluatedFile::of(snapshot, file, there.target, "", token);
    if (!program) return nullptr;
    list->programs.push_back(program);
    std::string name = launchingFileName(file->path());
    size_t first = list->kernels.size();
    for (const evaluate::Launch& launch : program->evaluation().launches()) {
      if (!isKernel(launch.kernel) || launch.kernel->module->path != path) continue;
      auto known = std::find_if(
          list->kernels.begin() + static_cast<ptrdiff_t>(first), list->kernels.end(),
          [&](const Kernel& each) { return each.qualname == launch.kernel->qualname; });
      if (known == list->kernels.end())
        known = list->kernels.insert(
            known,
            {launch.kernel->qualname.str(), launch.kernel->def->name.range, {}, 0, kernelFile});
      known->variants.push_back(elsewhereOf(launch, program, snapshot.names(), name));
    }
    std::sort(list->kernels.begin() + static_cast<ptrdiff_t>(first), list->kernels.end(),
              [](const Kernel& a, const Kernel& b) { return a.name.begin < b.name.begin; });
  }
  for (Kernel& kernel : list->kernels)
    tellApart(kernel.variants, snapshot.names());
  return list;
}

const Lazy<KernelList>& KernelLists::of(const std::shared_ptr<const File>& file) {
  std::lock_guard lock(mutex_);
  return lists_[file];
}

void KernelLists::forget(const std::shared_ptr<const File>& file) {
  std::lock_guard lock(mutex_);
  lists_.erase(file);
}

} // namespace gluond::driver
