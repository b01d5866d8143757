// Collects the completions at one place of a file.
#pragma once

#include "language/types/Builtin.h"
#include "lsp/features/completion/Completion.h"
#include "lsp/features/completion/CursorContext.h"
#include "lsp/features/completion/ExpectedValue.h"
#include "lsp/features/completion/HalfTyped.h"
#include "lsp/features/completion/ModuleNames.h"
#include "lsp/features/completion/Signature.h"
#include "lsp/features/completion/ValueMembers.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::lsp {

namespace lang = gluond::language;

class Completer {
public:
  Completer(NameResolver& resolver, const IndexedFile& file, text::Offset offset,
            CompletionScope scope)
      : resolver_(resolver), names_(resolver.snapshot().names()), file_(file),
        source_(file.file->text()), offset_(offset), context_(contextAt(source_, offset)),
        around_(surroundingsOf(*file.tree, file.index, source_, offset)), place_(around_.place),
        kernel_(around_.definition), scope_(scope) {}

  Completions run();

private:
  llvm::StringRef typedText() const; // of the word at the cursor, up to there
  // Whether the label contains the letters before the cursor in that order, ignoring case: no
  // client shows other items, so they need not be made.
  bool fits(llvm::StringRef label) const;
  void add(llvm::StringRef label, CompletionKind kind, const std::string& detail = "",
           std::string documentation = "", unsigned rank = 1);

  void find();
  // In comments of gluond's own.
  void directive();
  // In "launch(x=..., ", as typed so far.
  void launchArguments(llvm::StringRef typed);
  const syntax::FunctionDef* describedKernel() const;

  // ------------------------------------------------------------- imports
  void imports(const ImportText& import);

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
  std::string languagePrefix(llvm::StringRef dotted = "");

  void decorators();

  // The part of a `def`'s parameter that the cursor is in, if it is in one.
  enum class ParameterPart { Name, Annotation, Default };
  std::optional<ParameterPart> parameterPart() const;
  // Whether an annotation of a variable or field begins at `begin`: "name: ".
  // Whether `for name in` precedes the place.
  bool isIterated(text::Offset begin) const;
  bool annotatesName(text::Offset begin) const;
  // Whether the cursor begins the value of a constexpr: "name: gl.constexpr = ".
  bool assignsConstexpr() const;
  // The types of an aggregate's fields.
  void fieldTypes();
  void addConstexpr();
  void addIterators();

  // ------------------------------------------------------------- after a dot
  void members();

  bool isConstexprParameter(Name name) const;
  bool isConstexpr(const syntax::Parameter& parameter) const;

  void membersOf(NameResolver& resolver, const HalfTyped& found);
  // Offers what host code uses of a kernel.
  void kernelMembers(const Denoted& denoted);

  // For an aggregate, a namedtuple or a layout: with their values here.
  void fields(const Fact& fact);

  // Which names of a namespace fit where the cursor is, if not all do: a dtype, a layout, or
  // gl.constexpr in an annotation. They come first.
  using Wanted = bool (*)(const lang::Builtin&);
  std::optional<Wanted> wantedHere();
  // Whether a comparison with a dtype precedes: x.dtype == gl.|
  bool comparesDtype(text::Offset begin) const;
  static bool takesDtype(llvm::StringRef parameter);
  static Wanted layoutsOf(ExpectedValue expected);
  // No value has the type void.
  static bool isDtype(const lang::Builtin& row) {
    return row.kind == lang::BuiltinKind::Dtype && row.id != lang::BuiltinId::gl_void;
  }

  // `type`: what a type is, which does not have all members of types. `value`: the same of a
  // tensor's, a scalar's or a pointer's members.
  void builtins(const lang::BuiltinModule& module, TypeClass type = TypeClass::Unknown,
                const codegen::TypeFact* value = nullptr);
  // Names that were replaced later.
  void earlierNames(llvm::StringRef owner, const lang::BuiltinModule& module);
  void submodules(const lang::BuiltinModule& module, unsigned rank);
  void topLevel(const IndexedFile& file);
  void classMembers(NameResolver& resolver, const Denoted& owner, bool ofClass);

  // ------------------------------------------------------------- inside a call
  void call(const OpenCall& call);
  // What the call around the cursor calls, if that is known.
  const std::optional<Callable>& called();

  // In triton.Config({...}), where a key begins: the parameters that a configuration sets.
  void configuration();

  // In kernel[...] in host code: grids.
  void grid(const OpenCall& call);

  // Returns the parameter at the cursor, or null if it is not known.
  const CallableParameter* parameterAt(const OpenCall& call, const Callable& callable) const;

  // Inside a string: the words that the parameter accepts.
  void choices(const OpenCall& call);

  // Whether the string at the cursor names a parameter of a kernel: in the lists and configurations
  // of an autotuner, and in a grid that is a function: lambda meta: (meta["BLOCK"], ).
  bool namesParameter() const;
  void kernelParameters();
  // The kernel whose decorator the cursor is in, else all of the file.
  std::vector<const syntax::FunctionDef*> kernelsMeant() const;

  // Available layouts, the slices of them that a 1D tensor needs, and the classes.
  void layouts(const Callable& callable, llvm::StringRef dotted, ExpectedValue expected);
  // All layouts, or all dtypes.
  void ofLanguage(Wanted wanted, llvm::StringRef dotted, unsigned rank);

  // The dimension that later code adds to the tensor being assigned here: x[:, None] adds the last
  // one of two, so x needs SliceLayout(1, ...).
  std::optional<unsigned> slicedDim() const;

  // ------------------------------------------------------------- names
  // Whether the statement that the cursor is in, which begins in the line of its outermost open
  // bracket, assigns to the name at `range`.
  bool isTarget(text::Range range) const;
  void scope();
  bool isForKernels(const Entity& entity);
  const llvm::DenseSet<Name>& constants();

  void entity(const IndexedFile& file, const Entity& entity, llvm::StringRef name, unsigned rank);

  NameResolver& resolver_;
  Interner& names_;
  const IndexedFile& file_;
  const text::SourceText& source_;
  text::Offset offset_;
  CursorContext context_;
  Surroundings around_;
  text::Offset place_;         // in the definition around the cursor, for queries of the tree
  const syntax::Node* kernel_; // the Gluon definition around the cursor; null in plain Python
  CompletionScope scope_;
  std::optional<std::optional<Callable>> called_;    // once it was asked for
  ExpectedValue expected_ = ExpectedValue::Anything; // of the argument that begins at the cursor
  std::optional<llvm::DenseSet<Name>> constants_;    // of the module, once they were asked for
  llvm::StringSet<> seen_;
  std::vector<Completion> items_;
};

} // namespace gluond::lsp
