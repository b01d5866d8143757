#include "debug/Timeline.h"

#include "driver/launches/ArgumentText.h"
#include "driver/program/OpPlaces.h"
#include "driver/simulation/PrepareSimulation.h"
#include "ir/ttg/Types.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/SelectedVariant.h"
#include "simulate/values/ElementNames.h"

#include <llvm/ADT/STLExtras.h>

#include <map>
#include <mutex>

namespace gluond::lsp {

namespace {

// A run that can be looked at, with everything that it refers to.
struct SimulatedProgram {
  explicit SimulatedProgram(const driver::Snapshot& snapshot) : snapshot(snapshot) {}
  driver::Snapshot snapshot;
  driver::Worker worker;
  std::unique_ptr<driver::PreparedSimulation> simulation;
  std::unique_ptr<simulate::Schedule> schedule;
  std::mutex mutex; // guards the timeline, whose moment requests change
  std::unique_ptr<debug::Timeline> timeline;
};

// The last run, until there is another one.
class LastRun {
public:
  std::string keep(std::shared_ptr<SimulatedProgram> program) {
    std::lock_guard lock(mutex_);
    program_ = std::move(program);
    return id_ = std::to_string(++count_);
  }
  std::shared_ptr<SimulatedProgram> find(const std::string& id) {
    std::lock_guard lock(mutex_);
    return id == id_ ? program_ : nullptr;
  }
  // The memory of the run before is free before another one begins.
  void drop() { keep(nullptr); }

private:
  std::mutex mutex_;
  std::shared_ptr<SimulatedProgram> program_;
  std::string id_;
  uint64_t count_ = 0;
};

std::string textOf(const std::array<int64_t, 3>& triple) {
  return std::to_string(triple[0]) + "," + std::to_string(triple[1]) + "," +
         std::to_string(triple[2]);
}

// Places of ops in the user's files; those of one line have one index.
class PlaceTable {
public:
  PlaceTable(const driver::EvaluatedFile& program, const RequestContext& context)
      : reader_(program), context_(context) {}

  std::optional<uint32_t> indexOf(mlir::Location at) {
    auto [known, isNew] = known_.try_emplace(at.getAsOpaquePointer());
    if (isNew) known->second = add(at);
    return known->second;
  }
  std::optional<Location> locationOf(mlir::Location at) {
    auto index = indexOf(at);
    return index ? std::optional(places[*index].location) : std::nullopt;
  }
  std::vector<TimelinePlace> places;

private:
  std::optional<uint32_t> add(mlir::Location at) {
    driver::OpPlace found = reader_.read(at);
    if (!found.place && !found.calls.empty()) found.place = found.calls.front();
    if (!found.place) return std::nullopt;
    auto file = context_.snapshot.found(context_.snapshot.path(found.place->file));
    if (!file) return std::nullopt;
    uint32_t line = file->text().lineOf(found.place->range.begin);
    auto [index, isNew] = byLine_.try_emplace({found.place->file.id, line}, places.size());
    if (isNew) {
      constexpr size_t mostText = 120;
      llvm::StringRef text = file->text().text().substr(file->text().lineStart(line));
      text = text.take_until([](char c) { return c == '\n' || c == '\r'; }).trim();
      places.push_back({encodePlace(*found.place, context_), text.take_front(mostText).str()});
    }
    return index->second;
  }

