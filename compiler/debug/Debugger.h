// One program of a kernel under a debugger: it goes forwards and backwards, stops where it is told
// to, and shows what it is made of. Knows no protocol.
//
// The threads are the partitions of the program. A step is one of the user's statements, in one
// thread; what other threads do meanwhile is what the schedule says. Whatever was seen once is seen
// again: going back and forth is exact.
#pragma once

#include "debug/Breakpoints.h"
#include "debug/Expressions.h"
#include "debug/History.h"

#include <functional>

namespace gluond::debug {

enum class Motion : uint8_t { Continue, Next, StepIn, StepOut, ReverseContinue, StepBack };

struct Stop {
  enum class Why : uint8_t {
    Entry,
    Step,
    Breakpoint,
    FunctionBreakpoint,
    DataBreakpoint,
    Finding,
    Pause,
    Beginning, // going back came to it
    End,       // the program is over
  } why = Why::Step;
  uint32_t thread = 0;
  std::vector<int> breakpoints;
  std::string text; // what happened, as a sentence
};

class Debugger {
public:
  // All but `limits` must outlive it.
  Debugger(const simulate::Program& program, const simulate::Setting& setting,
           const simulate::GlobalMemory& memory, simulate::Schedule& schedule,
           simulate::ProgramId id, HistoryLimits limits = {});

  // ---------------------------------------------------------------- breakpoints

  // Replaces those of a file. Each gets the line of the first statement from its own on, if there
  // is one.
  void setBreakpoints(const std::string& path, std::vector<Breakpoint>& breakpoints);
  void setFunctionBreakpoints(std::vector<Breakpoint>& breakpoints);
  void setWatches(std::vector<Watch> watches) { watches_ = std::move(watches); }
  // Which findings stop the program: of what severity, or by code.
  struct FindingFilter {
    bool errors = true, warnings = true, others = false;
    std::vector<std::string> codes; // empty: all
  };
  void setFindingFilter(FindingFilter filter) { filter_ = std::move(filter); }
  // The lines of a file from which a breakpoint can be reached.
  std::vector<Place> breakableLines(const std::string& path, unsigned first, unsigned last) const;
  std::vector<std::string> files() const;

  // ---------------------------------------------------------------- motion

  // To the first statement.
  Stop begin();
  Stop move(Motion motion, uint32_t thread, const CancellationToken& token = {});
  // To the next time that a statement at this line begins; backwards where it does not come again.
  Stop runTo(const std::string& path, unsigned line, uint32_t thread,
             const CancellationToken& token = {});
  Stop seek(uint64_t moment, const CancellationToken& token = {});

  // ---------------------------------------------------------------- looking

  const History& history() const { return history_; }
  History& history() { return history_; }
  const Places& places() const { return places_; }
  Look look() const { return {history_.machine(), history_.state()}; }
  const simulate::State& state() const { return history_.state(); }
  std::vector<Row> stackOf(uint32_t thread) const;

  // The value of a variable of a call, of a part of it (".field", "[0]"), or nothing.
  std::optional<Datum> variable(uint32_t thread, const Row& row, const std::string& name) const;
  std::vector<Item> locals(uint32_t thread, const Row& row) const;
  tl::expected<Datum, std::string> evaluate(uint32_t thread, const Row& row,
                                            const std::string& text) const;
  // What can be watched of an expression: a variable, an element, a buffer. The error says why not.
  tl::expected<Watch, std::string> watch(uint32_t thread, const Row& row,
                                         const std::string& text) const;
  // The register that a variable's part is in.
  struct Register {
    uint32_t thread = 0;
    size_t frame = 0;
    uint32_t reg = 0;
  };
  std::optional<Register> registerOf(uint32_t thread, const Row& row,
                                     const std::string& name) const;

  // What log points say, a line each.
  std::function<void(const std::string& text, const Row& row)> onLog;

private:
  struct Found { // a variable's part
    const simulate::Variable* variable = nullptr;
    Register first;
    size_t part = 0;
  };
  std::optional<Found> find(uint32_t thread, const Row& row, const std::string& name) const;
  Datum datumOf(const Found& found) const;

  // What stopped the program at this moment, if anything did.
  struct Goal;
  std::optional<Stop> check(const Goal& goal);
  std::optional<Stop> checkNext(const Goal& goal);
  std::optional<Stop> checkArrival(const Goal& goal, uint32_t thread,
                                   const simulate::Instruction& at);
  bool isWanted(const simulate::Finding& finding) const;
  void rememberWatched();
  Stop forwards(const Goal& goal, const CancellationToken& token);
  Stop backwards(const Goal& goal, const CancellationToken& token);
  std::string logText(const std::string& text, uint32_t thread, const Row& row) const;

  const simulate::Program& program_;
  History history_;
  Places places_;
  std::vector<Breakpoint> lines_, functions_;
  llvm::DenseMap<const simulate::Instruction*, llvm::SmallVector<int, 1>> at_; // ids
  std::vector<Watch> watches_;
  std::vector<std::string> watched_; // what they were before the step
  FindingFilter filter_;
  size_t findings_ = 0; // before the step
  // It stopped because of what the last step did: the statement that begins behind it was not
  // looked at, and the one that the step belongs to is shown.
  bool isAmidst_ = false;
  void placeBreakpoints();
};

} // namespace gluond::debug
