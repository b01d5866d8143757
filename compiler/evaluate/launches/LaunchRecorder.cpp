// Turns a call of a launcher into Launches: expands the configs of autotune and heuristics, and
// keeps each specialization once.
#include "chips/Vendor.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/launches/Autotune.h"
#include "evaluate/launches/LaunchOptions.h"
#include "evaluate/launches/Launches.h"
#include "evaluate/launches/RefusedArguments.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/parameters/CalledFunctions.h"
#include "language/types/TypeContext.h"
#include "syntax/tree/FreeNames.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::evaluate {

using language::Type;

// ---------------------------------------------------------------- the recorder

// Text that two launches of one kernel share iff they are the same specialization.
void LaunchRecorder::describe(Interpreter& in, const LaunchArgument& argument,
                              llvm::SmallVectorImpl<char>& out) {
  llvm::raw_svector_ostream stream(out);
  Value constant = argument.constant;
  if (argument.isConstexpr && constant.isIntegral())
    stream << (constant.is(ValueKind::Bool) ? 'b' : 'i') << constant.asInt();
  else if (argument.isConstexpr)
    stream << 'c' << in.repr(constant);
  else
    stream << signature(argument);
  if (argument.divisibleBy) stream << " D" << *argument.divisibleBy;
  if (argument.pointerRange) stream << " S";
  if (argument.isAssumed) stream << " ?";
  if (argument.isConstexpr && constant.is(ValueKind::Class))
    stream << ' ' << static_cast<const void*>(constant.object());
  if (argument.type && argument.type->is(language::TypeKind::TensorDescriptor)) {
    std::string& text = types_[argument.type];
    if (text.empty()) text = language::str(argument.type, in.interner());
    stream << ' ' << text;
  }
  if (argument.tupleClass) stream << ' ' << static_cast<const void*>(argument.tupleClass);
  for (auto& element : argument.elements)
    describe(in, element, out);
  stream << ';';
}

std::string signature(const LaunchArgument& argument) {
  if (argument.isConstexpr) return "constexpr";
  if (argument.isTuple) return "tuple";
  if (!argument.type) return "?";
  auto* type = argument.type;
  auto scalarName = [](const Type* scalar) {
    return scalar->isBool() ? std::string("u1") : scalar->info().mangled.str();
  };
  if (type->isScalar()) return scalarName(type);
  if (type->isPointer() && type->element()->isScalar())
    return std::string(type->isConstPointer() ? "*k" : "*") + scalarName(type->element());
  if (type->is(language::TypeKind::TensorDescriptor))
    return type->descriptorKind() == language::DescriptorKind::Im2Col ? "tensordesc_im2col"
                                                                      : "tensordesc";
  return "?";
}

// Returns the arguments so far as a dict by parameter name: hooks and heuristics receive it, and
// grids receive it with defaults added.
static Value argumentsByName(Interpreter& in, const FunctionObject* kernel,
                             const CallArguments& arguments, bool withDefaults = false) {
  Value dict = in.heap().dict();
  for (size_t i = 0; withDefaults && i < kernel->defaults.size(); ++i)
    if (!kernel->defaults[i].isAbsent())
      in.dictSet(dict.as<DictObject>(), in.string(in.text(kernel->def->parameters[i].name.name)),
                 kernel->defaults[i]);
  for (size_t i = 0; i < arguments.positional.size() && i < kernel->def->parameters.size(); ++i)
    in.dictSet(dict.as<DictObject>(), in.string(in.text(kernel->def->parameters[i].name.name)),
               arguments.positional[i]);
  for (auto& keyword : arguments.keywords)
    in.dictSet(dict.as<DictObject>(), in.string(in.text(keyword.name)), keyword.value);
  return dict;
}

