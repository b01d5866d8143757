// Writes IR: the interface that a builtin's rule may use, and nothing more.
//
// One IrBuilder lives for one generateSource(): it owns the insertion point and the current node,
// wraps mlir values in language Values, turns language types and layouts into MLIR's (cached per
// CodegenContext), and reports mistakes. The visitor (FunctionVisitor) drives it; rules
// (rules/*.cpp) get it as their first parameter.
//
// A rule:
//     Value load(IrBuilder& emit, const Arguments& args) {
//       Value pointer = args[0];
//       if (!...) return emit.error(Id::LoadNotAPointer, args.node(0), emit.text(pointer));
//       return emit.value(emit.create<triton::LoadOp>(...), type);
//     }
//
// Unknown: a rule is never called with an Unknown argument (the visitor answers Unknown by itself),
// and returns Unknown after it has reported. Nothing is reported about what follows from an
// Unknown.
//
// Errors do not stop codegen, so a rule that reports must leave the IR well-formed at its insertion
// point (ops it has already created may stay: a module with errors is never printed).
#pragma once

#include "codegen/builder/Arguments.h"
#include "codegen/builder/LayoutPlaces.h"
#include "codegen/context/CodegenContext.h"
#include "codegen/context/Locations.h"
#include "codegen/targets/Options.h"
#include "diagnostics/Reporter.h"
#include "language/types/Type.h"
#include "language/values/Value.h"
#include "releases/Release.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/Interfaces/CastInterfaces.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gluond::language {
class TypeContext;
}

namespace gluond::releases {
enum class Rule : uint8_t; // releases/Rules.h
}

namespace gluond::codegen {

class IrBuilder;
class FunctionVisitor;
struct Unit; // the state of one generateSource(): module, callees, diagnostics (Unit.h)

using language::Type;

// How a builtin is lowered. Rows of the builtin table name their rule; rules/Rules.h maps names to
// functions.
using Rule = Value (*)(IrBuilder&, const Arguments&);

// What a caller passes on to every function called below it (warp-specialized partitions).
struct CallerContext {
  std::optional<unsigned> numWarps; // mangled as _NW4; a ttg.num-warps attribute on the callee
};

// An argument of a message as the table of diagnostics takes it: values, types and layouts are
// shown as text.
template <typename T>
inline constexpr bool isShown = std::is_same_v<T, Value> || std::is_same_v<T, const Type*> ||
                                std::is_same_v<T, const language::LayoutObject*>;
template <typename T>
inline constexpr bool isList = std::is_same_v<std::decay_t<T>, std::vector<std::string>>;
template <typename T>
using Shown = std::conditional_t<
    isShown<std::decay_t<T>>, std::string,
    std::conditional_t<std::is_integral_v<std::decay_t<T>>, int64_t,
                       std::conditional_t<isList<T>, std::vector<std::string>, std::string>>>;

// What an error call returns: converts to Unknown (or to no value at all), so that a rule can
// `return emit.error(...)`, and takes more detail.
class Reported {
public:
  operator Value() const { return Value::unknown(); }
  operator std::optional<Value>() const { return Value::unknown(); }
  operator mlir::Value() const { return {}; }
  operator const Type*() const { return nullptr; }
  // Adds a related place: a node of the current function's file, or any place of a module.
  template <typename... Args>
  Reported& related(diagnostics::NoteFor<std::type_identity_t<const Shown<Args>&>...> note,
                    const syntax::Node* node, const Args&... args);
  template <typename... Args>
  Reported& relatedIn(diagnostics::NoteFor<std::type_identity_t<const Shown<Args>&>...> note,
                      const language::ModuleObject* module, text::Range range, const Args&... args);
  template <typename... Args>
  Reported& relatedAt(diagnostics::NoteFor<std::type_identity_t<const Shown<Args>&>...> note,
                      diagnostics::Location place, const Args&... args);
  template <typename... Args>
  Reported& fix(diagnostics::FixFor<std::type_identity_t<const Shown<Args>&>...> title,
                std::vector<text::Edit> edits, const Args&... args);
  // The same where the edits are in the file of IrBuilder::written().
  template <typename... Args>
  Reported& fixWritten(diagnostics::FixFor<std::type_identity_t<const Shown<Args>&>...> title,
                       std::vector<text::Edit> edits, const Args&... args);
  // Whether a fix is worth a walk through the function or the file: it is new, and there are not
  // yet hundreds of others.
  bool isWorthSearching() const {
    constexpr size_t mostSearched = 200;
    return index_ < mostSearched;
  }

private:
  friend class IrBuilder;
  Reported(IrBuilder& emit, size_t index) : emit_(&emit), index_(index) {}
  IrBuilder* emit_;
  size_t index_; // into the unit's diagnostics; npos if it was a repetition and not added
};

class IrBuilder {
public:
  // ------------------------------------------------------------- state
  mlir::MLIRContext* context() const { return builder_.getContext(); }
  mlir::OpBuilder& opBuilder() { return builder_; }
  mlir::ModuleOp module() const;
  language::TypeContext& types() const { return *types_; }
  language::Heap& heap() const { return *heap_; } // lives as long as the GeneratedModule
  Interner& names() const { return *names_; }
  const Target& target() const { return *target_; }
  const Options& options() const { return *options_; }
  // Whether the release of Triton that the program is for has a rule that the newest one has not.
  bool follows(releases::Rule rule) const {
    return release_ != releases::newest && followsEarlier(rule);
  }
  // gl.num_warps() here: the partition's count inside a warp-specialized callee.
  unsigned numWarps() const;
  bool knowsNumWarps() const;

