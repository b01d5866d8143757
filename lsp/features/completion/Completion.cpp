#include "lsp/features/completion/Completion.h"

#include "evaluate/launches/LaunchOptions.h"
#include "evaluate/triton/TritonModules.h"
#include "language/JitDecorator.h"
#include "language/types/Layout.h"
#include "lsp/features/completion/ExpressionClass.h"
#include "lsp/features/completion/HalfTyped.h"
#include "lsp/features/completion/ModuleNames.h"
#include "lsp/features/completion/PythonFunctions.h"
#include "lsp/features/completion/Signature.h"
#include "lsp/features/facts/FactText.h"
#include "releases/ApiChanges.h"
#include "syntax/parser/Keywords.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::lsp {

namespace lang = gluond::language;
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

// Python's own names that kernels may use.
constexpr llvm::StringLiteral pythonNames[] = {"range", "len",   "min",   "max",  "float", "int",
                                               "bool",  "print", "tuple", "None", "True",  "False"};
// Statements that kernels may have begin with these.
constexpr llvm::StringLiteral statements[] = {"for",   "if",   "elif",   "else",
                                              "while", "pass", "return", "assert"};

// Returns the words in quotes in a parameter's documentation: "'.ca', '.cg' or '.cv'". They are the
// strings that it accepts.
std::vector<std::string> quotedWords(llvm::StringRef documentation) {
  std::vector<std::string> words;
  auto isLetter = [&](size_t at) {
    return at < documentation.size() && isIdentifierPart(documentation[at]);
  };
  for (size_t at = 0; (at = documentation.find('\'', at)) != llvm::StringRef::npos; ++at) {
    if (at > 0 && isLetter(at - 1)) continue; // the buffer's
    size_t end = documentation.find('\'', at + 1);
    if (end == llvm::StringRef::npos) break;
    llvm::StringRef word = documentation.slice(at + 1, end);
    if (!word.empty() && !word.contains(' ') && !isLetter(end + 1)) words.push_back(word.str());
    at = end;
  }
  return words;
}

class Completer {
public:
  Completer(NameResolver& resolver, const IndexedFile& file, text::Offset offset,
            CompletionScope scope)
      : resolver_(resolver), names_(resolver.snapshot().names()), file_(file),
        source_(file.file->text()), offset_(offset), context_(contextAt(source_, offset)),
        around_(surroundingsOf(*file.tree, file.index, source_, offset)), place_(around_.place),
        kernel_(around_.definition), scope_(scope) {}

  Completions run() {
    if (context_.string) {
      context_.word = *context_.string;
      if (!context_.calls.empty()) choices(context_.calls.back());
      if (namesParameter()) kernelParameters();
    } else if (!context_.inText) {
      find();
    }
    return {context_.word, std::move(items_)};
  }

private:
  // Whether the label contains the letters before the cursor in that order, ignoring case: no
  // client shows other items, so they need not be made.
  bool fits(llvm::StringRef label) const {
    llvm::StringRef typed = source_.slice({context_.word.begin, offset_});
    for (char each : label)
      if (!typed.empty() && llvm::toLower(each) == llvm::toLower(typed.front()))
        typed = typed.drop_front();
    return typed.empty();
  }
  void add(llvm::StringRef label, CompletionKind kind, std::string detail = "",
           std::string documentation = "", unsigned rank = 1) {
    if (fits(label) && seen_.insert(label).second)
      items_.push_back({label.str(), kind, std::move(detail), std::move(documentation), rank});
  }

  void find() {
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
    if (!context_.calls.empty()) call(context_.calls.back());
    if (!scope_.besidePython && (kernel_ || scope_.plainPython)) scope();
  }