// The numbers of a grid that are out of range, and those after the third.
static void refuseSizes(Interpreter& in, llvm::ArrayRef<Value> items) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max(), mostOfCuda = 65535;
  bool isCuda = chips::vendorOf(in.target()) == chips::Vendor::Nvidia;
  for (auto [axis, item] : llvm::enumerate(items.take_front(3))) {
    Value value = item.unwrapped();
    if (!value.isIntegral()) continue;
    int64_t size = value.asInt();
    if (size > most)
      in.raise("OverflowError", "Python int too large to convert to C int: a number of programs is "
                                "at most 2147483647");
    else if (isCuda && axis > 0 && size > mostOfCuda)
      in.raise("RuntimeError", "Triton Error [CUDA]: invalid argument: only the first number of a "
                               "grid may exceed 65535, but number " +
                                   llvm::Twine(axis + 1) + " is " + llvm::Twine(size));
    else if (size < 0)
      in.raise("RuntimeWarning",
               "runs no program: number " + llvm::Twine(axis + 1) + " of its grid is negative");
    if (in.failed()) return;
  }
  if (items.size() > 3)
    in.raise("RuntimeWarning", "ignores the numbers of its grid after the third, but it has " +
                                   llvm::Twine(items.size()));
}

// Raises for a grid that Triton cannot launch: one that is no sequence, or not of integers. A
// RuntimeWarning is what Triton launches without a word, but not as the program means it.
static void refuseGrid(Interpreter& in, Value grid, llvm::ArrayRef<Value> items) {
  if (in.failed() || grid.isAbsent() || grid.isUnknown()) return;
  if (grid.isIntegral() || grid.is(ValueKind::Float) || grid.isNone()) {
    in.raise("TypeError", "object of type '" + llvm::Twine(in.className(in.typeOf(grid))) +
                              "' has no len(): a grid is a tuple, as in kernel[(n, )](...)");
    return;
  }
  if (grid.is(ValueKind::Set)) {
    in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(grid))) +
                              "' object is not subscriptable: a grid is a tuple");
    return;
  }
  if (auto* tuple = grid.as<TupleObject>(); tuple && tuple->items.empty()) {
    in.raise("IndexError", "tuple index out of range: a grid has one to three numbers of programs");
    return;
  }
  for (Value item : items)
    if (Value value = item.unwrapped(); value.is(ValueKind::Float) || value.is(ValueKind::Str) ||
                                        value.isNone() || value.is(ValueKind::Function) ||
                                        value.is(ValueKind::Tuple) || value.is(ValueKind::List) ||
                                        isBuiltinFunction(value)) {
      in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(value))) +
                                "' object cannot be interpreted as an integer: the grid's numbers "
                                "of programs are integers");
      return;
    }
  // torch gives the number of a tensor of one integer.
  for (Value item : items)
    if (auto* tensor = hostAs<TensorObject>(item.unwrapped(), tensorClass)) {
      auto isMany = [](Extent size) { return size && *size != 1; };
      bool isKnown = tensor->hasShape &&
                     llvm::all_of(tensor->shape, [](Extent size) { return size.has_value(); });
      if ((tensor->dtype && tensor->dtype->isFloat) ||
          (isKnown && llvm::any_of(tensor->shape, isMany))) {
        in.raise("TypeError", "only integer tensors of a single element can be converted to an "
                              "index: the grid's numbers of programs are integers");
        return;
      }
    }
  refuseSizes(in, items);
}

// Returns the grid as numbers: from a tuple, or a function of the arguments. The grid does not
// affect the compiled code, so the launch is known even if the grid is wrong, which is reported.
// `numbers` becomes how many it has.
static std::optional<std::array<int64_t, 3>> gridOf(Interpreter& in, const FunctionObject* kernel,
                                                    Value grid, const CallArguments& arguments,
                                                    unsigned* numbers = nullptr) {
  grid = grid.unwrapped();
  // Triton calls every grid that can be called, an object with `__call__` too.
  bool isCalled = grid.is(ValueKind::Instance)
                      ? in.isCallable(grid)
                      : grid.is(ValueKind::Function) || grid.is(ValueKind::BoundMethod) ||
                            grid.is(ValueKind::Host);
  if (isCalled) grid = in.call(grid, argumentsByName(in, kernel, arguments, true)).unwrapped();
  llvm::SmallVector<Value> items;
  bool isNumber = grid.isIntegral() || grid.is(ValueKind::Float) || grid.isNone();
  if (grid.isAbsent() || grid.isUnknown() || isNumber || !in.unpack(grid, items)) items.clear();
  refuseGrid(in, grid, items);
  if (in.failed() && !in.isExhausted()) {
    in.refused(kernel->qualname);
    in.dropError();
  }
  if (items.empty()) return std::nullopt;
  if (numbers) *numbers = static_cast<unsigned>(std::min<size_t>(items.size(), 3));
  std::array<int64_t, 3> extents = {1, 1, 1};
  for (size_t i = 0; i < std::min(items.size(), extents.size()); ++i) {
    Value item = items[i].unwrapped();
    if (!item.isIntegral() || item.asInt() <= 0) return std::nullopt;
    extents[i] = item.asInt();
  }
  return extents;
}