  // ------------------------------------------------------------- values
  // Wraps IR values. `type` is the language type: tensor, scalar, pointer, memory descriptor, ...
  Value value(mlir::Value handle, const Type* type);
  Value value(mlir::ValueRange handles, const Type* type); // tensor descriptors
  // Returns the mlir value of an Ir value. Calling handle() on another kind is a programming error.
  static mlir::Value handle(Value value) {
    return mlir::Value::getFromOpaquePointer(value.as<language::IrObject>()->handles[0]);
  }
  static llvm::ArrayRef<const void*> handles(Value value) {
    return value.as<language::IrObject>()->handles;
  }
  static bool isIr(Value value) { return value.is(language::ValueKind::Ir); }
  // A tensor or a scalar in IR (Triton's `tensor`), as against descriptors.
  static bool isTensor(Value value);
  // Triton's `value.type`: an Ir value's type, a tuple's, an aggregate's, else Constexpr(value).
  const Type* typeOf(Value value);
  // Flattens into IR handles as _flatten_ir does (constexprs give none), and back.
  void flatten(Value value, llvm::SmallVectorImpl<mlir::Value>& handles);
  Value unflatten(const Type* type, mlir::ValueRange handles, unsigned& cursor);
  void flattenTypes(const Type* type, llvm::SmallVectorImpl<mlir::Type>& types);

  // ------------------------------------------------------------- types and layouts
  // Returns null after reporting a type that has no representation. An op may be created with a
  // null type all the same: its result is a placeholder, of which value() makes Unknown.
  mlir::Type irType(const Type* type);
  mlir::Attribute encoding(const language::LayoutObject* layout);
  // Returns the layout that prints as this encoding (Triton's layout_to_gluon), or null if Gluon
  // has no name for it.
  const language::LayoutObject* layoutOf(mlir::Attribute encoding);

