#include "driver/hostfixes/HostFixes.h"

#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/suggestions/Suggest.h"
#include "driver/hostfixes/ArgumentValues.h"
#include "driver/hostfixes/GluonNames.h"
#include "driver/hostfixes/GpuTensors.h"
#include "driver/hostfixes/GridFixes.h"
#include "driver/hostfixes/GridProblem.h"
#include "driver/hostfixes/LaunchFixes.h"
#include "driver/hostfixes/MemberFixes.h"
#include "driver/hostfixes/NameFixes.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/launches/Autotune.h"
#include "evaluate/launches/LaunchOptions.h"
#include "evaluate/launches/RefusedArguments.h"
#include "language/parameters/ParameterRoles.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/values/Value.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/PlainText.h"
#include "syntax/tree/Spread.h"

namespace gluond::driver {

using diagnostics::FixId;
using evaluate::ErrorKind;

namespace {

// The function that a module has under a name, also under autotuners, in whichever file it is
// defined; or null.
const language::FunctionObject* functionNamed(Name name, const language::ModuleObject* module) {
  if (!module || !module->globals) return nullptr;
  language::Value value = module->globals->get(name);
  auto* function = value.isAbsent() ? nullptr : evaluate::kernelOf(value);
  if (!function && !value.isAbsent()) function = value.as<language::FunctionObject>();
  return function && function->def ? function : nullptr;
}

// The function that `kernel` or `module.kernel` names, in whichever file it is defined.
const language::FunctionObject* functionOf(const syntax::Expr* expr,
                                           const language::ModuleObject* module) {
  if (auto* name = llvm::dyn_cast<syntax::NameExpr>(expr)) return functionNamed(name->name, module);
  auto* member = llvm::dyn_cast<syntax::Attribute>(expr);
  auto* owner = member ? llvm::dyn_cast<syntax::NameExpr>(member->value) : nullptr;
  if (!owner || !module || !module->globals) return nullptr;
  language::Value held = module->globals->get(owner->name);
  auto* other = held.isAbsent() ? nullptr : held.as<language::ModuleObject>();
  return functionNamed(member->attribute.name, other);
}

// The kernel that the code at the end of a path launches: it is part of the grid.
const language::FunctionObject* kernelOfGrid(llvm::ArrayRef<const syntax::Node*> path,
                                             const language::ModuleObject* module) {
  for (const syntax::Node* node : llvm::reverse(path))
    if (auto* launcher = llvm::dyn_cast<syntax::Subscript>(node))
      if (const language::FunctionObject* kernel = functionOf(launcher->value, module))
        return kernel;
  return nullptr;
}

llvm::SmallVector<const syntax::Node*> nodesOf(syntax::Exprs expressions) {
  return llvm::SmallVector<const syntax::Node*>(expressions.begin(), expressions.end());
}

// A keyword that is neither a parameter nor an option.
void offerKeyword(diagnostics::InFlight& told, const syntax::Call& call,
                  const language::FunctionObject& kernel, Interner& names) {
  auto isOption = [&](llvm::StringRef name) {
    return evaluate::findLaunchOption(name) || name == "grid" || name == "warmup";
  };
  for (const syntax::Keyword& keyword : call.keywords) {
    llvm::StringRef written = names.text(keyword.name.name);
    bool isParameter = llvm::any_of(kernel.def->parameters, [&](const syntax::Parameter& each) {
      return each.name.name == keyword.name.name;
    });
    if (written.empty() || isParameter || isOption(written)) continue;
    codegen::Nearest nearest(written);
    for (const syntax::Parameter& each : kernel.def->parameters)
      nearest.offer(names.text(each.name.name));
    for (const evaluate::LaunchOptionRow& option : evaluate::launchOptionRows())
      nearest.offer(option.name);
    return offerName(told, keyword.name.range, written, nearest);
  }
}

// The parameter that takes a value which only a constexpr can be.
void offerConstexprParameter(diagnostics::InFlight& told, const language::FunctionObject& kernel,
                             int index, const language::ModuleObject* module,
                             const syntax::SyntaxTree& tree) {
  const Interner& names = tree.interner();
  auto parameters = kernel.def->parameters;
  if (index < 0 || static_cast<size_t>(index) >= parameters.size()) return;
  const syntax::Parameter& parameter = parameters[static_cast<size_t>(index)];
  // A parameter that is loaded from is a tensor, whatever was passed.
  language::ParameterRole role =
      language::ParameterRoles(tree).of(*kernel.def, parameter.name.name);
  if (role == language::ParameterRole::Pointer || role == language::ParameterRole::Descriptor)
    return;
  std::string annotation;
  for (auto [name, value] : *module->globals)
    if (auto* held = value.as<language::ModuleObject>(); held && codegen::isGluonLanguage(*held))
      annotation = names.text(name).str() + ".constexpr";
  if (annotation.empty() || parameter.defaultValue) return;
  text::Offset end = parameter.name.range.end;
  text::Edit edit = parameter.annotation ? text::Edit{parameter.annotation->range, annotation}
                                         : text::Edit{{end, end}, ": " + annotation};
  told.fix(FixId::MakeConstexpr, {edit}, names.text(parameter.name.name));
}

// A configuration of an autotuner, or the use of one in the grid, that names no parameter.
void offerParameterString(diagnostics::InFlight& told, llvm::ArrayRef<const syntax::Node*> around,
                          const language::FunctionObject& kernel, llvm::StringRef wrong,
                          const syntax::SyntaxTree& tree) {
  const syntax::Constant* constant = nullptr;
  for (const syntax::Node* node : around)
    if (!constant && node) constant = stringIn(*node, wrong);
  codegen::Nearest nearest(wrong);
  for (const syntax::Parameter& each : kernel.def->parameters)
    nearest.offer(tree.interner().text(each.name.name));
  if (!nearest.name().empty()) return offerString(told, constant, tree.source(), nearest);
  // None is similar: the constexpr parameter with a part of the name, or the only one.
  llvm::SmallVector<llvm::StringRef, 8> constexprs, related;
  for (auto [each, annotation] : llvm::zip(kernel.def->parameters, kernel.annotations)) {
    llvm::StringRef name = tree.interner().text(each.name.name);
    if (!evaluate::isConstexprAnnotation(annotation)) continue;
    constexprs.push_back(name);
    if (wrong.starts_with((name + "_").str()) || name.starts_with((wrong + "_").str()))
      related.push_back(name);
  }
  llvm::ArrayRef<llvm::StringRef> meant = related.empty() ? constexprs : related;
  if (meant.size() != 1 || !constant) return;
  auto inside = syntax::plainText(*constant, tree.source());
  if (!inside) return;
  std::vector<text::Edit> edits{{*inside, meant.front().str()}};
  bool isOffered = told.get() && llvm::any_of(told.get()->fixes,
                                              [&](const auto& fix) { return fix.edits == edits; });
  if (!isOffered) told.fix(FixId::TryText, std::move(edits), meant.front());
}

// A keyword that triton.autotune or triton.Config does not have.
void offerTunerKeyword(diagnostics::InFlight& told, const evaluate::ErrorCause& cause,
                       llvm::ArrayRef<const syntax::Node*> path, const syntax::SyntaxTree& tree) {
  const Interner& names = tree.interner();
  const text::SourceText& source = tree.source();
  auto parameters = cause.owner == "Config.__init__" ? evaluate::configParameters()
                    : cause.owner == "autotune"      ? evaluate::autotuneParameters()
                                                     : llvm::ArrayRef<llvm::StringLiteral>();
  llvm::SmallVector<const syntax::Call*, 8> calls;
  auto collect = [&](auto&& self, const syntax::Node& node) -> void {
    if (auto* call = llvm::dyn_cast<syntax::Call>(&node)) calls.push_back(call);
    syntax::forEachChild(node, [&](const syntax::Node& child) { self(self, child); });
  };
  if (!path.empty() && !parameters.empty()) collect(collect, *path.front());
  // Config(BLOCK=128, num_warps=4): the kernel's parameters are keys of a dict.
  for (const syntax::Call* call : calls)
    if (std::vector<text::Edit> edits = keysOfConfig(*call, cause, parameters, source, names);
        !edits.empty()) {
      std::string text = edits.front().text;
      told.fix(FixId::TryText, std::move(edits), text);
    }
  for (const syntax::Call* call : calls)
    for (const syntax::Keyword& keyword : call->keywords) {
      llvm::StringRef written = names.text(keyword.name.name);
      if (parameters.empty() || written != cause.subject) continue;
      codegen::Nearest nearest(written);
      for (llvm::StringRef each : parameters)
        nearest.offer(each);
      return offerName(told, keyword.name.range, written, nearest);
    }
}

// A key of a signature that names no parameter, or a type that signatures spell in another way.
void offerSignature(diagnostics::InFlight& told, const evaluate::PythonError& error,
                    const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  llvm::SmallVector<const syntax::Node*> all(tree.body().begin(), tree.body().end());
  auto [wrong, rest] = llvm::StringRef(error.message).split("' is not in list: the kernel '");
  if (!rest.empty() && module && module->globals) {
    llvm::StringRef kernel = rest.split('\'').first;
    for (auto [name, value] : *module->globals)
      if (auto* function = functionNamed(name, module); function && function->qualname == kernel)
        return offerParameterString(told, all, *function, wrong.drop_front(), tree);
  }
  auto [type, own] = llvm::StringRef(error.message).split("': a signature has the spelling '");
  if (own.empty()) return;
  std::string pointer = own.take_while([](char c) { return c == '*' || c == 'k'; }).str();
  const syntax::Constant* constant = nullptr;
  for (const syntax::Node* node : all)
    if (!constant) constant = stringIn(*node, pointer + type.drop_front().str());
  auto inside = constant ? syntax::plainText(*constant, tree.source()) : std::nullopt;
  if (inside) told.fix(FixId::TryText, {{*inside, own.drop_back().str()}}, own.drop_back());
}

// Names that an autotuner lists and that are no parameters.
void offerListedNames(diagnostics::InFlight& told, llvm::StringRef message,
                      llvm::ArrayRef<const syntax::Node*> path, const text::SourceText& source) {
  auto [wrong, valid] = message.split(" contains names that are not kernel arguments: ")
                            .second.split(". Valid argument names are: ");
  llvm::SmallVector<llvm::StringRef, 8> names;
  valid.rtrim('.').split(names, ", ");
  for (llvm::StringRef rest = wrong; !rest.empty();) {
    llvm::StringRef name;
    std::tie(name, rest) = rest.split(", ");
    const syntax::Constant* constant = nullptr;
    for (const syntax::Node* node : path)
      if (!constant) constant = stringIn(*node, name);
    codegen::Nearest nearest(name);
    for (llvm::StringRef each : names)
      nearest.offer(each);
    offerString(told, constant, source, nearest);
  }
}

// meta.BLOCK in a grid: the arguments are a dictionary.
void offerSubscripts(diagnostics::InFlight& told, const syntax::Node& node, llvm::StringRef name,
                     const syntax::SyntaxTree& tree) {
  auto* member = llvm::dyn_cast<syntax::Attribute>(&node);
  if (member && llvm::isa<syntax::NameExpr>(member->value) &&
      tree.interner().text(member->attribute.name) == name) {
    std::string text = tree.source().slice(member->value->range).str() + "[\"" + name.str() + "\"]";
    told.fix(FixId::TryText, {{member->range, text}}, text);
  }
  syntax::forEachChild(
      node, [&](const syntax::Node& child) { offerSubscripts(told, child, name, tree); });
}

// The arguments of a call in the order of their neighbours.
void offerSwaps(diagnostics::InFlight& told, const syntax::Call& call,
                const text::SourceText& source) {
  for (size_t i = 0; i + 1 < call.args.size(); ++i) {
    std::string first = source.slice(call.args[i]->range).str(),
                second = source.slice(call.args[i + 1]->range).str(), both = second + ", " + first;
    told.fix(FixId::TryText, {{call.args[i]->range, second}, {call.args[i + 1]->range, first}},
             both);
  }
}

// Whether an expression is a layout, as far as the text and the module's names tell.
bool isLayout(const syntax::Expr& expr, const language::ModuleObject* module,
              const Interner& names) {
  if (auto* name = llvm::dyn_cast<syntax::NameExpr>(&expr))
    return module->globals->get(name->name).unwrapped().is(language::ValueKind::Layout);
  auto* made = llvm::dyn_cast<syntax::Call>(&expr);
  if (!made) return false;
  GluonName callee = gluonName(made->func, module, names);
  return callee.module &&
         llvm::any_of(language::layoutClasses(),
                      [&](const language::LayoutClass& cls) { return cls.name == callee.name; });
}

// The result of calling a function that was passed itself: x.numel, x.stride.
void offerResult(diagnostics::InFlight& told, const syntax::Call& call, int index,
                 const text::SourceText& source) {
  if (index < 0 || static_cast<size_t>(index) >= call.args.size()) return;
  text::Range range = call.args[static_cast<size_t>(index)]->range;
  for (llvm::StringRef arguments : {"()", "(0)"})
    told.fix(FixId::TryText, {{{range.end, range.end}, arguments.str()}},
             (source.slice(range) + arguments).str());
}

// A tuple for a list.
void offerTuple(diagnostics::InFlight& told, const syntax::Call& call, int index,
                const language::FunctionObject& kernel, const syntax::SyntaxTree& tree) {
  auto position = static_cast<size_t>(index);
  if (index < 0 || position >= kernel.def->parameters.size() || syntax::spreadsArguments(call))
    return;
  const syntax::Expr* argument = position < call.args.size() ? call.args[position] : nullptr;
  for (const syntax::Keyword& keyword : call.keywords)
    if (keyword.name.name == kernel.def->parameters[position].name.name) argument = keyword.value;
  if (!argument) return;
  std::string text = tree.source().slice(argument->range).str(), tuple;
  auto* list = llvm::dyn_cast<syntax::List>(argument);
  if (!list || text.size() < 2 || text.find('[', 1) != std::string::npos)
    tuple = list ? "" : "tuple(" + text + ")"; // one with lists in it is left alone
  else
    tuple = "(" + text.substr(1, text.size() - 2) + (list->elements.size() == 1 ? ", )" : ")");
  if (!tuple.empty()) told.fix(FixId::TryText, {{argument->range, tuple}}, tuple);
}

bool isFunctionType(llvm::StringRef type) {
  return type.contains("method") || type.contains("function");
}

// The expression that gives the number of a grid that is no tuple: the grid itself or, if it is a
// function, what that returns. Null if this cannot be told.
const syntax::Expr* numberOfGrid(const syntax::Expr* grid, llvm::ArrayRef<const syntax::Node*> path,
                                 const syntax::SyntaxTree& tree) {
  auto ofValue = [](const syntax::Expr* value) {
    auto* lambda = llvm::dyn_cast<syntax::Lambda>(value);
    return lambda ? lambda->body : value;
  };
  auto* name = llvm::dyn_cast<syntax::NameExpr>(grid);
  if (!name) return ofValue(grid);
  llvm::SmallVector<syntax::Stmts> scopes;
  for (const syntax::Node* node : llvm::reverse(path)) // pathTo: the innermost is the last
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(node))
      scopes.push_back(function->body);
  scopes.push_back(tree.body());
  for (syntax::Stmts body : scopes) {
    if (auto assigned = codegen::lastAssignment(body, name->name, grid->range.begin)) {
      const syntax::Expr* number = assigned.value ? ofValue(assigned.value) : grid;
      return number == assigned.value ? grid : number; // a number is wrapped where it is used
    }
    for (const syntax::Stmt* each : body)
      if (auto* def = llvm::dyn_cast<syntax::FunctionDef>(each);
          def && def->name.name == name->name) {
        auto* last = llvm::dyn_cast<syntax::Return>(def->body.back());
        return last ? last->value : nullptr;
      }
  }
  return grid;
}

} // namespace

