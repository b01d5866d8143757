#include "lsp/features/names/ParameterNames.h"

#include "language/JitDecorator.h"
#include "language/parameters/CalledFunctions.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/PlainText.h"
#include "syntax/tree/Spread.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/SaveAndRestore.h>

#include <set>

namespace gluond::lsp {

using namespace syntax;

namespace {

constexpr unsigned mostDepth = 12;        // of names that refer to other names
constexpr unsigned mostSteps = 1'000'000; // expressions that are looked at

// The keywords of decorators whose lists hold names of parameters, with their positions.
struct ListOfNames {
  llvm::StringLiteral decorator, keyword;
  int position = -1;
};
constexpr ListOfNames listsOfNames[] = {
    {"autotune", "key", 1},
    {"autotune", "reset_to_zero", 3},
    {"autotune", "restore_value", 4},
    {"jit", "do_not_specialize"},
    {"jit", "do_not_specialize_on_alignment"},
};

class Searcher {
public:
  Searcher(NameResolver& resolver, const IndexedFile& file) : resolver_(resolver), file_(file) {}

  ParameterNames search() {
    for (const Stmt* stmt : file_.tree->body())
      visit(*stmt);
    return std::move(found_);
  }

private:
  // A kernel whose parameters are named, and its file.
  struct Kernel {
    const IndexedFile* file = nullptr;
    const FunctionDef* def = nullptr;
    explicit operator bool() const { return def; }
  };
  // An expression and its file.
  struct Place {
    const IndexedFile& file;
    const Expr* expr;
  };

  llvm::StringRef text(Name name) const { return resolver_.snapshot().names().text(name); }
  llvm::StringRef calledName(const Expr* callee) const {
    return language::calledName(callee, resolver_.snapshot().names());
  }
  bool isJit(const FunctionDef& def) const {
    return language::isJitFunction(def, resolver_.snapshot().names());
  }
  bool isSpent() {
    found_.isCutShort |= ++steps_ > mostSteps || resolver_.token().isCancelled();
    return found_.isCutShort;
  }

  static const FunctionDef* functionOf(const Denoted& denoted) {
    return denoted.kind == Denoted::Kind::Function ? llvm::cast<FunctionDef>(denoted.node)
                                                   : nullptr;
  }

  Kernel kernelOf(const IndexedFile& file, const Expr* callee) {
    Denoted called = resolver_.called(file, callee);
    auto* def = functionOf(called);
    return def && isJit(*def) ? Kernel{called.file, def} : Kernel();
  }

  void visit(const Node& node) {
    if (isSpent()) return;
    if (auto* def = llvm::dyn_cast<FunctionDef>(&node)) {
      if (isJit(*def))
        for (const Expr* decorator : def->decorators)
          decorated({&file_, def}, decorator);
      else
        visitHost(*def);
    } else if (auto* cls = llvm::dyn_cast<ClassDef>(&node)) {
      classes_.push_back(cls);
      forEachChild(node, [&](const Node& child) { visit(child); });
      classes_.pop_back();
      return;
    } else if (auto* call = llvm::dyn_cast<Call>(&node)) {
      visitCall(*call);
    }
    forEachChild(node, [&](const Node& child) { visit(child); });
  }

  // ------------------------------------------------------------------ tests and benchmarks

  // A function of the host, whose parameters pytest or a benchmark may give by name.
  void visitHost(const FunctionDef& def) {
    Kernel function{&file_, &def};
    bool isInClass = !classes_.empty() && llvm::is_contained(classes_.back()->body, &def);
    size_t before = found_.unwritten.size();
    bool isPlain = true; // nothing but pytest gives arguments
    for (const Expr* each : def.decorators) {
      auto* call = llvm::dyn_cast<Call>(each);
      llvm::StringRef name = calledName(call ? call->func : each);
      if (call && name == "parametrize")
        parametrized(function, *call);
      else if (call && name == "perf_report" && !call->args.empty())
        benchmarks(function, {file_, call->args.front()});
      else
        isPlain &= name == "fixture" || isMark(call ? call->func : each);
    }
    if (isInClass)
      for (const Expr* each : classes_.back()->decorators)
        if (auto* call = llvm::dyn_cast<Call>(each);
            call && calledName(call->func) == "parametrize")
          parametrized(function, *call);
    if (!isPlain || !isOfPytest(def) || found_.unwritten.size() != before) return;
    for (auto [i, parameter] : llvm::enumerate(def.parameters)) {
      bool isSelf = isInClass && i == 0;
      bool isNamed = llvm::any_of(found_.named, [&](const NamedParameter& each) {
        return each.parameter == symbolOf(function, parameter);
      });
      if (parameter.name.name && !isSelf && !isNamed && !parameter.defaultValue &&
          parameter.kind != ParameterKind::KwArgs && parameter.kind != ParameterKind::VarArgs)
        found_.fixtures.push_back({&file_, parameter.name.range, symbolOf(function, parameter)});
    }
  }