  // ------------------------------------------------------------- building
  // The location of the node being visited.
  mlir::Location loc() {
    return locations_ && node_ ? locations_->of(node_)
                               : mlir::Location(mlir::UnknownLoc::get(context()));
  }
  const syntax::Node* node() const { return node_; }
  FunctionVisitor* visitor() const { return visitor_; }
  const syntax::FunctionDef* definition() const; // of the function being generated; null if none
  template <typename Op, typename... Args> Op create(Args&&... args) {
    // Op::create() would look the op up by the text of its name.
    std::optional<mlir::OperationName> name = operationOf(mlir::TypeID::get<Op>());
    if (!name) [[unlikely]]
      return Op::create(builder_, loc(), std::forward<Args>(args)...);
    if constexpr (isUniform<Op, Args...>) {
      mlir::Value operands[] = {args...};
      // MLIR would look up the flags, even when there are none.
      if constexpr (requires(Op::Properties properties) { properties.overflowFlags; }) {
        typename Op::Properties properties;
        properties.overflowFlags = noOverflowFlags_;
        return llvm::cast<Op>(insert(*name, operands[0].getType(), operands, &properties));
      } else if constexpr (requires(Op::Properties properties) { properties.fastmath; }) {
        typename Op::Properties properties;
        properties.fastmath = noFastMath_;
        return llvm::cast<Op>(insert(*name, operands[0].getType(), operands, &properties));
      } else {
        return llvm::cast<Op>(insert(*name, operands[0].getType(), operands));
      }
    } else if constexpr (isCast<Op, Args...>) {
      return llvm::cast<Op>(insertCast(*name, args...));
    } else if constexpr (isComparison<Op> && sizeof...(Args) == 3) {
      return llvm::cast<Op>(insertComparison<Op>(*name, args...));
    } else {
      mlir::OperationState state(loc(), *name);
      Op::build(builder_, state, std::forward<Args>(args)...);
      return llvm::cast<Op>(insert(state));
    }
  }
  // Creates an arith.constant, uncached as in Triton's builder (every use has its own).
  mlir::Value constant(mlir::TypedAttr value);
  mlir::Value constantInt(int64_t value, unsigned bits);
  mlir::Value constantInt(const llvm::APInt& value);
  mlir::Value constantFloat(double value, mlir::Type type);
  mlir::Value poison(mlir::Type type);
  // Restores the insertion point when it is destroyed.
  class Guard {
  public:
    explicit Guard(IrBuilder& emit) : guard_(emit.builder_) {}

  private:
    mlir::OpBuilder::InsertionGuard guard_;
  };

  // ------------------------------------------------------------- calls back into the visitor
  // Calls a jit function as user code would: tt.call, the callee generated on first use.
  Value callJit(Value function, Values args, const syntax::Node* call,
                std::optional<CallerContext> context = {});
  // Calls anything callable (jit, constexpr or host function, builtin, class, bound method) with
  // positional and keyword arguments, as for a combine function or a user callback.
  Value call(Value callee, Values args, const syntax::Node* call,
             llvm::ArrayRef<std::pair<Name, Value>> keywords = {});
  // Calls another builtin by its rule, with arguments in the order of its parameters; missing ones
  // get their defaults.
  Value callBuiltin(const language::Builtin& builtin, Values args, const syntax::Node* call);
  // Evaluates value.name as in user code.
  Value attribute(Value value, Name name, const syntax::Node* node);

  // ------------------------------------------------------------- mistakes
  // Emits a row of the diagnostics table at the user's node that is wrong. Values, types and
  // layouts among the arguments are shown as the user would write them.
  template <typename... Args>
  Reported error(diagnostics::IdFor<std::type_identity_t<Shown<Args>>...> id,
                 const syntax::Node* at, const Args&... args) {
    return reportShown(id.id, at, args...);
  }
  // The same at any location in the program.
  template <typename... Args>
  Reported errorAt(diagnostics::IdFor<std::type_identity_t<Shown<Args>>...> id,
                   diagnostics::Location at, const Args&... args) {
    return reportShown(id.id, at, args...);
  }
  // Remembers which expression gave a layout, for messages about mistakes found in it later.
  void noteLayout(const language::LayoutObject* layout, const syntax::Node* at);
  // Returns where a layout was written, and the constructor argument for a field.
  std::optional<LayoutPlace> placeOf(const language::LayoutObject* layout,
                                     llvm::StringRef field = {}) const;
  // Emits a warning about something that only Triton's back end refuses, after gluond's stages.
  template <typename... Args>
  Reported warning(diagnostics::IdFor<std::type_identity_t<Shown<Args>>...> id,
                   const syntax::Node* at, const Args&... args) {
    asWarning_ = true;
    Reported reported = error<Args...>(id, at, args...);
    asWarning_ = false;
    return reported;
  }
  // The name under which the user's module imports the language, "gl", or "" if it does not.
  std::string languageName() const;
  // Returns where the user wrote the value of a node: the node itself, or, inside Triton's library,
  // the argument of the user's call that was passed on. It is empty if there is no such argument.
  Written written(const syntax::Node* at) const;
  // Visits the current function's names with their values, in the order of their first assignment.
  void forEachVariable(llvm::function_ref<void(llvm::StringRef name, Value value)> visit) const;
  // Reports what Triton accepts and gluond does not support: an information, not a user's mistake.
  Reported unsupported(const syntax::Node* at, const llvm::Twine& what);
  // Reports a Python exception that Triton would raise, if there is nothing to say beyond its text:
  // ("TypeError", "...").
  Reported raised(const syntax::Node* at, llvm::StringRef exception, const llvm::Twine& message);
  bool hadErrors() const;
  // Records that the element type of a buffer is in doubt, because values of another type are
  // written to it: its loads are then unknown, so that nothing that follows is reported.
  void doubtElements(mlir::Value buffer);
  bool doubtsElements(mlir::Value buffer) const;

