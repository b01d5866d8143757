// The compile-time Python interpreter. It walks the AST over Values that may be Unknown, within a
// budget.
//
// One Interpreter serves one thread and one Heap. The evaluator makes one per module evaluation;
// codegen makes one per generateSource() over its own heap and uses the functions under "Python's
// semantics" for constexprs, class construction, attributes and constexpr functions. Objects of a
// finished module (in another heap) are read only: mutating one is refused as exhaustion, never as
// the user's mistake.
//
// Errors: every function that can raise returns Absent (or false, or nullopt) and stores the
// exception; the caller returns at once or takes it with takeError(). Exhaustion of the budget
// propagates in the same way, but no `except` catches it.
//
// Unknown: an operation on Unknown gives Unknown. A branch on an unknown condition runs both ways
// and joins: values that differ afterwards are Unknown, and exceptions raised inside are dropped.
#pragma once

#include "evaluate/interpreter/BranchChanges.h"
#include "evaluate/interpreter/Frame.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/InterpreterOptions.h"
#include "evaluate/interpreter/MissingImport.h"
#include "evaluate/interpreter/PythonError.h"
#include "evaluate/interpreter/WellKnownNames.h"
#include "language/values/Native.h"
#include "language/values/Value.h"
#include "support/Cancellation.h"
#include "syntax/tree/Ast.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringMap.h>

#include <memory>
#include <optional>
#include <string>

namespace gluond::evaluate {

using language::BoundMethodObject;
using language::ClassObject;
using language::DictObject;
using language::EnumObject;
using language::FunctionKind;
using language::FunctionObject;
using language::InstanceObject;
using language::ListObject;
using language::ModuleObject;
using language::RangeObject;
using language::SliceObject;
using language::StrObject;
using language::TupleObject;
using language::TypeContext;

// Makes the members of an iterator one by one (Iterators.h).
class MemberSource;

class Interpreter final : public language::EvaluateContext {
public:
  Interpreter(Heap& heap, Interner& interner, TypeContext& types, InterpreterOptions options);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // ------------------------------------------------------------- programs
  // Runs a module's statements; if one raises, that is recorded (moduleErrors) and the next one
  // runs. `name` is its __name__. Returns null if an imported module lacks a package that its
  // importer can do without (InterpreterOptions::lacksPackages), which is then raised.
  const ModuleObject* runModule(const ModuleSource& source, llvm::StringRef name);
  // The errors in module bodies, in order.
  llvm::ArrayRef<PythonError> moduleErrors() const { return moduleErrors_; }
  // Evaluates an expression in a place where `scope` is visible (a module's globals or a
  // closure).
  Value evaluate(const syntax::Expr* expr, const Scope* scope, const ModuleObject* module);
  // Runs a def or class statement in a place where `scope` is visible; `prefix` ("test.<locals>.")
  // begins the qualified name of what it makes. Returns the value bound to the name, or Absent if
  // it raised.
  Value define(const syntax::Stmt* definition, const Scope* scope, const ModuleObject* module,
               llvm::StringRef prefix);
  // Hands over the syntax trees of the files that ran: values point into them.
  void releaseOwners(std::vector<std::shared_ptr<const void>>& out) {
    out.insert(out.end(), std::make_move_iterator(owners_.begin()),
               std::make_move_iterator(owners_.end()));
    owners_.clear();
  }
  // Adds the functions whose bodies ran.
  void addEntered(llvm::DenseSet<const syntax::Node*>& out) const;
  // The functions of every def that ran, in order.
  llvm::ArrayRef<const FunctionObject*> definitions() const { return definitions_; }
  // Imported modules and names that do not exist or were not found.
  llvm::ArrayRef<MissingImport> missingImports() const { return missingImports_; }
  // Whether the program asked for a package that is found nowhere, and is ready to do without it.
  bool hasOptionalPackages() const { return hasOptionalPackages_; }
  void noteOptionalPackage() { hasOptionalPackages_ = true; }
  // Files read, by path: the module and all its imports from the workspace.
  const llvm::StringMap<const ModuleObject*>& workspaceModules() const { return loaded_; }

