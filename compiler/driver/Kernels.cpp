#include "driver/Kernels.h"

#include "diagnostics/Emitter.h"
#include "driver/FileWork.h"
#include "driver/Fingerprint.h"
#include "driver/LikelyTarget.h"
#include "driver/RecordReader.h"
#include "language/Text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

namespace gluond::driver {

using namespace language;

llvm::StringRef originName(Origin origin) {
  static constexpr llvm::StringLiteral names[] = {"directive", "record", "launch", "default"};
  return names[static_cast<unsigned>(origin)];
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

const Kernel* KernelList::at(text::Offset offset) const {
  auto behind = llvm::partition_point(
      kernels, [&](const Kernel& kernel) { return kernel.name.begin <= offset; });
  return behind == kernels.begin() ? nullptr : &behind[-1];
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

std::string shortened(std::string text) {
  constexpr size_t most = 40;
  return text.size() > most ? text.substr(0, most - 3) + "..." : text;
}

// "fp16[128, 64]"; empty: no descriptor.
std::string blockOf(const evaluate::LaunchArgument& argument, const Interner& names) {
  if (!argument.type || !argument.type->is(language::TypeKind::TensorDescriptor)) return {};
  const language::Type* block = argument.type->element();
  std::string text;
  llvm::raw_string_ostream out(text);
  out << language::str(block->scalar(), names) << '[';
  llvm::interleaveComma(block->shape(), out);
  out << ']';
  return text;
}

std::string labelOf(const evaluate::Launch& launch, const Interner& names) {
  std::string label;
  llvm::StringMap<std::string> constants;
  for (const evaluate::LaunchArgument& argument : launch.arguments) {
    std::string text = blockOf(argument, names), name = names.text(argument.name).str();
    if (argument.isConstexpr && !argument.constant.isUnknown())
      constants[name] = text = shortened(repr(argument.constant, names));
    if (!text.empty()) label += name + "=" + text + " ";
  }
  for (const evaluate::LaunchOption& option : launch.options)
    if (std::string text = repr(option.value, names); constants.lookup(option.name) != text)
      label += option.name + "=" + text + " ";
  return label + "(" + launch.target + ")";
}

std::string labelOf(const LaunchRecord& record) {
  std::string label;
  for (const JsonValue& argument : record.json->find("args")->items()) {
    const JsonValue* value = argument.find("value");
    if (argument.textOf("type") != "constexpr" || !value) continue;
    llvm::StringRef text = value->source();
    for (const JsonValue& member : value->items()) // {"$layout": "BlockedLayout", ...}
      if (member.key().starts_with("$") && member.isString()) text = member.text();
    label += (argument.textOf("name") + "=" + shortened(text.str()) + " ").str();
  }
  return label + "num_warps=" + std::to_string(record.options.numWarps) + " (" +
         record.target.name() + ")";
}

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
  for (const evaluate::LaunchArgument& argument : launch.arguments)
    hash = hash * 1099511628211u + hashOf(argument, fingerprints);
  for (const evaluate::LaunchOption& option : launch.options)
    hash = hash * 1099511628211u + (llvm::xxh3_64bits(option.name) ^ fingerprints.of(option.value));
  return hash;
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
    std::string target = snapshot_.settingsOf(file_->path())->target;
    if (target.empty())
      target = records.records.empty() ? likelyTarget(*tree_).str()
                                       : records.records.front().record->target.name();
    if (!records.records.empty()) baseModule_ = records.records.front().record->module;
    auto base = program(target, baseModule_);
    if (!base) return nullptr;

    llvm::StringSet<> decided; // kernels of a higher precedence
    directives(*base);
    for (const Kernel& kernel : list_->kernels)
      decided.insert(kernel.qualname);
    if (!addRecords(records, decided)) return nullptr;
    for (const Kernel& kernel : list_->kernels)
      decided.insert(kernel.qualname);
    launches(base, decided);
    for (const Kernel& kernel : list_->kernels)
      decided.insert(kernel.qualname);
    defaults(base, decided);

    llvm::sort(list_->kernels,
               [](const Kernel& a, const Kernel& b) { return a.name.begin < b.name.begin; });
    for (Kernel& kernel : list_->kernels) {
      auto chosen = snapshot_.selections().find({file_->path(), kernel.qualname});
      if (chosen == snapshot_.selections().end()) continue;
      if (const Variant* variant = kernel.find(chosen->second))
        kernel.selected = static_cast<size_t>(variant - kernel.variants.data());
    }
    return list_;
  }

private:
  // Null: cancelled.
  std::shared_ptr<const Program> program(const std::string& target, const std::string& name) {
    auto made = Program::of(snapshot_, file_, target, name, token_);
    if (made && !llvm::is_contained(list_->programs, made)) list_->programs.push_back(made);
    return made;
  }
  Kernel& kernel(llvm::StringRef qualname, text::Range name) {
    auto [it, isNew] = places_.try_emplace(qualname, list_->kernels.size());
    if (isNew) list_->kernels.push_back({qualname.str(), name, {}, 0});
    return list_->kernels[it->second];
  }

  void add(const evaluate::Launch& launch, Origin origin,
           std::optional<diagnostics::Location> source,
           const std::shared_ptr<const Program>& program) {
    const FunctionObject& function = *launch.kernel;
    Variant variant;
    variant.id = launch.id;
    variant.kernel = function.qualname.str();
    variant.origin = origin;
    variant.target = launch.target;
    variant.label = labelOf(launch, snapshot_.names());
    variant.source = source;
    variant.hash = hashOf(launch, program->fingerprints());
    variant.program = program;
    variant.launch = &launch;
    kernel(function.qualname, function.def->name.range).variants.push_back(std::move(variant));
  }

  void directives(const Program& base) {
    auto shared = list_->programs.front();
    for (const Program::Directed& directed : base.directed())
      add(directed.launch, Origin::Directive, directed.place, shared);
  }

  // Whether the record is for the program that is evaluated anyway.
  bool isForBase(const LaunchRecord& record) const {
    return record.target.name() == list_->programs.front()->target() &&
           record.module == baseModule_;
  }
  // Whether the kernel has a variant already and the user did not choose this one.
  bool isExtra(const LaunchRecord& record) const {
    auto chosen = snapshot_.selections().find({file_->path(), record.kernel});
    return places_.contains(record.kernel) &&
           (chosen == snapshot_.selections().end() || chosen->second != record.id);
  }

  bool addRecords(const FoundRecords& records, const llvm::StringSet<>& decided) {
    diagnostics::Emitter emit(list_->problems, file_->id());
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
      if (decided.contains(record.kernel)) continue;
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
      // Nothing comes of evaluating the file once more: what there is speaks for it.
      if (FileWork::isStopped() && !isForBase(record)) {
        list_->isStopped = true;
        continue;
      }
      auto made = program(record.target.name(), record.module);
      if (!made) return false;
      Variant variant;
      variant.id = record.id;
      variant.kernel = record.kernel;
      variant.origin = Origin::Record;
      variant.target = record.target.name();
      variant.label = labelOf(record);
      variant.hash = found.hash;
      variant.program = std::move(made);
      variant.record = found;
      kernel(record.kernel, definition->name.range).variants.push_back(std::move(variant));
    }
    for (const FoundProblem& found : records.problems) {
      std::string where = llvm::sys::path::filename(found.set->file->path()).str() + ", line " +
                          std::to_string(found.problem->line) + ": " + found.problem->message;
      emit(diagnostics::Id::MalformedRecord, text::Range{0, 0}, where);
    }
    return true;
  }

