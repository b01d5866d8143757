// The messages between a client and `gluond simulator`: the frames, `cancel`, `shutdown` and errors
// of runner/protocol, and the params and results below. docs/simulating.md describes them for
// users.
//
// A launch's memory keeps the client's addresses: pointers in arguments and pointers in memory mean
// the same on both sides.
#pragma once

#include "runner/protocol/Messages.h"

namespace gluond::cli {

using json::field;
using runner::Json;
using runner::Slice;

inline constexpr unsigned simulatorProtocolVersion = 1;

// ---------------------------------------------------------------- initialize

struct SimulatorInfo {
  unsigned protocol = simulatorProtocolVersion;
  std::string version;
  uint64_t memoryBytes = 0; // limit for the memory of one launch
  GLUOND_FIELDS(field("protocol", &SimulatorInfo::protocol),
                field("version", &SimulatorInfo::version),
                field("memoryBytes", &SimulatorInfo::memoryBytes))
};

// ---------------------------------------------------------------- load, unload

struct SimulatorLoadParams {
  Slice code; // IR of stage ttgir, as text
  GLUOND_FIELDS(field("code", &SimulatorLoadParams::code))
};

struct SimulatorLoadResult {
  uint64_t module = 0; // id for launches
  std::string kernel;
  unsigned warps = 0, parameters = 0;
  uint64_t sharedBytes = 0;
  GLUOND_FIELDS(field("module", &SimulatorLoadResult::module),
                field("kernel", &SimulatorLoadResult::kernel),
                field("warps", &SimulatorLoadResult::warps),
                field("parameters", &SimulatorLoadResult::parameters),
                field("sharedBytes", &SimulatorLoadResult::sharedBytes))
};

// ---------------------------------------------------------------- run

struct SimulatorMemory {
  std::string name;     // of the argument that refers to it
  uint64_t address = 0; // of its first byte, in the client
  Slice data;
  GLUOND_FIELDS(field("name", &SimulatorMemory::name), field("address", &SimulatorMemory::address),
                field("data", &SimulatorMemory::data))
};

// The argument for one parameter of the kernel.
struct SimulatorArgument {
  Json value; // a number, true or false; "nan", "inf", "-inf"; for a pointer, an address
  std::optional<runner::Descriptor> descriptor; // of the tensor at the address
  GLUOND_FIELDS(field("value", &SimulatorArgument::value),
                field("descriptor", &SimulatorArgument::descriptor))
};

struct SimulatorRunParams {
  uint64_t module = 0;
  std::vector<int64_t> grid = {1, 1, 1};
  std::vector<SimulatorArgument> arguments;
  std::vector<SimulatorMemory> memories;
  uint64_t limitMs = 600'000;
  bool isCooperative = false; // all programs run concurrently
  GLUOND_FIELDS(field("module", &SimulatorRunParams::module),
                field("grid", &SimulatorRunParams::grid),
                field("arguments", &SimulatorRunParams::arguments),
                field("memories", &SimulatorRunParams::memories),
                field("limitMs", &SimulatorRunParams::limitMs),
                field("isCooperative", &SimulatorRunParams::isCooperative))
};

// The contents of a memory after the run, from the first changed byte to the last.
struct SimulatorChange {
  uint64_t memory = 0, offset = 0; // `memory` is its index in the request
  Slice data;
  GLUOND_FIELDS(field("memory", &SimulatorChange::memory),
                field("offset", &SimulatorChange::offset), field("data", &SimulatorChange::data))
};

struct SimulatorPlace {
  std::string file, message;     // `message` is empty for the finding itself
  unsigned line = 0, column = 0; // 1-based; 0 if the IR does not have them
  GLUOND_FIELDS(field("file", &SimulatorPlace::file), field("message", &SimulatorPlace::message),
                field("line", &SimulatorPlace::line), field("column", &SimulatorPlace::column))
};

struct SimulatorFinding {
  std::string code, severity, message;
  std::vector<int64_t> program; // along each dimension of the grid
  bool isEnd = false;           // whether it ended the program
  SimulatorPlace place;
  std::vector<SimulatorPlace> calls, related; // calls that led there, innermost first; prior events
  GLUOND_FIELDS(field("code", &SimulatorFinding::code),
                field("severity", &SimulatorFinding::severity),
                field("message", &SimulatorFinding::message),
                field("program", &SimulatorFinding::program),
                field("isEnd", &SimulatorFinding::isEnd), field("place", &SimulatorFinding::place),
                field("calls", &SimulatorFinding::calls),
                field("related", &SimulatorFinding::related))
};

struct SimulatorRunResult {
  std::string end;                  // finished, failed, steps, time, cancelled
  uint64_t programs = 0, steps = 0; // that finished; of all together
  double microseconds = 0;
  std::string printed;
  std::vector<SimulatorChange> changes;
  std::vector<SimulatorFinding> findings;
  GLUOND_FIELDS(field("end", &SimulatorRunResult::end),
                field("programs", &SimulatorRunResult::programs),
                field("steps", &SimulatorRunResult::steps),
                field("microseconds", &SimulatorRunResult::microseconds),
                field("printed", &SimulatorRunResult::printed),
                field("changes", &SimulatorRunResult::changes),
                field("findings", &SimulatorRunResult::findings))
};

} // namespace gluond::cli
