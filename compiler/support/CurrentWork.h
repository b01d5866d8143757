// Records what each thread of a process works on, in memory shared with another process and still
// readable after a crash: the watcher can distinguish a stuck thread from a busy one, and knows
// which file crashed the process.
//
//   the watcher   CurrentWork board = *CurrentWork::make();    hands board.descriptor() to the
//   process the process   CurrentWork board = *CurrentWork::attach(descriptor);
//   board.noteCrashes();
//                 Working working(&board, seat, path, hash, 10);      around each task
#pragma once

#include <llvm/ADT/StringRef.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gluond {

class CurrentWork {
public:
  static constexpr unsigned mostSeats = 64;

  // Makes one in memory that is shared by its descriptor; nullopt if the system lacks support.
  static std::optional<CurrentWork> make();
  static std::optional<CurrentWork> attach(int descriptor);
  CurrentWork(CurrentWork&& other) noexcept;
  CurrentWork& operator=(CurrentWork&&) = delete;
  ~CurrentWork();
  int descriptor() const { return descriptor_; }

  // Records the thread in which a fatal signal occurs (and then ends the process). Call it once per
  // process.
  void noteCrashes();

  // For the watcher; the process may have ended.
  struct Task {
    std::string path; // empty if it is for no file in particular
    uint64_t hash = 0;
    pid_t thread = 0;
    uint32_t limitSeconds = 0;
    int64_t beganNanoseconds = 0; // of the thread's CPU time
  };
  std::vector<Task> tasks() const;        // tasks in progress
  std::optional<Task> crashed() const;    // the task that crashed; nullopt if none
  std::optional<Task> stuck(pid_t) const; // a task that exceeded its CPU time
  void clear();

private:
  friend class Working;
  struct Seat;
  struct Page;
  CurrentWork(int descriptor, Page* page) : descriptor_(descriptor), page_(page) {}
  std::optional<Task> taskOf(const Seat& seat) const;
  int descriptor_;
  Page* page_;
};

// Where one thread records its tasks; two threads never share a number at a time.
struct WorkSeat {
  CurrentWork* board = nullptr;
  unsigned number = 0;
};

// One task of the calling thread, in its seat. Without a board it has no effect.
class Working {
public:
  Working(CurrentWork* board, unsigned seat, llvm::StringRef path, uint64_t hash,
          uint32_t limitSeconds);
  ~Working();
  Working(const Working&) = delete;

private:
  void* seat_ = nullptr;
};

} // namespace gluond
