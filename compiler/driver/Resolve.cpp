#include "driver/Resolve.h"

#include "codegen/CodegenContext.h"
#include "codegen/Source.h"
#include "diagnostics/Emitter.h"
#include "driver/LaunchRecords.h"
#include "evaluate/Interpreter.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using namespace language;

struct Resolver::State {
  const Snapshot& snapshot;
  const Program& program;
  codegen::CodegenContext& context;
  Heap heap;
  std::unique_ptr<evaluate::Interpreter> interpreter; // of records; made when one comes
};

Resolver::Resolver(const Snapshot& snapshot, const Program& program, codegen::CodegenContext& context)
    : state_(new State{snapshot, program, context, {}, nullptr}) {}
Resolver::~Resolver() = default;

namespace {

const Type* constantType(TypeContext& types, Value constant) {
  auto* tuple = constant.as<TupleObject>();
  if (!tuple) return types.constexprType(constant);
  llvm::SmallVector<const Type*, 8> parts;
  for (Value item : tuple->items) parts.push_back(constantType(types, item));
  return types.tuple(parts, tuple->fields);
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
    result.type = argument.isConstexpr ? constantType(types, argument.constant) : types.import(argument.type);
    if (argument.divisibleBy) result.divisibleBy = *argument.divisibleBy;
    if (argument.pointerRange) result.pointerRange = *argument.pointerRange;
  }
  return result;
}

void setOption(codegen::Options& options, llvm::StringRef name, Value value) {
  if (name == "debug" && value.is(ValueKind::Bool)) options.debug = value.asBool();
  if (name == "sanitize_overflow" && value.is(ValueKind::Bool)) options.sanitizeOverflow = value.asBool();
  if (!value.is(ValueKind::Int) || value.asInt() <= 0 || value.asInt() > 1 << 20) return;
  auto number = static_cast<unsigned>(value.asInt());
  if (name == "num_warps") options.numWarps = number;
  if (name == "num_ctas") options.numCtas = number;
  if (name == "num_stages") options.numStages = number;
  if (name == "maxnreg") options.maxnreg = number;
}

} // namespace

tl::expected<codegen::Specialization, diagnostics::Diagnostic> Resolver::resolve(const Variant& variant) {
  std::vector<diagnostics::Diagnostic> problems;
  diagnostics::Emitter emit(problems, state_->program.file().id());
  auto fail = [&](const std::string& why) {
    text::Range range{0, 0};
    if (auto* def = findDefinition(state_->program.tree(), variant.kernel)) range = def->name.range;
    if (variant.origin == Origin::Record)
      emit(diagnostics::Id::MalformedRecord, range, variant.id + ": " + why);
    else
      emit(diagnostics::Id::LaunchArgument, range, variant.kernel, why);
    return tl::unexpected(std::move(problems.front()));
  };

  if (variant.origin == Origin::Record) {
    const Program& program = state_->program;
    if (!state_->interpreter) {
      evaluate::InterpreterOptions options;
      options.target = program.target();
      state_->interpreter = std::make_unique<evaluate::Interpreter>(state_->heap, state_->snapshot.names(),
                                                                    state_->context.types(), options);
    }
    RecordResolver records(*state_->interpreter, state_->context.types(), state_->context.prelude(),
                           [&](llvm::StringRef path, llvm::StringRef) -> std::optional<ProgramModule> {
                             const Program::Part* part = program.part(path);
                             if (!part || !part->module) return std::nullopt;
                             return ProgramModule{part->module, part->tree->body(), &part->file->text()};
                           });
    auto resolved = records.resolve(*variant.record.record);
    if (!resolved) return fail(resolved.error());
    return std::move(*resolved);
  }

  const evaluate::Launch& launch = *variant.launch;
  codegen::Specialization result;
  result.kernel = launch.kernel;
  auto target = codegen::Target::parse(launch.target);
  if (!target) return fail("names no target: '" + launch.target + "'");
  result.target = *target;
  result.options = codegen::defaultOptions(result.target);
  for (const evaluate::LaunchOption& option : launch.options) setOption(result.options, option.name, option.value);
  if (!llvm::isPowerOf2_32(result.options.numWarps)) return fail("has num_warps that is no power of two");
  for (const evaluate::LaunchArgument& argument : launch.arguments) {
    if (!argument.isConstexpr && !argument.isTuple && !argument.type) return fail("has an argument of unknown type");
    result.arguments.push_back(argumentOf(state_->context.types(), argument));
  }
  return result;
}

const FunctionObject* moduleKernel(const Program& program, llvm::StringRef qualname) {
  auto it = llvm::find_if(program.kernels(), [&](const FunctionObject* kernel) { return kernel->qualname == qualname; });
  return it == program.kernels().end() ? nullptr : *it;
}

} // namespace gluond::driver
