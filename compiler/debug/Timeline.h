// A run of one program as a timeline: what each partition and each engine did when, how that hangs
// together, which buffers were accessed when, what was found. Any moment of it can be looked at
// afterwards.
#pragma once

#include "debug/History.h"
#include "debug/Values.h"
#include "simulate/trace/Trace.h"

#include <llvm/ADT/DenseMap.h>

#include <set>

namespace gluond::debug {

// A buffer in shared or tensor memory. Barriers are none.
struct TimelineBuffer {
  std::string name; // the variable that it was first given to; empty if there is none
  bool isTensorMemory = false;
  const simulate::Buffer* buffer = nullptr;
  Datum datum;
  uint32_t alloc = 0; // its number in accesses
};

struct TimelineAccess {
  uint64_t moment = 0; // after the step that made it
  bool isWrite = false;
  uint32_t thread = 0;
  mlir::Operation* op = nullptr;
  simulate::Bytes bytes;
};

// A finding, and the first moment that has it.
struct TimelineFinding {
  simulate::Finding finding;
  uint64_t moment = 0;
};

struct TimelineLimits {
  uint64_t steps = uint64_t{2} << 20;
  size_t events = 20'000; // slices, links and accesses, of each
  std::chrono::milliseconds time{10'000};
  HistoryLimits history = {size_t{256} << 20};
};

class Timeline : private simulate::Observer {
public:
  // Runs the program. The arguments must outlive the timeline, except for `limits`.
  Timeline(const simulate::KernelCode& code, const simulate::Setting& setting,
           const simulate::GlobalMemory& memory, simulate::Schedule& schedule,
           simulate::ProgramId id, TimelineLimits limits = {}, const CancellationToken& token = {});
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  enum class End : uint8_t { Finished, Failed, TooManySteps, TooManyEvents, OutOfTime, Cancelled };
  End end() const { return end_; }
  uint64_t steps() const { return steps_; }
  const simulate::Trace& trace() const { return trace_; }
  const std::vector<TimelineBuffer>& buffers() const { return buffers_; }
  // The accesses come in the order of moments.
  llvm::ArrayRef<TimelineAccess> accessesOf(const TimelineBuffer& buffer) const;
  const std::vector<TimelineFinding>& findings() const { return findings_; }

  // Goes to a moment, or to the last one. Returns false if it was cancelled on the way.
  bool seek(uint64_t moment, const CancellationToken& token = {}) {
    return history_.seek(std::min(moment, steps_), token);
  }
  const History& history() const { return history_; }
  Look look() const { return {history_.machine(), history_.state()}; }
  // Returns an op of the statement that a partition executes; its location has the calls that lead
  // to it.
  mlir::Operation* opOf(const simulate::Thread& thread) const;

  // The elements of one stage of a buffer at the present moment, or of all of one without stages.
  struct Contents {
    size_t stage = 0, stages = 1;
    std::vector<int64_t> shape; // of the stage
    simulate::Element element = simulate::Element::F32;
    std::vector<std::string> values;        // in row-major order; empty: never written
    const TimelineAccess* last = nullptr;   // the last write of the buffer until now
    std::vector<uint32_t> changed, touched; // elements: of that write, of a finding's bytes
  };
  // Returns the contents of a stage of the buffer, or of the one that was written last if `stage`
  // is not given. The bytes of the finding are marked.
  tl::expected<Contents, std::string> contents(size_t buffer, std::optional<size_t> stage,
                                               std::optional<size_t> finding) const;

  // The elements of a tensor, or of a buffer, at the present moment.
  struct Elements {
    std::vector<int64_t> shape;
    simulate::Element element = simulate::Element::F32;
    std::vector<std::string> values; // in row-major order
  };
  // The value of an expression in the call whose variables it names. Of several calls that have
  // such variables, the one counts that defines them nearest to `line` of the file. The error is a
  // sentence.
  tl::expected<Elements, std::string> elements(const std::string& expression,
                                               const std::string& path, unsigned line) const;

private:
  void executed(const simulate::State& state, const simulate::Thread& thread,
                const simulate::Instruction& instruction) override;
  void blocked(const simulate::State& state, const simulate::Thread& thread,
               const simulate::Instruction& instruction) override;
  void barrierChanged(const simulate::State& state, uint32_t address,
                      const simulate::Barrier& barrier) override;
  void accessed(const simulate::State& state, const simulate::Access& access) override;
  void began(const simulate::State& state, const simulate::Thread& thread,
             const simulate::AsyncOperation& operation) override;
  void ended(const simulate::State& state, const simulate::AsyncOperation& operation) override;
  void run(const TimelineLimits& limits, const CancellationToken& token);
  void noteFindings();
  void listBuffers();

  const simulate::KernelCode& code_;
  History history_;
  Places places_;
  simulate::Trace trace_;
  End end_ = End::Finished;
  uint64_t steps_ = 0;
  size_t mostAccesses_ = 0, accessCount_ = 0;
  std::vector<TimelineBuffer> buffers_;
  llvm::DenseMap<uint32_t, std::vector<TimelineAccess>> accesses_;
  std::set<uint32_t> barriers_; // where there were some, in the memory of a CTA
  std::vector<TimelineFinding> findings_;
};

} // namespace gluond::debug
