// The requests of the panels: a kernel's operations on memory and layouts, one access lane by lane,
// a conversion, a layout being tried out, and writing a layout back into the source. Part of
// Extensions.h, which lists them; documented and tested in the same way. Addresses are in bytes.
#pragma once

#include "lsp/protocol/Messages.h"

namespace gluond::lsp {

// ---------------------------------------------------------------- gluond/layoutMap

// Either a place in a document (with a value or layout), or an expression with a shape.
struct LayoutMapParams {
  std::optional<TextDocumentIdentifier> textDocument;
  std::optional<Position> position;
  std::optional<std::string> expression; // "gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])"
  std::optional<std::vector<int64_t>> shape;
  std::optional<std::string> dtype, target;
  GLUOND_FIELDS(field("textDocument", &LayoutMapParams::textDocument),
                field("position", &LayoutMapParams::position),
                field("expression", &LayoutMapParams::expression),
                field("shape", &LayoutMapParams::shape), field("dtype", &LayoutMapParams::dtype),
                field("target", &LayoutMapParams::target))
};

// `amount` unused elements after each `interval` elements.
struct Padding {
  int64_t interval = 0, amount = 0;
  GLUOND_FIELDS(field("interval", &Padding::interval), field("amount", &Padding::amount))
};

// The part of a buffer that a value is. `offsets` has an entry for each dimension of the buffer,
// slots first: where the part begins, or -1 if only the running kernel knows.
struct LayoutPart {
  std::string buffer; // as the program mentions it: "self.a_bufs"; may be empty
  std::vector<int64_t> offsets;
  std::vector<int64_t> shape; // of the value; it lacks the dimensions that it selected from
  GLUOND_FIELDS(field("buffer", &LayoutPart::buffer), field("offsets", &LayoutPart::offsets),
                field("shape", &LayoutPart::shape))
};

struct LayoutMapResult {
  std::string layout; // as the user writes it
  std::string kind;   // "registers", "shared memory", "tensor memory"
  std::string summary;
  std::vector<int64_t> shape;
  // The leading dimensions of a buffer with more dimensions than its layout, which count slots with
  // the same layout; `shape` and `map` describe one slot.
  std::optional<std::vector<int64_t>> slots;
  // For a view of a buffer: its part. `shape`, `slots` and `map` describe the whole buffer then.
  std::optional<LayoutPart> part;
  std::optional<std::string> dtype;
  uint32_t elementBits = 0; // 0 if there is no dtype
  Json map;                 // as printed by `gluond layout --format json`: dims, bases, replication
  std::vector<Padding> padding;
  uint32_t banks = 0; // of the target's shared memory
  std::string text;   // the same as a drawing in text
  std::optional<std::string> target;
  std::optional<std::string> value; // the shown expression, if it is short: "acc"
  std::optional<Range> range;       // of the expression at the requested place
  std::optional<Location> source;   // where the layout is written, if it is in the document
  GLUOND_FIELDS(field("layout", &LayoutMapResult::layout), field("kind", &LayoutMapResult::kind),
                field("summary", &LayoutMapResult::summary),
                field("shape", &LayoutMapResult::shape), field("slots", &LayoutMapResult::slots),
                field("part", &LayoutMapResult::part), field("dtype", &LayoutMapResult::dtype),
                field("elementBits", &LayoutMapResult::elementBits),
                field("map", &LayoutMapResult::map), field("padding", &LayoutMapResult::padding),
                field("banks", &LayoutMapResult::banks), field("text", &LayoutMapResult::text),
                field("target", &LayoutMapResult::target), field("value", &LayoutMapResult::value),
                field("range", &LayoutMapResult::range), field("source", &LayoutMapResult::source))
};

// ---------------------------------------------------------------- gluond/operations

struct OperationsParams {
  TextDocumentIdentifier textDocument;
  std::optional<Position> position; // selects the kernel, which may also be given by name
  std::optional<std::string> kernel,
      specialization; // if absent, with a position: the selected one
  GLUOND_FIELDS(field("textDocument", &OperationsParams::textDocument),
                field("position", &OperationsParams::position),
                field("kernel", &OperationsParams::kernel),
                field("specialization", &OperationsParams::specialization))
};

struct OperationInfo {
  uint32_t index = 0;  // identifies it in gluond/access while the document is unchanged
  std::string kind;    // "global", "shared", "conversion", "buffer", "bulk"
  std::string op;      // "tt.load"
  std::string title;   // as panels print it: "load", "TMA store"
  bool writes = false; // to the memory that it accesses
  Location location;
  std::vector<Location> calledFrom; // the calls that led to it, innermost first
  std::vector<int64_t> shape;
  std::string dtype; // "f16"
  uint32_t elementBits = 0;
  std::optional<std::string> registers; // layout of the tensor; for a conversion: from
  std::optional<std::string> other;     // layout of the buffer; for a conversion: to
  // The sizes of the whole buffer, slots first, of which `shape` may be a slot or a slice.
  std::optional<std::vector<int64_t>> bufferShape;
  std::vector<uint32_t> buffers; // the operations that allocate it, by index; empty if not known
  bool inLoop = false;
  std::string summary;
  GLUOND_FIELDS(
      field("index", &OperationInfo::index), field("kind", &OperationInfo::kind),
      field("op", &OperationInfo::op), field("title", &OperationInfo::title),
      field("writes", &OperationInfo::writes), field("location", &OperationInfo::location),
      field("calledFrom", &OperationInfo::calledFrom), field("shape", &OperationInfo::shape),
      field("dtype", &OperationInfo::dtype), field("elementBits", &OperationInfo::elementBits),
      field("registers", &OperationInfo::registers), field("other", &OperationInfo::other),
      field("bufferShape", &OperationInfo::bufferShape), field("buffers", &OperationInfo::buffers),
      field("inLoop", &OperationInfo::inLoop), field("summary", &OperationInfo::summary))
};

struct OperationsResult {
  std::optional<int32_t> version;
  std::string kernel, specialization, target;
  std::vector<OperationInfo> operations;
  GLUOND_FIELDS(field("version", &OperationsResult::version),
                field("kernel", &OperationsResult::kernel),
                field("specialization", &OperationsResult::specialization),
                field("target", &OperationsResult::target),
                field("operations", &OperationsResult::operations))
};

// ---------------------------------------------------------------- gluond/access

struct GivenValue {
  std::string name;
  int64_t value = 0;
  GLUOND_FIELDS(field("name", &GivenValue::name), field("value", &GivenValue::value))
};

struct AccessParams {
  TextDocumentIdentifier textDocument;
  std::string kernel;
  std::optional<std::string> specialization;
  uint32_t operation = 0; // its index in gluond/operations
  uint32_t warp = 0, instruction = 0;
  std::vector<GivenValue> given; // values for arguments and program ids that replace gluond's own
  GLUOND_FIELDS(field("textDocument", &AccessParams::textDocument),
                field("kernel", &AccessParams::kernel),
                field("specialization", &AccessParams::specialization),
                field("operation", &AccessParams::operation), field("warp", &AccessParams::warp),
                field("instruction", &AccessParams::instruction),
                field("given", &AccessParams::given))
};

struct AssumedValue {
  std::string name;
  int64_t value = 0;
  bool given = false;    // it comes from the request
  bool launched = false; // it comes from the launch
  GLUOND_FIELDS(field("name", &AssumedValue::name), field("value", &AssumedValue::value),
                field("given", &AssumedValue::given), field("launched", &AssumedValue::launched))
};

// A block that one request moves. Sizes and coordinates are in elements.
struct BulkCopyInfo {
  std::vector<int64_t> tensor;       // its sizes; empty if not known
  std::vector<int64_t> origin, rows; // where the block begins; for a gather or scatter: the column,
                                     // and the row of each row. Empty if not known.
  std::vector<int64_t> message;      // the block of one TMA message; empty if not known
  bool picked = false;               // whether it gathers or scatters rows
  bool multicast = false;            // one CTA reads for all CTAs that hold the same data
  GLUOND_FIELDS(field("tensor", &BulkCopyInfo::tensor), field("origin", &BulkCopyInfo::origin),
                field("rows", &BulkCopyInfo::rows), field("message", &BulkCopyInfo::message),
                field("picked", &BulkCopyInfo::picked),
                field("multicast", &BulkCopyInfo::multicast))
};

struct AccessResult {
  OperationInfo operation;
  int64_t warps = 1, instructions = 1;            // of the operation; of one warp
  int64_t elements = 1, bytes = 0;                // per lane and instruction
  std::vector<int64_t> addresses, active, phases; // indexed by lane
  std::vector<std::vector<int64_t>> coordinates;  // indexed by lane: of its first element
  int64_t sectors = 0, lines = 0, leastSectors = 0, totalSectors = 0, totalLeastSectors = 0;
  std::optional<std::string> instruction; // for shared memory: "ldmatrix.x4"; lanes are its rows
  int64_t banks = 0;
  int64_t wavefronts = 0, leastWavefronts = 0, totalWavefronts = 0, totalLeastWavefronts = 0;
  std::optional<BulkCopyInfo> bulk; // only for bulk copies
  std::vector<AssumedValue> assumptions;
  std::optional<std::string> unknown;
  GLUOND_FIELDS(field("operation", &AccessResult::operation), field("warps", &AccessResult::warps),
                field("instructions", &AccessResult::instructions),
                field("elements", &AccessResult::elements), field("bytes", &AccessResult::bytes),
                field("addresses", &AccessResult::addresses),
                field("active", &AccessResult::active), field("phases", &AccessResult::phases),
                field("coordinates", &AccessResult::coordinates),
                field("sectors", &AccessResult::sectors), field("lines", &AccessResult::lines),
                field("leastSectors", &AccessResult::leastSectors),
                field("totalSectors", &AccessResult::totalSectors),
                field("totalLeastSectors", &AccessResult::totalLeastSectors),
                field("instruction", &AccessResult::instruction),
                field("banks", &AccessResult::banks),
                field("wavefronts", &AccessResult::wavefronts),
                field("leastWavefronts", &AccessResult::leastWavefronts),
                field("totalWavefronts", &AccessResult::totalWavefronts),
                field("totalLeastWavefronts", &AccessResult::totalLeastWavefronts),
                field("bulk", &AccessResult::bulk),
                field("assumptions", &AccessResult::assumptions),
                field("unknown", &AccessResult::unknown))
};

// ---------------------------------------------------------------- gluond/conversion

struct ConversionParams {
  std::string from, to; // layouts as the user writes them
  std::optional<std::vector<int64_t>> shape;
  std::optional<std::string> dtype, target;
  std::optional<bool> inLoop;
  GLUOND_FIELDS(field("from", &ConversionParams::from), field("to", &ConversionParams::to),
                field("shape", &ConversionParams::shape), field("dtype", &ConversionParams::dtype),
                field("target", &ConversionParams::target),
                field("inLoop", &ConversionParams::inLoop))
};

struct ConversionInstructions {
  int64_t swaps = 0;
  int64_t shuffles = 0, selects = 0;
  int64_t stores = 0, storeBytes = 0, loads = 0, loadBytes = 0, barriers = 0;
  std::string barrier; // "warp" or "program": the threads that wait at each
  GLUOND_FIELDS(field("swaps", &ConversionInstructions::swaps),
                field("shuffles", &ConversionInstructions::shuffles),
                field("selects", &ConversionInstructions::selects),
                field("stores", &ConversionInstructions::stores),
                field("storeBytes", &ConversionInstructions::storeBytes),
                field("loads", &ConversionInstructions::loads),
                field("loadBytes", &ConversionInstructions::loadBytes),
                field("barriers", &ConversionInstructions::barriers),
                field("barrier", &ConversionInstructions::barrier))
};

struct ConversionResult {
  LayoutMapResult from, to;
  std::string kind; // how far elements move: "nothing", "registers", "lanes", "warps", "blocks"
  std::string summary;
  int64_t bytes = 0, bytesMoved = 0, sharedBytes = 0;
  std::optional<ConversionInstructions> instructions; // absent if none, or not supported yet
  GLUOND_FIELDS(field("from", &ConversionResult::from), field("to", &ConversionResult::to),
                field("kind", &ConversionResult::kind),
                field("summary", &ConversionResult::summary),
                field("bytes", &ConversionResult::bytes),
                field("bytesMoved", &ConversionResult::bytesMoved),
                field("sharedBytes", &ConversionResult::sharedBytes),
                field("instructions", &ConversionResult::instructions))
};

// ---------------------------------------------------------------- gluond/studyLayout

struct StudyLayoutParams {
  std::string expression;
  std::optional<std::vector<int64_t>> shape;
  std::optional<std::string> dtype, target;
  std::optional<std::vector<int64_t>>
      strides;                        // of the tensor in memory, in elements; if absent, row-major
  std::optional<std::string> partner; // the layout on the other side of a shared access
  GLUOND_FIELDS(field("expression", &StudyLayoutParams::expression),
                field("shape", &StudyLayoutParams::shape),
                field("dtype", &StudyLayoutParams::dtype),
                field("target", &StudyLayoutParams::target),
                field("strides", &StudyLayoutParams::strides),
                field("partner", &StudyLayoutParams::partner))
};

struct StudyGlobal {
  int64_t bytes = 0, instructions = 0, sectors = 0, leastSectors = 0, lines = 0;
  GLUOND_FIELDS(field("bytes", &StudyGlobal::bytes),
                field("instructions", &StudyGlobal::instructions),
                field("sectors", &StudyGlobal::sectors),
                field("leastSectors", &StudyGlobal::leastSectors),
                field("lines", &StudyGlobal::lines))
};
struct StudyShared {
  int64_t bytes = 0, instructions = 0, wavefronts = 0, leastWavefronts = 0;
  GLUOND_FIELDS(field("bytes", &StudyShared::bytes),
                field("instructions", &StudyShared::instructions),
                field("wavefronts", &StudyShared::wavefronts),
                field("leastWavefronts", &StudyShared::leastWavefronts))
};
struct StudyWarning {
  std::string severity, message; // "warning", "information", "hint"
  GLUOND_FIELDS(field("severity", &StudyWarning::severity),
                field("message", &StudyWarning::message))
};

struct StudyLayoutResult {
  std::optional<std::string>
      error; // the layout or its partner is not valid; then nothing else is set
  std::optional<LayoutMapResult> layout, partner;
  std::vector<int64_t> strides;
  std::optional<StudyGlobal> global;
  std::optional<StudyShared> shared;
  int64_t registers = 0;
  std::vector<StudyWarning> warnings;
  GLUOND_FIELDS(field("error", &StudyLayoutResult::error),
                field("layout", &StudyLayoutResult::layout),
                field("partner", &StudyLayoutResult::partner),
                field("strides", &StudyLayoutResult::strides),
                field("global", &StudyLayoutResult::global),
                field("shared", &StudyLayoutResult::shared),
                field("registers", &StudyLayoutResult::registers),
                field("warnings", &StudyLayoutResult::warnings))
};

// ---------------------------------------------------------------- gluond/writeLayout

// An argument of a layout's class that changes, both values as Python.
struct LayoutChange {
  std::string parameter;
  int64_t position = 0; // index among the parameters of the class
  std::string was, becomes;
  GLUOND_FIELDS(field("parameter", &LayoutChange::parameter),
                field("position", &LayoutChange::position), field("was", &LayoutChange::was),
                field("becomes", &LayoutChange::becomes))
};

struct WriteLayoutParams {
  TextDocumentIdentifier textDocument;
  Range range; // of the layout to replace, from `source` of gluond/layoutMap
  std::string expression;
  // The differences from the existing layout; the rest is kept as written, with its names and its
  // arithmetic. If absent, the whole layout is replaced.
  std::optional<std::vector<LayoutChange>> changes;
  GLUOND_FIELDS(field("textDocument", &WriteLayoutParams::textDocument),
                field("range", &WriteLayoutParams::range),
                field("expression", &WriteLayoutParams::expression),
                field("changes", &WriteLayoutParams::changes))
};

struct WriteLayoutResult {
  WorkspaceEdit edit;
  std::string text; // the new text
  GLUOND_FIELDS(field("edit", &WriteLayoutResult::edit), field("text", &WriteLayoutResult::text))
};

} // namespace gluond::lsp