  // `pytest.mark.slow`
  bool isMark(const Expr* decorator) const {
    auto* mark = llvm::dyn_cast<Attribute>(decorator);
    auto* of = mark ? llvm::dyn_cast<Attribute>(mark->value) : nullptr;
    return of && text(of->attribute.name) == "mark";
  }

  // Whether pytest calls the function: a test in a file that it collects, a fixture.
  bool isOfPytest(const FunctionDef& def) const {
    for (const Expr* each : def.decorators) {
      auto* call = llvm::dyn_cast<Call>(each);
      llvm::StringRef name = calledName(call ? call->func : each);
      if (name == "fixture" || (call && name == "parametrize")) return true;
    }
    llvm::StringRef file = llvm::sys::path::filename(file_.file->path());
    bool isCollected = file.starts_with("test_") || file.ends_with("_test.py");
    return isCollected && text(def.name.name).starts_with("test");
  }

  // parametrize("rows, cols", ...), parametrize(["rows", "cols"], ...)
  void parametrized(Kernel function, const Call& call) {
    const Expr* names = call.args.empty() ? nullptr : call.args.front();
    for (const Keyword& each : call.keywords)
      if (each.name.name && text(each.name.name) == "argnames") names = each.value;
    if (names && words(function, {file_, names})) return;
    for (const Parameter& parameter : function.def->parameters)
      found_.unwritten.push_back(
          {&file_, (names ? names : &call)->range, symbolOf(function, parameter)});
  }

  // Finds the words of a string that are separated by commas, or of a list of strings; false if
  // some are not known.
  bool words(Kernel function, Place place) {
    auto* string = llvm::dyn_cast<Constant>(place.expr);
    if (!string)
      return eachElement(place,
                         [&](Place each) {
                           return llvm::isa<Constant>(each.expr) && words(function, each);
                         }) ||
             (llvm::isa<NameExpr, Attribute>(place.expr) && eachBinding(place, [&](Place each) {
                return llvm::isa<Constant>(each.expr) && words(function, each);
              }));
    if (string->constant != ConstantKind::Str) return false;
    auto range = plainText(*string, place.file.file->text());
    size_t at = 0;
    for (llvm::StringRef each : llvm::split(string->string, ',')) {
      llvm::StringRef word = each.trim();
      auto begin = static_cast<text::Offset>(at + (word.data() - each.data()));
      at += each.size() + 1;
      Name name = resolver_.snapshot().names().intern(word);
      if (word.empty()) continue;
      if (range)
        add(function, place.file,
            {range->begin + begin, range->begin + begin + static_cast<text::Offset>(word.size())},
            name);
      else
        for (const Parameter& parameter : function.def->parameters)
          if (parameter.name.name == name)
            found_.unwritten.push_back({&place.file, string->range, symbolOf(function, parameter)});
    }
    return true;
  }

  // Finds the names of parameters in triton.testing.Benchmark(...), of an expression and of what it
  // refers to.
  void benchmarks(Kernel function, Place place) {
    if (isSpent() || depth_ >= mostDepth) return;
    llvm::SaveAndRestore deeper(depth_, depth_ + 1);
    auto again = [&](Place it) {
      benchmarks(function, it);
      return true;
    };
    auto* call = llvm::dyn_cast<Call>(place.expr);
    if (call && calledName(call->func) == "Benchmark") {
      auto argument = [&](llvm::StringRef keyword, size_t position) -> const Expr* {
        for (const Keyword& each : call->keywords)
          if (each.name.name && text(each.name.name) == keyword) return each.value;
        return position < call->args.size() ? call->args[position] : nullptr;
      };
      if (const Expr* list = argument("x_names", 0)) names(function, {place.file, list});
      if (const Expr* line = argument("line_arg", 2)) name(function, {place.file, line});
      if (const Expr* args = argument("args", 6)) mapping(function, {place.file, args});
      return;
    }
    if (llvm::isa<NameExpr, Attribute>(place.expr)) {
      eachBinding(place, again);
      return;
    }
    forEachChild(*place.expr, [&](const Node& child) {
      if (auto* expr = llvm::dyn_cast<Expr>(&child)) again({place.file, expr});
    });
  }

