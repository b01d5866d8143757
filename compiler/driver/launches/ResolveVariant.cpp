#include "driver/launches/ResolveVariant.h"

#include "codegen/context/CodegenContext.h"
#include "codegen/context/Source.h"
#include "codegen/targets/OptionFields.h"
#include "codegen/targets/Refusal.h"
#include "diagnostics/Reporter.h"
#include "driver/launches/LikelyTarget.h"
#include "driver/records/LaunchRecords.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/launches/LaunchOptions.h"
#include "language/types/Structure.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace gluond::driver {

using namespace language;

struct VariantResolver::State {
  const Snapshot& snapshot;
  const EvaluatedFile& program;
  codegen::CodegenContext& context;
  Heap heap;
  // For the arguments. The context drops types that refer to values of a run when the run ends, and
  // a kernel may be compiled several times under guesses.
  TypeContext types{snapshot.names()};
  std::unique_ptr<evaluate::Interpreter> interpreter = nullptr; // for records; created on first use
};

VariantResolver::VariantResolver(const Snapshot& snapshot, const EvaluatedFile& program,
                                 codegen::CodegenContext& context)
    : state_(new State{snapshot, program, context, {}}) {}
VariantResolver::~VariantResolver() = default;

namespace {

const Type* constantType(TypeContext& types, Value constant) {
  auto* tuple = constant.as<TupleObject>();
  if (!tuple) return types.constexprType(constant);
  llvm::SmallVector<const Type*, 8> parts;
  for (Value item : tuple->items)
    parts.push_back(constantType(types, item));
  llvm::SmallVector<Name, 8> fields(tuple->fields);
  if (tuple->namedtuple && fields.empty())
    for (const auto& field : tuple->namedtuple->fields)
      fields.push_back(field.name);
  return types.tuple(parts, fields);
}

// Whether an argument is more than is compiled: it nests too deeply, or has too many parts.
bool isTooMuch(const evaluate::LaunchArgument& argument, size_t& parts, unsigned depth = 0) {
  if (depth > maxNesting || ++parts > mostOfAConstant.parts) return true;
  if (argument.isConstexpr) return fit(argument.constant) != Fit::Fits;
  return llvm::any_of(argument.elements, [&](const evaluate::LaunchArgument& element) {
    return isTooMuch(element, parts, depth + 1);
  });
}

codegen::KernelArgument argumentOf(TypeContext& types, const evaluate::LaunchArgument& argument) {
  codegen::KernelArgument result;
  if (argument.isTuple) {
    llvm::SmallVector<const Type*, 8> parts;
    for (const evaluate::LaunchArgument& element : argument.elements) {
      result.elements.push_back(argumentOf(types, element));
      parts.push_back(result.elements.back().type);
    }
    result.type = types.tuple(parts, argument.fields);
  } else {
    result.type =
        argument.isConstexpr ? constantType(types, argument.constant) : types.import(argument.type);
    if (argument.divisibleBy) result.divisibleBy = *argument.divisibleBy;
    if (argument.pointerRange) result.pointerRange = *argument.pointerRange;
  }
  return result;
}

// Returns the module with that path, found through references between modules.
const ModuleObject* importedModule(const ModuleObject& from, llvm::StringRef path) {
  llvm::SmallVector<const ModuleObject*, 8> queue = {&from};
  llvm::SmallPtrSet<const ModuleObject*, 8> seen = {&from};
  for (size_t i = 0; i < queue.size(); ++i) {
    if (queue[i]->path == path) return queue[i];
    if (!queue[i]->globals) continue;
    for (auto [name, value] : *queue[i]->globals) {
      const ModuleObject* module = value.as<ModuleObject>();
      if (auto* function = value.as<FunctionObject>()) module = function->module;
      if (auto* cls = value.as<ClassObject>()) module = cls->module;
      if (module && seen.insert(module).second) queue.push_back(module);
    }
  }
  return nullptr;
}

// Returns the module of a file of the program, unless the program did not import it (a record may
// refer to any of its files).
std::optional<ProgramModule> loadPart(const EvaluatedFile& program, llvm::StringRef path,
                                      llvm::StringRef name) {
  const EvaluatedFile::Part* part = program.part(path);
  if (!part) return std::nullopt;
  const ModuleObject* module = nullptr;
  if (path == program.file().path()) {
    module = program.module(name);
  } else {
    module = importedModule(*program.module(), path);
  }
  if (!module) return std::nullopt;
  return ProgramModule{module, part->tree->body(), &part->file->text()};
}

// Returns why an option of a launch is not valid, as the rest of "the launch of 'f' ...". Unknown
// values are left unchanged.
std::optional<std::string> setOption(codegen::Options& options, chips::Vendor vendor,
                                     llvm::StringRef name, Value value) {
  for (const codegen::FlagOption& flag : codegen::flagOptions())
    if (flag.name == name && value.is(ValueKind::Bool)) options.*flag.field = value.asBool();
  if (const chips::CodeOptionRow* row = chips::findCodeOption(name, vendor);
      row && !value.isUnknown() && !value.isNone()) {
    std::string text;
    if (value.is(ValueKind::Bool))
      text = value.asBool() ? "true" : "false";
    else if (value.isIntegral())
      text = std::to_string(value.asInt());
    else if (auto* given = value.as<language::StrObject>())
      text = given->text.str();
    if (!row->set(options.code, text))
      return "has a value of " + name.str() + " that is not " + row->values.str();
    return std::nullopt;
  }
  const codegen::NumberOption* option = codegen::findNumberOption(name);
  if (!option || value.isUnknown() || value.isNone()) return std::nullopt;
  bool isInteger = value.isIntegral() || value.is(ValueKind::BigInt);
  if (!isInteger) {
    auto* text = value.as<language::StrObject>();
    return "has " + name.str() + (text ? "='" + text->text.str() + "'" : std::string()) +
           ", which is not an integer: write a number, such as " + name.str() + "=4";
  }
  if (!value.isIntegral() || value.asInt() < option->least ||
      value.asInt() >= codegen::endOfNumberOptions)
    return "has " + name.str() +
           (value.isIntegral() ? "=" + std::to_string(value.asInt()) : std::string()) +
           ", but it must be between " + std::to_string(std::max<int64_t>(option->least, 0)) +
           " and " + std::to_string(codegen::endOfNumberOptions - 1);
  option->set(options, static_cast<unsigned>(std::max<int64_t>(value.asInt(), 0)));
  return std::nullopt;
}

// Returns why Triton refuses an option that only the other vendor's back end has, as the rest of
// "the launch of 'f' ...". The target must be certain: the user's, that of the only vendor whose
// modules the kernel's file uses, or any because the launch has options of both vendors.
std::optional<std::string> optionOfOtherVendor(const Snapshot& snapshot, const Variant& variant,
                                               const chips::Target& target) {
  const evaluate::LaunchOptionRow* wrong = nullptr;
  bool hasOwn = false;
  for (const evaluate::LaunchOption& option : variant.launch->options) {
    const auto* row = evaluate::findLaunchOption(option.name);
    if (!row || !row->only) continue;
    if (*row->only == target.vendor)
      hasOwn = true;
    else if (!wrong)
      wrong = row;
  }
  if (!wrong) return std::nullopt;
  const EvaluatedFile::Part* part = variant.program->part(variant.file().path());
  bool isCertain = hasOwn || !snapshot.settingsOf(variant.file().path())->target.empty() ||
                   (part && vendorOf(*part->tree) == target.vendor);
  if (!isCertain) return std::nullopt;
  bool isOfAmd = wrong->only == chips::Vendor::Amd;
  return "has the option " + wrong->name.str() + ", which only " + (isOfAmd ? "AMD" : "NVIDIA") +
         "'s back end knows: for " + target.name() +
         ", Triton raises KeyError: 'Keyword argument " + wrong->name.str() +
         " was specified but unrecognised'";
}

} // namespace

