// triton's host side: autotune, heuristics, Config, testing, runtime; and pytest, numpy.
#include "evaluate/triton/LibraryModules.h"

#include "chips/Target.h"
#include "chips/Vendor.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/launches/Autotune.h"
#include "evaluate/launches/Launches.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/triton/Benchmarks.h"
#include "evaluate/triton/Decorators.h"
#include "evaluate/triton/LayoutFunctions.h"
#include "evaluate/triton/TargetQueries.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/NamespaceMapping.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/TypeContext.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::evaluate {

namespace {

// ---------------------------------------------------------------- triton

Value cdiv(Interpreter& in, const CallArguments& arguments) {
  Value bound[2];
  if (!in.bind("cdiv", arguments, {"x", "y"}, 2, bound)) return Value::absent();
  Value sum = in.binary(syntax::BinaryOp::Sub, in.binary(syntax::BinaryOp::Add, bound[0], bound[1]),
                        Value::integer(1));
  return sum.isAbsent() ? sum : in.binary(syntax::BinaryOp::FloorDiv, sum, bound[1]);
}

Value nextPowerOf2(Interpreter& in, const CallArguments& arguments) {
  Value value = at(arguments, 0).unwrapped();
  if (value.isUnknown()) return value;
  if (!value.isIntegral()) // it begins with n -= 1
    return in.binary(syntax::BinaryOp::Sub, value, Value::integer(1)).isAbsent() ? Value::absent()
                                                                                 : Value::unknown();
  int64_t n = value.asInt();
  if (n <= 0) return Value::integer(0);
  if (n > (int64_t(1) << 61)) return Value::unknown();
  Value result = Value::integer(static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(n))));
  return at(arguments, 0).isConstexpr() ? result.wrapped() : result;
}

Value tritonJit(Interpreter& in, const CallArguments& arguments) {
  return jit(in, arguments, true);
}

// MockTensor(dtype, shape=None): a tensor for kernel.warmup(...).
Value mockTensor(Interpreter& in, const CallArguments& arguments) {
  auto* dtype = hostAs<DtypeObject>(given(in, arguments, 0, "dtype"), dtypeClass);
  Value shape = given(in, arguments, 1, "shape");
  if (!dtype) return Value::unknown();
  if (shape.isAbsent() || shape.isNone()) return makeTensor(in, dtype->dtype, {Extent()});
  auto sizes = shapeOf(in, shape);
  return sizes ? makeTensor(in, dtype->dtype, *sizes) : unknownTensor(in, dtype->dtype);
}

Value tritonMember(Interpreter& in, llvm::StringRef name) {
  if (name == "__version__") return in.string(releases::version(in.options().release));
  return Value::absent();
}

constexpr NativeRow tritonRows[] = {
    {"Config", makeConfig},
    {"MockTensor", mockTensor},
    {"aggregate", aggregateDecorator},
    {"autotune", autotune},
    {"cdiv", cdiv},
    {"compile", compileSource},
    {"constexpr_function", constexprFunction},
    {"heuristics", heuristics},
    {"jit", tritonJit},
    {"next_power_of_2", nextPowerOf2},
    {"set_allocator", none},
};

constexpr NativeRow compilerRows[] = {{"ASTSource", makeSource}, {"compile", compileSource}};
constexpr NativeRow sourceRows[] = {{"GluonASTSource", makeSource}};
constexpr NativeRow backendRows[] = {{"GPUTarget", makeTarget}};
constexpr NativeRow parserRows[] = {{"run_parser", runParser}};

// ---------------------------------------------------------------- triton.testing

// Calls its argument once; times are not known.
Value doBench(Interpreter& in, const CallArguments& arguments) {
  Value function = given(in, arguments, 0, "fn");
  if (function.isAbsent())
    return in.raise("TypeError", "do_bench() missing 1 required positional argument: 'fn'");
  Value result = in.call(function, CallArguments{});
  return result.isAbsent() ? result : Value::unknown();
}

constexpr NativeRow testingRows[] = {{"Benchmark", makeBenchmark},
                                     {"assert_close", none},
                                     {"do_bench", doBench},
                                     {"do_bench_cudagraph", doBench},
                                     {"perf_report", perfReport}};

// ---------------------------------------------------------------- triton.runtime

Value runtimeDriver(Interpreter& in, llvm::StringRef name) {
  if (name == "driver") return in.module("triton.runtime.driver");
  if (name == "jit") return in.module("triton.runtime.jit");
  return Value::unknown();
}
Value activeDriver(Interpreter& in, llvm::StringRef name) {
  if (name == "active") return in.module("triton.runtime.driver.active");
  if (name == "driver") return in.module("triton.runtime.driver");
  return Value::unknown();
}
Value currentTarget(Interpreter& in, const CallArguments&) {
  return targetObject(in);
}
Value zero(Interpreter&, const CallArguments&) {
  return Value::integer(0);
}
Value activeDevice(Interpreter& in, const CallArguments&) {
  Value index[] = {in.string("cuda"), Value::integer(0)};
  return torchDevice(in, {index, {}});
}
constexpr NativeRow activeRows[] = {{"get_active_torch_device", activeDevice},
                                    {"get_current_device", zero},
                                    {"get_current_target", currentTarget}};

