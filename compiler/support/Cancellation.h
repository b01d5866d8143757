// Cooperative cancellation: the reader thread triggers a source, long tasks poll its tokens.
#pragma once

#include <atomic>
#include <memory>

namespace gluond {

// Cheap to copy; a default token is never cancelled. May be polled from any thread.
class CancellationToken {
public:
  CancellationToken() = default;
  bool isCancelled() const { return flag_ && flag_->load(std::memory_order_relaxed); }

private:
  friend class CancellationSource;
  explicit CancellationToken(std::shared_ptr<std::atomic<bool>> flag) : flag_(std::move(flag)) {}
  std::shared_ptr<std::atomic<bool>> flag_;
};

class CancellationSource {
public:
  CancellationSource() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() { flag_->store(true, std::memory_order_relaxed); }
  CancellationToken token() const { return CancellationToken(flag_); }

private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

} // namespace gluond
