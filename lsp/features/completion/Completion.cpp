#include "lsp/features/completion/Completion.h"

#include "evaluate/triton/TritonModules.h"
#include "language/JitDecorator.h"
#include "language/types/LayoutClass.h"
#include "lsp/features/completion/Completer.h"
#include "lsp/features/completion/ExpressionClass.h"
#include "lsp/features/completion/HalfTyped.h"
#include "lsp/features/completion/ModuleNames.h"
#include "lsp/features/completion/Signature.h"
#include "lsp/features/completion/ValueMembers.h"
#include "lsp/features/facts/FactText.h"
#include "releases/ApiChanges.h"
#include "syntax/parser/Keywords.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::lsp {

using namespace syntax;

namespace {

CompletionKind kindOf(const lang::Builtin& builtin) {
  switch (builtin.kind) {
  case lang::BuiltinKind::Layout:
  case lang::BuiltinKind::Class:
  case lang::BuiltinKind::Dtype:
    return CompletionKind::Class;
  case lang::BuiltinKind::Property:
    return CompletionKind::Property;
  case lang::BuiltinKind::Constant:
    return CompletionKind::Constant;
  default:
    return CompletionKind::Function;
  }
}

// Types that fields of aggregates have beside gl.constexpr.
constexpr llvm::StringLiteral typesOfFields[] = {"tensor", "shared_memory_descriptor"};
// Python's own names that kernels may use.
constexpr llvm::StringLiteral pythonNames[] = {"range", "len",   "min",   "max",  "float", "int",
                                               "bool",  "print", "tuple", "None", "True",  "False"};
// Statements that kernels may have begin with these.
constexpr llvm::StringLiteral statements[] = {"for",   "if",   "elif",   "else",
                                              "while", "pass", "return", "assert"};

} // namespace

Completions Completer::run() {
  if (context_.string) {
    context_.word = *context_.string;
    if (!context_.calls.empty()) choices(context_.calls.back());
    if (namesParameter()) kernelParameters();
  } else if (context_.inText) {
    directive();
  } else {
    find();
  }
  return {context_.word, std::move(items_)};
}

llvm::StringRef Completer::typedText() const {
  return source_.slice({context_.word.begin, offset_});
}

// "float32" of "gl.float32", "BLOCK" of "BLOCK=" and "\"BLOCK\": ".
static llvm::StringRef nameIn(llvm::StringRef label) {
  bool isDotted = label.find_first_of("([{ ") == llvm::StringRef::npos;
  return label.drop_front(isDotted ? label.rfind('.') + 1 : 0).ltrim("\"'").rtrim("\"'=: ");
}

// How well a label goes with the typed letters: it is them, begins with them, has a word that does,
// or merely contains them.
static unsigned distanceOf(llvm::StringRef name, llvm::StringRef typed) {
  if (typed.empty() || name == typed) return 0;
  if (name.starts_with_insensitive(typed)) return 1;
  for (size_t i = 1; i < name.size(); ++i) {
    bool isBegin = name[i - 1] == '_' || (llvm::isUpper(name[i]) && llvm::isLower(name[i - 1]));
    if (isBegin && name.drop_front(i).starts_with_insensitive(typed)) return 2;
  }
  return 3;
}

bool Completer::fits(llvm::StringRef label) const {
  llvm::StringRef typed = typedText();
  for (char each : label)
    if (!typed.empty() && llvm::toLower(each) == llvm::toLower(typed.front()))
      typed = typed.drop_front();
  return typed.empty();
}

void Completer::add(llvm::StringRef label, CompletionKind kind, const std::string& detail,
                    std::string documentation, unsigned rank) {
  constexpr size_t mostOfDetail = 400; // lists show one line of it
  if (fits(label) && seen_.insert(label).second)
    items_.push_back({label.str(), kind, shortened(detail, mostOfDetail), std::move(documentation),
                      rank, distanceOf(nameIn(label), typedText()),
                      !nameIn(label).starts_with(typedText())});
}