  // ------------------------------------------------------------------ kernels

  void visitCall(const Call& call) {
    // triton.autotune(...)(kernel)
    if (auto* decorator = llvm::dyn_cast<Call>(call.func); decorator && !call.args.empty())
      if (isTuner(calledName(decorator->func)))
        if (Kernel kernel = kernelOf(file_, call.args.front())) decorated(kernel, decorator);
    auto* launcher = llvm::dyn_cast<Subscript>(call.func);
    bool spreads = llvm::any_of(call.keywords, [](const Keyword& each) { return !each.name.name; });
    if (!launcher && !spreads) return;
    bool isPartial = calledName(call.func) == "partial";
    Kernel kernel =
        kernelOf(file_, isPartial && !call.args.empty() ? call.args.front() : call.func);
    if (!kernel) return;
    if (launcher) readBy(kernel, {file_, launcher->index}, 0);
    for (const Keyword& each : call.keywords)
      if (!each.name.name && !mapping(kernel, {file_, each.value}))
        unknown(kernel, call, each.value->range, isPartial);
  }

  void decorated(Kernel kernel, const Expr* decorator) {
    auto* call = llvm::dyn_cast<Call>(decorator);
    if (!call) return;
    llvm::StringRef name = calledName(call->func);
    auto argument = [&](llvm::StringRef keyword, int position) -> const Expr* {
      for (const Keyword& each : call->keywords)
        if (each.name.name && text(each.name.name) == keyword) return each.value;
      bool has = position >= 0 && static_cast<size_t>(position) < call->args.size();
      return has && !spreadsArguments(*call) ? call->args[static_cast<size_t>(position)] : nullptr;
    };
    for (const ListOfNames& row : listsOfNames)
      if (name == row.decorator)
        if (const Expr* list = argument(row.keyword, row.position)) names(kernel, {file_, list});
    if (name == "heuristics") {
      if (const Expr* rules = argument("values", 0)) {
        mapping(kernel, {file_, rules});
        eachValue({file_, rules}, [&](Place rule) { readBy(kernel, rule, 0); });
      }
    }
    if (name != "autotune") return;
    if (const Expr* configs = argument("configs", 0)) configurations(kernel, {file_, configs});
    for (llvm::StringRef hook : {"pre_hook", "post_hook"})
      if (const Expr* function = argument(hook, -1)) readBy(kernel, {file_, function}, 0);
    if (const Expr* prune = argument("prune_configs_by", 2))
      eachValue({file_, prune}, [&](Place function) {
        for (unsigned parameter : {1u, 2u}) // named_args, **kwargs
          readBy(kernel, function, parameter);
        readsOfConfigs(kernel, function);
      });
  }

  // ------------------------------------------------------------------ what names refer to

  // Calls `visit` with each expression that a name may have as its value; false if some are not
  // known.
  bool eachBinding(Place name, llvm::function_ref<bool(Place)> visit) {
    Denoted denoted = resolver_.of(name.file, name.expr);
    if (!denoted.symbol || !denoted.symbol->file) return false;
    const IndexedFile& file = *denoted.symbol->file;
    const Occurrence* first = file.index.at(denoted.symbol->range.begin);
    if (!first || file.index.entities()[first->entity].kind != EntityKind::Variable) return false;
    bool isKnown = true;
    for (const Occurrence& each : file.index.of(first->entity)) {
      if (!each.binds) continue;
      const Expr* value = valueOf(*file.tree, each.range);
      auto* more = llvm::dyn_cast_or_null<AugAssign>(statementAt(*file.tree, each.range.begin));
      if (more && more->target->range == each.range) value = more->value;
      isKnown &= value && visit({file, value});
    }
    return isKnown;
  }

