#include "language/natives/Natives.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/TypeContext.h"

#include <llvm/ADT/DenseSet.h>

#include <algorithm>
#include <bit>

namespace gluond::language {

// ---------------------------------------------------------------- the rows

namespace {

constexpr ScalarKind scalarNamed(std::string_view attribute) {
  ScalarKind named = ScalarKind::Void;
#define SCALAR(kind, name, mangled, itsAttribute, ...)                                             \
  if (attribute == itsAttribute) named = ScalarKind::kind;
#include "language/types/Scalars.def"
#undef SCALAR
  return named;
}

// The kind of a row, and what implements it: the row's third last column expands to one of these.
struct What {
  BuiltinKind kind;
  BoundNative native = nullptr;
  LayoutKind layout{};
  ScalarKind scalar{};
  llvm::StringLiteral text = "";
};

constexpr Builtin row(BuiltinId id, llvm::StringLiteral name, llvm::StringLiteral where,
                      llvm::StringLiteral text, llvm::ArrayRef<Parameter> parameters, What what,
                      llvm::StringLiteral doc) {
  return {id,  what.kind,   name,        where,       parameters, text,
          doc, what.native, what.layout, what.scalar, what.text};
}

#define RULE(...)                                                                                  \
  What {                                                                                           \
    BuiltinKind::Rule                                                                              \
  }
#define RULE_OF(...)                                                                               \
  What {                                                                                           \
    BuiltinKind::Rule                                                                              \
  }
#define NATIVE(function)                                                                           \
  What {                                                                                           \
    BuiltinKind::Native, &natives::function                                                        \
  }
#define PRELUDE(function)                                                                          \
  What {                                                                                           \
    BuiltinKind::Prelude, nullptr, {}, {}, function                                                \
  }
#define LAYOUT(kind)                                                                               \
  What {                                                                                           \
    BuiltinKind::Layout, &natives::construct<LayoutKind::kind>, LayoutKind::kind                   \
  }
#define DTYPE(name)                                                                                \
  What {                                                                                           \
    BuiltinKind::Dtype, nullptr, {}, scalarNamed(#name)                                            \
  }
#define CLASS()                                                                                    \
  What {                                                                                           \
    BuiltinKind::Class                                                                             \
  }
#define PROPERTY()                                                                                 \
  What {                                                                                           \
    BuiltinKind::Property                                                                          \
  }
#define CONSTANT()                                                                                 \
  What {                                                                                           \
    BuiltinKind::Constant                                                                          \
  }
#define PYTHON()                                                                                   \
  What {                                                                                           \
    BuiltinKind::Python                                                                            \
  }
#define REMOVED(replacement)                                                                       \
  What {                                                                                           \
    BuiltinKind::Removed, nullptr, {}, {}, replacement                                             \
  }
#define INERT(why)                                                                                 \
  What {                                                                                           \
    BuiltinKind::Inert, nullptr, {}, {}, why                                                       \
  }

constexpr Builtin rows[] = {
#define BUILTIN(id, name, where, text, what, doc)                                                  \
  row(BuiltinId::id, name, where, text, llvm::ArrayRef<Parameter>(signature<text>), what, doc),
#include "language/builtins/All.def"
};
static_assert(std::size(rows) == static_cast<size_t>(BuiltinId::Count));

constexpr BuiltinModule modules[] = {
#define NAMESPACE_CLASS(alias, name) {ModuleId::alias, #alias, name, true, ModuleId::alias},
#define MODULE(alias, name, fallback) {ModuleId::alias, #alias, name, false, ModuleId::fallback},
#include "language/builtins/Modules.def"
#undef NAMESPACE_CLASS
};

// ---------------------------------------------------------------- the index

constexpr uint32_t hashName(std::string_view name) {
  uint32_t h = 2166136261u;
  for (char c : name)
    h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return h;
}

struct Entry {
  uint64_t key; // module, then hash of the name
  uint16_t row;
};

constexpr uint64_t keyOf(ModuleId module, std::string_view name) {
  return static_cast<uint64_t>(module) << 32 | hashName(name);
}

constexpr std::string_view view(llvm::StringLiteral text) {
  return {text.data(), text.size()};
}

constexpr ModuleId moduleNamed(std::string_view alias) {
  for (const BuiltinModule& candidate : modules)
    if (view(candidate.alias) == alias) return candidate.id;
  return ModuleId::Count;
}

template <typename Function>
constexpr void forEachPlace(const Builtin& builtin, Function function) {
  std::string_view where = view(builtin.where);
  while (!where.empty()) {
    size_t space = where.find(' ');
    function(moduleNamed(where.substr(0, space)));
    where = space == std::string_view::npos ? std::string_view() : where.substr(space + 1);
  }
}

constexpr size_t countEntries() {
  size_t count = 0;
  for (const Builtin& builtin : rows)
    forEachPlace(builtin, [&](ModuleId) { ++count; });
  return count;
}

constexpr auto makeIndex() {
  std::array<Entry, countEntries()> index{};
  size_t count = 0;
  for (size_t i = 0; i < std::size(rows); ++i)
    forEachPlace(rows[i], [&](ModuleId module) {
      index[count++] = {keyOf(module, view(rows[i].name)), static_cast<uint16_t>(i)};
    });
  std::sort(index.begin(), index.end(),
            [](const Entry& a, const Entry& b) { return a.key < b.key; });
  return index;
}
constexpr auto index_ = makeIndex();

constexpr bool indexIsSound() {
  for (size_t i = 0; i < index_.size(); ++i) {
    if (index_[i].key >> 32 >= static_cast<uint64_t>(ModuleId::Count))
      return false;                                            // an undeclared alias
    if (i && index_[i].key == index_[i - 1].key) return false; // a name twice in a module
  }
  return true;
}
static_assert(indexIsSound(), "a row names an unknown module, or a module has a name twice");

// Where in the index a key is, by open addressing.
constexpr size_t slotCount = std::bit_ceil(index_.size() * 2);
constexpr size_t slotOf(uint64_t key) {
  return key * 0x9E3779B97F4A7C15u >> (64 - std::countr_zero(slotCount));
}
constexpr uint16_t emptySlot = 0xffff;
constexpr auto slots = [] {
  std::array<uint16_t, slotCount> made{};
  made.fill(emptySlot);
  for (size_t i = 0; i < index_.size(); ++i) {
    size_t slot = slotOf(index_[i].key);
    while (made[slot] != emptySlot)
      slot = (slot + 1) % slotCount;
    made[slot] = static_cast<uint16_t>(i);
  }
  return made;
}();

// Modules by the hash of their dotted names.
struct ModuleEntry {
  uint32_t hash;
  ModuleId module;
};
constexpr auto makeModuleIndex() {
  std::array<ModuleEntry, std::size(modules)> index{};
  for (size_t i = 0; i < index.size(); ++i)
    index[i] = {hashName(view(modules[i].name)), modules[i].id};
  std::sort(index.begin(), index.end(),
            [](const ModuleEntry& a, const ModuleEntry& b) { return a.hash < b.hash; });
  return index;
}
constexpr auto moduleIndex_ = makeModuleIndex();

} // namespace

llvm::ArrayRef<Builtin> builtins() {
  return rows;
}
const Builtin& builtin(BuiltinId id) {
  return rows[static_cast<size_t>(id)];
}
const BuiltinModule& module(ModuleId id) {
  return modules[static_cast<size_t>(id)];
}
llvm::ArrayRef<BuiltinModule> builtinModules() {
  return modules;
}

const BuiltinModule* findModule(llvm::StringRef dottedName) {
  uint32_t hash = hashName({dottedName.data(), dottedName.size()});
  auto it = std::lower_bound(
      moduleIndex_.begin(), moduleIndex_.end(), hash,
      [](const ModuleEntry& entry, uint32_t wanted) { return entry.hash < wanted; });
  for (; it != moduleIndex_.end() && it->hash == hash; ++it) {
    const BuiltinModule& candidate = module(it->module);
    if (!candidate.isClass && candidate.name == dottedName) return &candidate;
  }
  return nullptr;
}

const BuiltinModule* findSubmodule(const BuiltinModule& parent, llvm::StringRef name) {
  for (const BuiltinModule& candidate : modules)
    if (!candidate.isClass && candidate.name.size() == parent.name.size() + 1 + name.size() &&
        candidate.name.starts_with(parent.name) && candidate.name[parent.name.size()] == '.' &&
        candidate.name.ends_with(name))
      return &candidate;
  return nullptr;
}

// Rows that one of Triton's own modules has under another name.
struct OtherName {
  ModuleId module;
  llvm::StringLiteral name;
  BuiltinId row;
};
static constexpr OtherName otherNames[] = {
    {ModuleId::tl_core, "_aggregate", BuiltinId::gluon_aggregate},
};

const Builtin* findBuiltin(ModuleId id, llvm::StringRef name) {
  for (const OtherName& other : otherNames)
    if (other.module == id && other.name == name) return &builtin(other.row);
  while (true) {
    uint64_t key = keyOf(id, {name.data(), name.size()});
    for (size_t slot = slotOf(key); slots[slot] != emptySlot; slot = (slot + 1) % slotCount)
      if (const Entry& entry = index_[slots[slot]];
          entry.key == key && rows[entry.row].name == name)
        return &rows[entry.row];
    ModuleId fallback = module(id).fallback;
    if (fallback == id) return nullptr;
    id = fallback;
  }
}

void namesOf(ModuleId id, llvm::SmallVectorImpl<const Builtin*>& out) {
  llvm::SmallVector<ModuleId, 2> searched{id}; // the module, then its fallbacks
  while (module(searched.back()).fallback != searched.back())
    searched.push_back(module(searched.back()).fallback);
  for (const Builtin& builtin : rows) {
    bool here = false;
    forEachPlace(builtin, [&](ModuleId place) { here |= llvm::is_contained(searched, place); });
    // A row of a fallback may be hidden by one of the same name.
    if (here && (searched.size() == 1 || findBuiltin(id, builtin.name) == &builtin))
      out.push_back(&builtin);
  }
}

Value valueOf(const Builtin& builtin) {
  return builtin.kind == BuiltinKind::Dtype ? Value::type(scalarType(builtin.scalar))
                                            : Value::builtin(&builtin);
}

// ---------------------------------------------------------------- calls

static Value defaultOf(const Parameter& parameter, Heap& heap) {
  switch (parameter.defaultKind) {
  case DefaultKind::Required:
    return Value::absent();
  case DefaultKind::None:
    return Value::none();
  case DefaultKind::True:
    return Value::boolean(true);
  case DefaultKind::False:
    return Value::boolean(false);
  case DefaultKind::Int:
    return Value::integer(parameter.integer);
  case DefaultKind::Float:
    return Value::absent();
  case DefaultKind::Str: {
    std::string_view text = parameter.defaultText.substr(1, parameter.defaultText.size() - 2);
    return heap.str(llvm::StringRef(text.data(), text.size()));
  }
  case DefaultKind::EmptyTuple:
    return heap.tuple({});
  case DefaultKind::EmptyList:
    return heap.list({});
  case DefaultKind::Other:
    return Value::builtin(&builtin(BuiltinId::PropagateNan_NONE)); // the only one there is
  }
  return Value::absent();
}

bool bindArguments(const Builtin& builtin, Values positional,
                   llvm::ArrayRef<KeywordArgument> keywords, const Interner& names, Heap& heap,
                   BoundArguments& out, std::string& error) {
  llvm::ArrayRef<Parameter> parameters = builtin.parameters;
  out.values.assign(parameters.size(), Value::absent());
  out.from.assign(parameters.size(), BoundArguments::fromDefault);
  size_t used = 0, accepted = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == ParameterKind::Positional) {
      ++accepted;
      if (used < positional.size()) {
        out.values[i] = positional[used];
        out.from[i] = static_cast<int>(used++);
      }
    } else if (parameters[i].kind == ParameterKind::VarArgs) {
      out.values[i] = heap.tuple(positional.drop_front(used));
      used = positional.size();
    }
  }
  if (used < positional.size()) {
    out.misfit = BoundArguments::Misfit::TooMany;
    out.accepted = accepted;
    error = (builtin.name + "() takes " + llvm::Twine(accepted) + " positional argument" +
             (accepted == 1 ? "" : "s") + " but " + llvm::Twine(positional.size()) +
             (positional.size() == 1 ? " was given" : " were given"))
                .str();
    return false;
  }
  DictObject* rest = nullptr;
  for (size_t k = 0; k < keywords.size(); ++k) {
    llvm::StringRef name = names.text(keywords[k].name);
    size_t i = 0;
    for (; i < parameters.size(); ++i)
      if ((parameters[i].kind == ParameterKind::Positional ||
           parameters[i].kind == ParameterKind::KeywordOnly) &&
          name == llvm::StringRef(parameters[i].name.data(), parameters[i].name.size()))
        break;
    if (i == parameters.size()) {
      if (!parameters.empty() && parameters.back().kind == ParameterKind::KwArgs) {
        if (!rest) {
          rest = heap.make<DictObject>();
          out.values.back() = Value::object(ValueKind::Dict, rest);
        }
        rest->items.insert(heap.str(name), keywords[k].value, textHash(name));
        continue;
      }
      error = (builtin.name + "() got an unexpected keyword argument '" + name + "'").str();
      out.keyword = static_cast<int>(k);
      out.misfit = BoundArguments::Misfit::UnexpectedKeyword;
      return false;
    }
    if (out.from[i] != BoundArguments::fromDefault) {
      error = (builtin.name + "() got multiple values for argument '" + name + "'").str();
      out.keyword = static_cast<int>(k);
      out.misfit = BoundArguments::Misfit::Duplicate;
      return false;
    }
    out.values[i] = keywords[k].value;
    out.from[i] = BoundArguments::fromKeyword(k);
  }
  llvm::SmallVector<std::string_view, 4> missing;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (out.from[i] != BoundArguments::fromDefault) continue;
    if (parameters[i].kind == ParameterKind::VarArgs ||
        parameters[i].kind == ParameterKind::KwArgs) {
      if (out.values[i].isAbsent()) out.values[i] = heap.dict();
      continue;
    }
    out.values[i] = defaultOf(parameters[i], heap);
    if (out.values[i].isAbsent()) missing.push_back(parameters[i].name);
  }
  if (missing.empty()) return true;
  out.misfit = BoundArguments::Misfit::Missing;
  out.missing = missing.front();
  error = (builtin.name + "() missing " + llvm::Twine(missing.size()) +
           " required positional argument" + (missing.size() == 1 ? "" : "s") + ": ")
              .str();
  for (size_t i = 0; i < missing.size(); ++i) {
    if (i) error += i + 1 == missing.size() ? (missing.size() == 2 ? " and " : ", and ") : ", ";
    error += "'" + std::string(missing[i]) + "'";
  }
  return false;
}

// Values may be deep, share parts and contain themselves: each sequence is visited once. A value
// that nests too deeply for any builtin, or has more parts than `most`, is treated as unknown.
static bool holdsUnknown(Value value) {
  constexpr size_t most = 100'000;
  llvm::SmallVector<std::pair<Value, unsigned>, 16> left{{value, 0}};
  llvm::SmallDenseSet<const Object*, 8> seen;
  size_t visited = 0;
  while (!left.empty()) {
    auto [one, depth] = left.pop_back_val();
    if (one.isUnknown() || depth > maxNesting) return true;
    if (one.object() && !seen.insert(one.object()).second) continue;
    for (Value item : itemsOf(one)) {
      if (++visited > most) return true;
      left.push_back({item, depth + 1});
    }
  }
  return false;
}

Value callNative(const Builtin& builtin, EvaluateContext& context, const CallArguments& arguments) {
  BoundArguments bound;
  std::string error;
  if (!bindArguments(builtin, arguments.positional, arguments.keywords, context.interner(),
                     context.heap(), bound, error))
    return context.raise("TypeError", error);
  for (Value value : bound.values)
    if (holdsUnknown(value)) return Value::unknown();
  return builtin.native(context, bound.values);
}

} // namespace gluond::language