// The amount of data of a launch: bytes of its tensors, as far as they are known.
static double sizeOf(const std::vector<LaunchArgument>& arguments, Interpreter& in) {
  double bytes = 0;
  for (const LaunchArgument& argument : arguments) {
    bytes += sizeOf(argument.elements, in);
    Value host = argument.host;
    if (auto* descriptor = hostAs<HostDescriptorObject>(host, tensorDescriptorClass))
      if (Value base = descriptor->attributes->get(in.name("base")); !base.isAbsent())
        host = base.unwrapped();
    auto* tensor = hostAs<TensorObject>(host, tensorClass);
    if (!tensor || !tensor->hasShape) continue;
    double size = tensor->dtype ? tensor->dtype->bytes : 4;
    for (Extent extent : tensor->shape)
      size *= static_cast<double>(extent.value_or(1));
    bytes += size;
  }
  return bytes;
}

// Gives arguments the host values of others like them.
static void takeHostValues(std::vector<LaunchArgument>& arguments,
                           const std::vector<LaunchArgument>& others) {
  for (auto [argument, other] : llvm::zip(arguments, others)) {
    argument.host = other.host;
    takeHostValues(argument.elements, other.elements);
  }
}

namespace {

// Describes the values that a function takes from the functions around it: those of two runs of a
// factory are other objects, and the functions in them have their own.
class ClosureText {
public:
  ClosureText(Interpreter& in, llvm::SmallVectorImpl<char>& out) : in_(in), out_(out) {}

  void function(const FunctionObject& function, unsigned depth = 0) {
    if (!function.module || function.scope == function.module->globals) return;
    llvm::SmallVector<Name, 8> names;
    if (function.def) names = syntax::freeNames(*function.def);
    if (!in_.spend(names.size() + 1)) return;
    for (Name name : names)
      for (const language::Scope* scope = function.scope;
           scope && scope != function.module->globals; scope = scope->parent) {
        Value found = scope->get(name);
        if (found.isAbsent()) continue;
        out_ << in_.text(name) << '=';
        value(found, depth + 1);
        out_ << ';';
        break;
      }
  }

private:
  // What has no text of its own (a tensor, a dict) is not part of what a kernel is compiled from.
  void value(Value value, unsigned depth) {
    value = value.unwrapped();
    if (depth > deepest || !in_.spend(1)) return;
    switch (value.kind()) {
    case ValueKind::Bool:
    case ValueKind::Int:
    case ValueKind::BigInt:
    case ValueKind::Float:
    case ValueKind::Str:
    case ValueKind::None:
    case ValueKind::Type:
    case ValueKind::Layout:
      out_ << in_.repr(value);
      return;
    case ValueKind::Builtin:
      out_ << 'B' << static_cast<const void*>(value.asBuiltin());
      return;
    case ValueKind::Function: {
      auto* closure = value.as<FunctionObject>();
      auto* written = closure->def ? static_cast<const syntax::Node*>(closure->def)
                                   : static_cast<const syntax::Node*>(closure->lambda);
      out_ << 'F' << static_cast<const void*>(written) << '(';
      function(*closure, depth);
      out_ << ')';
      return;
    }
    case ValueKind::Class: {
      auto* cls = value.as<language::ClassObject>();
      out_ << 'C';
      if (cls->def)
        out_ << static_cast<const void*>(cls->def);
      else
        out_ << static_cast<const void*>(cls);
      return;
    }
    case ValueKind::Enum: {
      auto* member = value.as<language::EnumObject>();
      out_ << 'E' << static_cast<const void*>(member->cls->def) << '.' << in_.text(member->name);
      return;
    }
    case ValueKind::Tuple:
      out_ << '(';
      for (Value item : value.as<TupleObject>()->items) {
        this->value(item, depth + 1);
        out_ << ',';
      }
      out_ << ')';
      return;
    default:
      return;
    }
  }