const language::FunctionObject* launchedFunction(const syntax::Expr* expr,
                                                 const language::ModuleObject* module) {
  const language::FunctionObject* function = functionOf(expr, module);
  return function && function->function == language::FunctionKind::Jit ? function : nullptr;
}

std::string launchProblem(const evaluate::PythonError& error, llvm::StringRef kernel,
                          llvm::StringRef raiser) {
  const std::string& subject = error.cause.subject;
  switch (error.cause.kind) {
  case ErrorKind::UnknownOption:
    return "it has neither a parameter nor an option '" + subject + "'";
  case ErrorKind::HostArray:
    return "a numpy array cannot be passed to a kernel: pass a tensor on the GPU, such as "
           "torch.from_numpy(array).cuda()";
  case ErrorKind::NoSpecialization:
    if (isFunctionType(subject))
      return "it passes a function to a parameter that is not annotated `gl.constexpr`: call it to "
             "pass its result";
    if (error.cause.owner == evaluate::unhashableConstant)
      return "a constexpr must be hashable, but this one is a " + subject + " or contains one: " +
             (subject == "list" ? "pass a tuple" : "pass a tuple, a number or a string");
    if (llvm::StringRef dtype = subject; dtype.consume_front("Tensor of "))
      return "Triton has no element type for " + dtype.str() + ": pass " +
             (dtype.contains("complex")
                  ? "torch.view_as_real(x), whose last dimension has the real and imaginary parts"
                  : "x.view(torch.uint8)");
    if (subject == "list" || subject == "dict" || subject == "set")
      return "a " + subject + " cannot be passed to a kernel: pass " +
             (subject == "list" ? "a tuple" : "its values as arguments of their own");
    return "a value of type '" + subject +
           "' can only be passed to a parameter that is annotated `gl.constexpr`";
  case ErrorKind::HostTensor:
    return "an argument is a tensor on the CPU, which the GPU cannot access: make it with "
           "device=\"cuda\", or pass its .cuda()";
  case ErrorKind::NoGrid:
    return "it is called without a grid: write " + kernel.str() + "[grid](...)";
  default:
    break;
  }
  if (!raiser.empty())
    return ("its " + raiser + " raises " + error.exceptionClass + ": " + error.message).str();
  // The names that the grid looks up in the arguments.
  if (error.exceptionClass == "KeyError") return "its grid raises KeyError: " + error.message;
  llvm::StringRef message = error.message;
  message.consume_front((kernel + "() ").str());
  if (std::string problem = gridProblem(message); !problem.empty()) return problem;
  llvm::StringRef rest = message;
  if (rest.contains(".run() missing") || rest.contains(".warmup() missing"))
    return (message + ": write " + kernel +
            (rest.contains(".run()") ? "[grid](...)" : ".warmup(..., grid=(1, ))"))
        .str();
  // Of a grid: the kernel's own name is gone.
  if (rest.contains("() takes ") || rest.contains("() missing "))
    return "its grid is a function, which is called with one argument, the dict of the launch's "
           "arguments: " +
           rest.str();
  if (rest.consume_front("missing a required argument: "))
    return "it is missing the required argument " + rest.str();
  if (rest.consume_front("got multiple values for argument "))
    return "it passes the argument " + rest.str() + " twice";
  unsigned takes = 0, given = 0;
  if (rest.consume_front("takes ") && !rest.consumeInteger(10, takes) &&
      rest.consume_front(" arguments but ") && !rest.consumeInteger(10, given) &&
      rest == " were given")
    return "it passes " + std::to_string(given) + " arguments, but the kernel has " +
           std::to_string(takes) + (takes == 1 ? " parameter" : " parameters");
  return message.str();
}