void Completer::find() {
  if (auto import = importAt(source_, offset_)) return imports(*import);
  if (context_.afterDot) return members();
  if (source_.slice({source_.lineStart(source_.lineOf(offset_)), context_.word.begin}).trim() ==
      "@")
    return decorators();
  if (auto part = parameterPart()) {
    if (*part == ParameterPart::Name) return; // a new name
    if (*part == ParameterPart::Annotation) addConstexpr();
  }
  if (kernel_ && annotatesName(context_.word.begin)) {
    addConstexpr();
    if (llvm::isa<ClassDef>(kernel_)) fieldTypes();
  }
  if (kernel_ && isIterated(context_.word.begin)) addIterators();
  if (comparesDtype(context_.word.begin)) ofLanguage(isDtype, "", 0);
  if (kernel_ && assignsConstexpr()) expected_ = ExpectedValue::Constant;
  if (!context_.calls.empty()) call(context_.calls.back());
  if (!scope_.besidePython && (kernel_ || scope_.plainPython)) scope();
}

void Completer::imports(const ImportText& import) {
  if (import.wantsAlias) return;
  for (const std::string& name : import.imported)
    seen_.insert(name);
  Denoted module = import.module.empty() && import.level == 0
                       ? Denoted()
                       : resolver_.ofPath(file_, import.module, import.level);
  if (import.wantsName) {
    if (module.kind == Denoted::Kind::Namespace) return builtins(*module.module);
    if (module.kind == Denoted::Kind::File) topLevel(*module.file);
  } else if (module.kind == Denoted::Kind::Namespace) {
    submodules(*module.module, 0);
  } else if (import.module.empty() && import.level == 0) {
    for (const lang::BuiltinModule& each : lang::builtinModules())
      if (!each.isClass && !each.name.contains('.'))
        add(each.name, CompletionKind::Module, each.name.str(), "", 1);
  }
  for (const std::string& name : moduleNames(resolver_.snapshot(), file_.file->path(), import))
    add(name, CompletionKind::Module, "", "", 0);
}

std::string Completer::languagePrefix(llvm::StringRef dotted) {
  std::string prefix;
  forEachNamespace([&](llvm::StringRef name, const lang::BuiltinModule& module) {
    bool isBetter = prefix.empty() || dotted.split('.').first == name;
    if (module.id == lang::ModuleId::gl && isBetter) prefix = name.str() + ".";
  });
  return prefix;
}

void Completer::decorators() {
  constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> known[] = {
      {"triton.experimental.gluon", "jit"},
      {"triton.experimental.gluon", "constexpr_function"},
      {"triton.experimental.gluon", "aggregate"},
      {"triton", "autotune"},
      {"triton", "heuristics"}};
  forEachNamespace([&](llvm::StringRef name, const lang::BuiltinModule& module) {
    for (auto [owner, decorator] : known)
      if (module.name == owner)
        add((name + "." + decorator).str(), CompletionKind::Function, "decorator", "", 0);
  });
}

std::optional<Completer::ParameterPart> Completer::parameterPart() const {
  if (context_.calls.empty()) return std::nullopt;
  const OpenCall& list = context_.calls.front();
  llvm::StringRef text = source_.text();
  if (list.bracket != '(' || list.callee.end <= list.callee.begin ||
      !text.take_front(list.callee.begin).rtrim(" \t").ends_with("def"))
    return std::nullopt;
  if (context_.calls.size() > 1) // in the brackets of an annotation or a default
    return ParameterPart::Default;
  ParameterPart part = ParameterPart::Name;
  unsigned depth = 0;
  for (char each : text.slice(text.find('(', list.callee.end) + 1, context_.word.begin)) {
    if (each == '(' || each == '[' || each == '{') ++depth;
    if (each == ')' || each == ']' || each == '}') depth -= depth > 0;
    if (depth) continue;
    if (each == ',') part = ParameterPart::Name;
    if (each == ':') part = ParameterPart::Annotation;
    if (each == '=') part = ParameterPart::Default;
  }
  return part;
}

bool Completer::annotatesName(text::Offset begin) const {
  llvm::StringRef line = source_.slice({source_.lineStart(source_.lineOf(offset_)), begin});
  auto [name, rest] = line.trim(" \t").split(':');
  return context_.calls.empty() && line.rtrim(" \t").ends_with(":") && rest.empty() &&
         isIdentifier(name) && !isKeyword(name);
}

bool Completer::assignsConstexpr() const {
  auto [annotated, rest] =
      source_.slice({source_.lineStart(source_.lineOf(offset_)), context_.word.begin}).split('=');
  return context_.calls.empty() && rest.trim(" \t").empty() && annotated.contains(':') &&
         annotated.rtrim(" \t").ends_with("constexpr");
}