  static constexpr unsigned deepest = 8;

  Interpreter& in_;
  llvm::raw_svector_ostream out_;
};

} // namespace

void LaunchRecorder::record(Interpreter& in, const FunctionObject* kernel, Value grid,
                            const CallArguments& arguments, bool certain) {
  // Specializing, describing and the grid run the program, which may launch other kernels (or this
  // one): nothing of ours is held across them but numbers of launches.
  bool isKept = !isOver_ && !done_.contains(kernel->def);
  if (isKept && perKernel_.lookup(kernel->def) >= mostPerKernel_) return;
  Launch launch;
  launch.isBlind = isBlind_;
  if (!specialize(in, kernel, arguments, launch)) return;
  if (!isKept) { // it fits
    if (isOver_) refuseArguments(in, kernel, grid, launch.arguments);
    gridOf(in, kernel, grid, arguments);
    return;
  }
  launch.isCertain = certain;
  launch.isOneOfConfigs = tuned_ == kernel;
  keep(in, std::move(launch), grid, arguments);
}

void LaunchRecorder::compile(Interpreter& in, Launch launch, bool certain) {
  bool isKept = !isOver_ && !done_.contains(launch.kernel->def);
  if (!isKept || perKernel_.lookup(launch.kernel->def) >= mostPerKernel_) return;
  launch.isBlind = isBlind_;
  launch.isCertain = certain;
  keep(in, std::move(launch), Value::unknown(), {});
}

void LaunchRecorder::keep(Interpreter& in, Launch launch, Value grid,
                          const CallArguments& arguments) {
  const FunctionObject* kernel = launch.kernel;
  bool certain = launch.isCertain;
  launch.isExpectedToFail = in.isExpectingFailure();
  llvm::SmallString<256> key;
  llvm::raw_svector_ostream(key) << static_cast<const void*>(kernel->def) << launch.target;
  for (auto& argument : launch.arguments)
    describe(in, argument, key);
  ClosureText(in, key).function(*kernel);
  for (auto& option : launch.options)
    llvm::raw_svector_ostream(key) << option.name << '=' << in.repr(option.value) << ',';
  if (in.failed()) in.dropError();
  // A grid may be wrong at each call.
  bool isNewCall = in.frame() && in.frame()->node && calls_.insert(in.frame()->node).second;
  constexpr size_t unfinished = ~size_t(0); // its grid is being evaluated
  auto [it, isNew] = seen_.try_emplace(key, unfinished);
  size_t known = it->second;
  if (isNew || isNewCall) refuseArguments(in, kernel, grid, launch.arguments);
  if (!isNew) {
    if (known == unfinished) return;
    out_[known].isCertain |= certain;
    out_[known].isOneOfConfigs &= launch.isOneOfConfigs;
    out_[known].isExpectedToFail &= launch.isExpectedToFail;
    if (in.options().lacksPackages) { // more is known there: a decorator, a constant
      std::vector<LaunchArgument> arguments = launch.arguments;
      takeHostValues(arguments, out_[known].arguments);
      out_[known].kernel = launch.kernel;
      out_[known].arguments = std::move(arguments);
    }
    bool isLarger = sizeOf(launch.arguments, in) > sizeOf(out_[known].arguments, in);
    if (isLarger || isNewCall) takeGrid(in, launch, grid, arguments);
    if (!isLarger) return;
    Launch& same = out_[known];
    if (!launch.grid && same.grid) return;
    same.grid = launch.grid;
    same.gridNumbers = launch.gridNumbers;
    same.gridQuotients = std::move(launch.gridQuotients);
    if (same.kernel == launch.kernel) {
      same.arguments = std::move(launch.arguments);
      return;
    }
    // The run as a script repeats a launch that importing the file makes, too: it is one
    // specialization, which keeps the constants of its own module.
    takeHostValues(same.arguments, launch.arguments);
    return;
  }
  takeGrid(in, launch, grid, arguments);
  std::string target = launch.target;
  std::erase(target, ':');
  launch.id =
      (kernel->qualname + "." + target + "." + std::to_string(perKernel_[kernel->def]++)).str();
  for (Frame* frame = in.frame(); frame && launch.places.size() < 32; frame = frame->caller)
    if (frame->node)
      launch.places.push_back({frame->module, frame->node->range,
                               frame->function ? frame->function->qualname : llvm::StringRef()});
  std::reverse(launch.places.begin(), launch.places.end());
  seen_[key] = out_.size();
  out_.push_back(std::move(launch));
}