  // ------------------------------------------------------------- Python's semantics
  Value call(Value callee, const CallArguments& arguments) override;
  Value call(Value callee, Values positional) {
    return call(callee, CallArguments{positional, {}});
  }
  Value binary(syntax::BinaryOp op, Value left, Value right);
  Value inplace(syntax::BinaryOp op, Value left,
                Value right); // left op= right: lists grow in place
  Value unary(syntax::UnaryOperator op, Value operand);
  Value compare(syntax::CompareOp op, Value left, Value right);
  std::optional<bool> truth(Value value) override;
  std::optional<bool> equal(Value a, Value b) override;
  // As containers compare their members: one and the same object equals itself.
  std::optional<bool> equalMembers(Value a, Value b);
  // Evaluates value.name; returns Absent after raising AttributeError. lookupAttribute returns
  // Absent without raising if there is none.
  Value getAttribute(Value object, Name name) override;
  Value lookupAttribute(Value object, Name name);
  bool setAttribute(Value object, Name name, Value value);
  Value getItem(Value object, Value index);
  bool setItem(Value object, Value index, Value value);
  bool deleteItem(Value object, Value index);
  bool unpack(Value iterable, llvm::SmallVectorImpl<Value>& out) override;
  // Like unpack, but sets `uncertain` if the members cannot be known (iterators of unknown length).
  bool unpack(Value iterable, llvm::SmallVectorImpl<Value>& out, bool& uncertain);
  // Returns an iterator over the members, as iter(iterable) does: an iterator object, or an
  // instance with __next__. Absent if it raised; Unknown if the members cannot be known.
  Value iterate(Value iterable);
  // Takes the next member of what iterate() returned. Absent if it raised (failed()), if it is not
  // known whether there is another one (sets `uncertain`), and at the end.
  Value advance(Value iterator, bool& uncertain);
  // Makes an iterator whose members come from `source`, on demand.
  Value iteratorFrom(std::unique_ptr<MemberSource> source);
  MemberSource* sourceOf(Value iterator); // null if all members are known beforehand
  void forgetSource(Value iterator);      // it has ended
  std::optional<bool> contains(Value container, Value member);
  std::optional<int64_t> length(Value value); // nullopt if unknown or raised
  std::string repr(Value value) override;
  std::string str(Value value);
  // Says that a text which is being made has parts that nobody knows; and whether one had, since
  // this was last asked.
  void notePrintedUnknown() { hasPrintedUnknown_ = true; }
  bool printedUnknown() { return std::exchange(hasPrintedUnknown_, false); }
  // The result of str(value) or repr(value): Absent if it raised, Unknown if it cannot be known.
  Value textOf(Value value, bool isRepr = false);
  // format(value, spec); nullopt if it raised (or Unknown is inside: check the value first).
  std::optional<std::string> format(Value value, llvm::StringRef spec);
  std::optional<uint64_t> hash(Value value); // nullopt if unknown or raised (unhashable)
  // type(x): a Class (builtin types are classes of ours), or a Builtin for Gluon's objects.
  Value typeOf(Value value);
  std::optional<bool> isInstance(Value value, Value classes);
  std::optional<bool> isSubclass(Value cls, Value classes);
  bool isCallable(Value value);

  // ------------------------------------------------------------- contexts
  struct Context; // what a `with` entered (interpreter/Contexts.h)
  // Enters a context manager; returns what __enter__ returns, Absent if it raised.
  Value enterManager(Value manager, Context& context);
  Flow leaveContext(Context& context, Flow flow);
  // Sets the pending error aside while a handler, `finally` or __exit__ runs.
  std::unique_ptr<PendingError> suspendError();
  void resumeError(std::unique_ptr<PendingError> error);

  // ------------------------------------------------------------- dicts and sets
  Value dictGet(const DictObject* dict,
                Value key); // Absent if missing (or raised); Unknown if it cannot be known
  Value dictGet(const DictObject* dict, llvm::StringRef key);
  std::optional<bool> dictContains(const DictObject* dict,
                                   Value key); // nullopt if not known, or raised
  bool dictSet(const DictObject* dict, Value key, Value value);
  bool dictErase(const DictObject* dict, Value key,
                 Value* erased = nullptr); // false if missing, or raised
  Value newSet() { return Value::object(ValueKind::Set, heap().make<DictObject>()); }