  // Calls `visit` with what a function of the workspace returns; false if that is not known.
  bool eachReturned(Place call, llvm::function_ref<bool(Place)> visit) {
    Denoted callee = resolver_.of(call.file, llvm::cast<Call>(call.expr)->func);
    auto* def = functionOf(callee);
    if (!def) return false;
    bool isKnown = true, returns = false;
    auto walk = [&](auto& again, const Node& node) -> void {
      if (auto* done = llvm::dyn_cast<Return>(&node)) {
        returns = true;
        isKnown &= done->value && visit({*callee.file, done->value});
      }
      if (llvm::isa<FunctionDef, ClassDef>(node)) return;
      forEachChild(node, [&](const Node& child) {
        if (llvm::isa<Stmt>(child)) again(again, child);
      });
    };
    for (const Stmt* stmt : def->body)
      walk(walk, *stmt);
    return isKnown && returns;
  }

  // Calls `visit` with the values of a dict, or the elements of a list, that is written in the
  // workspace; false if some are not known.
  bool eachElement(Place place, llvm::function_ref<bool(Place)> visit) {
    if (isSpent() || depth_ >= mostDepth) return false;
    llvm::SaveAndRestore deeper(depth_, depth_ + 1);
    bool isKnown = true;
    auto all = [&](Exprs elements) {
      for (const Expr* each : elements)
        isKnown &= visit({place.file, each});
      return isKnown;
    };
    if (auto* list = llvm::dyn_cast<List>(place.expr)) return all(list->elements);
    if (auto* tuple = llvm::dyn_cast<Tuple>(place.expr)) return all(tuple->elements);
    if (auto* dict = llvm::dyn_cast<Dict>(place.expr)) {
      for (const DictItem& item : dict->items)
        isKnown &= item.key ? visit({place.file, item.value})
                            : eachElement({place.file, item.value}, visit);
      return isKnown;
    }
    if (auto* call = llvm::dyn_cast<Call>(place.expr)) {
      if (!isDict(*call))
        return eachReturned(place, [&](Place it) { return eachElement(it, visit); });
      for (const Keyword& each : call->keywords)
        isKnown &= each.name.name ? visit({place.file, each.value})
                                  : eachElement({place.file, each.value}, visit);
      return isKnown;
    }
    if (llvm::isa<NameExpr, Attribute>(place.expr))
      return eachBinding(place, [&](Place it) { return eachElement(it, visit); });
    return false;
  }
  void eachValue(Place mapping, llvm::function_ref<void(Place)> visit) {
    eachElement(mapping, [&](Place value) {
      visit(value);
      return true;
    });
  }

  bool isDict(const Call& call) const {
    auto* name = llvm::dyn_cast<NameExpr>(call.func);
    return name && text(name->name) == "dict";
  }

  // ------------------------------------------------------------------ places of names

  // Finds the keys of a mapping; false if some are not known.
  bool mapping(Kernel kernel, Place place) {
    if (isSpent() || depth_ >= mostDepth) return false;
    llvm::SaveAndRestore deeper(depth_, depth_ + 1);
    auto again = [&](Place it) { return mapping(kernel, it); };
    bool isKnown = true;
    if (auto* dict = llvm::dyn_cast<Dict>(place.expr)) {
      for (const DictItem& item : dict->items)
        isKnown &=
            item.key ? name(kernel, {place.file, item.key}) : again({place.file, item.value});
      return isKnown;
    }
    if (auto* call = llvm::dyn_cast<Call>(place.expr)) {
      if (!isDict(*call)) {
        auto* method = llvm::dyn_cast<Attribute>(call->func);
        bool isCopy = method && text(method->attribute.name) == "copy" && call->args.empty();
        return isCopy ? again({place.file, method->value}) : eachReturned(place, again);
      }
      return entries(kernel, place.file, *call);
    }
    auto both = [&](const Expr* a, const Expr* b) {
      bool isFirstKnown = again({place.file, a});
      return again({place.file, b}) && isFirstKnown;
    };
    if (auto* either = llvm::dyn_cast<BinOp>(place.expr)) return both(either->left, either->right);
    if (auto* either = llvm::dyn_cast<IfExp>(place.expr)) return both(either->body, either->orelse);
    if (auto* entry = llvm::dyn_cast<Subscript>(place.expr))
      return eachElement({place.file, entry->value}, again);
    if (!llvm::isa<NameExpr, Attribute>(place.expr)) return false;
    Denoted denoted = resolver_.of(place.file, place.expr);
    if (!denoted.symbol || !denoted.symbol->file) return false;
    reads(kernel, *denoted.symbol->file, denoted.symbol->range);
    return eachBinding(place, again);
  }

