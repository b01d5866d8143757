#include "debug/Timeline.h"

#include "chips/MemorySizes.h"
#include "debug/Expressions.h"
#include "debug/Variables.h"
#include "ir/gluon/Dialect.h"
#include "ir/ttg/Ops.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::debug {

using namespace simulate;

Timeline::Timeline(const KernelCode& code, const Setting& setting, const GlobalMemory& memory,
                   Schedule& schedule, ProgramId id, TimelineLimits limits,
                   const CancellationToken& token)
    : code_(code), history_(code, setting, memory, schedule, id, limits.history), places_(code),
      trace_({limits.events, true, &history_.clock()}), mostAccesses_(limits.events) {
  history_.watch(this);
  run(limits, token);
  history_.watch(nullptr);
  trace_.close();
  steps_ = history_.now();
  listBuffers();
}

void Timeline::run(const TimelineLimits& limits, const CancellationToken& token) {
  constexpr uint64_t often = 64;
  auto until = std::chrono::steady_clock::now() + limits.time;
  while (!history_.isFinished()) {
    if (history_.now() >= limits.steps) return void(end_ = End::TooManySteps);
    if (trace_.isCut()) return void(end_ = End::TooManyEvents);
    if (history_.now() % often == 0) {
      if (token.isCancelled()) return void(end_ = End::Cancelled);
      if (std::chrono::steady_clock::now() > until) return void(end_ = End::OutOfTime);
    }
    history_.forward();
    noteFindings();
  }
  if (llvm::any_of(findings_, [](const TimelineFinding& each) { return each.finding.isEnd; }))
    end_ = End::Failed;
}

// A race takes the place of the read before a write that it explains.
void Timeline::noteFindings() {
  const std::vector<Finding>& now = history_.state().findings;
  auto isSame = [](const Finding& a, const Finding& b) { return a.id == b.id && a.at == b.at; };
  bool isKnown = now.size() == findings_.size() &&
                 (now.empty() || isSame(now.back(), findings_.back().finding));
  if (isKnown) return;
  std::vector<TimelineFinding> all;
  for (const Finding& finding : now) {
    auto old = llvm::find_if(
        findings_, [&](const TimelineFinding& each) { return isSame(each.finding, finding); });
    all.push_back(old != findings_.end() ? *old : TimelineFinding{finding, history_.now()});
  }
  findings_ = std::move(all);
}

// ---------------------------------------------------------------- what happens

void Timeline::executed(const State& state, const Thread& thread, const Instruction& instruction) {
  trace_.executed(state, thread, instruction);
}
void Timeline::blocked(const State& state, const Thread& thread, const Instruction& instruction) {
  trace_.blocked(state, thread, instruction);
}
void Timeline::barrierChanged(const State& state, uint32_t address, const Barrier& barrier) {
  trace_.barrierChanged(state, address, barrier);
  barriers_.insert(address % std::max<uint32_t>(code_.sharedBytes, 1));
}
void Timeline::began(const State& state, const Thread& thread, const AsyncOperation& operation) {
  trace_.began(state, thread, operation);
}
void Timeline::ended(const State& state, const AsyncOperation& operation) {
  trace_.ended(state, operation);
}
void Timeline::accessed(const State&, const Access& access) {
  if (access.region.alloc >= Machine::globalAlloc || ++accessCount_ > mostAccesses_) return;
  accesses_[access.region.alloc].push_back(
      {history_.now() + 1, access.isWrite, access.thread, access.op, access.region});
}

llvm::ArrayRef<TimelineAccess> Timeline::accessesOf(const TimelineBuffer& buffer) const {
  auto found = accesses_.find(buffer.alloc);
  if (found == accesses_.end()) return {};
  return found->second;
}

// ---------------------------------------------------------------- buffers

// The variable that a buffer was given to, also through views of it.
static std::string nameOf(mlir::Value buffer) {
  std::vector<mlir::Value> values{buffer};
  for (size_t i = 0; i < values.size() && i < 64; ++i)
    for (mlir::Operation* user : values[i].getUsers()) {
      if (auto variable = llvm::dyn_cast<gluon::VariableOp>(user)) return variable.getName().str();
      if (llvm::isa<ttg::MemDescIndexOp>(user)) values.push_back(user->getResult(0));
    }
  return {};
}

void Timeline::listBuffers() {
  auto list = [&](const std::vector<Buffer>& from, bool isTensorMemory) {
    for (auto [i, buffer] : llvm::enumerate(from)) {
      auto type = llvm::dyn_cast<ttg::MemDescType>(buffer.op->getResult(0).getType());
      if (!type) continue;
      auto number = static_cast<uint32_t>(i) | (isTensorMemory ? Machine::tensorAlloc : 0);
      auto barrier = barriers_.lower_bound(buffer.base);
      bool isBarrier =
          !isTensorMemory && barrier != barriers_.end() && *barrier < buffer.base + buffer.bytes;
      if (isBarrier) continue;
      View view;
      view.base = buffer.base;
      if (isTensorMemory)
        view.pitch = buffer.bytes / static_cast<uint32_t>(chips::tensorMemoryRows);
      buffers_.push_back({nameOf(buffer.op->getResult(0)), isTensorMemory, &buffer,
                          Datum{view, type, {}, {}}, number});
    }
  };
  list(code_.shared, false);
  list(code_.tensors, true);
}

