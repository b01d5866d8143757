// The tool layout_map.
#include "lsp/handlers/panels/LayoutMap.h"

#include "driver/inspect/LayoutStudy.h"
#include "layout/named/Spelling.h"
#include "lsp/features/facts/FileFacts.h"
#include "mcp/tools/Places.h"

namespace gluond::mcp {

namespace {

struct LayoutMapParams {
  std::optional<std::string> layout, file, dtype, other, target;
  std::optional<uint32_t> cell, line, column;
  std::optional<std::vector<int64_t>> shape, strides;
  std::optional<bool> drawing;
  static constexpr auto fields() {
    return std::make_tuple(
        told("layout", &LayoutMapParams::layout,
             "The layout as an expression: gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])."),
        told("file", &LayoutMapParams::file,
             "Instead of layout: a file, for the layout of the value at a place."),
        ordinal("cell", &LayoutMapParams::cell, cellHelp),
        ordinal("line", &LayoutMapParams::line, "Line of that value, from 1."),
        ordinal(
            "column", &LayoutMapParams::column,
            "Column of it, from 1, in characters; if left out, the first value on the line that "
            "has a layout."),
        told("shape", &LayoutMapParams::shape,
             "Shape of the tensor; if left out, one tile of the layout, or the value's."),
        told("dtype", &LayoutMapParams::dtype,
             "Element type: float16, bfloat16, float32, int8, ...; costs need it."),
        told("strides", &LayoutMapParams::strides,
             "Strides of the tensor in global memory, in elements; row-major if left out."),
        told("other", &LayoutMapParams::other,
             "A second layout: a shared one for the cost of moving between registers and shared "
             "memory, or one in registers for the cost of converting."),
        told("drawing", &LayoutMapParams::drawing,
             "Also draw which thread holds which element, as text; false if left out."),
        told("target", &LayoutMapParams::target, "cuda:90, cuda:100, hip:gfx942, ..."));
  }
};
struct GlobalCost {
  int64_t bytesPerLane = 0, instructions = 0, sectors = 0, leastSectors = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        told("bytesPerLane", &GlobalCost::bytesPerLane, "Of one instruction; 16 is best."),
        told("instructions", &GlobalCost::instructions, "Of a warp, for its part."),
        told("sectors", &GlobalCost::sectors, "Pieces of 32 bytes that are moved."),
        told("leastSectors", &GlobalCost::leastSectors, "If its elements were consecutive."));
  }
};
struct SharedCost {
  int64_t instructions = 0, wavefronts = 0, leastWavefronts = 0;
  std::string instruction;
  static constexpr auto fields() {
    return std::make_tuple(
        told("instructions", &SharedCost::instructions, "Of a warp, for its part."),
        told("wavefronts", &SharedCost::wavefronts, "Turns that the banks take."),
        told("leastWavefronts", &SharedCost::leastWavefronts, "Without bank conflicts."),
        field("instruction", &SharedCost::instruction));
  }
};
struct Warning {
  std::string severity, message;
  static constexpr auto fields() {
    return std::make_tuple(field("severity", &Warning::severity),
                           field("message", &Warning::message));
  }
};
struct LayoutMapAnswer {
  std::string layout, kind, summary, target;
  std::vector<int64_t> shape;
  std::optional<std::string> dtype, value;
  Json map;
  std::optional<int64_t> registersPerThread;
  std::optional<GlobalCost> global;
  std::optional<SharedCost> shared;
  std::optional<std::string> conversion;
  std::vector<Warning> warnings;
  std::optional<std::string> drawing;
  static constexpr auto fields() {
    return std::make_tuple(
        told("layout", &LayoutMapAnswer::layout, "As an expression of Gluon."),
        told("kind", &LayoutMapAnswer::kind, "Where it places elements.",
             "registers|shared memory|tensor memory"),
        told("summary", &LayoutMapAnswer::summary, "Warps x lanes x registers, and copies."),
        field("shape", &LayoutMapAnswer::shape), field("dtype", &LayoutMapAnswer::dtype),
        field("target", &LayoutMapAnswer::target),
        told("value", &LayoutMapAnswer::value, "The value at the place that was asked for."),
        told("map", &LayoutMapAnswer::map,
             "The linear map: for each bit of each input (register, lane, warp, block, offset), "
             "how far it moves along each dimension of the tensor."),
        told("registersPerThread", &LayoutMapAnswer::registersPerThread,
             "32-bit registers that a thread needs for the tensor."),
        told("global", &LayoutMapAnswer::global, "Cost of accessing it in global memory."),
        told("shared", &LayoutMapAnswer::shared,
             "Cost of moving between registers and shared memory, with the other layout."),
        told("conversion", &LayoutMapAnswer::conversion,
             "Cost of a conversion to the other layout."),
        field("warnings", &LayoutMapAnswer::warnings),
        told("drawing", &LayoutMapAnswer::drawing,
             "A row of the tensor is a line; T5:2 is register 2 of thread 5."));
  }
};