  driver::PlaceReader reader_;
  const RequestContext& context_;
  std::map<const void*, std::optional<uint32_t>> known_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> byLine_;
};

const char* kindName(simulate::Trace::Slice::Kind kind) {
  using Kind = simulate::Trace::Slice::Kind;
  return kind == Kind::Work ? "work" : kind == Kind::Wait ? "wait" : "operation";
}

std::optional<std::string> whyStopped(const debug::Timeline& timeline) {
  std::string after = " after " + std::to_string(timeline.steps()) + " steps";
  switch (timeline.end()) {
  case debug::Timeline::End::Finished:
  case debug::Timeline::End::Failed:
    return std::nullopt;
  case debug::Timeline::End::TooManySteps:
  case debug::Timeline::End::TooManyEvents:
    return "The program goes on; the timeline ends" + after + ", where it is full.";
  case debug::Timeline::End::OutOfTime:
    return "The program goes on; the timeline ends" + after + ", when its time was over.";
  case debug::Timeline::End::Cancelled:
    break;
  }
  return "The run was cancelled" + after + ".";
}

void encodeTimeline(const SimulatedProgram& program, PlaceTable& places, SimulateResult& result) {
  const debug::Timeline& timeline = *program.timeline;
  for (const simulate::Trace::Lane& lane : timeline.trace().lanes())
    result.lanes.push_back({lane.name, lane.isEngine});
  for (const simulate::Trace::Slice& slice : timeline.trace().slices())
    result.slices.push_back({slice.lane, slice.from, slice.to, kindName(slice.kind),
                             slice.instruction->op->getName().getStringRef().str(),
                             places.indexOf(slice.instruction->op->getLoc()), slice.what,
                             slice.bytes, slice.isOpen});
  for (const simulate::Trace::Flow& flow : timeline.trace().flows())
    result.links.push_back({flow.fromLane, flow.toLane, flow.from, flow.to, flow.name});
  for (const debug::TimelineBuffer& buffer : timeline.buffers()) {
    auto type = llvm::cast<ttg::MemDescType>(buffer.datum.type);
    TimelineBuffer info;
    info.name = buffer.name;
    info.kind = buffer.isTensorMemory ? "tensor memory" : "shared memory";
    info.shape.assign(type.getShape().begin(), type.getShape().end());
    if (auto element = simulate::elementOf(type.getElementType()))
      info.dtype = simulate::nameOf(*element).str();
    info.bytes = buffer.buffer->bytes;
    info.place = places.indexOf(buffer.buffer->op->getLoc());
    for (const debug::TimelineAccess& access : timeline.accessesOf(buffer))
      (access.isWrite ? info.writes : info.reads).push_back(access.moment);
    result.buffers.push_back(std::move(info));
  }
  std::vector<simulate::Finding> findings;
  for (const debug::TimelineFinding& each : timeline.findings())
    findings.push_back(each.finding);
  for (auto [each, placed] :
       llvm::zip_equal(timeline.findings(),
                       driver::placed(std::move(findings), *program.simulation->made.program))) {
    TimelineFinding info;
    info.code = diagnostics::row(each.finding.id).slug.str();
    info.severity = diagnostics::severityName(each.finding.severity).str();
    info.message = placed.message;
    info.moment = each.moment;
    info.place = places.indexOf(each.finding.at);
    for (const simulate::Event& event : each.finding.events)
      info.events.push_back({event.message, places.indexOf(event.at)});
    const simulate::Touched& touched = each.finding.touched;
    if (touched.to > touched.from)
      for (auto [i, buffer] : llvm::enumerate(timeline.buffers()))
        if (buffer.alloc == touched.alloc) info.buffer = static_cast<uint32_t>(i);
    result.findings.push_back(std::move(info));
  }
}

Answer<SimulateResult> simulateProgram(LastRun& last, const SimulateParams& params,
                                       const RequestContext& context) {
  auto chosen =
      choose(params.textDocument, params.kernel, std::nullopt, params.specialization, context);
  if (!chosen) return tl::unexpected(chosen.error());
  const driver::Variant& variant = *chosen->variant;
  simulate::ProgramId id = {};
  if (params.program && !params.program->empty()) {
    auto wanted = driver::parseProgramId(*params.program);
    if (!wanted) return fail("program: " + wanted.error());
    id = *wanted;
  }
  simulate::ScheduleName schedule;
  if (params.schedule && !params.schedule->empty()) {
    auto wanted = simulate::parseSchedule(*params.schedule);
    if (!wanted) return fail("schedule: " + wanted.error());
    if (wanted->explored)
      return fail("a timeline shows one schedule: latest, earliest or random:SEED");
    schedule = wanted->name;
  }
  last.drop();
  auto program = std::make_shared<SimulatedProgram>(context.snapshot);
  driver::LaunchOptions launch;
  launch.arguments = params.arguments.value_or(std::vector<std::string>());
  launch.grid = params.grid.value_or("");
  // The language server stays small.
  constexpr uint64_t mostBytes = uint64_t{1} << 30;
  auto simulation =
      driver::prepareSimulation(program->snapshot, variant, launch, driver::Purpose::Debug,
                                program->worker, context.token, mostBytes);
  if (!simulation) return fail(simulation.error());
  program->simulation = std::move(*simulation);
  driver::PreparedSimulation& ready = *program->simulation;
  if (std::string why = driver::outsideOfGrid(id, ready.host); !why.empty()) return fail(why);
  program->schedule = schedule.make(id);
  program->timeline = std::make_unique<debug::Timeline>(*ready.code, ready.setting, ready.memory,
                                                        *program->schedule, id,
                                                        debug::TimelineLimits(), context.token);
  SimulateResult result;
  result.version = chosen->document.file->version();
  result.kernel = variant.kernel;
  result.specialization = variant.id;
  result.label = variant.label;
  result.target = variant.target;
  result.grid = textOf(*ready.host.grid);
  result.program = textOf(id);
  result.schedule = schedule.text();
  result.assumptions = ready.assumptions;
  result.steps = program->timeline->steps();
  result.stopped = whyStopped(*program->timeline);
  PlaceTable places(*ready.made.program, context);
  encodeTimeline(*program, places, result);
  result.places = std::move(places.places);
  result.run = last.keep(std::move(program));
  return result;
}

void encodeElements(const debug::Timeline& timeline, const MomentExpression& expression,
                    const RequestContext& context, MomentResult& result) {
  auto elements = timeline.elements(expression.text, pathFromUri(expression.textDocument.uri),
                                    expression.position.line + 1);
  if (!elements) {
    result.problem = elements.error();
    return;
  }
  result.elements = MomentElements{elements->shape, simulate::nameOf(elements->element).str(),
                                   std::move(elements->values)};
}

Answer<MomentResult> momentOf(LastRun& last, const MomentParams& params,
                              const RequestContext& context) {
  auto program = last.find(params.run);
  if (!program) return fail("another run took the place of this one");
  std::lock_guard lock(program->mutex);
  debug::Timeline& timeline = *program->timeline;
  if (!timeline.seek(params.moment, context.token)) return fail("cancelled");
  PlaceTable places(*program->simulation->made.program, context);
  debug::Look look = timeline.look();
  MomentResult result;
  result.moment = timeline.history().now();
  for (const simulate::Thread& thread : look.state().threads) {
    MomentPartition partition{thread.name(), "runs", std::nullopt};
    if (thread.isFinished)
      partition.state = "has ended";
    else if (thread.blockedAt && thread.waiting)
      partition.state = "waits for parity " + std::to_string(thread.waiting->parity) +
                        " of the barrier at byte " + std::to_string(thread.waiting->barrier);
    else if (thread.blockedAt)
      partition.state = "waits";
    if (mlir::Operation* op = timeline.opOf(thread))
      partition.location = places.locationOf(op->getLoc());
    result.partitions.push_back(std::move(partition));
  }
  for (debug::Item& item : look.barriers())
    result.barriers.push_back({std::move(item.name), std::move(item.text)});
  for (debug::Item& item : look.operations())
    result.operations.push_back({std::move(item.name), std::move(item.text)});
  if (params.expression) encodeElements(timeline, *params.expression, context, result);
  if (!params.buffer) return result;
  auto contents = timeline.contents(*params.buffer, params.stage, params.finding);
  if (!contents) {
    result.problem = contents.error();
    return result;
  }
  MomentContents info;
  info.stage = static_cast<uint32_t>(contents->stage);
  info.stages = static_cast<uint32_t>(contents->stages);
  info.shape = std::move(contents->shape);
  info.dtype = simulate::nameOf(contents->element).str();
  info.values = std::move(contents->values);
  info.changed = std::move(contents->changed);
  info.touched = std::move(contents->touched);
  if (contents->last) {
    info.writtenAt = contents->last->moment;
    info.writtenBy = places.locationOf(contents->last->op->getLoc());
  }
  result.contents = std::move(info);
  return result;
}

} // namespace

void addTimeline(Router& router) {
  auto last = std::make_shared<LastRun>();
  router.request<SimulateParams, SimulateResult>(
      method::simulate,
      std::function([last](const SimulateParams& params,
                           const RequestContext& context) -> Answer<SimulateResult> {
        return simulateProgram(*last, params, context);
      }));
  router.request<MomentParams, MomentResult>(
      method::moment, std::function([last](const MomentParams& params,
                                           const RequestContext& context) -> Answer<MomentResult> {
        return momentOf(*last, params, context);
      }));
}

} // namespace gluond::lsp
