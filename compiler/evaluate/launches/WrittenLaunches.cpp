// Specializations that a program writes down instead of launching a kernel with values: sources for
// triton.compile(), and the parser of Triton's own tests.
#include "chips/Vendor.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/launches/Autotune.h"
#include "evaluate/launches/LaunchOptions.h"
#include "evaluate/launches/Launches.h"
#include "language/types/TypeText.h"

namespace gluond::evaluate {

namespace {

Value member(Interpreter& in, const NamespaceObject& space, llvm::StringRef name) {
  Value value = space.attributes->get(in.name(name)).unwrapped();
  return value.isAbsent() ? Value::none() : value;
}

const NamespaceObject* spaceNamed(Value value, llvm::StringRef name) {
  auto* space = hostAs<NamespaceObject>(value, namespaceClass);
  return space && space->name == name ? space : nullptr;
}

// Returns "cuda:90" for GPUTarget("cuda", 90, 32), or nothing if it is not known.
std::optional<std::string> targetText(Interpreter& in, Value target) {
  auto* space = spaceNamed(target, "GPUTarget");
  if (!space) return std::nullopt;
  auto* backend = member(in, *space, "backend").as<StrObject>();
  Value arch = member(in, *space, "arch");
  auto* name = arch.as<StrObject>();
  if (!backend || !(name || arch.isIntegral())) return std::nullopt;
  return backend->text.str() + ":" + (name ? name->text.str() : std::to_string(arch.asInt()));
}

// The value for a parameter in a dict whose keys are names or paths: "BLOCK" or (3,).
Value entryFor(Interpreter& in, Value dict, llvm::StringRef name, size_t index) {
  auto* entries = dict.as<DictObject>();
  if (!entries) return Value::absent();
  for (auto [key, value] : entries->items) {
    if (!in.spend(1)) break;
    auto* text = key.as<StrObject>();
    auto* path = key.as<TupleObject>();
    bool isIndex = path && path->items.size() == 1 && path->items[0].isIntegral() &&
                   path->items[0].asInt() == static_cast<int64_t>(index);
    if ((text && text->text == name) || isIndex) return value.unwrapped();
  }
  return Value::absent();
}

// What the attributes of a parameter say: [["tt.divisibility", 16]].
void addAttributes(Interpreter& in, Value attributes, LaunchArgument& out) {
  llvm::SmallVector<Value> rows;
  if (attributes.isAbsent() || attributes.isUnknown() || !in.unpack(attributes, rows)) return;
  for (Value row : rows) {
    llvm::SmallVector<Value> parts;
    if (row.isUnknown() || !in.unpack(row, parts) || parts.size() != 2) return;
    auto* name = parts[0].as<StrObject>();
    if (!name || !parts[1].isIntegral()) continue;
    auto value = static_cast<unsigned>(parts[1].asInt());
    if (name->text == "tt.divisibility") out.divisibleBy = value;
    if (name->text == "tt.pointer_range") out.pointerRange = value;
  }
}

bool hasParameter(Interpreter& in, const FunctionObject& kernel, llvm::StringRef name) {
  return llvm::any_of(kernel.def->parameters, [&](const syntax::Parameter& each) {
    return in.text(each.name.name) == name;
  });
}

// Raises if a key of a dict is text, and names none of the kernel's parameters.
bool fitsParameters(Interpreter& in, const FunctionObject& kernel, Value dict) {
  auto* entries = dict.as<DictObject>();
  if (!entries) return true;
  if (!in.spendProduct(entries->items.size(), kernel.def->parameters.size())) return false;
  for (auto [key, value] : entries->items)
    if (auto* name = key.as<StrObject>(); name && !hasParameter(in, kernel, name->text)) {
      in.raise("ValueError", "'" + name->text + "' is not in list: the kernel '" + kernel.qualname +
                                 "' has no parameter of this name");
      return false;
    }
  return true;
}

// The spelling of signatures for a type that is written as elsewhere in Python, such as "*float32";
// "" if it is the one that it has to be, or no type.
std::string spellingFor(llvm::StringRef written) {
  llvm::StringRef name = written.ltrim('*');
  std::string pointer = written.drop_back(name.size()).str();
  if (!pointer.empty() && name.consume_front("k")) pointer += 'k';
  auto kind = language::scalarSpelled(name);
  if (!kind || name == "i1" || name == "u1" || name == "void") return {};
  llvm::StringRef own = language::scalarInfo(*kind).mangled;
  return own == name ? std::string() : pointer + own.str();
}

// Raises if a signature lacks a parameter, names another, or has a type that Triton does not know.
bool isSignatureOf(Interpreter& in, const FunctionObject& kernel, Value signature,
                   Value constants) {
  auto* types = signature.as<DictObject>();
  if (!types || types->uncertain) return true;
  if (!fitsParameters(in, kernel, signature)) return false;
  for (auto [key, value] : types->items)
    if (auto* text = value.as<StrObject>())
      if (std::string own = spellingFor(text->text); !own.empty()) {
        in.raise("KeyError", "'" + text->text.ltrim("*").str() +
                                 "': a signature has the spelling '" + own + "'");
        return false;
      }
  auto* given = constants.as<DictObject>();
  bool isKnown = constants.isNone() || (given && !given->uncertain);
  for (auto [key, value] : types->items)
    isKnown &= !key.isUnknown();
  for (auto [i, parameter] : llvm::enumerate(kernel.def->parameters)) {
    llvm::StringRef name = in.text(parameter.name.name);
    bool isGiven = !entryFor(in, signature, name, i).isAbsent() ||
                   !entryFor(in, constants, name, i).isAbsent();
    if (isGiven || !isKnown) continue;
    in.raise("AttributeError", "'NoneType' object has no attribute '_unflatten_ir': the signature "
                               "lacks the parameter '" +
                                   name + "'");
    return false;
  }
  return true;
}

// Returns nullopt if a type is not known.
std::optional<LaunchArgument> argumentOf(Interpreter& in, const NamespaceObject& source, Name name,
                                         size_t index) {
  Value written = entryFor(in, member(in, source, "signature"), in.text(name), index);
  Value constant = entryFor(in, member(in, source, "constexprs"), in.text(name), index);
  auto* type = written.as<StrObject>();
  bool isConstant = written.isAbsent() && !constant.isAbsent();
  if (!type && !isConstant) return std::nullopt;
  LaunchArgument argument;
  argument.name = name;
  if (isConstant || type->text == "constexpr") {
    argument.isConstexpr = true;
    argument.constant = constant.isAbsent() ? Value::unknown() : constant;
    argument.isAssumed = argument.constant.isUnknown();
    return argument;
  }
  argument.type = language::typeOfSignature(type->text, in.types());
  if (!argument.type) return std::nullopt;
  addAttributes(in, entryFor(in, member(in, source, "attrs"), in.text(name), index), argument);
  return argument;
}

} // namespace

Value makeTarget(Interpreter& in, const CallArguments& arguments) {
  constexpr llvm::StringLiteral names[] = {"backend", "arch", "warp_size"};
  Value bound[3];
  if (!in.bind("GPUTarget.__init__", arguments, names, 3, bound)) return Value::absent();
  return in.namespaceOf("GPUTarget",
                        {{"backend", bound[0]}, {"arch", bound[1]}, {"warp_size", bound[2]}});
}

Value makeSource(Interpreter& in, const CallArguments& arguments) {
  constexpr llvm::StringLiteral names[] = {"fn", "signature", "constexprs", "attrs"};
  Value bound[4];
  if (!in.bind("ASTSource.__init__", arguments, names, 2, bound)) return Value::absent();
  auto* kernel = kernelOf(bound[0]);
  if (kernel && kernel->def && !fitsParameters(in, *kernel, bound[2])) return Value::absent();
  if (auto* signature = bound[1].as<DictObject>())
    for (auto [key, value] : signature->items)
      if (!key.isUnknown() && !key.is(ValueKind::Str))
        return in.raise("TypeError", "Signature keys must be string");
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members;
  for (auto [name, value] : llvm::zip(names, bound))
    members.push_back({name, value.isAbsent() ? Value::none() : value});
  return in.namespaceOf("ASTSource", members);
}

Value compileSource(Interpreter& in, const CallArguments& arguments) {
  auto* source = spaceNamed(given(in, arguments, 0, "src"), "ASTSource");
  if (!source || !in.launches()) return Value::unknown();
  auto* kernel = kernelOf(member(in, *source, "fn"));
  Value target = given(in, arguments, 1, "target");
  bool isHere = target.isAbsent() || target.isNone();
  std::optional<std::string> text = isHere ? in.target().str() : targetText(in, target);
  if (!kernel || !kernel->def || !text) return Value::unknown();
  if (!isSignatureOf(in, *kernel, member(in, *source, "signature"),
                     member(in, *source, "constexprs")))
    return Value::absent();
  Launch launch;
  launch.kernel = kernel;
  launch.target = *text;
  launch.options.push_back({"num_warps", Value::integer(usualWarps)});
  if (auto* options = given(in, arguments, 2, "options").as<DictObject>())
    for (auto [key, value] : options->items)
      if (auto* name = key.as<StrObject>()) addOption(in, name->text, value, launch);
  for (auto [i, parameter] : llvm::enumerate(kernel->def->parameters)) {
    std::optional<LaunchArgument> argument = argumentOf(in, *source, parameter.name.name, i);
    if (in.failed()) return Value::absent();
    if (!argument) return Value::unknown();
    launch.arguments.push_back(std::move(*argument));
  }
  in.launches()->compile(in, std::move(launch), isCertain(in));
  return makeCompiledKernel(in);
}

Value runParser(Interpreter& in, const CallArguments& arguments) {
  Value target = given(in, arguments, 3, "target");
  std::optional<std::string> text = target.isAbsent() ? "cuda:100" : targetText(in, target);
  if (!in.launches() || text != in.target()) return Value::unknown();
  llvm::SmallVector<Value> positional;
  llvm::SmallVector<KeywordArgument> keywords;
  if (Value listed = given(in, arguments, 1, "args"); !listed.isAbsent())
    if (listed.isUnknown() || !in.unpack(listed, positional))
      return in.failed() ? Value::absent() : Value::unknown();
  Name checks = in.name("sanitize_overflow");
  bool isChecked = false;
  if (Value named = given(in, arguments, 2, "kwargs"); !named.isAbsent()) {
    auto* dict = named.as<DictObject>();
    if (!dict) return Value::unknown();
    for (auto [key, value] : dict->items)
      if (auto* name = key.as<StrObject>()) {
        keywords.push_back({in.name(name->text), value});
        isChecked |= keywords.back().name == checks;
      }
  }
  if (!isChecked) keywords.push_back({checks, Value::boolean(false)});
  Value made = in.launches()->launch(in, given(in, arguments, 0, "kernel_fn"), Value::absent(),
                                     {positional, keywords}, isCertain(in));
  return made.isAbsent() ? made : Value::unknown();
}

} // namespace gluond::evaluate