  // Prints values and types as the user writes them, for messages.
  std::string text(Value value) const;
  std::string text(const Type* type) const;
  std::string text(const language::LayoutObject* layout) const;
  // The file of the current function, and what its module holds. They are null and empty inside
  // Triton's own library.
  const text::SourceText* source() const;
  const language::Scope* globals() const;
  // Returns the source text of a node of the current function.
  llvm::StringRef sourceText(const syntax::Node* node) const;

private:
  bool followsEarlier(releases::Rule rule) const;
  friend class FunctionVisitor;
  friend class Reported;
  friend struct Unit;
  IrBuilder(CodegenContext& context, Unit& unit);

  // Creates ops that consist of operands and a result type with default properties, which most ops
  // of a kernel are.
  template <typename Op, typename... Args>
  static constexpr bool isUniform = [] {
    if constexpr (sizeof...(Args) != 0 && (std::is_convertible_v<Args, mlir::Value> && ...))
      return Op::template hasTrait<mlir::OpTrait::SameOperandsAndResultType>();
    return false;
  }();
  template <typename Op, typename... Args>
  static constexpr bool isCast = [] {
    if constexpr (std::is_constructible_v<std::pair<mlir::Type, mlir::Value>, Args...> &&
                  sizeof...(Args) == 2)
      return Op::template hasTrait<mlir::CastOpInterface::Trait>();
    return false;
  }();
  mlir::Operation* insertCast(mlir::OperationName name, mlir::Type to, mlir::Value value) {
    return insert(name, to, value);
  }
  template <typename Op>
  static constexpr bool isComparison =
      std::is_same_v<Op, mlir::arith::CmpIOp> || std::is_same_v<Op, mlir::arith::CmpFOp>;
  template <typename Op, typename Predicate>
  mlir::Operation* insertComparison(mlir::OperationName name, Predicate predicate, mlir::Value lhs,
                                    mlir::Value rhs) {
    typename Op::Properties properties;
    properties.setPredicate(predicateOf<decltype(properties.getPredicate())>(predicate));
    return insert(name, truthType(lhs.getType()), {lhs, rhs}, &properties);
  }
  std::optional<mlir::OperationName> operationOf(mlir::TypeID op) const {
    return codegen_.operation(op);
  }
  template <typename Attribute, typename Predicate>
  Attribute predicateOf(Predicate predicate) const {
    return codegen_.predicate<Attribute>(predicate);
  }
  // Returns i1, or a tensor of it with the same shape and layout.
  mlir::Type truthType(mlir::Type type);
  mlir::Type orPlaceholder(mlir::Type type); // what an op gets for a null type
  mlir::Operation* insert(mlir::OperationName name, mlir::Type result, mlir::ValueRange operands,
                          mlir::OpaqueProperties properties = nullptr);
  // A faster builder.create(state).
  mlir::Operation* insert(mlir::OperationState& state);
  // `at` is a node or a location. Temporary texts live until the diagnostic is reported.
  template <typename At, typename... Args>
  Reported reportShown(diagnostics::Id id, At at, const Args&... args) {
    const std::tuple<Shown<Args>...> shown{show(args)...};
    return std::apply(
        [&](const auto&... each) {
          return report(id, at,
                        llvm::ArrayRef<diagnostics::Argument>{diagnostics::Argument(each)...});
        },
        shown);
  }
  Reported report(diagnostics::Id id, const syntax::Node* at,
                  llvm::ArrayRef<diagnostics::Argument> args);
  Reported report(diagnostics::Id id, diagnostics::Location at,
                  llvm::ArrayRef<diagnostics::Argument> args);
  void addRelated(size_t index, diagnostics::Location place, std::string message);
  void addRelated(size_t index, const FileLocations* file, text::Range range, std::string message);
  void addRelated(size_t index, const language::ModuleObject* module, text::Range range,
                  std::string message);
  void reportLayout();
  void addFix(size_t index, diagnostics::Fix fix);
  void addWrittenFix(size_t index, diagnostics::Fix fix);
  template <typename T> Shown<T> show(const T& argument) const {
    if constexpr (isShown<T>)
      return text(argument);
    else if constexpr (std::is_integral_v<T>)
      return static_cast<int64_t>(argument);
    else if constexpr (isList<T>)
      return argument;
    else
      return std::string(argument);
  }