void LaunchRecorder::divided(int64_t number, int64_t divisor, int64_t quotient) {
  divisions_[divisionCount_++ % divisions_.size()] = {{number, divisor}, quotient};
}

// Whether the launch writes a number of its grid down: kernel[(2, cdiv(n, 64))](...).
static bool isWrittenNumber(Interpreter& in, size_t axis) {
  auto* call = in.frame() ? llvm::dyn_cast_if_present<syntax::Call>(in.frame()->node) : nullptr;
  auto* launcher = call ? llvm::dyn_cast<syntax::Subscript>(call->func) : nullptr;
  const syntax::Expr* written = launcher ? launcher->index : nullptr;
  if (auto* tuple = llvm::dyn_cast_if_present<syntax::Tuple>(written))
    written = axis < tuple->elements.size() ? tuple->elements[axis] : nullptr;
  return llvm::isa_and_present<syntax::Constant>(written);
}

void LaunchRecorder::takeGrid(Interpreter& in, Launch& launch, Value grid,
                              const CallArguments& arguments) {
  launch.grid = gridOf(in, launch.kernel, grid, arguments, &launch.gridNumbers);
  if (!launch.grid) return;
  for (auto [axis, extent, quotients] : llvm::enumerate(*launch.grid, launch.gridQuotients)) {
    quotients.clear();
    if (isWrittenNumber(in, axis)) continue;
    for (const Division& each :
         llvm::ArrayRef(divisions_).take_front(std::min(divisionCount_, divisions_.size()))) {
      GridQuotient of = each.of;
      if (each.result < 0 && of.number < 0 && // -(-n // BLOCK)
          __builtin_sub_overflow(0, of.number, &of.number))
        continue;
      if (llvm::AbsoluteValue(each.result) == static_cast<uint64_t>(extent) &&
          !llvm::is_contained(quotients, of))
        quotients.push_back(of);
    }
  }
}

void LaunchRecorder::onlyKernelsWithoutLaunches() {
  isBlind_ = true;
  for (const Launch& launch : out_)
    done_.insert(launch.kernel->def);
}