bool Completer::isIterated(text::Offset begin) const {
  llvm::StringRef line = source_.slice({source_.lineStart(source_.lineOf(offset_)), begin});
  llvm::StringRef header = line.trim(" \t");
  return context_.calls.empty() && line.size() > line.rtrim(" \t").size() &&
         header.consume_front("for ") && header.consume_back(" in") && isIdentifier(header.trim());
}

// All that a loop of a kernel may iterate over.
void Completer::addIterators() {
  add("range", CompletionKind::Function, "a loop at run time", "", 0);
  if (std::string prefix = languagePrefix(); !prefix.empty())
    add(prefix + "static_range", CompletionKind::Function, "unrolled at compile time", "", 0);
}

void Completer::fieldTypes() {
  if (std::string prefix = languagePrefix(); !prefix.empty())
    for (llvm::StringRef name : typesOfFields)
      add(prefix + name.str(), CompletionKind::Class, "the type of a field", "", 0);
}

void Completer::addConstexpr() {
  if (std::string prefix = languagePrefix(); !prefix.empty())
    add(prefix + "constexpr", CompletionKind::Class, "a value known at compile time", "", 0);
}

void Completer::members() {
  llvm::StringRef base = source_.slice(context_.base);
  auto name = names_.find(base.trim()); // of a name of the file; names are kept for good
  const Entity* entity = name ? file_.index.lookup(*name, offset_) : nullptr;
  bool isParameter = kernel_ && entity && entity->kind == EntityKind::Parameter;
  // For any types that are assumed without a launch.
  auto* def = llvm::dyn_cast_or_null<FunctionDef>(kernel_);
  if (isParameter && def && isDescriptorParameter(resolver_, file_, *def, entity->name))
    builtins(lang::module(lang::ModuleId::tensor_descriptor));
  if (!base.empty() && items_.empty())
    membersOf(resolver_, dottedBefore(resolver_, file_, base, offset_));
  // An expression, a member of a value that names alone do not determine (`x.type.`), or a value
  // whose type no launch tells.
  if (kernel_ && items_.empty()) {
    BeforeDot before = expressionBefore(resolver_, file_, context_);
    if (before.file) membersOf(*before.resolver, before.found);
  }
  if (isParameter && items_.empty() && isConstexprParameter(entity->name))
    add("value", CompletionKind::Property, "the Python value of the constexpr", "", 0);
}

bool Completer::isConstexprParameter(Name name) const {
  auto* def = llvm::dyn_cast<FunctionDef>(kernel_);
  return def && llvm::any_of(def->parameters, [&](const Parameter& each) {
           return each.name.name == name && isConstexpr(each);
         });
}

bool Completer::isConstexpr(const Parameter& parameter) const {
  return parameter.annotation && source_.slice(parameter.annotation->range).ends_with("constexpr");
}

void Completer::membersOf(NameResolver& resolver, const HalfTyped& found) {
  const codegen::TypeFact* value = found.fact ? &found.fact->type : nullptr;
  if (value) fields(*found.fact);
  // Until it was waited for, it has no members of its tensor.
  if (value && value->kind == codegen::FactKind::Accumulator) {
    const lang::Builtin& type = *lang::findBuiltin(lang::ModuleId::tensor, "type");
    add(type.name, CompletionKind::Property, "", documentation(type).str());
    return;
  }
  const Denoted& denoted = found.denoted;
  switch (denoted.kind) {
  case Denoted::Kind::Builtin:
    if (denoted.builtin->kind == lang::BuiltinKind::Dtype)
      builtins(lang::module(lang::ModuleId::dtype), classOfDtype(denoted.builtin->name));
    else if (denoted.module)
      builtins(*denoted.module);
    break;
  case Denoted::Kind::Namespace:
    builtins(*denoted.module, found.typeClass(), found.sureValue());
    break;
  case Denoted::Kind::File:
    topLevel(*denoted.file);
    break;
  case Denoted::Kind::Class:
  case Denoted::Kind::Instance:
    classMembers(resolver, denoted, denoted.kind == Denoted::Kind::Class);
    break;
  case Denoted::Kind::Function:
    if (!kernel_) kernelMembers(denoted);
    break;
  default:
    break;
  }
}

void Completer::kernelMembers(const Denoted& denoted) {
  auto* def = llvm::dyn_cast<FunctionDef>(denoted.node);
  if (!def || roleOf(*denoted.file->tree, denoted.file->index, *def) != GluonRole::Kernel) return;
  for (const KernelMember& each : kernelMemberRows())
    if (!each.name.starts_with("_"))
      add(each.name, each.isMethod ? CompletionKind::Method : CompletionKind::Field,
          each.documentation.str());
}

