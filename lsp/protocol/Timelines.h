// The requests of the timeline: a simulated run of one program, and any moment of it. Part of
// Extensions.h, which lists them; documented and tested in the same way.
//
// A moment is a number of steps of the simulator, as gluond dap counts them.
#pragma once

#include "lsp/protocol/Messages.h"

namespace gluond::lsp {

// ---------------------------------------------------------------- gluond/simulate

struct SimulateParams {
  TextDocumentIdentifier textDocument;
  std::string kernel;
  std::optional<std::string> specialization;         // if absent, the selected one
  std::optional<std::vector<std::string>> arguments; // "NAME=VALUE", instead of the launch's
  std::optional<std::string> grid;                   // "128,1,1"
  std::optional<std::string> program;                // of the grid: "3,0,0"; if absent, the first
  std::optional<std::string> schedule;               // "latest", "earliest", "random:17"
  GLUOND_FIELDS(field("textDocument", &SimulateParams::textDocument),
                field("kernel", &SimulateParams::kernel),
                field("specialization", &SimulateParams::specialization),
                field("arguments", &SimulateParams::arguments),
                field("grid", &SimulateParams::grid), field("program", &SimulateParams::program),
                field("schedule", &SimulateParams::schedule))
};

struct TimelineLane {
  std::string name;      // "default partition", "TMA"
  bool isEngine = false; // of asynchronous operations; otherwise a partition
  GLUOND_FIELDS(field("name", &TimelineLane::name), field("isEngine", &TimelineLane::isEngine))
};

// A line of a file, which slices and others refer to by its index.
struct TimelinePlace {
  Location location;
  std::string text; // of the line, without blanks around it
  GLUOND_FIELDS(field("location", &TimelinePlace::location), field("text", &TimelinePlace::text))
};

struct TimelineSlice {
  uint32_t lane = 0;
  uint64_t from = 0, to = 0; // moments
  std::string kind;          // "work", "wait", "operation"
  std::string name;          // the operation of the IR
  std::optional<uint32_t> place;
  std::string what;    // "parity 0 of the barrier at 1024"
  uint64_t bytes = 0;  // that an operation moves
  bool isOpen = false; // not over when the run ended
  GLUOND_FIELDS(field("lane", &TimelineSlice::lane), field("from", &TimelineSlice::from),
                field("to", &TimelineSlice::to), field("kind", &TimelineSlice::kind),
                field("name", &TimelineSlice::name), field("place", &TimelineSlice::place),
                field("what", &TimelineSlice::what), field("bytes", &TimelineSlice::bytes),
                field("isOpen", &TimelineSlice::isOpen))
};

struct TimelineLink {
  uint32_t fromLane = 0, toLane = 0;
  uint64_t from = 0, to = 0;
  std::string kind; // "issue": who started an operation; "phase": what ended a wait
  GLUOND_FIELDS(field("fromLane", &TimelineLink::fromLane), field("toLane", &TimelineLink::toLane),
                field("from", &TimelineLink::from), field("to", &TimelineLink::to),
                field("kind", &TimelineLink::kind))
};

struct TimelineBuffer {
  std::string name; // the variable; empty if there is none
  std::string kind; // "shared memory", "tensor memory"
  std::vector<int64_t> shape;
  std::string dtype;
  uint64_t bytes = 0;
  std::optional<uint32_t> place;       // of the allocation
  std::vector<uint64_t> writes, reads; // moments
  GLUOND_FIELDS(field("name", &TimelineBuffer::name), field("kind", &TimelineBuffer::kind),
                field("shape", &TimelineBuffer::shape), field("dtype", &TimelineBuffer::dtype),
                field("bytes", &TimelineBuffer::bytes), field("place", &TimelineBuffer::place),
                field("writes", &TimelineBuffer::writes), field("reads", &TimelineBuffer::reads))
};

struct TimelineEvent {
  std::string message;
  std::optional<uint32_t> place;
  GLUOND_FIELDS(field("message", &TimelineEvent::message), field("place", &TimelineEvent::place))
};

struct TimelineFinding {
  std::string code, severity, message;
  uint64_t moment = 0; // when it was found
  std::optional<uint32_t> place;
  std::optional<uint32_t> buffer;    // whose bytes it is about
  std::vector<TimelineEvent> events; // that led to it
  GLUOND_FIELDS(field("code", &TimelineFinding::code),
                field("severity", &TimelineFinding::severity),
                field("message", &TimelineFinding::message),
                field("moment", &TimelineFinding::moment), field("place", &TimelineFinding::place),
                field("buffer", &TimelineFinding::buffer),
                field("events", &TimelineFinding::events))
};

struct SimulateResult {
  std::string run; // identifies it in gluond/moment, until the next one
  std::optional<int32_t> version;
  std::string kernel, specialization, label, target, grid, program, schedule;
  std::vector<std::string> assumptions;
  uint64_t steps = 0;
  std::optional<std::string> stopped; // why the run was not followed to its end
  std::vector<TimelineLane> lanes;
  std::vector<TimelinePlace> places;
  std::vector<TimelineSlice> slices; // in no order
  std::vector<TimelineLink> links;
  std::vector<TimelineBuffer> buffers;
  std::vector<TimelineFinding> findings;
  GLUOND_FIELDS(field("run", &SimulateResult::run), field("version", &SimulateResult::version),
                field("kernel", &SimulateResult::kernel),
                field("specialization", &SimulateResult::specialization),
                field("label", &SimulateResult::label), field("target", &SimulateResult::target),
                field("grid", &SimulateResult::grid), field("program", &SimulateResult::program),
                field("schedule", &SimulateResult::schedule),
                field("assumptions", &SimulateResult::assumptions),
                field("steps", &SimulateResult::steps), field("stopped", &SimulateResult::stopped),
                field("lanes", &SimulateResult::lanes), field("places", &SimulateResult::places),
                field("slices", &SimulateResult::slices), field("links", &SimulateResult::links),
                field("buffers", &SimulateResult::buffers),
                field("findings", &SimulateResult::findings))
};

// ---------------------------------------------------------------- gluond/moment

// An expression of the user's, such as `acc` or `tiles.index(1)`, at a place in a file.
struct MomentExpression {
  TextDocumentIdentifier textDocument;
  Position position;
  std::string text;
  GLUOND_FIELDS(field("textDocument", &MomentExpression::textDocument),
                field("position", &MomentExpression::position),
                field("text", &MomentExpression::text))
};

struct MomentParams {
  std::string run;
  uint64_t moment = 0;
  std::optional<MomentExpression> expression; // its elements
  std::optional<uint32_t> buffer;             // its contents
  std::optional<uint32_t> stage;   // of the buffer; if absent, the one that was written last
  std::optional<uint32_t> finding; // whose elements are marked
  GLUOND_FIELDS(field("run", &MomentParams::run), field("moment", &MomentParams::moment),
                field("expression", &MomentParams::expression),
                field("buffer", &MomentParams::buffer), field("stage", &MomentParams::stage),
                field("finding", &MomentParams::finding))
};

struct MomentPartition {
  std::string name, state; // "runs", "waits for phase 0 of barrier ...", "is over"
  std::optional<Location> location;
  GLUOND_FIELDS(field("name", &MomentPartition::name), field("state", &MomentPartition::state),
                field("location", &MomentPartition::location))
};

struct MomentItem {
  std::string name, text;
  GLUOND_FIELDS(field("name", &MomentItem::name), field("text", &MomentItem::text))
};

struct MomentContents {
  uint32_t stage = 0, stages = 1;
  std::vector<int64_t> shape; // of the stage
  std::string dtype;
  std::vector<std::string> values;   // in row-major order; empty: never written
  std::optional<uint64_t> writtenAt; // when the buffer was written last
  std::optional<Location> writtenBy;
  std::vector<uint32_t> changed, touched; // elements of that write; of the finding
  GLUOND_FIELDS(field("stage", &MomentContents::stage), field("stages", &MomentContents::stages),
                field("shape", &MomentContents::shape), field("dtype", &MomentContents::dtype),
                field("values", &MomentContents::values),
                field("writtenAt", &MomentContents::writtenAt),
                field("writtenBy", &MomentContents::writtenBy),
                field("changed", &MomentContents::changed),
                field("touched", &MomentContents::touched))
};

struct MomentElements {
  std::vector<int64_t> shape;
  std::string dtype;
  std::vector<std::string> values; // in row-major order
  GLUOND_FIELDS(field("shape", &MomentElements::shape), field("dtype", &MomentElements::dtype),
                field("values", &MomentElements::values))
};

struct MomentResult {
  uint64_t moment = 0;
  std::vector<MomentPartition> partitions;
  std::vector<MomentItem> barriers, operations; // operations: those under way
  std::optional<MomentContents> contents;
  std::optional<MomentElements> elements; // of the expression
  std::optional<std::string> problem;     // why there are no contents, or no elements
  GLUOND_FIELDS(field("moment", &MomentResult::moment),
                field("partitions", &MomentResult::partitions),
                field("barriers", &MomentResult::barriers),
                field("operations", &MomentResult::operations),
                field("contents", &MomentResult::contents),
                field("elements", &MomentResult::elements),
                field("problem", &MomentResult::problem))
};

} // namespace gluond::lsp