mlir::Operation* Timeline::opOf(const Thread& thread) const {
  if (thread.isFinished) return nullptr;
  const Instruction* at = places_.at(history_.state(), thread);
  return at ? at->op : nullptr;
}

// One answer holds no more.
static constexpr size_t mostElements = 65'536;

tl::expected<Timeline::Elements, std::string>
Timeline::elements(const std::string& expression, const std::string& path, unsigned line) const {
  using Error = tl::unexpected<std::string>;
  const State& state = history_.state();
  tl::expected<Datum, std::string> nearest = Error("no call that is under way has such a variable");
  unsigned away = UINT_MAX;
  for (uint32_t thread = 0; thread < state.threads.size(); ++thread)
    for (const Row& row : places_.stackOf(state, state.threads[thread])) {
      unsigned here = 0; // how far the variables are from the line
      auto datum = evaluate(expression, look(), [&](const std::string& name) {
        auto found = findWhole(code_, state, thread, row, name);
        std::optional<Place> place = found ? placeOf(found->definition.getLoc()) : std::nullopt;
        if (!place || place->path != path) return std::optional<Datum>();
        here = std::max(here, place->line > line ? place->line - line : line - place->line);
        return std::optional(wholeOf(*found, state));
      });
      if (!datum || here >= away) continue;
      nearest = std::move(datum);
      away = here;
    }
  if (nearest && std::holds_alternative<View>(nearest->value)) nearest = look().load(*nearest);
  if (!nearest) return Error(nearest.error());
  const auto* tensor = std::get_if<TensorRef>(&nearest->value);
  if (!tensor || !*tensor) return Error("it has no value yet");
  if ((*tensor)->count() > mostElements)
    return Error("it has more than " + std::to_string(mostElements) + " elements");
  Elements result;
  result.element = (*tensor)->element();
  result.shape.assign((*tensor)->shape().begin(), (*tensor)->shape().end());
  result.values = look().elements(*nearest);
  return result;
}

tl::expected<Timeline::Contents, std::string>
Timeline::contents(size_t index, std::optional<size_t> stage, std::optional<size_t> finding) const {
  using Error = tl::unexpected<std::string>;
  if (index >= buffers_.size()) return Error("there is no such buffer");
  const TimelineBuffer& buffer = buffers_[index];
  Contents contents;
  for (const TimelineAccess& access : accessesOf(buffer))
    if (access.isWrite && access.moment <= history_.now()) contents.last = &access;

  // A buffer with one dimension more than its layout has stages.
  std::vector<Datum> stages{buffer.datum};
  auto type = llvm::cast<ttg::MemDescType>(buffer.datum.type);
  auto layout = llvm::dyn_cast<ttg::LayoutEncodingTrait>(type.getEncoding());
  if (layout && type.getRank() > layout.getRank()) {
    constexpr int64_t mostStages = 256;
    stages.clear();
    for (int64_t i = 0; i < std::min(type.getShape()[0], mostStages); ++i)
      if (auto one = look().index(buffer.datum, i)) stages.push_back(*one);
    if (stages.empty()) return Error("the layout of its stages is not known");
  }
  contents.stages = stages.size();

  auto read = [&](const auto& makePlacesOf,
                  const SharedMemory& memory) -> tl::expected<void, std::string> {
    auto places = makePlacesOf(llvm::cast<ttg::MemDescType>(stages.front().type));
    if (!places) return Error(places.error());
    auto viewOf = [&](size_t i) { return std::get<View>(stages[i].value); };
    if (!stage) {
      stage = 0;
      for (size_t i = 0; i < stages.size() && contents.last; ++i)
        if ((*places)->fits(viewOf(i), memory) &&
            overlaps((*places)->touched(memory, viewOf(i), buffer.alloc), contents.last->bytes)) {
          stage = i;
          break;
        }
    }
    contents.stage = std::min(*stage, stages.size() - 1);
    View view = viewOf(contents.stage);
    if (!(*places)->fits(view, memory)) return Error("it reaches beyond its buffer");
    if ((*places)->count() > mostElements)
      return Error("a stage has more than " + std::to_string(mostElements) + " elements");
    contents.element = (*places)->element();
    contents.shape.assign((*places)->shape().begin(), (*places)->shape().end());
    unsigned bytes = bytesOf(contents.element);
    const Touched* touched = nullptr;
    if (finding && *finding < findings_.size() &&
        findings_[*finding].finding.touched.alloc == buffer.alloc)
      touched = &findings_[*finding].finding.touched;
    for (size_t i = 0; i < (*places)->count(); ++i) {
      size_t at = (*places)->at(memory, view, i);
      contents.values.push_back(
          memory.isWritten(at, bytes) ? elementText(contents.element, memory.data() + at) : "");
      auto number = static_cast<uint32_t>(i);
      if (contents.last &&
          overlaps(Bytes::range(buffer.alloc, at, at + bytes), contents.last->bytes))
        contents.changed.push_back(number);
      if (touched && at < touched->to && at + bytes > touched->from)
        contents.touched.push_back(number);
    }
    return {};
  };
  auto done =
      buffer.isTensorMemory
          ? read([](ttg::MemDescType type) { return makeTensorPlaces(type); },
                 history_.state().tensorMemory)
          : read([](ttg::MemDescType type) { return makePlaces(type); }, history_.state().shared);
  if (!done) return Error(done.error());
  return contents;
}

} // namespace gluond::debug
