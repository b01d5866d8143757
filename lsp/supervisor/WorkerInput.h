// The way to a worker's standard input, on which nobody waits: a thread writes later what the pipe
// does not take now. So the supervisor reads on, and sees that its client cancels or leaves, while
// the worker is busy or waits itself.
//
// May be called from any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace gluond::lsp {

class WorkerInput {
public:
  explicit WorkerInput(int descriptor); // of a pipe; takes it
  ~WorkerInput();                       // what still waits is dropped
  WorkerInput(const WorkerInput&) = delete;

  // What may wait. More than any editor sends while a worker is busy, but a message always fits.
  static constexpr size_t mostWaitingBytes = size_t{64} << 20;

  // Sends a message; `id` if it is a request. Returns false if too much waits: the message is
  // dropped.
  bool post(std::string_view message, std::string_view id = {});
  // Sends it however much waits: the state of a session, for a new worker.
  void postAlways(std::string_view message);
  // Sends it before all that waits, unless too much does.
  void postFirst(std::string_view message);
  // Drops the request if it waits. Returns whether it did.
  bool drop(std::string_view id);
  // The last message changes this document. If it replaces the whole text, changes that wait are
  // dropped.
  void lastChanges(const std::string& document, bool wholeText);
  // Ends the worker's input after what waits.
  void close();

private:
  struct Message {
    std::string frame;
    std::string id;       // of a request
    std::string document; // of a change
    size_t cost() const;
  };
  void add(Message message);         // with `mutex_` held, as the next ones
  bool writeNow(std::string& frame); // removes what was written; false if the worker is gone
  void write();                      // the thread
  void forget(std::deque<Message>::iterator at);
  bool isPartlyWritten() const { return !waiting_.empty() && isPartOfFirst_; }

  std::mutex mutex_;
  std::condition_variable changed_;
  int descriptor_;
  std::deque<Message> waiting_;
  size_t waitingBytes_ = 0;
  bool isPartOfFirst_ = false; // of the first that waits, the beginning was written
  bool isLastWaiting_ = false; // the last message posted is the last that waits
  bool isClosing_ = false, isGone_ = false, isOver_ = false;
  std::thread writer_; // started when something has to wait for the first time
};

} // namespace gluond::lsp