void offerLaunchFixes(diagnostics::InFlight told, const evaluate::PythonError& error,
                      text::Range at, const language::ModuleObject* module,
                      const syntax::SyntaxTree& tree, const chips::Target& target) {
  const syntax::Call* call = nullptr;
  const syntax::Subscript* subscript = nullptr;
  auto path = syntax::pathTo(tree.body(), at.begin);
  for (const syntax::Node* node : path) {
    if (node->range.begin != at.begin) continue;
    if (auto* found = llvm::dyn_cast<syntax::Call>(node)) call = found;
    if (auto* found = llvm::dyn_cast<syntax::Subscript>(node)) subscript = found;
  }
  if (error.exceptionClass == "NameError")
    return offerDefinedName(told, path, module, tree, target.isCuda());
  if (offerOwnKeyword(told, error.cause, path, at, module, tree) ||
      offerTorchName(told, error, path, tree))
    return;
  llvm::StringRef message = error.message;
  if (message == "'function' object has no attribute 'arg_names'" ||
      message.ends_with("Autotuner object> is not a callable object"))
    return offerJitBelowTuners(told, at.begin, module, tree);
  if (call && error.cause.kind == ErrorKind::HostTensor) {
    offerGpuTensors(told, path, *call, module, tree);
    return offerGpuTensor(told, *call, error.argument, tree.source());
  }
  auto* launched = subscript ? functionOf(subscript->value, module) : nullptr;
  auto* called = launched ? launched : call ? functionOf(call->func, module) : nullptr;
  // A fix edits the file of the launch alone.
  bool isLaunchedHere = launched && launched->module == module;
  if (called && call)
    offerArgumentFixes(told, error.cause, *call, *called, module, tree, target.warpSize);
  if (call && message.ends_with("from_tensor() missing 1 required positional argument: 'layout'"))
    for (auto [name, value] : *module->globals)
      if (auto* held = value.as<language::ModuleObject>(); held && codegen::isGluonLanguage(*held))
        offerDescriptorLayout(told, *call, tree.interner().text(name), tree.source());
  bool isUnspecialized = launched && error.cause.kind == ErrorKind::NoSpecialization &&
                         !llvm::StringRef(error.cause.subject).starts_with("Tensor of ");
  if (isUnspecialized && call && isFunctionType(error.cause.subject))
    return offerResult(told, *call, error.argument, tree.source());
  if (isUnspecialized && call && error.cause.subject == "list")
    return offerTuple(told, *call, error.argument, *launched, tree);
  bool isUnhashable = error.cause.owner == evaluate::unhashableConstant ||
                      error.cause.subject == "dict" || error.cause.subject == "set";
  if (isUnspecialized && isUnhashable) return;
  if (isUnspecialized && isLaunchedHere)
    return offerConstexprParameter(told, *launched, error.argument, module, tree);
  if (launched && error.cause.kind == ErrorKind::UnknownOption) {
    // Its tuner's configurations, then lists of them elsewhere in the file.
    auto around = isLaunchedHere ? nodesOf(launched->def->decorators) : nodesOf({});
    around.append(tree.body().begin(), tree.body().end());
    offerParameterString(told, around, *launched, error.cause.subject, tree);
  }
  if (error.exceptionClass == "KeyError" && !path.empty()) {
    llvm::StringRef key = llvm::StringRef(error.message).trim("'\"");
    if (auto* kernel = kernelOfGrid(path, module))
      offerParameterString(told, path, *kernel, key, tree);
    else if (module && module->globals)
      for (auto [name, value] : *module->globals)
        if (auto* each = functionNamed(name, module);
            each && each->function == language::FunctionKind::Jit)
          offerParameterString(told, path, *each, key, tree);
  }
  if (subscript) offerGrid(told, message, *subscript, path, module, tree);
  if (error.exceptionClass == "ValueError") offerListedNames(told, message, path, tree.source());
  offerSignature(told, error, module, tree);
  if (llvm::StringRef name = message; name.consume_front("'dict' object has no attribute '"))
    for (const syntax::Stmt* each : tree.body())
      offerSubscripts(told, *each, name.rtrim("'"), tree);
  for (llvm::StringRef twice :
       {"Conflicting meta-parameters: ", "got multiple values for argument '"})
    if (llvm::StringRef name = message.split(twice).second; call && !name.empty())
      offerRemoval(told, *call, name.take_until([](char c) { return c == '.' || c == '\''; }),
                   launched, tree);
  if (call && call->args.empty() && call->keywords.empty() &&
      message.ends_with("object is not callable"))
    told.fix(FixId::TryText, {{{call->func->range.end, call->range.end}, ""}},
             tree.source().slice(call->func->range));
  if (error.cause.kind == ErrorKind::LibraryKeyword)
    offerTunerKeyword(told, error.cause, path, tree);
  // PaddedSharedLayout(..., block_bases=...) of an earlier release of Triton.
  if (auto [function, keyword] =
          llvm::StringRef(error.message).split("() got an unexpected keyword argument '");
      call && !keyword.empty()) // of a class of Gluon
    if (auto renamed = codegen::renamedKeyword(*call, function, keyword.rtrim("'"), tree.interner(),
                                               tree.source()))
      told.fix(FixId::ReplaceRemoved, std::move(renamed->edits), keyword.rtrim("'"), renamed->now);
  offerDtype(told, path, module, tree);
  if (error.exceptionClass == "AssertionError") offerNumber(told, error.message, path, tree);
  // kernel[n](...): a grid is a tuple.
  if (subscript &&
      llvm::StringRef(error.message).starts_with("object of type 'int' has no len()")) {
    if (const syntax::Expr* number = numberOfGrid(subscript->index, path, tree)) {
      std::string grid = "(" + tree.source().slice(number->range).str() + ", )";
      told.fix(FixId::TryText, {{number->range, grid}}, grid);
    }
    return;
  }
  // TensorDescriptor(tensor, block_shape, layout): the arguments of its method from_tensor.
  if (call && llvm::StringRef(error.message).starts_with("TensorDescriptor.__init__() missing") &&
      call->args.size() + call->keywords.size() == 3) {
    text::Offset end = call->func->range.end;
    std::string method = tree.source().slice(call->func->range).str() + ".from_tensor";
    told.fix(FixId::TryText, {{{end, end}, ".from_tensor"}}, method);
    return;
  }
  // plain[grid](...): the function lacks its decorator.
  if (subscript && error.exceptionClass == "TypeError") {
    if (auto* plain = functionOf(subscript->value, module);
        plain && plain->module == module && plain->function == language::FunctionKind::Python) {
      const text::SourceText& source = tree.source();
      text::Offset begin = plain->def->range.begin;
      std::string indent = source.slice({source.lineStart(source.lineOf(begin)), begin}).str();
      std::string decorator = kernelDecorator(module, tree);
      if (decorator.empty()) return;
      decorator = "@" + decorator;
      told.fix(FixId::DecorateFunction, {{{begin, begin}, decorator + "\n" + indent}},
               tree.interner().text(plain->def->name.name), decorator);
    }
    return;
  }
  offerMember(told, error, path, module, tree);
  if (!call) return;
  // kernel(...) without a grid.
  if (auto* kernel = functionOf(call->func, module);
      kernel && kernel->function == language::FunctionKind::Jit) {
    text::Offset end = call->func->range.end;
    told.fix(FixId::InsertGrid, {{{end, end}, "[(1,)]"}}, "[(1,)]");
    return;
  }
  if (auto* launcher = llvm::dyn_cast<syntax::Subscript>(call->func))
    if (auto* kernel = functionOf(launcher->value, module))
      offerKeyword(told, *call, *kernel, tree.interner());
}

