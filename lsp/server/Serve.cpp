#include "lsp/server/Serve.h"

#include <chrono>
#include <deque>
#include <thread>

namespace gluond::lsp {

namespace {

// Messages to the client, written by a thread of their own: a client that reads slowly must not
// block the reader, or two full pipes would wait for each other.
class Outbox {
public:
  explicit Outbox(Transport& transport) : transport_(transport), thread_([this] { run(); }) {}
  ~Outbox() {
    finish();
    transport_.abandon();
    thread_.join();
  }

  // Gives a client that still reads half a second to receive the rest.
  void finish() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::milliseconds(500), [&] { return done_; });
  }

  void push(std::string message) {
    {
      std::lock_guard lock(mutex_);
      bytes_ += message.size();
      // The client reads too slowly to receive all that.
      if (bytes_ > mostBytes) {
        messages_.clear();
        isGone_ = true;
      }
      if (isGone_) return transport_.abandon();
      messages_.push_back(std::move(message));
    }
    changed_.notify_all();
  }

private:
  static constexpr size_t mostBytes = size_t{512} << 20;

  void run() {
    std::unique_lock lock(mutex_);
    bool alive = true;
    while (true) {
      changed_.wait(lock, [&] { return !messages_.empty() || closed_; });
      if (messages_.empty()) break;
      std::string message = std::move(messages_.front());
      messages_.pop_front();
      lock.unlock();
      alive = alive && transport_.write(message);
      lock.lock();
      bytes_ -= std::min(bytes_, message.size());
    }
    done_ = true;
    changed_.notify_all();
  }

  Transport& transport_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> messages_;
  size_t bytes_ = 0; // of those and of the message being written
  bool closed_ = false, done_ = false, isGone_ = false;
  std::thread thread_;
};

} // namespace

int serve(Transport& transport, const Router& router, ServerOptions options,
          const std::function<void(Server&)>& onServer) {
  auto onLeave = std::move(options.onLeave), onStopped = std::move(options.onStopped);
  Outbox outbox(transport);
  Server server(router, std::move(options),
                [&](std::string message) { outbox.push(std::move(message)); });
  if (onServer) onServer(server);
  while (!server.exited()) {
    Incoming incoming = transport.read();
    if (incoming.kind == Incoming::Kind::Closed) break;
    if (incoming.kind == Incoming::Kind::Malformed) {
      server.malformed(incoming.text);
      continue;
    }
    server.receive(incoming.text);
    if (server.lastWasNotJson()) transport.resynchronize();
  }
  int exitCode = server.exited() ? server.exitCode() : 1;
  if (onLeave) onLeave(exitCode);
  server.stop();
  if (onStopped) {
    outbox.finish();
    onStopped(exitCode);
  }
  return exitCode;
}

} // namespace gluond::lsp