  // ------------------------------------------------------------- errors
  Value raise(llvm::StringRef exceptionClass, const llvm::Twine& message) override;
  Value raise(ErrorCause cause, llvm::StringRef exceptionClass, const llvm::Twine& message);
  void blame(int argument) override {
    if (pending_) pending_->argument = argument;
  }
  // Triton's library raised the pending exception in a call of `function`.
  void blameLibrary(llvm::StringRef function);
  Value raiseKey(Value key);         // KeyError(key)
  Value raiseValue(Value exception); // an instance of an exception class
  // The program says so itself, by `raise` or `assert`.
  Value raiseDeliberately(Value exception);
  // A call lacks arguments: "function() missing 2 required positional arguments: 'a' and 'b'".
  Value raiseMissing(const llvm::Twine& function, llvm::ArrayRef<llvm::StringRef> parameters,
                     llvm::StringRef kind = "positional");
  // Gives up; no `except` catches this. `why` is reported once, as the message.
  Value exhaust(const llvm::Twine& why);
  bool failed() const override { return pending_ != nullptr; }
  bool isExhausted() const;
  bool raisedExit() const; // SystemExit is pending
  PythonError takeError();
  // Whether the program itself is certain to raise this, where it was raised: nothing before it was
  // a guess, and it does not follow from what objects contain that unknown code may have changed.
  bool isCertain(const PythonError& error) const {
    return !hasAssumed_ && isCertainButForGuesses(error);
  }
  // The same whatever was assumed, unless defaults of a command line decide.
  bool isCertainButForGuesses(const PythonError& error) const;
  // Whether a module took a name from another one that still ran and had not bound it so far.
  bool hasCircularImports() const { return hasCircularImports_; }
  // The first of these that Python is certain to refuse (InterpreterOptions::importsPackages).
  std::optional<PythonError> takeCircularImport() { return std::exchange(circularImport_, {}); }
  void dropError();
  void dropUnlessExhausted() {
    if (!isExhausted()) dropError();
  }
  // Triton's own library refuses a call of the host code: records the pending exception if it is
  // certain to be raised and no handler catches it. `kernel` is the launched kernel, if any.
  void refused(llvm::StringRef kernel = {});
  llvm::ArrayRef<Refusal> refusals() const { return refusals_; }
  // Takes the pending exception if it is an instance of that builtin class.
  std::optional<Value> catchError(llvm::StringRef exceptionClass);
  // True while the current code may not run in reality (inside a branch on an unknown condition),
  // or a handler catches its exceptions.
  bool isUncertain() const { return uncertain_ != 0; }
  // From now on the run depends on a guess, so later exceptions are not reported.
  void assume() { hasAssumed_ = true; }
  // From now on it is the run of a program that is started without arguments, all of which have
  // defaults. What the program raises itself may ask for one, and None may stand for one.
  void assumeDefaults() { hasAssumedDefaults_ = true; }
  // The test that runs may have been skipped before this place: its later launches may not be made.
  bool mayBeSkipped() const { return mayBeSkipped_; }
  void setMayBeSkipped(bool may) { mayBeSkipped_ = may; }
  // The program says where tensors are by other means than arguments: torch.set_default_device, a
  // device as a context.
  bool hasDefaultDevice() const { return hasDefaultDevice_; }
  void setDefaultDevice() { hasDefaultDevice_ = true; }
  void enterUncertain() { ++uncertain_; }
  void leaveUncertain() { --uncertain_; }
  // True where the program expects that what it calls may fail: inside pytest.raises and
  // assertRaises, where a handler catches Triton's own exceptions, in a test marked as xfail.
  bool isExpectingFailure() const { return expectsFailure_ != 0; }
  void enterExpectedFailure() { ++expectsFailure_; }
  void leaveExpectedFailure() { --expectsFailure_; }
  // Calls the function among the arguments with those after it, which may fail: as
  // pytest.raises(E, function, ...) and self.assertRaises(E, function, ...) do.
  Value callExpectingFailure(const CallArguments& arguments);