void Completer::fields(const Fact& fact) {
  for (const codegen::TypeFact::Member& member : fact.type.members) {
    if (member.name.empty()) continue;
    const codegen::TypeFact& type = fact.member(member);
    std::string text = shortText(type);
    add(member.name, CompletionKind::Field, text.empty() ? type.text : text,
        type.layout.empty() ? "" : "`" + type.layout + "`", 0);
  }
  if (fact.type.layout.empty() || fact.type.kind != codegen::FactKind::Constexpr) return;
  for (const lang::LayoutClass& cls : lang::layoutClasses())
    if (fact.type.className == cls.name) {
      for (const lang::LayoutField& field : cls.fields)
        add(field.name, CompletionKind::Field, cls.name.str(), "", 0);
      if (cls.family == lang::LayoutFamily::Distributed && fact.type.layoutRank > 0)
        add("rank", CompletionKind::Property, "the number of dimensions");
    }
}

std::optional<Completer::Wanted> Completer::wantedHere() {
  bool isField = llvm::isa_and_nonnull<ClassDef>(kernel_) && annotatesName(context_.base.begin);
  if (isField)
    return [](const lang::Builtin& row) {
      return row.id == lang::BuiltinId::gl_constexpr || llvm::is_contained(typesOfFields, row.name);
    };
  if (annotatesName(context_.base.begin) || parameterPart() == ParameterPart::Annotation)
    return [](const lang::Builtin& row) { return row.id == lang::BuiltinId::gl_constexpr; };
  if (isIterated(context_.base.begin))
    return [](const lang::Builtin& row) { return row.id == lang::BuiltinId::gl_static_range; };
  if (comparesDtype(context_.base.begin)) return isDtype;
  const auto& callable = called();
  const CallableParameter* filled =
      callable ? parameterAt(context_.calls.back(), *callable) : nullptr;
  if (!filled) return std::nullopt;
  if (takesLayout(filled->name)) return layoutsOf(expectedValue(*callable, filled->name));
  if (callable->builtin && takesDtype(filled->name)) return isDtype;
  return std::nullopt;
}

bool Completer::comparesDtype(text::Offset begin) const {
  llvm::StringRef before =
      source_.slice({source_.lineStart(source_.lineOf(offset_)), begin}).rtrim(" \t");
  if (!before.consume_back("==") && !before.consume_back("!=")) return false;
  before = before.rtrim(" \t");
  return before.ends_with("dtype") || before.ends_with("element_ty");
}

template <ExpectedValue expected> static bool isLayout(const lang::Builtin& row) {
  return row.kind == lang::BuiltinKind::Layout &&
         isLayoutOf(expected, lang::layoutClass(row.layout).family);
}

Completer::Wanted Completer::layoutsOf(ExpectedValue expected) {
  switch (expected) {
  case ExpectedValue::DistributedLayout:
    return isLayout<ExpectedValue::DistributedLayout>;
  case ExpectedValue::SharedLayout:
    return isLayout<ExpectedValue::SharedLayout>;
  case ExpectedValue::TensorMemoryLayout:
    return isLayout<ExpectedValue::TensorMemoryLayout>;
  default:
    return isLayout<ExpectedValue::AnyLayout>;
  }
}

void Completer::builtins(const lang::BuiltinModule& module, TypeClass type,
                         const codegen::TypeFact* value) {
  llvm::SmallVector<const lang::Builtin*> rows;
  lang::namesOf(module.id, rows);
  auto wanted = wantedHere();
  releases::Release release = resolver_.release();
  llvm::StringRef owner = module.name;
  if (module.isClass) owner = module.alias;
  for (const lang::Builtin* row : rows) {
    // Files of Triton import the decorator of its own builtins.
    bool isInternal = row->id == lang::BuiltinId::gl_builtin;
    // Operators are written as such; who wants one by name begins with its underscore.
    bool isHidden = row->name.starts_with("__") && typedText().empty();
    if (row->kind == lang::BuiltinKind::Removed || row->kind == lang::BuiltinKind::Inert ||
        isInternal || isHidden || !fits(row->name) ||
        (module.id == lang::ModuleId::dtype && !isMemberOfType(row->name, type)) ||
        (module.id == lang::ModuleId::tensor && !isMemberOfTensor(row->name, value)) ||
        (wanted && row->id == lang::BuiltinId::gl_void) ||
        !releases::has(release, owner, row->name).value_or(true))
      continue;
    bool isOther = wanted && !(*wanted)(*row);
    add(row->name, kindOf(*row), signatureText(*row, release), documentation(*row).str(),
        row->name.starts_with("_") ? 2 : isOther);
  }
  if (release != releases::newest) earlierNames(owner, module);
  submodules(module, wanted ? 1 : 0);
  // Triton's names for host code have no rows: triton.cdiv, triton.autotune.
  if (!module.isClass && !module.name.contains(".language"))
    for (llvm::StringRef name : evaluate::tritonNames(module.name))
      if (!name.starts_with("_") && releases::has(release, owner, name).value_or(true))
        add(name, CompletionKind::Function, (module.name + "." + name).str());
}

