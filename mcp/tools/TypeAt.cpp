// The tool type_at.
#include "lsp/features/facts/FactText.h"
#include "mcp/tools/Places.h"

namespace gluond::mcp {

namespace {

struct TypeAtParams {
  std::string file;
  std::optional<std::string> kernel, launch;
  std::optional<uint32_t> cell;
  uint32_t line = 1;
  std::optional<uint32_t> column;
  std::optional<std::string> expression, target;
  static constexpr auto fields() {
    return std::make_tuple(
        told("file", &TypeAtParams::file, "Python file or notebook, relative to the folder."),
        told("kernel", &TypeAtParams::kernel,
             "In a function that several kernels call: for this kernel. If left out, the first."),
        told("launch", &TypeAtParams::launch,
             "Id of a launch, as the tool launches lists it; if left out, the first one."),
        ordinal("cell", &TypeAtParams::cell, cellHelp),
        ordinal("line", &TypeAtParams::line, "Line of the expression, from 1."),
        ordinal("column", &TypeAtParams::column,
                "Column in the expression, from 1, in characters; if it is left out, name the "
                "expression."),
        told("expression", &TypeAtParams::expression,
             "Text of the expression, as it is on that line: 'acc', 'gl.load(ptr)'."),
        told("target", &TypeAtParams::target, targetHelp));
  }
};
struct TypeAtResult : Subject {
  std::string expression, kind, type;
  std::optional<std::string> dtype, layout, value;
  std::vector<int64_t> shape;
  std::optional<uint64_t> bytes;
  std::string text;
  static constexpr auto fields() {
    return std::tuple_cat(
        std::make_tuple(
            field("expression", &TypeAtResult::expression),
            told("kind", &TypeAtResult::kind, "What it is.",
                 "tensor|accumulator|scalar|pointer|buffer|descriptor|tuple|aggregate|constant|"
                 "other"),
            told("type", &TypeAtResult::type, "The type in short: float16[64, 32]."),
            field("dtype", &TypeAtResult::dtype), field("shape", &TypeAtResult::shape),
            told("layout", &TypeAtResult::layout, "As an expression of Gluon."),
            told("value", &TypeAtResult::value, "Of a constant."),
            told("bytes", &TypeAtResult::bytes, "Over all threads."),
            told("text", &TypeAtResult::text,
                 "All of it for reading, with the linear layout: which bit of register, lane and "
                 "warp moves to which element.")),
        Subject::fields());
  }
};

const char* nameOf(codegen::FactKind kind) {
  static constexpr const char* names[] = {"tensor",   "accumulator", "scalar", "pointer",
                                          "buffer",   "descriptor",  "tuple",  "aggregate",
                                          "constant", "other"};
  return names[static_cast<size_t>(kind)];
}

Answer<text::Range> wantedRange(const TypeAtParams& params, const driver::File& file) {
  auto range = rangeOfLine(file, params.cell, params.line);
  if (!range) return range;
  const text::SourceText& text = file.text();
  llvm::StringRef line = text.slice(*range);
  text::Offset from = range->begin;
  if (params.column)
    from = text.offset({text.lineOf(range->begin), std::max(*params.column, 1u) - 1},
                       text::Unit::CodePoint);
  if (!params.expression || params.expression->empty()) {
    if (!params.column) return fail("column or expression is missing");
    return text::Range{from, from};
  }
  size_t at = line.find(*params.expression, from - range->begin);
  if (at == llvm::StringRef::npos) at = line.find(*params.expression);
  if (at == llvm::StringRef::npos)
    return fail("'" + *params.expression + "' is not on line " + std::to_string(params.line) +
                ": " + line.trim().take_front(200).str());
  auto start = range->begin + static_cast<text::Offset>(at);
  return text::Range{start, start + static_cast<text::Offset>(params.expression->size())};
}

// The kernel around a place, if none is named, in the launch that is named.
Answer<ChosenKernel> kernelAt(const TypeAtParams& params, text::Offset place,
                              const Context& context) {
  KernelParams wanted{params.file, params.kernel, params.launch, params.target, {}};
  if (!wanted.kernel) {
    auto file = findFile(params.file, context);
    auto list = file ? driver::kernelsOf(*context.snapshot, *file, context.token) : nullptr;
    if (const driver::Kernel* around = list ? list->at(place) : nullptr)
      wanted.kernel = around->qualname;
  }
  return chooseKernel(wanted, context);
}

Answer<TypeAtResult> typeAt(const TypeAtParams& params, const Context& context) {
  auto file = findFile(params.file, context);
  if (!file) return tl::unexpected(std::move(file.error()));
  const text::SourceText& text = (*file)->text();
  auto range = wantedRange(params, **file);
  if (!range) return tl::unexpected(std::move(range.error()));
  lsp::FileFacts facts(*context.snapshot, *file, context.worker, context.token);
  if (params.kernel || params.launch) {
    auto chosen = kernelAt(params, range->begin, context);
    if (!chosen) return tl::unexpected(std::move(chosen.error()));
    facts.only(chosen->kernel->qualname, chosen->variant->id);
  }
  auto exact = facts.of(*range);
  auto fact = exact ? std::move(exact) : facts.at(range->begin);
  // The launch that was chosen may not take the branch around it; another one may.
  auto inAnother = [&]() -> std::optional<lsp::Fact> {
    lsp::FileFacts all(*context.snapshot, *file, context.worker, context.token);
    if (params.kernel)
      if (auto chosen = kernelAt(params, range->begin, context))
        all.only(chosen->kernel->qualname, chosen->variant->id);
    if (auto same = all.inAnotherSpecialization(*range)) return same;
    return all.inAnotherSpecialization({range->begin, range->begin});
  };
  std::optional<lsp::Fact> other = fact ? std::nullopt : inAnother();
  if (context.token.isCancelled()) return cancelled();
  if (other && params.launch)
    return fail("the launch '" + *params.launch + "' does not run line " +
                std::to_string(params.line) + ": it takes another branch; '" + other->variant.id +
                "' does");
  if (other) fact.emplace(std::move(*other));
  if (!fact)
    return fail("nothing is known about line " + std::to_string(params.line) +
                " there: it is in no kernel that is launched, or gluond could not compile it; the "
                "tool check says why");
  const codegen::TypeFact& type = fact->type;
  TypeAtResult result;
  static_cast<Subject&>(result) = subjectOf(fact->variant);
  result.expression = text.slice(fact->range).take_front(500).str();
  result.kind = nameOf(type.kind);
  result.type = lsp::shortText(type);
  if (result.type.empty()) result.type = type.text;
  if (!type.dtype.empty()) result.dtype = type.dtype;
  if (std::string layout = fact->layout(); !layout.empty()) result.layout = std::move(layout);
  if (type.kind == codegen::FactKind::Constexpr) result.value = type.text;
  result.shape.assign(type.shape.begin(), type.shape.end());
  if (type.bytes) result.bytes = type.bytes;
  result.text = lsp::describeFact(*fact, result.expression, context.snapshot->names());
  return result;
}

} // namespace

Tool typeAtTool() {
  return makeTool<typeAt>("type_at", "Type and layout of an expression",
                          "Tells type, shape, dtype and layout of an expression in a kernel, or "
                          "the value of a constant, as the compiler sees it.");
}

} // namespace gluond::mcp
