#include "driver/inspect/KernelOperations.h"
#include "layout/named/Spelling.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/SelectedVariant.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

namespace {

OperationInfo encodeOperation(const driver::KernelOperation& operation, size_t index,
                              const RequestContext& context) {
  OperationInfo info;
  info.index = static_cast<uint32_t>(index);
  info.kind = driver::name(operation.kind).str();
  info.op = operation.op;
  info.title = operation.title.str();
  info.writes = operation.isWrite;
  info.location = encodePlace(operation.place, context);
  for (const diagnostics::Location& call : operation.calls)
    info.calledFrom.push_back(encodePlace(call, context));
  info.shape.assign(operation.shape.begin(), operation.shape.end());
  info.dtype = operation.dtype;
  info.elementBits = operation.elementBits;
  if (operation.registers) info.registers = layout::spelling(operation.registers);
  if (operation.other) info.other = layout::spelling(operation.other);
  if (!operation.bufferShape.empty())
    info.bufferShape.emplace(operation.bufferShape.begin(), operation.bufferShape.end());
  info.buffers.assign(operation.buffers.begin(), operation.buffers.end());
  info.inLoop = operation.isInLoop;
  info.summary = operation.summary;
  return info;
}

} // namespace

Answer<OperationsResult> operations(const OperationsParams& params, const RequestContext& context) {
  auto chosen =
      choose(params.textDocument, params.kernel, params.position, params.specialization, context);
  if (!chosen) return tl::unexpected(chosen.error());
  driver::Analyzer analyzer(context.snapshot, context.worker, context.token);
  auto found = driver::operationsOf(analyzer, *chosen->variant);
  if (!found) return fail(found.error());
  OperationsResult result;
  result.version = chosen->document.file->version();
  result.kernel = chosen->kernel->qualname;
  result.specialization = chosen->variant->id;
  result.target = chosen->variant->target;
  for (auto [index, operation] : llvm::enumerate(*found))
    result.operations.push_back(encodeOperation(operation, index, context));
  return result;
}

Answer<AccessResult> access(const AccessParams& params, const RequestContext& context) {
  auto chosen =
      choose(params.textDocument, params.kernel, std::nullopt, params.specialization, context);
  if (!chosen) return tl::unexpected(chosen.error());
  driver::Analyzer analyzer(context.snapshot, context.worker, context.token);
  driver::AccessRequest request{params.operation, params.warp, params.instruction, {}};
  for (const GivenValue& given : params.given)
    request.given[given.name] = given.value;
  auto view = driver::accessView(analyzer, *chosen->variant, request);
  if (!view) return fail(view.error());
  AccessResult result;
  result.operation = encodeOperation(view->operation, params.operation, context);
  result.warps = view->warps;
  result.instructions = view->instructions;
  result.elements = view->elements;
  result.bytes = view->bytes;
  result.addresses = view->addresses;
  result.active.assign(view->active.begin(), view->active.end());
  result.phases.assign(view->phases.begin(), view->phases.end());
  for (const auto& at : view->coordinates)
    result.coordinates.emplace_back(at.begin(), at.end());
  result.sectors = view->sectors;
  result.lines = view->lines;
  result.leastSectors = view->leastSectors;
  result.totalSectors = view->totalSectors;
  result.totalLeastSectors = view->totalLeastSectors;
  if (!view->instruction.empty()) result.instruction = view->instruction;
  result.banks = view->banks;
  result.wavefronts = view->wavefronts;
  result.leastWavefronts = view->leastWavefronts;
  result.totalWavefronts = view->totalWavefronts;
  result.totalLeastWavefronts = view->totalLeastWavefronts;
  if (const auto& bulk = view->bulk)
    result.bulk = {bulk->tensor,  bulk->origin,   bulk->rows,
                   bulk->message, bulk->isPicked, bulk->isMulticast};
  for (const passes::Assumption& each : view->assumptions)
    result.assumptions.push_back(
        {each.name, each.value, each.isGiven, llvm::is_contained(view->launched, each.name)});
  if (!view->unknown.empty()) result.unknown = view->unknown;
  return result;
}

} // namespace gluond::lsp
