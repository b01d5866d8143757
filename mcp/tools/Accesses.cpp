// The tool accesses.
#include "driver/inspect/ConversionExchange.h"
#include "driver/inspect/KernelOperations.h"
#include "driver/inspect/SlowLoops.h"
#include "driver/workspace/FileLine.h"
#include "layout/named/Spelling.h"
#include "mcp/tools/Places.h"

#include <llvm/ADT/STLExtras.h>

#include <set>

namespace gluond::mcp {

namespace {

struct AccessesParams : KernelParams {
  std::optional<uint32_t> cell, line, limit;
  static constexpr auto fields() {
    return std::tuple_cat(KernelParams::fields(),
                          std::make_tuple(ordinal("cell", &AccessesParams::cell, cellHelp),
                                          ordinal("line", &AccessesParams::line,
                                                  "Only the operations of this line of the file."),
                                          told("limit", &AccessesParams::limit,
                                               "The most operations to return; 50 if left out.")));
  }
};
struct ExchangeInfo {
  int64_t swaps = 0, shuffles = 0, stores = 0, storeBytes = 0, loads = 0, loadBytes = 0,
          barriers = 0;
  bool operator==(const ExchangeInfo&) const = default;
  static constexpr auto fields() {
    return std::make_tuple(
        told("swaps", &ExchangeInfo::swaps, "Of lanes between two registers."),
        field("shuffles", &ExchangeInfo::shuffles),
        told("stores", &ExchangeInfo::stores, "To shared memory."),
        told("storeBytes", &ExchangeInfo::storeBytes, "Per lane, of one of them; 16 is best."),
        told("loads", &ExchangeInfo::loads, "From shared memory."),
        told("loadBytes", &ExchangeInfo::loadBytes, "Per lane, of one of them; 16 is best."),
        field("barriers", &ExchangeInfo::barriers));
  }
};
struct AccessInfo {
  std::string kind, op, summary;
  Place place;
  bool inLoop = false;
  std::vector<int64_t> shape;
  std::string dtype;
  std::optional<std::string> layout, other, instruction, unknown;
  std::optional<int64_t> bytesPerLane, instructions, sectors, leastSectors, wavefronts,
      leastWavefronts, sameAddress;
  std::optional<double> excess, active;
  std::optional<ExchangeInfo> exchange;
  uint32_t times = 1;
  bool operator==(const AccessInfo&) const = default;
  static constexpr auto fields() {
    return std::make_tuple(
        told("kind", &AccessInfo::kind,
             "Global or shared memory, a conversion of layouts, a buffer, or a bulk copy (TMA).",
             "global|shared|conversion|buffer|bulk"),
        field("op", &AccessInfo::op), told("summary", &AccessInfo::summary, "The cost in words."),
        field("place", &AccessInfo::place), field("inLoop", &AccessInfo::inLoop),
        field("shape", &AccessInfo::shape), field("dtype", &AccessInfo::dtype),
        told("layout", &AccessInfo::layout, "Of the tensor in registers."),
        told("other", &AccessInfo::other,
             "Layout of the buffer; of a conversion, the one that it makes."),
        told("instruction", &AccessInfo::instruction,
             "Of shared memory, such as ldmatrix.x4; or that an atomic operation is a "
             "compare-and-swap loop."),
        told("bytesPerLane", &AccessInfo::bytesPerLane, "Of one instruction; 16 is best."),
        told("instructions", &AccessInfo::instructions, "Of one warp."),
        told("sectors", &AccessInfo::sectors,
             "Of all instructions of a warp: pieces of 32 bytes of global memory."),
        told("leastSectors", &AccessInfo::leastSectors, "If the bytes were consecutive."),
        told("wavefronts", &AccessInfo::wavefronts,
             "Of all instructions of a warp: turns that the banks of shared memory take."),
        told("leastWavefronts", &AccessInfo::leastWavefronts, "Without bank conflicts."),
        told("sameAddress", &AccessInfo::sameAddress,
             "The most elements of one instruction that an atomic operation combines at one "
             "address, one after another; absent if every element has its own."),
        told("excess", &AccessInfo::excess,
             "How many times the least cost it costs; 1 is perfect."),
        told("active", &AccessInfo::active,
             "The share of the elements that the mask lets through in the first program and "
             "iteration; absent if it is all of them."),
        told("exchange", &AccessInfo::exchange,
             "The instructions of a warp for a conversion; absent if elements stay in their "
             "threads."),
        told("unknown", &AccessInfo::unknown,
             "The value that the addresses depend on and that gluond does not know."),
        told("times", &AccessInfo::times,
             "How many operations this is: an unrolled loop or a called function has several."));
  }
};
struct AccessesResult : Subject {
  std::vector<AccessInfo> accesses;
  std::vector<std::string> notes;
  uint32_t omitted = 0;
  static constexpr auto fields() {
    return std::tuple_cat(
        Subject::fields(),
        std::make_tuple(
            told("accesses", &AccessesResult::accesses, "In the order of the compiled kernel."),
            told("notes", &AccessesResult::notes, "What is slow beside them."),
            told("omitted", &AccessesResult::omitted, "Operations beyond the limit.")));
  }
};

AccessInfo encode(const driver::KernelOperation& operation, const Context& context) {
  AccessInfo info;
  info.kind = driver::name(operation.kind).str();
  info.op = operation.op;
  info.summary = operation.summary;
  info.place = placeOf(operation.place, context);
  info.inLoop = operation.isInLoop;
  info.shape.assign(operation.shape.begin(), operation.shape.end());
  info.dtype = operation.dtype;
  if (operation.registers) info.layout = layout::spelling(operation.registers);
  if (operation.other) info.other = layout::spelling(operation.other);
  return info;
}

void addCost(AccessInfo& info, const driver::AccessView& view) {
  if (!view.instruction.empty()) info.instruction = view.instruction;
  // Lanes of ldmatrix name rows of 16 bytes, but get 4 bytes of each matrix.
  info.bytesPerLane =
      view.bulk ? view.bytes : view.elements * std::max(1u, view.operation.elementBits / 8);
  info.instructions = view.instructions;
  if (!view.unknown.empty()) {
    info.unknown = view.unknown;
    return;
  }
  auto set = [&](int64_t all, int64_t least, auto& outAll, auto& outLeast) {
    if (all <= 0) return;
    outAll = all;
    outLeast = least;
    if (least > 0) info.excess = static_cast<double>(all) / static_cast<double>(least);
  };
  set(view.totalSectors, view.totalLeastSectors, info.sectors, info.leastSectors);
  if (view.activeShare < 1) info.active = view.activeShare;
  set(view.totalWavefronts, view.totalLeastWavefronts, info.wavefronts, info.leastWavefronts);
  if (llvm::StringRef(info.op).contains("atomic") && view.sameAddress > 1) {
    info.sameAddress = view.sameAddress;
    info.excess = std::max(info.excess.value_or(1), static_cast<double>(view.sameAddress));
    info.summary += ", " + std::to_string(view.sameAddress) + " elements at one address in turn";
  }
}

// A line of the kernel's file; all lines if there is no range.
struct Wanted {
  std::shared_ptr<const driver::File> file;
  std::optional<text::Range> range;
  bool contains(const diagnostics::Location& place) const {
    return !range || isIn(place, *file, *range);
  }
};

// One note for each line.
void addNotes(llvm::ArrayRef<diagnostics::Location> places, const char* text, const Wanted& wanted,
              const Context& context, AccessesResult& result) {
  std::set<std::string> lines;
  constexpr size_t most = 20;
  for (const diagnostics::Location& place : places) {
    auto file = context.snapshot->found(context.snapshot->path(place.file));
    if (!file || !wanted.contains(place) || result.notes.size() >= most) continue;
    std::string line = driver::lineInWords(*file, place.range.begin);
    if (lines.insert(line).second) result.notes.push_back(line + ": " + text);
  }
}

Answer<AccessesResult> accesses(const AccessesParams& params, const Context& context) {
  auto chosen = chooseKernel(params, context);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  Wanted wanted{chosen->file, {}};
  if (params.line) {
    auto range = rangeOfLine(*chosen->file, params.cell, *params.line);
    if (!range) return tl::unexpected(std::move(range.error()));
    wanted.range = *range;
  }
  driver::Analyzer analyzer(*context.snapshot, context.worker, context.token);
  auto operations = driver::operationsOf(analyzer, *chosen->variant);
  if (context.token.isCancelled()) return cancelled();
  if (!operations) return fail(operations.error());
  AccessesResult result;
  static_cast<Subject&>(result) = subjectOf(*chosen->variant);
  if (auto slow = driver::slowLoops(analyzer, *chosen->variant)) {
    addNotes(slow->scalarLoads,
             "a loop loads one element in each turn, for which all threads wait. Load blocks with "
             "gl.arange, and combine them in registers",
             wanted, context, result);
    addNotes(
        slow->idleWaits,
        "the loop waits for copies that the same iteration has just issued, so that copying and "
        "computing take turns. Use a buffer of several slots, and issue the copies of a later "
        "iteration before this wait",
        wanted, context, result);
  }
  constexpr size_t most = 500;
  size_t limit = std::clamp<size_t>(params.limit.value_or(50), 0, most), looked = 0;
  for (auto [index, operation] : llvm::enumerate(*operations)) {
    if (context.token.isCancelled()) return cancelled();
    if (!wanted.contains(operation.place)) continue;
    AccessInfo info = encode(operation, context);
    if (looked++ >= most) {
      ++result.omitted;
      continue;
    }
    context.progress(static_cast<double>(index), static_cast<double>(operations->size()),
                     info.summary);
    using Kind = driver::OperationKind;
    if (operation.kind == Kind::Global || operation.kind == Kind::Shared ||
        operation.kind == Kind::Bulk)
      if (auto view = driver::accessView(analyzer, *chosen->variant, {index, 0, 0, {}}))
        addCost(info, *view);
    if (operation.kind == Kind::Conversion)
      if (auto exchange = driver::exchangeOf(operation, chosen->variant->target))
        info.exchange = {exchange->swaps,      exchange->shuffles, exchange->stores,
                         exchange->storeBytes, exchange->loads,    exchange->loadBytes,
                         exchange->barriers};
    auto same = llvm::find_if(result.accesses, [&](const AccessInfo& each) {
      info.times = each.times;
      return each == info;
    });
    if (same != result.accesses.end()) {
      ++same->times;
      continue;
    }
    info.times = 1;
    if (result.accesses.size() < limit)
      result.accesses.push_back(std::move(info));
    else
      ++result.omitted;
  }
  return result;
}

} // namespace

Tool accessesTool() {
  return makeTool<accesses>(
      "accesses", "Cost of memory accesses",
      "Lists a kernel's loads, stores, bulk copies, buffers and conversions with what each costs: "
      "bytes per lane, sectors of global memory, bank conflicts, and how far that is from the "
      "best. The ones in loops with a large excess are what to improve first.");
}

} // namespace gluond::mcp