  // ------------------------------------------------------------- budget
  // Work whose size the program chooses is charged before it is done: time with spend(), memory
  // with charge(), depth with Nesting. Each returns false (after raising) if the budget is used up;
  // the caller then returns at once.
  //
  // Costs one step for each expression and statement, and in native code for each value that a loop
  // visits. Checks at intervals whether the task was cancelled or its Allowance is spent.
  bool spend(uint64_t steps) {
    if (steps < untilPoll_) [[likely]] {
      untilPoll_ -= steps;
      return true;
    }
    return poll(steps);
  }
  // For text and words of long ints, of which native code reads many in the time of a step.
  bool spendBytes(uint64_t bytes) { return spend(bytes / bytesPerStep); }
  // For work proportional to a product: words times words of a long multiplication, parameters
  // times keywords.
  bool spendProduct(uint64_t a, uint64_t b) {
    uint64_t operations;
    return spend((__builtin_mul_overflow(a, b, &operations) ? ~uint64_t{0} : operations) /
                 operationsPerStep);
  }
  // Charges for the texts and long ints in a native function's arguments, all of which it may read.
  bool spendOn(Values arguments);
  bool charge(size_t bytes); // growth of containers, texts and long ints
  // The same for `count` objects of `size` bytes each; the product may overflow.
  bool charge(size_t count, size_t size) {
    size_t bytes;
    return charge(__builtin_mul_overflow(count, size, &bytes) ? ~size_t{0} >> 1 : bytes);
  }
  uint64_t stepsLeft() const { return steps_ + untilPoll_; }
  uint64_t stepsSpent() const { return granted_ - stepsLeft(); }
  void refill(uint64_t steps) {
    granted_ = stepsSpent() + steps;
    steps_ = steps;
    untilPoll_ = 0;
  }
  // Lets what runs next make at most so many bytes of values. Returns the limit that was there, for
  // setMemoryLimit().
  size_t limitMemory(size_t bytes) {
    return std::exchange(memoryLimit_, std::min(memoryLimit_, bytesHeld() + bytes));
  }
  void setMemoryLimit(size_t bytes) { memoryLimit_ = bytes; }
  // Whether it was cancelled or the Allowance is spent; then no step budget lets it continue.
  bool isStopped() const;
  static constexpr uint64_t bytesPerStep = 64, operationsPerStep = 32;

  // ------------------------------------------------------------- small helpers for natives
  llvm::StringRef text(Name name) const { return names_.text(name); }
  // Interns an identifier. Identifiers are never freed, so a program may make only a limited
  // number; beyond that, exhausts and returns the empty name.
  Name name(llvm::StringRef text) override;
  Value string(const llvm::Twine& text);
  Value function(llvm::StringRef name, Native native, Value self = Value::absent());
  Value instance(const ClassObject* cls) { return instance(cls, newScope()); }
  Value instance(const ClassObject* cls, const Scope* attributes) {
    return Value::object(ValueKind::Instance,
                         heap().make<InstanceObject>(language::Object{}, cls, attributes));
  }
  Scope* newScope(const Scope* parent = nullptr);
  Value namespaceOf(llvm::StringRef name,
                    llvm::ArrayRef<std::pair<llvm::StringRef, Value>> members);
  // Binds arguments to `names`; missing ones are Absent, and the first `required` must be given.
  // Returns false after raising TypeError.
  bool bind(llvm::StringRef function, const CallArguments& arguments,
            llvm::ArrayRef<llvm::StringLiteral> names, unsigned required,
            llvm::MutableArrayRef<Value> out);
  Value iterator(llvm::ArrayRef<Value> items, bool uncertain = false);
  Value tupleOf(Values items) { return heap().tuple(items); }
  // The only way to change an object of the program: values, and objects that hold others, give
  // theirs as const. Returns the object; null if there is none, or after exhausting if it is of a
  // finished module.
  // Branches that may not run take note of it, so ask for an object when it is to be changed and
  // do not keep what you got.
  template <typename T> T* writable(const T* object) {
    if (!object || !heap().owns(object)) {
      if (object) refuseChange();
      return nullptr;
    }
    auto* changed = const_cast<T*>(object);
    if constexpr (std::is_constructible_v<Changeable, T*>)
      if (!branches_.empty() && !noteChange(changed)) return nullptr;
    return changed;
  }
  // Gives a name in a scope of the program a value. Returns false if the scope may not be changed.
  bool setIn(const Scope* scope, Name name, Value value) {
    Scope* changed = writable(scope);
    if (changed) changed->set(name, value);
    return changed;
  }