  // Finds the keys that a call gives a mapping: dict(BLOCK=128, **more), options.update(...).
  bool entries(Kernel kernel, const IndexedFile& file, const Call& call) {
    bool isKnown = true;
    for (const Expr* each : call.args)
      isKnown &= mapping(kernel, {file, each});
    for (const Keyword& each : call.keywords) {
      if (each.name.name)
        add(kernel, file, each.name.range, each.name.name);
      else
        isKnown &= mapping(kernel, {file, each.value});
    }
    return isKnown;
  }

  // Finds the strings in a list.
  void names(Kernel kernel, Place list) {
    eachElement(list, [&](Place each) { return name(kernel, each); });
  }

  // Finds the triton.Configs of an expression, and of what it refers to.
  void configurations(Kernel kernel, Place place) {
    if (isSpent() || depth_ >= mostDepth) return;
    llvm::SaveAndRestore deeper(depth_, depth_ + 1);
    auto again = [&](Place it) {
      configurations(kernel, it);
      return true;
    };
    if (auto* call = llvm::dyn_cast<Call>(place.expr)) {
      if (calledName(call->func) == "Config") {
        for (const Keyword& each : call->keywords) {
          if (each.name.name && text(each.name.name) == "kwargs")
            mapping(kernel, {place.file, each.value});
          if (each.name.name && text(each.name.name) == "pre_hook")
            readBy(kernel, {place.file, each.value}, 0);
        }
        if (!call->args.empty()) mapping(kernel, {place.file, call->args.front()});
        return;
      }
      Denoted callee = resolver_.of(place.file, call->func);
      if (auto* def = functionOf(callee)) {
        auto walk = [&](auto& self, const Node& node) -> void {
          if (auto* inner = llvm::dyn_cast<Call>(&node))
            if (calledName(inner->func) == "Config") again({*callee.file, inner});
          forEachChild(node, [&](const Node& child) { self(self, child); });
        };
        for (const Stmt* stmt : def->body)
          walk(walk, *stmt);
      }
    }
    if (llvm::isa<NameExpr, Attribute>(place.expr)) {
      eachBinding(place, again);
      return;
    }
    forEachChild(*place.expr, [&](const Node& child) {
      if (auto* expr = llvm::dyn_cast<Expr>(&child)) again({place.file, expr});
    });
  }

  // Finds what a function reads from its parameter number `index`, a mapping by parameter names.
  void readBy(Kernel kernel, Place function, unsigned index) {
    llvm::ArrayRef<Parameter> parameters;
    const IndexedFile* file = &function.file;
    if (auto* lambda = llvm::dyn_cast<Lambda>(function.expr)) {
      parameters = lambda->parameters;
    } else if (llvm::isa<NameExpr, Attribute>(function.expr)) {
      Denoted denoted = resolver_.of(function.file, function.expr);
      if (auto* def = functionOf(denoted)) {
        parameters = def->parameters;
        file = denoted.file;
      } else if (depth_ < mostDepth) {
        llvm::SaveAndRestore deeper(depth_, depth_ + 1);
        eachBinding(function, [&](Place it) {
          if (!llvm::isa<Tuple>(it.expr)) readBy(kernel, it, index);
          return true;
        });
        return;
      }
    }
    if (index < parameters.size()) reads(kernel, *file, parameters[index].name.range);
  }

  // Finds what is read from, or written to, a mapping: `meta["BLOCK"]`, `options.get("BLOCK")`.
  void reads(Kernel kernel, const IndexedFile& file, text::Range mapping) {
    const Occurrence* first = file.index.at(mapping.begin);
    if (!first || !read_.insert({kernel.def, file.file.get(), first->entity}).second) return;
    for (const Occurrence& each : file.index.of(first->entity)) {
      if (isSpent()) return;
      auto path = pathTo(file.tree->body(), each.range.begin);
      if (path.size() < 2) continue;
      readFrom(kernel, file, path);
    }
  }

