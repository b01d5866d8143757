// A debugger for one program of a kernel: it runs the program forwards and backwards, stops at
// breakpoints, and shows values. It does not depend on a protocol.
//
// The threads are the partitions of the program. A step is one of the user's statements in one
// thread; the schedule decides what the other threads do meanwhile. Going back and forth is exact:
// each moment is the same whenever it is visited.
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
    Beginning, // the program was run back to its beginning
    End,       // the program is over
  } why = Why::Step;
  uint32_t thread = 0;
  std::vector<int> breakpoints;
  std::string text;                                        // the reason in words
  std::optional<simulate::Finding> finding = std::nullopt; // that the program stopped at
  std::string mistake = {}; // why the condition of a breakpoint cannot be evaluated
};

// What tells the findings of a run apart.
using FindingKey = std::pair<simulate::Id, mlir::Location>;
inline FindingKey keyOf(const simulate::Finding& finding) {
  return {finding.id, finding.at};
}

class Debugger {
public:
  // The arguments must outlive the debugger, except for `limits`.
  Debugger(const simulate::KernelCode& code, const simulate::Setting& setting,
           const simulate::GlobalMemory& memory, simulate::Schedule& schedule,
           simulate::ProgramId id, HistoryLimits limits = {});

  // ---------------------------------------------------------------- breakpoints

  // Replaces the breakpoints of a file. Each breakpoint moves to the first statement at or after
  // its line, within its function.
  void setBreakpoints(const std::string& path, std::vector<Breakpoint>& breakpoints);
  void setFunctionBreakpoints(std::vector<Breakpoint>& breakpoints);
  void setWatches(std::vector<Watch> watches) { watches_ = std::move(watches); }
  // The findings that stop the program, by severity and by code.
  struct FindingFilter {
    struct Wanted {
      bool isOn = false;
      std::vector<std::string> codes = {}; // empty for all codes
    };
    Wanted errors{true}, warnings{true}, others;
  };
  void setFindingFilter(FindingFilter filter) { filter_ = std::move(filter); }
  // Returns the lines of a file that have statements.
  std::vector<Place> breakableLines(const std::string& path, unsigned first, unsigned last) const;
  std::vector<std::string> files() const;

  // ---------------------------------------------------------------- motion

  // Goes to the first statement.
  Stop begin();
  Stop move(Motion motion, uint32_t thread, const CancellationToken& token = {});
  // Runs until a statement at this line begins. If that does not happen again, goes back to the
  // last time that it did.
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

  // Returns the value of a variable of a call, or of a part of it ("pair[0]", "state.field").
  std::optional<Datum> variable(uint32_t thread, const Row& row, const std::string& name) const;
  std::vector<Item> locals(uint32_t thread, const Row& row) const;
  tl::expected<Datum, std::string> evaluate(uint32_t thread, const Row& row,
                                            const std::string& text) const;
  // Makes a watch for an expression: a variable, an element, or a buffer. The error says why that
  // is not possible.
  tl::expected<Watch, std::string> watch(uint32_t thread, const Row& row,
                                         const std::string& text) const;
  // The register that contains a variable's part.
  struct Register {
    uint32_t thread = 0;
    size_t frame = 0;
    uint32_t reg = 0;
  };
  std::optional<Register> registerOf(uint32_t thread, const Row& row,
                                     const std::string& name) const;

  // Called with each line that a log point prints.
  std::function<void(const std::string& text, const Row& row)> onLog;

private:
  // Returns the reason to stop at this moment, if there is one.
  struct Goal;
  std::optional<Stop> check(const Goal& goal);
  std::optional<Stop> checkNext(const Goal& goal);
  std::optional<Stop> checkArrival(const Goal& goal, uint32_t thread,
                                   const simulate::Instruction& at);
  bool isWanted(const simulate::Finding& finding) const;
  void rememberFindings();
  void rememberWatched();
  Stop forwards(const Goal& goal, const CancellationToken& token);
  Stop toOrigin(Stop stop, uint64_t earliest, const CancellationToken& token);
  Stop backwards(const Goal& goal, const CancellationToken& token);
  std::string logText(const std::string& text, uint32_t thread, const Row& row) const;

  const simulate::KernelCode& code_;
  History history_;
  Places places_;
  std::vector<Breakpoint> lines_, functions_;
  llvm::DenseMap<const simulate::Instruction*, llvm::SmallVector<int, 1>> at_; // ids of breakpoints
  std::vector<Watch> watches_;
  std::vector<std::string> watched_; // their bytes before the step
  FindingFilter filter_;
  std::vector<FindingKey> findings_; // before the step
  // NaN and infinity are found where they are stored. The program stopped where they were made, at
  // this moment, and does not stop again where they are stored.
  struct Explained {
    FindingKey key;
    uint64_t moment;
  };
  std::vector<Explained> explained_;
  // The effect of the last step was the reason to stop. The statement of that step is shown, and
  // the statement that begins next was not checked yet.
  bool isAmidst_ = false;
  void placeBreakpoints();
  void placeLine(Breakpoint& breakpoint) const;
};

} // namespace gluond::debug