  // Returns a builtin class by name, "int", "str", "ValueError", or null if there is none.
  const ClassObject* builtinClass(llvm::StringRef name);
  // Returns a member of a modelled module ("math", "sqrt"), Absent if the module is modelled
  // without it, or Unknown if the module is not modelled.
  Value moduleMember(llvm::StringRef module, Name name);
  Value module(llvm::StringRef dottedName);    // a modelled module
  Value builtinFunction(llvm::StringRef name); // "len"
  Value nativeClassMember(const ClassObject* cls,
                          Name name); // from a builtin class's own rows; Absent if none
  // Gives the names of a module the values that the user says they have.
  void setConstants(const ModuleObject* module);
  Value import(llvm::StringRef dottedName, unsigned level,
               bool& found); // import a.b.c returns the last one
  // Imports a file by its path (importlib) under a module name; Unknown if there is no such file.
  Value importFile(llvm::StringRef path, llvm::StringRef moduleName);
  LaunchSink* launches() const { return options_.launches; }
  const InterpreterOptions& options() const { return options_; }
  Frame* frame() const { return frame_; }
  Value callFunction(const FunctionObject* function, Value self, const CallArguments& arguments);
  // Makes a namedtuple of that class with these members.
  Value makeNamedTuple(const ClassObject* cls, Values items);
  // Makes a class as `class name(bases): members` would.
  Value makeClass(const syntax::ClassDef* def, llvm::StringRef name, llvm::StringRef qualname,
                  Values bases, llvm::ArrayRef<KeywordArgument> keywords, Scope* members,
                  llvm::ArrayRef<ClassObject::Field> annotated);
  Value instantiate(const ClassObject* cls, const CallArguments& arguments);
  Value findInClass(const ClassObject* cls, Name name); // through the mro; Absent if there is none
  // Binds a member found in a class to `self` (Absent if it was read from the class itself).
  Value bindMember(Value member, Value self, Value cls);
  // Calls value.name(...) if the class of `value` defines it; otherwise returns Absent without
  // raising.
  Value callSpecial(Value value, Name special, Values arguments);
  // The Python-visible name of a class or function; "f" for def f, "int" for int.
  llvm::StringRef className(Value cls);
  Value callMethod(Value object, Name method, const CallArguments& arguments);
  Value superOf(const CallArguments& arguments); // super()

  // The annotations in the class itself (before a decorator makes fields of them and its bases').
  llvm::ArrayRef<ClassObject::Field> ownFields(const ClassObject* cls) const;
  bool isBuilding(const InstanceObject* instance) const {
    return llvm::is_contained(building_, instance);
  }
  const Scope* enumAttributes(const EnumObject* member) const {
    return enumAttributes_.lookup(member);
  }

  // A decorator made `copy` of a function, which replaces it from now on.
  void redefine(const FunctionObject* original, const FunctionObject* copy);
  const ClassObject* signednessClass(); // triton.language.core.dtype.SIGNEDNESS
  // Returns the name of a Python builtin ("len", "int"), or nullopt if the value is none.
  std::optional<Name> pythonBuiltinName(Value value);
  // Returns the value of a Python builtin, or Absent if there is none of that name.
  Value pythonBuiltin(Name name);

  const WellKnownNames& names() const { return known_; }

private:
  friend class GeneratorRun;
  friend class ComprehensionRun;
  friend class Nesting;
  friend class BranchChanges;
  struct Tables; // caches of builtins, classes, methods (Builtins.cpp)

  // Expressions.cpp
  Value eval(const syntax::Expr* expr);
  Value evalName(const syntax::NameExpr* expr);
  bool isLocal(Name name) const; // to the running function, which binds it somewhere
  Value evalConstant(const syntax::Constant* expr);
  Value evalJoined(const syntax::JoinedStr* expr);
  Value evalDisplay(const syntax::Expr* expr);
  Value evalComprehension(const syntax::Comprehension* expr);
  Value evalGenerator(const syntax::Comprehension* expr);
  bool comprehend(const syntax::Comprehension* expr, size_t generator, Value result,
                  bool& uncertain);
  Value evalSubscript(const syntax::Subscript* expr);
  // Evaluates the object and the index of `object[index]`. Returns false if either raises.
  bool evalOperands(const syntax::Subscript* expr, Value& object, Value& index);
  Value evalCall(const syntax::Call* expr);
  Value evalBoolOp(const syntax::BoolOp* expr);
  Value evalCompare(const syntax::Compare* expr);
  Value evalLambda(const syntax::Lambda* expr);
  Value evalYield(const syntax::Yield* expr);
  bool evalElements(syntax::Exprs exprs, llvm::SmallVectorImpl<Value>& out, bool& uncertain);
  Value makeFunction(const syntax::FunctionDef* def, const syntax::Lambda* lambda,
                     llvm::StringRef name, llvm::ArrayRef<syntax::Parameter> parameters);

