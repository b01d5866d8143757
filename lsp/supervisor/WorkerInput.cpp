#include "lsp/supervisor/WorkerInput.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace gluond::lsp {

size_t WorkerInput::Message::cost() const {
  constexpr size_t ofItself = 256; // thousands of empty messages are not for free
  return frame.size() + ofItself;
}

WorkerInput::WorkerInput(int descriptor) : descriptor_(descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

WorkerInput::~WorkerInput() {
  {
    std::lock_guard lock(mutex_);
    isOver_ = true;
  }
  changed_.notify_all();
  if (writer_.joinable()) writer_.join();
  if (descriptor_ >= 0) ::close(descriptor_);
}

static std::string framed(std::string_view message) {
  std::string frame = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  frame += message;
  return frame;
}

bool WorkerInput::post(std::string_view message, std::string_view id) {
  std::lock_guard lock(mutex_);
  isLastWaiting_ = false;
  if (!waiting_.empty() && waitingBytes_ + message.size() > mostWaitingBytes) return false;
  add({framed(message), std::string(id), ""});
  return true;
}

void WorkerInput::postAlways(std::string_view message) {
  std::lock_guard lock(mutex_);
  add({framed(message), "", ""});
  isLastWaiting_ = false;
}

void WorkerInput::postFirst(std::string_view message) {
  std::lock_guard lock(mutex_);
  if (waiting_.empty()) return add({framed(message), "", ""});
  if (isGone_ || isClosing_ || waitingBytes_ > mostWaitingBytes) return;
  Message& made =
      *waiting_.insert(waiting_.begin() + isPartlyWritten(), Message{framed(message), "", ""});
  waitingBytes_ += made.cost();
}

void WorkerInput::add(Message message) {
  if (isGone_ || isClosing_) return;
  if (waiting_.empty()) {
    size_t size = message.frame.size();
    if (!writeNow(message.frame) || message.frame.empty()) return;
    isPartOfFirst_ = message.frame.size() < size;
  }
  waitingBytes_ += message.cost();
  waiting_.push_back(std::move(message));
  isLastWaiting_ = true;
  if (!writer_.joinable()) writer_ = std::thread([this] { write(); });
  changed_.notify_all();
}

bool WorkerInput::writeNow(std::string& frame) {
  size_t at = 0;
  while (at < frame.size()) {
    ssize_t wrote = ::write(descriptor_, frame.data() + at, frame.size() - at);
    if (wrote >= 0)
      at += static_cast<size_t>(wrote);
    else if (errno == EAGAIN)
      break;
    else if (errno != EINTR)
      isGone_ = true;
    if (isGone_) return false;
  }
  frame.erase(0, at);
  return true;
}

void WorkerInput::forget(std::deque<Message>::iterator at) {
  waitingBytes_ -= at->cost();
  waiting_.erase(at);
}

bool WorkerInput::drop(std::string_view id) {
  std::lock_guard lock(mutex_);
  auto found = std::find_if(waiting_.begin() + isPartlyWritten(), waiting_.end(),
                            [&](const Message& each) { return each.id == id; });
  if (found == waiting_.end()) return false;
  forget(found);
  return true;
}

void WorkerInput::lastChanges(const std::string& document, bool wholeText) {
  std::lock_guard lock(mutex_);
  if (!isLastWaiting_) return;
  waiting_.back().document = document;
  if (!wholeText) return;
  auto first = waiting_.begin() + isPartlyWritten();
  if (waiting_.end() - first < 2) return;
  auto replaced = std::remove_if(first, waiting_.end() - 1, [&](const Message& each) {
    if (each.document != document) return false;
    waitingBytes_ -= each.cost();
    return true;
  });
  waiting_.erase(replaced, waiting_.end() - 1);
}

void WorkerInput::close() {
  std::lock_guard lock(mutex_);
  isClosing_ = true;
  if (waiting_.empty() && descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void WorkerInput::write() {
  std::unique_lock lock(mutex_);
  while (!isOver_) {
    if (waiting_.empty()) {
      changed_.wait(lock);
      continue;
    }
    pollfd pipe{descriptor_, POLLOUT, 0};
    lock.unlock(); // only this thread closes the descriptor while something waits
    bool isReady = ::poll(&pipe, 1, 50) > 0;
    lock.lock();
    if (!isReady || isOver_ || waiting_.empty()) continue;
    Message& first = waiting_.front();
    size_t before = first.frame.size();
    bool isThere = writeNow(first.frame);
    waitingBytes_ -= isThere ? before - first.frame.size() : 0;
    isPartOfFirst_ |= first.frame.size() < before;
    if (isThere && !first.frame.empty()) continue;
    forget(waiting_.begin());
    isPartOfFirst_ = false;
    if (!isThere) {
      waiting_.clear();
      waitingBytes_ = 0;
    }
    isLastWaiting_ &= !waiting_.empty();
    if (isClosing_ && waiting_.empty() && descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }
}

} // namespace gluond::lsp