// ---------------------------------------------------------------- pytest

Value skip(Interpreter& in, const CallArguments& arguments) {
  return in.raiseValue(in.instantiate(in.builtinClass("Skipped"), {arguments.positional, {}}));
}
Value raises(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() > 1) return in.callExpectingFailure(arguments);
  return in.namespaceOf("pytest.raises",
                        {{"value", Value::unknown()}, {"match", Value::unknown()}});
}
Value warns(Interpreter& in, const CallArguments&) { // exceptions pass through it
  return in.namespaceOf("pytest.warns", {});
}
Value param(Interpreter& in, const CallArguments& arguments) {
  Value marks = keyword(in, arguments, "marks");
  return in.namespaceOf("pytest.param", {{"values", in.tupleOf(arguments.positional)},
                                         {"marks", marks.isAbsent() ? in.tupleOf({}) : marks}});
}
Value fixture(Interpreter& in, const CallArguments& arguments) {
  auto mark = [](Interpreter& i, const CallArguments& later) -> Value {
    auto* function = later.positional.back().as<FunctionObject>();
    if (Scope* attributes = function ? attributesToChange(i, function) : nullptr) {
      auto* given = later.positional.size() > 1 ? later.positional[0].as<TupleObject>() : nullptr;
      attributes->set(i.name("_gluond_fixture"), given ? given->items[0] : Value::none());
      if (given) attributes->set(i.name("_gluond_autouse"), given->items[1]);
    }
    return later.positional.back();
  };
  if (!arguments.positional.empty()) return mark(in, {arguments.positional.take_front(1), {}});
  Value params = keyword(in, arguments, "params"), autouse = keyword(in, arguments, "autouse");
  return in.function("fixture", mark,
                     in.tupleOf({params.isAbsent() ? Value::none() : params,
                                 autouse.isAbsent() ? Value::boolean(false) : autouse}));
}

// pytest.mark.NAME: calling it with arguments gives a decorator that attaches the mark.
Value mark(Interpreter& in, llvm::StringRef name);
Value applyMark(Interpreter& in, const CallArguments& arguments) {
  // self is a Tuple (name, positional, keywords)
  auto note = arguments.positional[0];
  Value target = at(arguments, 1);
  if (arguments.positional.size() == 2 && arguments.keywords.empty() &&
      (target.is(ValueKind::Function) || target.is(ValueKind::Class))) {
    auto* function = target.as<FunctionObject>();
    if (!function && !target.as<ClassObject>()->members) return target;
    Scope* scope = function ? attributesToChange(in, function)
                            : in.writable(target.as<ClassObject>()->members);
    if (!scope) return Value::absent();
    Name slot = in.name("_gluond_marks");
    auto* marks = scope->get(slot).as<ListObject>(); // the program may have put it there
    ListObject* list = marks ? in.writable(marks) : nullptr;
    if (marks && !list) return Value::absent();
    if (list)
      list->items.push_back(note);
    else
      scope->set(slot, in.heap().list(note));
    return target;
  }
  auto* old = note.as<TupleObject>();
  Value keywords = in.heap().dict();
  for (auto& one : arguments.keywords)
    if (!in.dictSet(keywords.as<DictObject>(), in.string(in.text(one.name)), one.value))
      return Value::absent();
  return in.function(
      "mark", applyMark,
      in.tupleOf({old->items[0], in.tupleOf(arguments.positional.drop_front()), keywords}));
}
Value mark(Interpreter& in, llvm::StringRef name) {
  // pytest takes any mark but these.
  if (llvm::is_contained({"parameterize", "parametrise", "parameterise"}, name))
    return in.raise({ErrorKind::MissingMember, name.str(), "pytest.mark"}, "Failed",
                    "Unknown '" + name + "' mark, did you mean 'parametrize' ?");
  return in.function("mark", applyMark,
                     in.tupleOf({in.string(name), in.tupleOf({}), in.heap().dict()}));
}

Value pytestMember(Interpreter& in, llvm::StringRef name) {
  if (name == "mark") return in.module("pytest.mark");
  // Marks that are no members of pytest itself.
  if (llvm::is_contained({"filterwarnings", "parametrize", "skipif", "usefixtures"}, name))
    return in.raise({ErrorKind::MissingMember, name.str(), "pytest"}, "AttributeError",
                    "module 'pytest' has no attribute '" + name + "'");
  if (name == "skip") {
    Value function = in.function("skip", skip);
    return function;
  }
  if (name == "skip.Exception") return Value::unknown();
  return Value::unknown();
}
Value importorskip(Interpreter& in, const CallArguments& arguments) {
  auto* name = at(arguments, 0).as<StrObject>();
  bool found = false;
  Value module = name ? in.import(name->text, 0, found) : Value::unknown();
  if (found || in.failed()) return module;
  in.noteOptionalPackage();
  if (in.options().lacksPackages) return skip(in, {});
  in.setMayBeSkipped(true);
  return module;
}
constexpr NativeRow pytestRows[] = {{"approx", identity},
                                    {"exit", skip},
                                    {"fail", skip},
                                    {"fixture", fixture},
                                    {"importorskip", importorskip},
                                    {"main", none},
                                    {"param", param},
                                    {"raises", raises},
                                    {"skip", skip},
                                    {"warns", warns},
                                    {"xfail", skip}};