  // Statements.cpp, Exceptions.cpp
  Flow exec(const syntax::Stmt* stmt);
  Flow exec(syntax::Stmts body);
  Flow execFor(const syntax::For* stmt, uint64_t& turns);
  Flow execWhile(const syntax::While* stmt, uint64_t& turns);
  Flow execIf(const syntax::If* stmt);
  Flow execMatch(const syntax::Match* stmt);
  // The names that a pattern binds, and their values.
  using Captures = llvm::SmallVector<std::pair<const syntax::Expr*, Value>, 4>;
  // Whether a value matches a pattern; nullopt if that is not known, or something raised.
  std::optional<bool> matchPattern(const syntax::Expr* pattern, Value value, Captures& out);
  std::optional<bool> matchSequence(syntax::Exprs patterns, Value value, Captures& out);
  std::optional<bool> matchMapping(const syntax::Dict& pattern, Value value, Captures& out);
  std::optional<bool> matchClass(const syntax::Call& pattern, Value value, Captures& out);
  Flow execUnknownTurns(const syntax::Stmt* loop); // as often as nobody knows
  Flow execLoopElse(syntax::Stmts body);
  void noteExit(Flow flow, const Scope::State& state);
  bool mayNotEnd(Flow flow);
  Flow endTurn(Flow flow);       // of the body of the innermost loop
  Flow leaveLoop(Flow flow);     // joins what may have been at each of its ends
  Value mayRaise(Value result) { // of an operation whose result may be unknown
    mayHaveRaised_ |= result.isUnknown();
    return result;
  }
  Flow execTry(const syntax::Try* stmt);
  Flow afterBody(const syntax::Try& stmt, Flow flow);
  Flow execHandler(const syntax::ExceptHandler& handler, Value exception);
  // unittest's self.assertRaises(...), a method of what is not known.
  bool isAssertRaises(const syntax::Expr* context) const;
  Flow execOutcomes(const syntax::Try& stmt, llvm::ArrayRef<const syntax::ExceptHandler*> handlers,
                    Flow flow, Value returnedBefore);
  const syntax::ExceptHandler* handlerOf(const syntax::Try& stmt); // of the pending exception
  Flow execWith(const syntax::With* stmt, size_t item);
  bool enterContext(const syntax::WithItem& item, Context& context);
  Flow execRaise(const syntax::Raise* stmt);
  Flow execImport(const syntax::Import* stmt);
  Flow execImportFrom(const syntax::ImportFrom* stmt);
  Flow execFunctionDef(const syntax::FunctionDef* stmt);
  Flow execClassDef(const syntax::ClassDef* stmt);
  void joinObjects(Flow first, const BranchChanges& firstChanges,
                   llvm::ArrayRef<StateOf> afterFirst, Flow second, BranchChanges& secondChanges);
  Flow execBranches(syntax::Stmts first, syntax::Stmts second);
  Flow execEither(llvm::function_ref<Flow()> first, llvm::function_ref<Flow()> second);
  bool assign(const syntax::Expr* target, Value value);
  bool assignSequence(syntax::Exprs targets, Value value);
  bool remove(const syntax::Expr* target);
  void bindName(Name name, Value value);
  Value decorate(syntax::Exprs decorators, Value value);
  void forget(const syntax::Stmt* stmt); // makes what the statement binds Unknown
  void forget(syntax::Stmts body) {
    for (auto* stmt : body)
      forget(stmt);
  }
  void missing(MissingImport found);
  void missingSoFar(const ModuleObject& module, Name wanted);
  void note(PythonError error) { moduleErrors_.push_back(std::move(error)); }
  std::vector<Place> placesOf(const Frame* frame) const;
  // The budget was exhausted inside a loop that began when `before` steps were spent: names in the
  // error the innermost loop that accounts for most of the steps.
  void blameLoop(const syntax::Stmt* loop, text::Range header, uint64_t before, uint64_t turns);
  PythonError errorOf(const PendingError& pending);

  // Cuts off an endless generator with an error of its own.
  Value stopGenerator();
  bool generatorStopped();
  Value pendingException() const;
  static Value exceptionOf(const PendingError& error);
  // Launches made while importing a module are not recorded.
  LaunchSink* launchesSuspended() { return std::exchange(options_.launches, nullptr); }
  void resumeLaunches(LaunchSink* sink) { options_.launches = sink; }
  llvm::StringRef qualnamePrefix();
  Value find(llvm::StringRef importingPath, llvm::StringRef dottedName, unsigned level,
             const std::string& moduleName);
  Value load(ModuleSource source, const std::string& moduleName);