bool LaunchRecorder::expand(Interpreter& in, Value kernel, Value grid,
                            const CallArguments& arguments, bool certain) {
  auto* tuner = hostAs<TunerObject>(kernel, tunerClass);
  auto* function = kernelOf(kernel);
  if (!function) return true;
  Nesting nesting(in); // autotune of heuristics of autotune
  if (!nesting) return false;
  if (!tuner) {
    record(in, function, grid, arguments, certain);
    return !in.failed();
  }
  if (!tuner->rules.isAbsent()) { // heuristics
    llvm::SmallVector<KeywordArgument> keywords(arguments.keywords);
    if (auto* rules = tuner->rules.as<DictObject>())
      for (auto [key, rule] : rules->items.snapshot()) {
        auto* text = key.as<StrObject>();
        if (!text) continue;
        Value value =
            in.call(rule, argumentsByName(in, function, {arguments.positional, keywords}));
        if (value.isAbsent()) return false;
        Name name = in.name(text->text);
        llvm::erase_if(keywords, [&](auto& keyword) { return keyword.name == name; });
        keywords.push_back({name, value});
      }
    return expand(in, tuner->inner, grid, {arguments.positional, keywords}, certain);
  }
  llvm::SmallVector<Value> configs;
  Value list = tuner->configs;
  bool areAllTried = !tuner->leavesOut;
  if (!tuner->prune.isAbsent()) {
    Value positional[] = {list, argumentsByName(in, function, {arguments.positional, {}})};
    Value pruned = in.call(tuner->prune, CallArguments{positional, arguments.keywords});
    if (pruned.isAbsent()) {
      if (in.isExhausted()) return false;
      in.dropError();
      areAllTried = false;
    } else if (pruned.isUnknown()) {
      areAllTried = false;
    } else {
      list = pruned;
    }
  }
  if (list.isAbsent() || !in.unpack(list, configs) || configs.empty()) {
    if (in.failed()) return false;
    // With unknown configurations, arguments may be missing that they provide.
    bool isWhole = expand(in, tuner->inner, grid, arguments, certain);
    if (!isWhole && !in.isExhausted()) in.dropError();
    return !in.failed();
  }
  llvm::SmallVector<Name> given;
  for (const KeywordArgument& keyword : arguments.keywords)
    given.push_back(keyword.name);
  bool fits = false;
  // Of the first configuration that did not fit.
  std::optional<llvm::SmallVector<KeywordArgument>> refused;
  for (Value config : configs) {
    auto* space = hostAs<NamespaceObject>(config, namespaceClass);
    llvm::SmallVector<KeywordArgument> keywords(arguments.keywords);
    llvm::StringRef conflict;
    Value hook = Value::none();
    if (space) {
      auto get = [&](llvm::StringRef name) {
        Value found = space->attributes->get(in.name(name));
        return found.isAbsent() ? Value::none() : found;
      };
      auto add = [&](Name name, Value value) {
        llvm::erase_if(keywords, [&](auto& keyword) { return keyword.name == name; });
        keywords.push_back({name, value});
      };
      // Each is looked for among those before it.
      auto* kwargs = get("kwargs").as<DictObject>();
      size_t added = kwargs ? kwargs->items.size() : 0;
      if (!in.spendProduct(added, added + keywords.size())) return false;
      if (kwargs)
        for (auto [key, value] : kwargs->items)
          if (auto* text = key.as<StrObject>()) {
            if (llvm::is_contained(given, in.name(text->text))) conflict = text->text;
            add(in.name(text->text), value);
          }
      for (const LaunchOptionRow& option : launchOptionRows())
        if (Value value = option.isOfConfig ? get(option.name) : Value::none(); !value.isNone())
          add(in.name(option.name), value);
      hook = get("pre_hook");
    }
    if (!conflict.empty()) {
      in.raise("ValueError", "Conflicting meta-parameters: " + conflict +
                                 ". Make sure that you don't re-define auto-tuned symbols.");
      return false;
    }
    CallArguments with{arguments.positional, keywords};
    if (!hook.isNone() && !hook.isUnknown()) {
      if (in.call(hook, argumentsByName(in, function, with)).isAbsent()) {
        if (in.isExhausted()) return false;
        in.dropError(); // this configuration would not run
        fits = true;
        continue;
      }
    }
    const FunctionObject* outer = std::exchange(tuned_, configs.size() > 1 ? function : nullptr);
    bool isExpanded = expand(in, tuner->inner, grid, with, certain);
    tuned_ = outer;
    if (isExpanded) {
      fits = true;
    } else {
      if (in.isExhausted()) return false;
      in.dropError();
      if (!refused) refused = keywords;
    }
  }
  if (!refused || (fits && !areAllTried)) return true;
  // Raises it again, at its place.
  return expand(in, tuner->inner, grid, {arguments.positional, *refused}, certain);
}

Value LaunchRecorder::launch(Interpreter& in, Value kernel, Value grid,
                             const CallArguments& arguments, bool certain) {
  bool isRecorded = expand(in, kernel, grid, arguments, certain);
  auto* function = kernelOf(kernel);
  if (!isRecorded && in.isExhausted()) return Value::absent();
  if (hasOtherDecorators(kernel)) {
    in.dropError();
    return Value::unknown();
  }
  if (isRecorded) return function ? makeCompiledKernel(in) : Value::unknown();
  if (function) in.refused(function->qualname);
  return Value::absent();
}

} // namespace gluond::evaluate