  // Likewise for `path`, which ends with the expression of the mapping.
  void readFrom(Kernel kernel, const IndexedFile& file, llvm::ArrayRef<const Node*> path) {
    const Node *mapping = path.back(), *around = path[path.size() - 2];
    if (auto* entry = llvm::dyn_cast<Subscript>(around)) {
      if (entry->value == mapping) name(kernel, {file, entry->index});
      return;
    }
    auto* method = llvm::dyn_cast<Attribute>(around);
    auto* call = method && path.size() > 2 ? llvm::dyn_cast<Call>(path[path.size() - 3]) : nullptr;
    if (!call || call->func != method) return;
    llvm::StringRef called = text(method->attribute.name);
    if (called == "get" || called == "pop" || called == "setdefault") {
      if (!call->args.empty()) name(kernel, {file, call->args.front()});
    } else if (called == "update") {
      entries(kernel, file, *call);
    }
  }

  // Finds `config.kwargs["BLOCK"]` in a function that prunes configurations.
  void readsOfConfigs(Kernel kernel, Place function) {
    const Node* body = function.expr;
    const IndexedFile* file = &function.file;
    if (llvm::isa<NameExpr, Attribute>(function.expr)) {
      Denoted denoted = resolver_.of(function.file, function.expr);
      if (denoted.kind != Denoted::Kind::Function) return;
      body = denoted.node;
      file = denoted.file;
    }
    llvm::SmallVector<const Node*, 16> path;
    auto walk = [&](auto& self, const Node& node) -> void {
      if (isSpent()) return;
      path.push_back(&node);
      auto* attribute = llvm::dyn_cast<Attribute>(&node);
      if (attribute && text(attribute->attribute.name) == "kwargs" && path.size() > 1)
        readFrom(kernel, *file, path);
      forEachChild(node, [&](const Node& child) { self(self, child); });
      path.pop_back();
    };
    walk(walk, *body);
  }

  // Adds a string that names a parameter; false if it is no string.
  bool name(Kernel kernel, Place place) {
    auto* string = llvm::dyn_cast<Constant>(place.expr);
    if (!string || string->constant != ConstantKind::Str) return false;
    auto range = plainText(*string, place.file.file->text());
    if (!range) return false;
    add(kernel, place.file, *range, resolver_.snapshot().names().intern(string->string));
    return true;
  }

  void add(Kernel kernel, const IndexedFile& file, text::Range range, Name name) {
    for (const Parameter& parameter : kernel.def->parameters)
      if (parameter.name.name == name) {
        found_.named.push_back({&file, range, symbolOf(kernel, parameter)});
        return;
      }
  }

  static Symbol symbolOf(Kernel kernel, const Parameter& parameter) {
    return {kernel.file, parameter.name.range, parameter.name.name, Symbol::Kind::Parameter};
  }

  // A launch with a mapping of unknown keys gives the parameters that nothing else gives.
  void unknown(Kernel kernel, const Call& call, text::Range range, bool isPartial) {
    if (spreadsArguments(call) || isPartial) return;
    bool isTuned = llvm::any_of(kernel.def->decorators, [&](const Expr* each) {
      auto* decorator = llvm::dyn_cast<Call>(each);
      return decorator && isTuner(calledName(decorator->func));
    });
    if (isTuned) return;
    for (auto [i, parameter] : llvm::enumerate(kernel.def->parameters)) {
      Name name = parameter.name.name;
      bool isGiven =
          i < call.args.size() || parameter.defaultValue ||
          llvm::any_of(call.keywords, [&](const Keyword& each) { return each.name.name == name; });
      if (!isGiven) found_.unknown.push_back({&file_, range, symbolOf(kernel, parameter)});
    }
  }

  NameResolver& resolver_;
  const IndexedFile& file_;
  ParameterNames found_;
  std::set<std::tuple<const FunctionDef*, const driver::File*, uint32_t>> read_; // mappings
  std::vector<const ClassDef*> classes_; // around the node that is visited
  unsigned depth_ = 0, steps_ = 0;
};

} // namespace

ParameterNames findParameterNames(NameResolver& resolver, const IndexedFile& file) {
  return Searcher(resolver, file).search();
}

} // namespace gluond::lsp
