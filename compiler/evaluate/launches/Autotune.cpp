#include "evaluate/launches/Autotune.h"

#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/launches/Launches.h"
#include "evaluate/values/Classes.h"

namespace gluond::evaluate {

const FunctionObject* kernelOf(Value kernel) {
  while (auto* tuner = hostAs<TunerObject>(kernel, tunerClass))
    kernel = tuner->inner;
  auto* function = kernel.as<FunctionObject>();
  return function && function->function == FunctionKind::Jit ? function : nullptr;
}

static Value tunerAttribute(Interpreter& in, Value self, Name name) {
  auto* tuner = hostAs<TunerObject>(self, tunerClass);
  llvm::StringRef text = in.text(name);
  if (text == "fn") return tuner->inner;
  if (text == "configs") return tuner->configs.isAbsent() ? Value::unknown() : tuner->configs;
  if (text == "run" || text == "warmup") return runnerOf(in, self, text);
  if (text == "arg_names" || text == "__name__" || text == "__qualname__" || text == "__doc__" ||
      text == "__module__")
    return in.lookupAttribute(tuner->inner, name);
  return Value::unknown();
}
static Value tunerItem(Interpreter& in, Value self, Value grid) {
  return makeLauncher(in, self, grid);
}
static Value callTuner(Interpreter& in, Value self, const CallArguments&) {
  in.raise({ErrorKind::NoGrid, "", ""}, "RuntimeError",
           "Cannot call @triton.jit'd outside of the scope of a kernel");
  if (const FunctionObject* kernel = kernelOf(self)) in.refused(kernel->qualname);
  return Value::absent();
}
const HostClass tunerClass = {
    .name = "Autotuner",
    .attribute = tunerAttribute,
    .call = callTuner,
    .item = tunerItem,
    .rebinding = &copiedHost<TunerObject, &TunerObject::inner, &TunerObject::configs,
                             &TunerObject::rules, &TunerObject::prune>};

// The arguments of autotune() that are lists of names of the kernel's parameters.
constexpr std::pair<llvm::StringLiteral, size_t> nameLists[] = { // and their positions
    {"key", 1},
    {"reset_to_zero", 3},
    {"restore_value", 4}};

// Returns false if one of the names is no parameter of the kernel, which has been raised.
static bool areParameters(Interpreter& in, const FunctionObject& kernel, llvm::StringRef list,
                          Value names) {
  llvm::SmallVector<Value> items;
  if (names.isNone() || names.isUnknown()) return true;
  if (!in.unpack(names, items)) return false;
  std::string unknown, valid;
  auto add = [](std::string& to, llvm::StringRef name) {
    to += (to.empty() ? "" : ", ") + name.str();
  };
  for (Value item : items) {
    auto* text = item.unwrapped().as<StrObject>();
    if (!text) return true;
    bool isKnown = llvm::any_of(kernel.def->parameters, [&](const syntax::Parameter& each) {
      return in.text(each.name.name) == text->text;
    });
    if (!isKnown) add(unknown, text->text);
  }
  if (unknown.empty()) return true;
  for (const syntax::Parameter& each : kernel.def->parameters)
    add(valid, in.text(each.name.name));
  in.raise("ValueError", list + " contains names that are not kernel arguments: " + unknown +
                             ". Valid argument names are: " + valid + ".");
  return false;
}

static Value decorateWith(Interpreter& in, Value configs, Value rules) {
  // self is (configs or None, rules or None)
  return in.function(
      "tune",
      [](Interpreter& i, const CallArguments& arguments) -> Value {
        auto options = arguments.positional[0].as<TupleObject>()->items;
        Value inner = arguments.positional.size() > 1 ? arguments.positional[1] : Value::unknown();
        auto* kernel = kernelOf(inner);
        if (!kernel) {
          auto* plain = inner.as<FunctionObject>();
          bool hasNames =
              !plain || !plain->def || !i.lookupAttribute(inner, i.name("arg_names")).isAbsent();
          if (hasNames || i.failed()) return i.failed() ? Value::absent() : inner;
          return i.raise("AttributeError", "'function' object has no attribute 'arg_names'");
        }
        if (options.size() > 4)
          for (auto [list, names] : llvm::zip(nameLists, options.drop_front(4)))
            if (!areParameters(i, *kernel, list.first, names)) return Value::absent();
        auto* tuner = i.heap().make<TunerObject>();
        tuner->cls = &tunerClass;
        tuner->inner = inner;
        tuner->configs = options[0].isNone() ? Value::absent() : options[0];
        tuner->rules = options[1].isNone() ? Value::absent() : options[1];
        tuner->prune = options.size() > 2 && !options[2].isNone() ? options[2] : Value::absent();
        tuner->leavesOut = options.size() > 3 && options[3].asBool();
        return Value::object(ValueKind::Host, tuner);
      },
      in.tupleOf({configs, rules, Value::none()}));
}

llvm::ArrayRef<llvm::StringLiteral> autotuneParameters() {
  static constexpr llvm::StringLiteral names[] = {
      "configs",  "key",          "prune_configs_by", "reset_to_zero", "restore_value",
      "pre_hook", "post_hook",    "warmup",           "rep",           "use_cuda_graph",
      "do_bench", "cache_results"};
  return names;
}

llvm::ArrayRef<llvm::StringLiteral> configParameters() {
  static constexpr llvm::StringLiteral names[] = {"kwargs",  "num_warps", "num_stages", "num_ctas",
                                                  "maxnreg", "pre_hook",  "ir_override"};
  return names;
}

Value autotune(Interpreter& in, const CallArguments& arguments) {
  Value configs = arguments.positional.empty() ? Value::none() : arguments.positional[0],
        prune = Value::none();
  bool leavesOut = false;
  Value names[std::size(nameLists)];
  for (auto [i, list] : llvm::enumerate(nameLists))
    names[i] = list.second < arguments.positional.size() ? arguments.positional[list.second]
                                                         : Value::none();
  for (auto& keyword : arguments.keywords) {
    if (!llvm::is_contained(autotuneParameters(), in.text(keyword.name)))
      return in.raise(
          {ErrorKind::LibraryKeyword, in.text(keyword.name).str(), "autotune"}, "TypeError",
          "autotune() got an unexpected keyword argument '" + in.text(keyword.name) + "'");
    if (in.text(keyword.name) == "configs") configs = keyword.value;
    for (auto [i, list] : llvm::enumerate(nameLists))
      if (in.text(keyword.name) == list.first) names[i] = keyword.value;
    if (auto* by = keyword.value.as<DictObject>();
        by && in.text(keyword.name) == "prune_configs_by") {
      Value early = in.dictGet(by, "early_config_prune");
      if (!early.isAbsent() && !early.isUnknown()) prune = early;
      leavesOut = prune.isNone() || by->items.size() > 1;
    }
  }
  for (auto [i, required] : llvm::enumerate(autotuneParameters().take_front(2)))
    if (i >= arguments.positional.size() && llvm::none_of(arguments.keywords, [&](auto& keyword) {
          return in.text(keyword.name) == required;
        }))
      return in.raise("TypeError",
                      "autotune() missing 1 required positional argument: '" + required + "'");
  Value decorator = decorateWith(in, configs, Value::none());
  if (auto* made = in.writable(hostAs<NativeFunctionObject>(decorator, nativeFunctionClass)))
    made->self = in.tupleOf(
        {configs, Value::none(), prune, Value::boolean(leavesOut), names[0], names[1], names[2]});
  return decorator;
}

Value heuristics(Interpreter& in, const CallArguments& arguments) {
  Value rules = arguments.positional.empty() ? Value::none() : arguments.positional[0];
  for (auto& keyword : arguments.keywords)
    if (in.text(keyword.name) == "values") rules = keyword.value;
  return decorateWith(in, Value::none(), rules);
}

// triton.Config(kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None,
// ir_override=None)
Value makeConfig(Interpreter& in, const CallArguments& arguments) {
  Value bound[7];
  llvm::ArrayRef<llvm::StringLiteral> names = configParameters();
  if (!in.bind("Config.__init__", arguments, names, 1, bound)) return Value::absent();
  Value missing[] = {Value::none(), Value::integer(4), Value::integer(3), Value::integer(1),
                     Value::none(), Value::none(),     Value::none()};
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members;
  for (size_t i = 0; i < names.size(); ++i)
    members.push_back({names[i], bound[i].isAbsent() ? missing[i] : bound[i]});
  return in.namespaceOf("triton.Config", members);
}

} // namespace gluond::evaluate