  // Launches of kernels defined in this file; those of other files are those files' business, and
  // those of plain Triton kernels nobody's: Gluon's rules do not hold for them.
  void launches(const std::shared_ptr<const Program>& base, const llvm::StringSet<>& decided) {
    for (const evaluate::Launch& launch : base->evaluation().launches()) {
      const FunctionObject* function = launch.kernel;
      if (!function || !function->def || function->isTritonJit || !base->isOwn(function->module) ||
          decided.contains(function->qualname))
        continue;
      std::optional<diagnostics::Location> source;
      for (const evaluate::Place& place : launch.places)
        if (base->isOwn(place.module)) source = diagnostics::Location{file_->id(), place.range};
      add(launch, Origin::Launch, source, base);
    }
  }

  // Kernels that nobody launches and no other function calls.
  void defaults(const std::shared_ptr<const Program>& base, const llvm::StringSet<>& decided) {
    llvm::SmallPtrSet<const FunctionObject*, 16> called;
    Fingerprinter& fingerprints = base->fingerprints();
    for (const FunctionObject* function : base->evaluation().functions())
      if (function->function == FunctionKind::Jit) fingerprints.addReached(*function, called);
    for (const evaluate::Launch& launch : base->evaluation().defaultLaunches())
      if (launch.kernel && launch.kernel->def && !launch.kernel->isTritonJit &&
          !launch.kernel->qualname.contains(".") && !decided.contains(launch.kernel->qualname) &&
          !called.contains(launch.kernel))
        add(launch, Origin::Default, std::nullopt, base);
  }

  const Snapshot& snapshot_;
  const std::shared_ptr<const File>& file_;
  CancellationToken token_;
  Depth depth_;
  std::string baseModule_; // the __name__ under which the file is evaluated first
  std::shared_ptr<const syntax::SyntaxTree> tree_;
  std::shared_ptr<KernelList> list_ = std::make_shared<KernelList>();
  llvm::StringMap<size_t> places_; // of kernels in the list, until it is sorted
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
  const Lazy<KernelList>& whole = snapshot.kernelLists().of(file);
  if (depth != Depth::Quick) return whole.get(token, list);
  if (auto known = whole.peek()) return known;
  std::shared_ptr<const KernelList> quick = list();
  // What left nothing out is the whole list: of those made at the same time all take one.
  return quick && quick->isComplete ? whole.get(token, [&] { return quick; }) : quick;
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