  // Calls.cpp
  bool bindParameters(const FunctionObject* function, Scope* locals, Value self,
                      const CallArguments& arguments);
  Scope* acquireScope(const Scope* parent);
  void releaseScope(Scope* scope);

  // Attributes.cpp
  Value functionAttribute(const FunctionObject* function, Value self, Name name);
  Value classAttribute(const ClassObject* cls, Name name);
  Value nativeMethod(Value object, Name name);

  bool step() { return spend(1); }
  bool poll(uint64_t steps);
  void refuseChange();
  // Tells the branches that run and may not have run; those of other objects are not undone.
  bool noteChange(Changeable object);
  bool deep(); // raises if the native stack is too deep
  size_t bytesHeld() { return charged_ + heap().bytes(); }
  bool exhaustMemory();
  Value binarySpecial(syntax::BinaryOp op, Value left, Value right);
  std::optional<bool> matches(Value exception, Value classes);

  Interner& names_;
  InterpreterOptions options_;
  const WellKnownNames& known_; // the interner's
  Frame* frame_ = nullptr;
  std::unique_ptr<PendingError> pending_;
  uint64_t granted_;       // total number of steps
  uint64_t withheld_ = 0;  // steps that the module being imported may not use
  uint64_t share_;         // steps that the module being run was given
  uint64_t steps_;         // steps left, besides untilPoll_
  uint64_t untilPoll_ = 0; // steps that may be spent before poll()
  unsigned nesting_ = 0;   // Nestings alive
  unsigned depth_ = 0;
  unsigned uncertain_ = 0;
  unsigned expectsFailure_ = 0;
  unsigned importGuards_ = 0;    // `try` statements around this place that catch ImportError
  bool importedUnknown_ = false; // a module was imported that may or may not exist
  bool hasOptionalPackages_ = false;
  bool hasCircularImports_ = false;
  std::optional<PythonError> circularImport_;
  // Something unknown was called or taken apart, or a branch that may run raised, since the
  // innermost `try` began: nobody can tell whether this raises.
  bool mayHaveRaised_ = false;
  bool hasAssumed_ = false;
  bool hasAssumedDefaults_ = false;
  bool mayBeSkipped_ = false;
  bool hasPrintedUnknown_ = false;
  bool hasDefaultDevice_ = false;
  size_t newNameBytes_ = 0;                   // of identifiers made while it ran
  llvm::SmallVector<const void*, 8> printed_; // containers whose repr() is being computed
  size_t charged_ = 0;
  size_t memoryLimit_;
  // Steps reserved for statements after one that exhausted the budget, for the whole evaluation.
  uint64_t reservedSteps_;
  size_t reservedBytes_;
  uintptr_t stackBase_ = 0;
  llvm::SmallVector<Scope*, 16> freeScopes_;
  llvm::SmallVector<BranchChanges*, 4> branches_; // that run
  llvm::StringMap<const ModuleObject*> loaded_;   // workspace files by path
  llvm::StringMap<std::string> lacking_; // those that lack a package, with the message of its error
  std::vector<std::shared_ptr<const void>> owners_;
  std::vector<PythonError> moduleErrors_;
  std::vector<Refusal> refusals_;
  std::vector<const FunctionObject*> definitions_;
  llvm::DenseMap<const ClassObject*, llvm::ArrayRef<ClassObject::Field>> pendingFields_;
  llvm::SmallVector<const InstanceObject*, 4> building_; // aggregates whose __init__ runs
  llvm::DenseMap<const EnumObject*, Scope*> enumAttributes_;
  std::vector<MissingImport> missingImports_;
  llvm::DenseMap<const IteratorObject*, std::unique_ptr<MemberSource>> sources_;
  uint64_t sourcesMade_ = 0;
  std::unique_ptr<Tables> tables_;
};

// Native code that recurses into a value's parts (comparing, hashing, printing, copying, binding)
// holds one of these on each level:
//
//   Nesting nesting(in);
//   if (!nesting) return ...; // RecursionError was raised
class Nesting {
public:
  explicit Nesting(Interpreter& in);
  ~Nesting();
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  explicit operator bool() const { return isFine_; }

private:
  Interpreter& in_;
  bool isFine_;
};

} // namespace gluond::evaluate