  CodegenContext& codegen_;
  Unit& unit_;
  mlir::OpBuilder builder_;
  mlir::DictionaryAttr noAttributes_;
  mlir::OperationName constantName_; // arith.constant
  mlir::arith::IntegerOverflowFlagsAttr noOverflowFlags_;
  mlir::arith::FastMathFlagsAttr noFastMath_;
  const syntax::Node* node_ = nullptr;
  FileLocations* locations_ = nullptr; // of the current function's file
  bool asWarning_ = false;
  FunctionVisitor* visitor_ = nullptr; // the function being generated
  language::TypeContext* types_ = nullptr;
  language::Heap* heap_ = nullptr;
  Interner* names_ = nullptr;
  const Target* target_ = nullptr;
  const Options* options_ = nullptr;
  releases::Release release_ = releases::newest;
};

template <typename... Args>
Reported& Reported::related(diagnostics::NoteFor<std::type_identity_t<const Shown<Args>&>...> note,
                            const syntax::Node* node, const Args&... args) {
  if (node)
    emit_->addRelated(index_, emit_->locations_, node->range,
                      diagnostics::note<Shown<Args>...>(note, emit_->show(args)...));
  return *this;
}

template <typename... Args>
Reported&
Reported::relatedIn(diagnostics::NoteFor<std::type_identity_t<const Shown<Args>&>...> note,
                    const language::ModuleObject* module, text::Range range, const Args&... args) {
  emit_->addRelated(index_, module, range,
                    diagnostics::note<Shown<Args>...>(note, emit_->show(args)...));
  return *this;
}

template <typename... Args>
Reported&
Reported::relatedAt(diagnostics::NoteFor<std::type_identity_t<const Shown<Args>&>...> note,
                    diagnostics::Location place, const Args&... args) {
  emit_->addRelated(index_, place, diagnostics::note<Shown<Args>...>(note, emit_->show(args)...));
  return *this;
}

template <typename... Args>
Reported& Reported::fix(diagnostics::FixFor<std::type_identity_t<const Shown<Args>&>...> title,
                        std::vector<text::Edit> edits, const Args&... args) {
  emit_->addFix(index_, {diagnostics::fixTitle<Shown<Args>...>(title, emit_->show(args)...),
                         std::move(edits)});
  return *this;
}

template <typename... Args>
Reported&
Reported::fixWritten(diagnostics::FixFor<std::type_identity_t<const Shown<Args>&>...> title,
                     std::vector<text::Edit> edits, const Args&... args) {
  emit_->addWrittenFix(index_, {diagnostics::fixTitle<Shown<Args>...>(title, emit_->show(args)...),
                                std::move(edits)});
  return *this;
}

} // namespace gluond::codegen