void Completer::earlierNames(llvm::StringRef owner, const lang::BuiltinModule& module) {
  for (const releases::Successor& each : releases::successors()) {
    const lang::Builtin* now =
        each.owner == owner ? lang::findBuiltin(module.id, each.replacement) : nullptr;
    if (now && releases::has(resolver_.release(), owner, each.name).value_or(true))
      add(each.name, kindOf(*now), each.name.str(), documentation(*now).str(), 0);
  }
}

void Completer::submodules(const lang::BuiltinModule& module, unsigned rank) {
  for (const lang::BuiltinModule& other : lang::builtinModules()) {
    llvm::StringRef name = other.name;
    if (other.isClass || !name.consume_front(module.name) || !name.consume_front(".") ||
        name.contains('.') || name.starts_with("_") ||
        !evaluate::isTritonModule(other.name, resolver_.release()).value_or(true))
      continue;
    add(name, CompletionKind::Module, other.name.str(), "", rank);
  }
}

void Completer::topLevel(const IndexedFile& file) {
  for (const Entity& entity : file.index.entities())
    if (entity.scope == 0) this->entity(file, entity, names_.text(entity.name), 0);
}

void Completer::classMembers(NameResolver& resolver, const Denoted& owner, bool ofClass) {
  for (const NameResolver::ClassMember& member :
       resolver.membersOf(*owner.file, *llvm::cast<ClassDef>(owner.node))) {
    llvm::StringRef name = names_.text(member.name);
    bool isFunction = llvm::isa<FunctionDef>(member.node);
    // What only objects have: fields without a value, and those that methods assign.
    auto* annotated = llvm::dyn_cast<AnnAssign>(member.node);
    bool isOperator = name.starts_with("__") && typedText().empty();
    if (isOperator || (ofClass && annotated && !annotated->value)) continue;
    std::string detail, documentation;
    if (auto* def = llvm::dyn_cast<FunctionDef>(member.node)) {
      Denoted method = resolver.member(owner, member.name);
      if (auto callable = callableOf(resolver, method)) detail = callable->label();
      documentation = plainInMarkdown(def->docstring);
    } else if (auto* field = llvm::dyn_cast<AnnAssign>(member.node)) {
      detail = member.file->file->text().slice(field->annotation->range).str();
    }
    add(name, isFunction ? CompletionKind::Method : CompletionKind::Field, detail, documentation,
        name.starts_with("_") ? 2 : 1);
  }
}

bool Completer::isTarget(text::Range range) const {
  text::Offset begin = context_.word.begin;
  if (!context_.calls.empty()) begin = std::min(begin, context_.calls.front().bracketAt);
  if (source_.lineOf(range.begin) != source_.lineOf(begin)) return false;
  llvm::StringRef between = source_.slice({range.end, begin}).ltrim(" \t");
  return !between.contains(';') && (between.starts_with(":") || !between.contains(':'));
}

// Whether a kernel can use a name of its module.
bool Completer::isForKernels(const Entity& entity) {
  if (entity.node == kernel_) return false;
  if (auto* def = llvm::dyn_cast_or_null<FunctionDef>(entity.node))
    return roleOf(*file_.tree, file_.index, *def) != GluonRole::None;
  if (!typedText().empty()) return true; // a global can be made one
  if (entity.kind == EntityKind::Import) {
    Denoted denoted = resolver_.ofEntity(file_, entity);
    return denoted.kind != Denoted::Kind::Nothing;
  }
  if (entity.kind != EntityKind::Variable) return true;
  return constants().contains(entity.name);
}