void reportKernelFunction(diagnostics::Reporter& emit, llvm::StringRef function, text::Range at,
                          const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  // Functions of Python, and those of the module `triton`, with the same arguments.
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> ofPython[] = {
      {"abs", "abs"}, {"maximum", "max"}, {"minimum", "min"}};
  static constexpr llvm::StringLiteral ofTriton = "cdiv";
  const syntax::Call* call = nullptr;
  for (const syntax::Node* node : syntax::pathTo(tree.body(), at.begin))
    if (auto* found = llvm::dyn_cast<syntax::Call>(node); found && found->range == at) call = found;
  std::string written = call ? tree.source().slice(call->func->range).str() : function.str();
  auto told = emit(diagnostics::Id::NotCallable, at,
                   "'" + written + "' exists in kernels only: in host code, it");
  GluonName callee = call ? gluonName(call->func, module, tree.interner()) : GluonName();
  // Triton's own language also runs on the host, if TRITON_INTERPRET is set.
  if (callee.module && callee.module->name.starts_with("triton.language"))
    told.severity(diagnostics::Severity::Warning);
  if (!callee.module) return;
  auto offer = [&](const std::string& text) {
    told.fix(FixId::TryText, {{call->func->range, text}}, text + "(...)");
  };
  for (auto [name, meant] : ofPython)
    if (callee.name == name) offer(meant.str());
  if (callee.name != ofTriton) return;
  for (auto [name, value] : *module->globals)
    if (auto* held = value.as<language::ModuleObject>(); held && held->name == "triton")
      offer((tree.interner().text(name) + "." + ofTriton).str());
}

