// What each thread of a process works on, in memory that another process sees, also when the first
// one is gone: who watches can tell a thread that is stuck from one that is busy, and which file a
// process died of.
//
//   the watcher   WorkBoard board = *WorkBoard::make();    hands board.descriptor() to the process
//   the process   WorkBoard board = *WorkBoard::attach(descriptor);   board.noteCrashes();
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

class WorkBoard {
public:
  static constexpr unsigned mostSeats = 64;

  // In memory that is handed on by its descriptor; nothing: the system has none.
  static std::optional<WorkBoard> make();
  static std::optional<WorkBoard> attach(int descriptor);
  WorkBoard(WorkBoard&& other) noexcept;
  WorkBoard& operator=(WorkBoard&&) = delete;
  ~WorkBoard();
  int descriptor() const { return descriptor_; }

  // Writes down which thread it was when a signal ends this process (and ends it). For the whole
  // process, once.
  void noteCrashes();

  // For the watcher; the process may be gone.
  struct Task {
    std::string path; // empty: none in particular
    uint64_t hash = 0;
    pid_t thread = 0;
    uint32_t limitSeconds = 0;
    int64_t beganNanoseconds = 0; // of the thread's CPU time
  };
  std::vector<Task> tasks() const;        // under way
  bool hasCrashed() const;                // a signal ended the process
  std::optional<Task> crashed() const;    // the task in which that happened; nothing: in none
  std::optional<Task> stuck(pid_t) const; // one that took more CPU time than it may
  void clear();

private:
  friend class Working;
  struct Seat;
  struct Page;
  WorkBoard(int descriptor, Page* page) : descriptor_(descriptor), page_(page) {}
  std::optional<Task> taskOf(const Seat& seat) const;
  int descriptor_;
  Page* page_;
};

// One task of the calling thread, in its seat. Without a board nothing happens.
class Working {
public:
  Working(WorkBoard* board, unsigned seat, llvm::StringRef path, uint64_t hash,
          uint32_t limitSeconds);
  ~Working();
  Working(const Working&) = delete;

private:
  void* seat_ = nullptr;
};

} // namespace gluond