// The names that the module binds to constexprs, types or functions. What loops and calls of host
// code bind is none of these.
const llvm::DenseSet<Name>& Completer::constants() {
  if (constants_) return *constants_;
  llvm::DenseSet<Name>& names = constants_.emplace();
  auto isConstant = [&](const Expr* value) {
    auto* call = llvm::dyn_cast_or_null<Call>(value);
    return call && source_.slice(call->func->range).ends_with("constexpr");
  };
  for (const Stmt* statement : file_.tree->body()) {
    if (auto* annotated = llvm::dyn_cast<AnnAssign>(statement)) {
      auto* name = llvm::dyn_cast<NameExpr>(annotated->target);
      if (name && (isConstant(annotated->value) ||
                   source_.slice(annotated->annotation->range).ends_with("constexpr")))
        names.insert(name->name);
    } else if (auto* assign = llvm::dyn_cast<Assign>(statement)) {
      // Another name of a type or of a function: fp32 = gl.float32.
      if (!isConstant(assign->value) && !llvm::isa<Attribute, NameExpr>(assign->value)) continue;
      for (const Expr* target : assign->targets)
        if (auto* name = llvm::dyn_cast<NameExpr>(target)) names.insert(name->name);
    }
  }
  return names;
}

void Completer::scope() {
  // The word being typed is itself in the tree; alone, it is no suggestion.
  std::vector<bool> isElsewhere(file_.index.entities().size());
  // A kernel's own variables have values after the statements that assign them.
  std::vector<bool> isAssigned(file_.index.entities().size());
  for (const Occurrence& each : file_.index.occurrences()) {
    if (each.range != context_.word) isElsewhere[each.entity] = true;
    if (each.binds && each.range.end <= offset_ && !isTarget(each.range))
      isAssigned[each.entity] = true;
  }
  for (uint32_t visible : file_.index.visibleAt(place_)) {
    const Entity& entity = file_.index.entities()[visible];
    if (kernel_ && entity.scope == 0 && !isForKernels(entity)) continue;
    bool isLater =
        kernel_ && entity.kind == EntityKind::Variable && entity.scope != 0 && !isAssigned[visible];
    if (isElsewhere[visible] && !isLater)
      this->entity(file_, entity, names_.text(entity.name), entity.scope == 0 ? 2 : 1);
  }
  if (!kernel_) return;
  for (llvm::StringLiteral name : pythonNames)
    add(name, CompletionKind::Constant, "Python", "", 3);
  llvm::StringRef left =
      source_.slice({source_.lineStart(source_.lineOf(offset_)), context_.word.begin});
  if (context_.calls.empty() && left.trim(" \t").empty())
    for (llvm::StringLiteral name : statements)
      add(name, CompletionKind::Keyword, "", "", 3);
}

void Completer::entity(const IndexedFile& file, const Entity& entity, llvm::StringRef name,
                       unsigned rank) {
  if (!fits(name)) return;
  CompletionKind kind = CompletionKind::Variable;
  std::string detail, documentation;
  if (auto* def = llvm::dyn_cast_or_null<FunctionDef>(entity.node)) {
    kind = CompletionKind::Function;
    llvm::StringRef header = file.file->text().slice(def->header);
    header.consume_front("def ");
    detail = header.rtrim(" \t:").str();
    documentation = plainInMarkdown(def->docstring);
  } else if (auto* def = llvm::dyn_cast_or_null<ClassDef>(entity.node)) {
    kind = CompletionKind::Class;
    documentation = plainInMarkdown(def->docstring);
  } else if (entity.kind == EntityKind::Import) {
    kind = CompletionKind::Module;
  } else if (kernel_ && &file == &file_ && entity.scope != 0) {
    if (auto fact = lastFact(resolver_, file, entity, offset_)) {
      detail = shortText(fact->type);
      if (detail.empty()) detail = fact->type.text;
      if (!fact->type.layout.empty()) documentation = "`" + fact->type.layout + "`";
      constexpr unsigned last = 4;
      if (auto isRight = isFitting(expected_, fact->type)) rank = *isRight ? 0 : last;
    }
  }
  add(name, kind, detail, std::move(documentation), rank);
}

Completions completionsAt(NameResolver& resolver, const IndexedFile& file, text::Offset offset,
                          CompletionScope scope) {
  if (!scope.plainPython && !mentionsGluon(file.file->text().text())) return {{offset, offset}, {}};
  return Completer(resolver, file, offset, scope).run();
}

} // namespace gluond::lsp