void offerDescriptorFixes(diagnostics::InFlight told, llvm::StringRef problem, text::Range at,
                          const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  const syntax::Call* call = nullptr;
  const syntax::FunctionDef* function = nullptr;
  for (const syntax::Node* node : syntax::pathTo(tree.body(), at.begin)) {
    auto* found = llvm::dyn_cast<syntax::Call>(node);
    if (found && found->range.begin == at.begin) call = found;
    if (auto* around = llvm::dyn_cast<syntax::FunctionDef>(node)) function = around;
  }
  if (!call) return;
  // Where a layout is in its place, it is of another class.
  size_t place = tree.source().slice(call->func->range).ends_with("from_tensor") ? 2 : 4;
  bool isInPlace =
      call->args.size() > place && isLayout(*call->args[place], module, tree.interner());
  bool isElsewhere = llvm::any_of(call->args, [&](const syntax::Expr* argument) {
    return isLayout(*argument, module, tree.interner());
  });
  if (problem == "Layout must be NVMMASharedLayout" && !isInPlace && isElsewhere)
    offerSwaps(told, *call, tree.source());
  // The layout was made for another dtype than the tensor's.
  int64_t bits = 0;
  if (!problem.starts_with("the layout is for elements of ") ||
      problem.rsplit(' ').second.getAsInteger(10, bits))
    return;
  llvm::StringRef meant = bits == 32 ? "float32" : bits == 16 ? "float16" : bits == 8 ? "int8" : "";
  auto offer = [&](const syntax::Node& node) {
    auto* made = llvm::dyn_cast<syntax::Call>(&node);
    if (!made || meant.empty()) return;
    for (const syntax::Expr* argument : made->args) {
      GluonName dtype = gluonName(argument, module, tree.interner());
      const language::Builtin* row =
          dtype.module ? language::findBuiltin(dtype.module->id, dtype.name) : nullptr;
      if (row && row->kind == language::BuiltinKind::Dtype)
        told.fix(FixId::TryText, {{dtype.place, meant.str()}}, meant);
    }
  };
  auto written = call->args.empty() ? nullptr : call->args.back();
  for (const syntax::Keyword& keyword : call->keywords)
    if (tree.interner().text(keyword.name.name) == "layout") written = keyword.value;
  auto* name = llvm::dyn_cast_if_present<syntax::NameExpr>(written);
  if (written && !name) return offer(*written);
  if (!name) return;
  const syntax::Stmts body = function ? function->body : tree.body();
  if (auto assigned = codegen::lastAssignment(body, name->name, name->range.begin); assigned.value)
    offer(*assigned.value);
}

} // namespace gluond::driver