tl::expected<codegen::Specialization, diagnostics::Diagnostic>
VariantResolver::resolve(const Variant& variant) {
  std::vector<diagnostics::Diagnostic> problems;
  bool isPlaced = variant.origin == Origin::Launch && variant.source;
  diagnostics::Reporter emit(problems, isPlaced ? variant.source->file : variant.file().id());
  auto fail = [&](const std::string& why) {
    text::Range range{0, 0};
    if (isPlaced)
      range = variant.source->range;
    else if (variant.launch)
      range = variant.launch->kernel->def->name.range;
    else if (auto* def = findDefinition(state_->program.tree(), variant.kernel))
      range = def->name.range;
    if (variant.origin == Origin::Record)
      emit(diagnostics::Id::MalformedRecord, range, variant.id + ": " + why);
    else
      emit(diagnostics::Id::LaunchArgument, range, variant.kernel, why);
    return tl::unexpected(std::move(problems.front()));
  };

  if (variant.origin == Origin::Record) {
    const EvaluatedFile& program = state_->program;
    if (!state_->interpreter) {
      evaluate::InterpreterOptions options;
      options.target = program.target();
      options.release = program.evaluation().release();
      state_->interpreter = std::make_unique<evaluate::Interpreter>(
          state_->heap, state_->snapshot.names(), state_->types, options);
    }
    RecordResolver records(
        *state_->interpreter, state_->types, state_->context.prelude(),
        [&](llvm::StringRef path, llvm::StringRef name) -> std::optional<ProgramModule> {
          return loadPart(program, path, name);
        });
    auto resolved = records.resolve(*variant.record.record);
    if (!resolved) return fail(resolved.error());
    return std::move(*resolved);
  }

  const evaluate::Launch& launch = *variant.launch;
  codegen::Specialization result;
  result.kernel = launch.kernel;
  result.release = state_->program.evaluation().release();
  auto target = chips::Target::parse(launch.target);
  if (!target) return fail("has an unknown target: '" + launch.target + "'");
  result.target = *target;
  result.options = codegen::defaultOptions(result.target);
  if (auto problem = optionOfOtherVendor(state_->snapshot, variant, result.target))
    return fail(*problem);
  for (const evaluate::LaunchOption& option : launch.options)
    if (auto problem = setOption(result.options, result.target.vendor, option.name, option.value))
      return fail(*problem);
  if (auto problem = codegen::refusal(result.target, result.options)) return fail(*problem);
  size_t parts = 0;
  for (const evaluate::LaunchArgument& argument : launch.arguments) {
    if (isTooMuch(argument, parts)) {
      diagnostics::Reporter inKernel(problems, variant.file().id());
      inKernel(diagnostics::Id::BudgetExhausted, launch.kernel->def->name.range,
               "the argument '" + state_->snapshot.names().text(argument.name).str() +
                   "' of a launch nests too deeply or is too large");
      return tl::unexpected(std::move(problems.front()));
    }
    bool isKnown = argument.isConstexpr || argument.isTuple || argument.type;
    result.arguments.push_back(isKnown ? argumentOf(state_->types, argument)
                                       : codegen::KernelArgument());
  }
  return result;
}

} // namespace gluond::driver