  // ------------------------------------------------------------- imports
  void imports(const ImportText& import) {
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
      submodules(*module.module);
    } else if (import.module.empty() && import.level == 0) {
      for (const lang::BuiltinModule& each : lang::builtinModules())
        if (!each.isClass && !each.name.contains('.'))
          add(each.name, CompletionKind::Module, each.name.str(), "", 1);
    }
    for (const std::string& name : moduleNames(resolver_.snapshot(), file_.file->path(), import))
      add(name, CompletionKind::Module, "", "", 0);
  }

  // ------------------------------------------------------------- definitions
  // Calls `visit(name, module)` for the module's own names of namespaces of Triton.
  template <typename Visit> void forEachNamespace(Visit visit) {
    for (uint32_t visible : file_.index.visibleAt(place_)) {
      const Entity& entity = file_.index.entities()[visible];
      if (entity.kind != EntityKind::Import) continue;
      Denoted denoted = resolver_.ofEntity(file_, entity);
      if (denoted.kind == Denoted::Kind::Namespace)
        visit(names_.text(entity.name), *denoted.module);
    }
  }
  // "gl.", or "" if the file has no name for the language's namespace. Of several names, `dotted`
  // may begin with the one to use.
  std::string languagePrefix(llvm::StringRef dotted = "") {
    std::string prefix;
    forEachNamespace([&](llvm::StringRef name, const lang::BuiltinModule& module) {
      bool isBetter = prefix.empty() || dotted.split('.').first == name;
      if (module.id == lang::ModuleId::gl && isBetter) prefix = name.str() + ".";
    });
    return prefix;
  }

  void decorators() {
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

  // The part of a `def`'s parameter that the cursor is in, if it is in one.
  enum class ParameterPart { Name, Annotation, Default };
  std::optional<ParameterPart> parameterPart() const {
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
  // Whether an annotation of a variable or field begins at `begin`: "name: ".
  bool annotatesName(text::Offset begin) const {
    llvm::StringRef line = source_.slice({source_.lineStart(source_.lineOf(offset_)), begin});
    auto [name, rest] = line.trim(" \t").split(':');
    return context_.calls.empty() && line.rtrim(" \t").ends_with(":") && rest.empty() &&
           isIdentifier(name) && !isKeyword(name);
  }
  // The types of an aggregate's fields.
  void fieldTypes() {
    if (std::string prefix = languagePrefix(); !prefix.empty())
      for (llvm::StringRef name : {"tensor", "shared_memory_descriptor"})
        add(prefix + name.str(), CompletionKind::Class, "the type of a field", "", 0);
  }
  void addConstexpr() {
    if (std::string prefix = languagePrefix(); !prefix.empty())
      add(prefix + "constexpr", CompletionKind::Class, "a value known at compile time", "", 0);
  }

  // ------------------------------------------------------------- after a dot
  void members() {
    llvm::StringRef base = source_.slice(context_.base);
    auto name = names_.find(base.trim()); // of a name of the file; names are kept for good
    const Entity* entity = name ? file_.index.lookup(*name, offset_) : nullptr;
    bool isParameter = kernel_ && entity && entity->kind == EntityKind::Parameter;
    // Whatever the types without a launch are.
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

  bool isConstexprParameter(Name name) const {
    auto* def = llvm::dyn_cast<FunctionDef>(kernel_);
    return def && llvm::any_of(def->parameters, [&](const Parameter& each) {
             return each.name.name == name && isConstexpr(each);
           });
  }
  bool isConstexpr(const Parameter& parameter) const {
    return parameter.annotation &&
           source_.slice(parameter.annotation->range).ends_with("constexpr");
  }

  void membersOf(NameResolver& resolver, const HalfTyped& found) {
    if (found.fact) fields(*found.fact);
    const Denoted& denoted = found.denoted;
    switch (denoted.kind) {
    case Denoted::Kind::Builtin:
      if (denoted.builtin->kind == lang::BuiltinKind::Dtype)
        builtins(lang::module(lang::ModuleId::dtype));
      else if (denoted.module)
        builtins(*denoted.module);
      break;
    case Denoted::Kind::Namespace:
      builtins(*denoted.module);
      break;
    case Denoted::Kind::File:
      topLevel(*denoted.file);
      break;
    case Denoted::Kind::Class:
    case Denoted::Kind::Instance:
      classMembers(resolver, denoted);
      break;
    case Denoted::Kind::Function:
      if (!kernel_) kernelMembers(denoted);
      break;
    default:
      break;
    }
  }
  // Offers what host code uses of a kernel.
  void kernelMembers(const Denoted& denoted) {
    auto* def = llvm::dyn_cast<FunctionDef>(denoted.node);
    if (!def || roleOf(*denoted.file->tree, denoted.file->index, *def) != GluonRole::Kernel) return;
    constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> known[] = {
        {"warmup", "compile without a launch: warmup(arguments..., grid=(1,))"},
        {"run", "launch: run(arguments..., grid=..., warmup=False)"},
        {"arg_names", "the names of the parameters"},
        {"params", "the parameters"},
        {"fn", "the Python function"},
        {"src", "the text of the function"},
        {"cache_key", "the hash of the function and of all that it calls"},
        {"device_caches", "the compiled specializations per device"}};
    for (auto [name, what] : known)
      add(name, name == "run" || name == "warmup" ? CompletionKind::Method : CompletionKind::Field,
          what.str());
  }

  // For an aggregate, a namedtuple or a layout: with their values here.
  void fields(const Fact& fact) {
    for (const codegen::TypeFact::Member& member : fact.type.members) {
      if (member.name.empty()) continue;
      const codegen::TypeFact& type = fact.member(member);
      std::string text = shortText(type);
      add(member.name, CompletionKind::Field, text.empty() ? type.text : text,
          type.layout.empty() ? "" : "`" + type.layout + "`", 0);
    }
    if (fact.type.layout.empty() || fact.type.kind != codegen::FactKind::Constexpr) return;
    for (const lang::LayoutClass& cls : lang::layoutClasses())
      if (fact.type.className == cls.name)
        for (const lang::LayoutField& field : cls.fields)
          add(field.name, CompletionKind::Field, cls.name.str(), "", 0);
  }

  // Which names of a namespace fit where the cursor is, if not all do: a dtype, a layout, or
  // gl.constexpr in an annotation. They come first.
  using Wanted = bool (*)(const lang::Builtin&);
  std::optional<Wanted> wantedHere() {
    if (annotatesName(context_.base.begin) || parameterPart() == ParameterPart::Annotation)
      return [](const lang::Builtin& row) { return row.id == lang::BuiltinId::gl_constexpr; };
    if (context_.calls.empty()) return std::nullopt;
    const OpenCall& call = context_.calls.back();
    if (call.bracket != '(' || call.callee.end <= call.callee.begin) return std::nullopt;
    auto callable = calledBy(resolver_, file_, source_.slice(call.callee), place_);
    const CallableParameter* filled = callable ? parameterAt(call, *callable) : nullptr;
    if (!filled) return std::nullopt;
    if (takesLayout(filled->name)) return isLayout;
    if (callable->builtin && takesDtype(filled->name)) return isDtype;
    return std::nullopt;
  }
  static bool takesLayout(llvm::StringRef parameter) {
    return parameter.contains("layout") || parameter == "parent";
  }
  static bool takesDtype(llvm::StringRef parameter) {
    return parameter == "dtype" || parameter == "element_ty";
  }
  // Cache policies are made like layouts, and are none.
  static bool isLayout(const lang::Builtin& row) {
    return row.kind == lang::BuiltinKind::Layout &&
           lang::layoutClass(row.layout).family != lang::LayoutFamily::Policy;
  }
  static bool isDtype(const lang::Builtin& row) { return row.kind == lang::BuiltinKind::Dtype; }

  void builtins(const lang::BuiltinModule& module) {
    llvm::SmallVector<const lang::Builtin*> rows;
    lang::namesOf(module.id, rows);
    auto wanted = wantedHere();
    releases::Release release = resolver_.release();
    llvm::StringRef owner = module.name;
    if (module.isClass) owner = module.alias;
    for (const lang::Builtin* row : rows) {
      // Files of Triton import the decorator of its own builtins.
      bool isInternal = row->id == lang::BuiltinId::gl_builtin;
      if (row->kind == lang::BuiltinKind::Removed || row->kind == lang::BuiltinKind::Inert ||
          isInternal || !fits(row->name) ||
          !releases::has(release, owner, row->name).value_or(true))
        continue;
      bool isOther = wanted && !(*wanted)(*row);
      add(row->name, kindOf(*row), signatureText(*row, release), documentation(*row).str(),
          row->name.starts_with("_") ? 2 : isOther);
    }
    if (release != releases::newest) earlierNames(owner, module);
    submodules(module);
    // What host code uses of Triton has no rows: triton.cdiv, triton.autotune.
    if (!module.isClass && !module.name.contains(".language"))
      for (llvm::StringRef name : evaluate::tritonNames(module.name))
        if (!name.starts_with("_") && releases::has(release, owner, name).value_or(true))
          add(name, CompletionKind::Function, (module.name + "." + name).str());
  }
  // Names that were replaced later.
  void earlierNames(llvm::StringRef owner, const lang::BuiltinModule& module) {
    for (const releases::Successor& each : releases::successors()) {
      const lang::Builtin* now =
          each.owner == owner ? lang::findBuiltin(module.id, each.replacement) : nullptr;
      if (now && releases::has(resolver_.release(), owner, each.name).value_or(true))
        add(each.name, kindOf(*now), each.name.str(), documentation(*now).str(), 0);
    }
  }
  void submodules(const lang::BuiltinModule& module) {
    for (const lang::BuiltinModule& other : lang::builtinModules()) {
      llvm::StringRef name = other.name;
      if (other.isClass || !name.consume_front(module.name) || !name.consume_front(".") ||
          name.contains('.') || name.starts_with("_") ||
          !evaluate::isTritonModule(other.name, resolver_.release()).value_or(true))
        continue;
      add(name, CompletionKind::Module, other.name.str(), "", 0);
    }
  }
  void topLevel(const IndexedFile& file) {
    for (const Entity& entity : file.index.entities())
      if (entity.scope == 0) this->entity(file, entity, names_.text(entity.name), 0);
  }
  void classMembers(NameResolver& resolver, const Denoted& owner) {
    for (const NameResolver::ClassMember& member :
         resolver.membersOf(*owner.file, *llvm::cast<ClassDef>(owner.node))) {
      llvm::StringRef name = names_.text(member.name);
      bool isFunction = llvm::isa<FunctionDef>(member.node);
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

  // ------------------------------------------------------------- inside a call
  void call(const OpenCall& call) {
    if (call.bracket == '{') configuration();
    if (call.bracket == '[') grid(call);
    if (call.bracket != '(' || call.callee.end <= call.callee.begin) return;
    llvm::StringRef dotted = source_.slice(call.callee);
    auto callable = calledBy(resolver_, file_, dotted, place_);
    if (!callable || (callable->isHost && scope_.besidePython)) return;
    if (!kernel_ && !scope_.plainPython && callable->isPlain)
      return; // plain Python calls plain Python
    const CallableParameter* filled = parameterAt(call, *callable);
    llvm::StringRef current = filled ? llvm::StringRef(filled->name) : call.keyword;
    if (takesLayout(current)) layouts(*callable, dotted);
    if (callable->builtin && takesDtype(current)) ofLanguage(isDtype, dotted, 0);
    if (!call.keyword.empty()) {
      if (filled && callable->builtin)
        for (const std::string& word : quotedWords(filled->documentation))
          add('"' + word + '"', CompletionKind::Value, filled->name, filled->documentation, 0);
      return;
    }
    ArgumentsAfter after = argumentsAfter(source_, offset_);
    llvm::StringSet<> given;
    given.insert_range(call.keywords);
    given.insert_range(after.keywords);
    auto isGiven = [&](llvm::StringRef name) { return given.contains(name); };
    // By position: the arguments before the cursor without a keyword, and those after it.
    size_t before = call.argument - std::min<size_t>(call.argument, call.keywords.size());
    for (auto [i, parameter] : llvm::enumerate(callable->parameters))
      if (!parameter.takesMore && !parameter.takesKeywords && !isGiven(parameter.name) &&
          i >= before && !(after.positional && i > before && i <= before + after.positional))
        add(parameter.name + "=", CompletionKind::Argument, parameter.detail,
            parameter.documentation, 0);
    if (callable->isKernel && !kernel_)
      for (const evaluate::LaunchOptionRow& option : evaluate::launchOptionRows())
        if (!option.documentation.empty() && !isGiven(option.name))
          add((option.name + "=").str(), CompletionKind::Argument, "launch option",
              option.documentation.str());
  }

  // In triton.Config({...}), where a key begins: the parameters that a configuration sets.
  void configuration() {
    if (context_.calls.size() < 2 || !namesParameter()) return;
    llvm::StringRef before =
        source_.slice({context_.calls.back().bracketAt + 1, context_.word.begin});
    if (before.rsplit(',').second.contains(':') || (!before.contains(',') && before.contains(':')))
      return; // a value
    for (const Stmt* each : file_.tree->body()) {
      auto* def = llvm::dyn_cast<FunctionDef>(each);
      if (!def || !lang::isJitFunction(*def, names_)) continue;
      for (const Parameter& parameter : def->parameters) {
        std::string key = ("\"" + names_.text(parameter.name.name) + "\"").str();
        if (isConstexpr(parameter) && !before.contains(key))
          add(key + ": ", CompletionKind::Value,
              ("parameter of " + names_.text(def->name.name)).str(), "", 0);
      }
    }
  }

  // In kernel[...] in host code: grids.
  void grid(const OpenCall& call) {
    if (kernel_ || call.callee.end <= call.callee.begin) return;
    auto callable = calledBy(resolver_, file_, source_.slice(call.callee), place_);
    if (!callable || !callable->isKernel) return;
    for (uint32_t visible : file_.index.visibleAt(place_)) {
      const Entity& entity = file_.index.entities()[visible];
      llvm::StringRef name = names_.text(entity.name);
      if (name.contains_insensitive("grid")) this->entity(file_, entity, name, 0);
    }
    add("(1,)", CompletionKind::Value, "a grid of one program");
    for (const CallableParameter& parameter : callable->parameters)
      if (llvm::StringRef(parameter.detail).ends_with("constexpr") &&
          llvm::StringRef(parameter.name).contains_insensitive("block"))
        add("lambda meta: (triton.cdiv(n, meta[\"" + parameter.name + "\"]),)",
            CompletionKind::Value, "a program for each block of n elements");
  }

  // Returns the parameter at the cursor, or null if it is not known.
  const CallableParameter* parameterAt(const OpenCall& call, const Callable& callable) const {
    if (call.keyword.empty())
      return call.argument < callable.parameters.size() ? &callable.parameters[call.argument]
                                                        : nullptr;
    auto found = llvm::find_if(callable.parameters, [&](const CallableParameter& each) {
      return each.name == call.keyword;
    });
    return found == callable.parameters.end() ? nullptr : &*found;
  }

  // Inside a string: the words that the parameter accepts.
  void choices(const OpenCall& call) {
    if (call.bracket != '(' || call.callee.end <= call.callee.begin) return;
    llvm::StringRef dotted = source_.slice(call.callee);
    auto callable = calledBy(resolver_, file_, dotted, place_);
    if (!callable || !callable->builtin) return;
    if (const CallableParameter* parameter = parameterAt(call, *callable))
      for (const std::string& word : quotedWords(parameter->documentation))
        add(word, CompletionKind::Value, parameter->name, parameter->documentation, 0);
  }

  // Whether the string at the cursor names a parameter of a kernel: in the lists and configurations
  // of an autotuner, and in a grid that is a function: lambda meta: (meta["BLOCK"], ).
  bool namesParameter() const {
    constexpr size_t most = 16; // calls around the cursor: nobody nests configurations deeper
    llvm::ArrayRef<OpenCall> calls = context_.calls;
    llvm::StringRef line = source_.line(source_.lineOf(offset_));
    for (const OpenCall& open : calls.take_back(std::min(most, calls.size()))) {
      llvm::StringRef callee = source_.slice(open.callee), name = callee.rsplit('.').second;
      if (name.empty()) name = callee;
      if ((name == "Config" && open.argument == 0) ||
          (name == "autotune" && (open.keyword == "key" || open.keyword == "reset_to_zero" ||
                                  open.keyword == "restore_value")))
        return true;
      if (open.bracket == '[' && !callee.empty() && line.contains(("lambda " + callee).str()))
        return true;
    }
    return false;
  }
  void kernelParameters() {
    for (const Stmt* each : file_.tree->body()) {
      auto* def = llvm::dyn_cast<FunctionDef>(each);
      if (!def || !lang::isJitFunction(*def, names_)) continue;
      for (const Parameter& parameter : def->parameters) {
        add(names_.text(parameter.name.name), CompletionKind::Value,
            ("parameter of " + names_.text(def->name.name)).str(), "",
            isConstexpr(parameter) ? 0 : 1);
      }
    }
  }

  // Available layouts, the slices of them that a 1D tensor needs, and the classes.
  void layouts(const Callable& callable, llvm::StringRef dotted) {
    bool isArange = callable.builtin && callable.builtin->id == lang::BuiltinId::gl_arange;
    std::optional<unsigned> dim = isArange ? slicedDim() : std::nullopt;
    std::string space = languagePrefix(dotted);
    for (uint32_t visible : file_.index.visibleAt(place_)) {
      const Entity& entity = file_.index.entities()[visible];
      if (entity.kind != EntityKind::Variable && entity.kind != EntityKind::Parameter) continue;
      auto fact = lastFact(resolver_, file_, entity, offset_);
      if (!fact || fact->type.layout.empty() || fact->type.kind != codegen::FactKind::Constexpr)
        continue;
      llvm::StringRef name = names_.text(entity.name);
      bool fits = !isArange || fact->type.layoutRank == 1;
      add(name, CompletionKind::Value, fact->type.layout, "", fits ? 0 : 2);
      if (!isArange || fact->type.layoutRank != 2) continue;
      for (unsigned each : {0u, 1u})
        add(space + "SliceLayout(" + std::to_string(each) + ", " + name.str() + ")",
            CompletionKind::Value, "a 1D slice of " + fact->type.layout, "",
            dim && *dim != each ? 1 : 0);
    }
    ofLanguage(isLayout, dotted, 1);
  }
  // All layouts, or all dtypes.
  void ofLanguage(Wanted wanted, llvm::StringRef dotted, unsigned rank) {
    std::string space = languagePrefix(dotted);
    if (space.empty()) return;
    llvm::SmallVector<const lang::Builtin*> rows;
    lang::namesOf(lang::ModuleId::gl, rows);
    for (const lang::Builtin* row : rows)
      if (wanted(*row))
        add(space + row->name.str(), CompletionKind::Class, signatureText(*row),
            documentation(*row).str(), rank);
  }

  // The dimension that later code adds to the tensor being assigned here: x[:, None] adds the last
  // one of two, so x needs SliceLayout(1, ...).
  std::optional<unsigned> slicedDim() const {
    const Stmt* stmt = statementAt(*file_.tree, offset_);
    Name name{};
    if (auto* assign = llvm::dyn_cast_or_null<Assign>(stmt)) {
      if (auto* target = llvm::dyn_cast<NameExpr>(assign->targets.front())) name = target->name;
    } else { // half typed: the text of the line
      auto [left, right] = source_.line(source_.lineOf(offset_)).split('=');
      name = names_.intern(left.trim());
    }
    std::optional<unsigned> dim;
    auto visit = [&](auto& self, const Node& node) -> void {
      if (auto* subscript = llvm::dyn_cast<Subscript>(&node)) {
        auto* base = llvm::dyn_cast<NameExpr>(subscript->value);
        auto* index = llvm::dyn_cast<Tuple>(subscript->index);
        if (base && index && base->name == name && index->elements.size() == 2)
          for (auto [i, element] : llvm::enumerate(index->elements))
            if (auto* constant = llvm::dyn_cast<Constant>(element);
                constant && constant->constant == ConstantKind::None)
              dim = static_cast<unsigned>(i);
      }
      forEachChild(node, [&](const Node& child) { self(self, child); });
    };
    if (kernel_ && name) visit(visit, *kernel_);
    return dim;
  }

  // ------------------------------------------------------------- names
  // Whether the statement that the cursor is in, which begins in the line of its outermost open
  // bracket, assigns to the name at `range`.
  bool isTarget(text::Range range) const {
    text::Offset begin = context_.word.begin;
    if (!context_.calls.empty()) begin = std::min(begin, context_.calls.front().bracketAt);
    if (source_.lineOf(range.begin) != source_.lineOf(begin)) return false;
    llvm::StringRef between = source_.slice({range.end, begin}).ltrim(" \t");
    return !between.contains(';') && (between.starts_with(":") || !between.contains(':'));
  }
  void scope() {
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
      // A kernel cannot call a plain function of Python.
      auto* def = llvm::dyn_cast_or_null<FunctionDef>(entity.node);
      if (kernel_ && entity.scope == 0 && def && def->decorators.empty()) continue;
      bool isLater = kernel_ && entity.kind == EntityKind::Variable && entity.scope != 0 &&
                     !isAssigned[visible];
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

  void entity(const IndexedFile& file, const Entity& entity, llvm::StringRef name, unsigned rank) {
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
      }
    }
    add(name, kind, std::move(detail), std::move(documentation), rank);
  }

  NameResolver& resolver_;
  Interner& names_;
  const IndexedFile& file_;
  const text::SourceText& source_;
  text::Offset offset_;
  CursorContext context_;
  Surroundings around_;
  text::Offset place_; // in the definition around the cursor, for queries of the tree
  const Node* kernel_; // the Gluon definition around the cursor; null in plain Python
  CompletionScope scope_;
  llvm::StringSet<> seen_;
  std::vector<Completion> items_;
};

} // namespace

Completions completionsAt(NameResolver& resolver, const IndexedFile& file, text::Offset offset,
                          CompletionScope scope) {
  if (!scope.plainPython && !mentionsGluon(file.file->text().text())) return {{offset, offset}, {}};
  return Completer(resolver, file, offset, scope).run();
}

std::optional<Signature> signatureAt(NameResolver& resolver, const IndexedFile& file,
                                     text::Offset offset, bool plainPython) {
  const text::SourceText& source = file.file->text();
  if (!plainPython && !mentionsGluon(source.text())) return std::nullopt;
  CursorContext context = contextAt(source, offset);
  Surroundings around = surroundingsOf(*file.tree, file.index, source, offset);
  bool isOurs = plainPython || around.definition;
  for (const OpenCall& call : llvm::reverse(context.calls)) {
    if (call.bracket != '(' || call.callee.end <= call.callee.begin) continue;
    auto callable = calledBy(resolver, file, source.slice(call.callee), around.place);
    if (!callable && around.definition &&
        !dottedBefore(resolver, file, source.slice(call.callee), around.place).denoted)
      callable = pythonFunction(source.slice(call.callee), call.argument > 0);
    if (!callable) continue;
    if (!isOurs && !callable->builtin && !callable->isKernel) continue;
    Signature signature;
    signature.label = callable->name + "(";
    signature.documentation = callable->documentation;
    bool takesMore = false, isKeywordOnly = false;
    for (const CallableParameter& parameter : callable->parameters) {
      if (!signature.parameters.empty()) signature.label += ", ";
      // The mark between positional and keyword-only parameters belongs to no parameter.
      if (callable->builtin && !isKeywordOnly)
        for (const lang::Parameter& each : callable->builtin->parameters)
          if (each.name == parameter.name && each.kind == lang::ParameterKind::KeywordOnly &&
              !takesMore) {
            signature.label += "*, ";
            isKeywordOnly = true;
          }
      auto begin = static_cast<text::Offset>(signature.label.size());
      signature.label += parameter.text;
      signature.parameters.push_back(
          {{begin, static_cast<text::Offset>(signature.label.size())}, parameter.documentation});
      takesMore |= parameter.takesMore;
    }
    signature.label += ")";
    auto count = static_cast<unsigned>(callable->parameters.size());
    signature.active = call.argument;
    if (!call.keyword.empty())
      signature.active = static_cast<unsigned>(
          llvm::find_if(callable->parameters,
                        [&](const CallableParameter& p) { return p.name == call.keyword; }) -
          callable->parameters.begin());
    else if (takesMore && count > 0)
      signature.active = std::min(signature.active, count - 1);
    return signature;
  }
  return std::nullopt;
}

} // namespace gluond::lsp