// The request for the layout of the value at a place.
Answer<driver::LayoutRequest> requestAt(const LayoutMapParams& params, const Context& context,
                                        std::optional<std::string>& value) {
  auto file = findFile(*params.file, context);
  if (!file) return tl::unexpected(std::move(file.error()));
  const text::SourceText& text = (*file)->text();
  if (!params.line) return fail("line is missing");
  auto line = rangeOfLine(**file, params.cell, *params.line);
  if (!line) return tl::unexpected(std::move(line.error()));
  auto find = [&]() -> std::optional<lsp::Fact> {
    if (params.column) {
      text::Offset offset = text.offset(
          {text.lineOf(line->begin), std::max(*params.column, 1u) - 1}, text::Unit::CodePoint);
      return lsp::layoutFactAt(*context.snapshot, *file, offset, context.worker, context.token);
    }
    lsp::FileFacts facts(*context.snapshot, *file, context.worker, context.token);
    return facts.withLayout(*line);
  };
  auto fact = find();
  if (!fact) return fail("nothing with a layout is on line " + std::to_string(*params.line));
  value = text.slice(fact->range).take_front(200).str();
  return driver::LayoutRequest{fact->layout(),
                               {fact->type.shape.begin(), fact->type.shape.end()},
                               fact->type.dtype,
                               fact->target};
}

Answer<LayoutMapAnswer> layoutMap(const LayoutMapParams& params, const Context& context) {
  LayoutMapAnswer answer;
  driver::LayoutRequest request;
  if (params.layout.has_value() == params.file.has_value())
    return fail("give either layout, or file and line");
  if (params.layout) {
    request.expression = *params.layout;
    if (params.target) request.target = *params.target;
  } else {
    auto made = requestAt(params, context, answer.value);
    if (!made) return tl::unexpected(std::move(made.error()));
    request = std::move(*made);
  }
  if (params.shape) request.shape = *params.shape;
  if (params.dtype) request.dtype = *params.dtype;
  Interner& names = context.snapshot->names();
  auto map = driver::layoutMap(names, request);
  if (!map) return tl::unexpected(std::move(map.error()));
  lsp::LayoutMapResult encoded = lsp::encodeMap(*map, request.target);
  answer.layout = encoded.layout;
  answer.kind = encoded.kind;
  answer.summary = encoded.summary;
  answer.target = request.target;
  answer.shape = encoded.shape;
  answer.dtype = encoded.dtype;
  answer.map = std::move(encoded.map);
  if (params.drawing.value_or(false)) answer.drawing = std::move(encoded.text);

  bool isInRegisters = map->picture.layout.isDistributed();
  std::string partner;
  if (params.other) {
    driver::LayoutRequest second = request;
    second.expression = *params.other;
    second.shape.assign(answer.shape.begin(), answer.shape.end());
    auto otherMap = driver::layoutMap(names, second);
    if (!otherMap) return fail("other: " + otherMap.error());
    if (isInRegisters && otherMap->picture.layout.isDistributed()) {
      request.shape.assign(answer.shape.begin(), answer.shape.end());
      auto study = driver::studyConversion(names, request, *params.other);
      if (!study) return fail("other: " + study.error());
      answer.conversion = study->summary;
    } else {
      partner = *params.other;
    }
  }
  auto study = driver::studyLayout(
      names, {request, params.strides.value_or(std::vector<int64_t>()), partner});
  if (!study) return tl::unexpected(std::move(study.error()));
  if (study->registers) answer.registersPerThread = study->registers;
  if (study->global)
    answer.global = {study->global->bytes, study->global->instructions, study->global->sectors,
                     study->global->leastSectors};
  if (study->traffic)
    answer.shared = {study->traffic->instructions, study->traffic->wavefronts,
                     study->traffic->least, study->traffic->instruction};
  for (const driver::StudyWarning& warning : study->warnings)
    answer.warnings.push_back({warning.severity, warning.message});
  return answer;
}

} // namespace

Tool layoutMapTool() {
  return makeTool<layoutMap>(
      "layout_map", "Show a layout",
      "Shows a layout, or that of a value in a kernel: its linear map, a drawing, and what it "
      "costs: sectors of global memory, bank conflicts and conversions with a second layout. Use "
      "it to try layouts before writing them into the kernel.");
}

} // namespace gluond::mcp