// ---------------------------------------------------------------- unittest

Value markOf(Interpreter& in, llvm::StringRef name, llvm::ArrayRef<Value> positional) {
  return in.function("mark", applyMark,
                     in.tupleOf({in.string(name), in.tupleOf(positional), in.heap().dict()}));
}
Value skipTest(Interpreter& in, const CallArguments&) {
  return markOf(in, "skip", {});
}
Value skipIf(Interpreter& in, const CallArguments& arguments) {
  return markOf(in, "skipif", at(arguments, 0).isAbsent() ? Value::unknown() : at(arguments, 0));
}
Value skipUnless(Interpreter& in, const CallArguments& arguments) {
  Value wanted = at(arguments, 0);
  auto holds = wanted.isAbsent() ? std::nullopt : in.truth(wanted);
  if (in.failed()) return Value::absent();
  return markOf(in, "skipif", holds ? Value::boolean(!*holds) : Value::unknown());
}
Value expectedFailure(Interpreter& in, const CallArguments& arguments) {
  return in.call(markOf(in, "xfail", {}), arguments);
}
Value skipFromInside(Interpreter& in, const CallArguments& arguments) { // self is the test case
  return skip(in, {arguments.positional.drop_front(), {}});
}
Value unittestMember(Interpreter& in, llvm::StringRef name) {
  if (name == "SkipTest") return Value::object(ValueKind::Class, in.builtinClass("Skipped"));
  if (name != "TestCase") return Value::unknown();
  Value cls = openClass(in, unittestCase);
  Scope* members = in.writable(cls.as<ClassObject>()->members);
  if (!members) return Value::absent();
  members->set(in.name("skipTest"), nativeMethod<skipFromInside>(in, "skipTest"));
  return cls;
}
constexpr NativeRow unittestRows[] = {{"expectedFailure", expectedFailure},
                                      {"main", none},
                                      {"skip", skipTest},
                                      {"skipIf", skipIf},
                                      {"skipUnless", skipUnless}};

} // namespace

Value targetObject(Interpreter& in) {
  if (in.target().empty()) return Value::unknown();
  bool isHip = chips::isAmd(in.target());
  auto parsed = chips::Target::parse(in.target());
  Native yes = [](Interpreter&, const CallArguments&) { return Value::boolean(true); };
  Native no = [](Interpreter&, const CallArguments&) { return Value::boolean(false); };
  return in.namespaceOf("GPUTarget",
                        {{"backend", in.string(isHip ? "hip" : "cuda")},
                         {"arch", isHip ? in.string(in.target().split(':').second)
                                        : Value::integer(chips::capabilityOf(in.target()))},
                         {"warp_size", Value::integer(parsed ? parsed->warpSize : 32)},
                         {"is_cuda_backend", in.function("is_cuda_backend", isHip ? no : yes)},
                         {"is_hip_backend", in.function("is_hip_backend", isHip ? yes : no)}});
}

llvm::ArrayRef<NativeModule> hostModules() {
  static const auto rows = [] {
    std::vector<NativeModule> result = {
        {"triton", tritonRows, tritonMember},
        {"triton.testing", testingRows},
        {"triton.runtime", {}, runtimeDriver},
        {"triton.runtime.driver", {}, activeDriver},
        {"triton.runtime.driver.active", activeRows},
        {"triton.runtime.jit", tritonRows},
        {"triton.runtime.autotuner", tritonRows, tritonMember},
        {"triton.tools"},
        {"triton.tools.tensor_descriptor", {}, tensorDescriptorModule},
        {"triton.tools.mxfp", mxfpFunctions()},
        {"triton.backends"},
        {"triton.backends.compiler", backendRows},
        {"triton.compiler", compilerRows},
        {"triton.compiler.compiler", compilerRows},
        {"triton.experimental.gluon._runtime", sourceRows},
        {"triton._filecheck", parserRows},
        {"triton._C"},
        {"triton._C.libtriton"},
        {"triton._C.libtriton.gluon_ir", layoutFunctions()},
        {"triton._internal_testing", targetQueries()},
        {"pytest", pytestRows, pytestMember},
        {"pytest.mark", {}, mark},
        {"unittest", unittestRows, unittestMember},
        {"numpy", numpyFunctions()},
        {"numpy.random", numpyRandomFunctions()},
        {"pandas"},
        {"matplotlib"},
    };
    for (auto& row : torchModules())
      result.push_back(row);
    return result;
  }();
  return rows;
}

} // namespace gluond::evaluate
