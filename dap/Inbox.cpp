#include "dap/Inbox.h"

#include "lsp/protocol/Json.h"

#include <algorithm>

namespace gluond::dap {

Inbox::Inbox(lsp::Transport& transport, std::function<void()> onGone)
    : transport_(transport), onGone_(std::move(onGone)), reader_([this] { read(); }) {}

Inbox::~Inbox() {
  reader_.join();
}

bool Inbox::isUrgent(const std::string& command) {
  for (const char* each : {"pause", "terminate", "disconnect", "restart"})
    if (command == each) return true;
  return false;
}

void Inbox::read() {
  constexpr size_t most = 10'000; // requests that wait: nobody asks for so much
  while (true) {
    lsp::Incoming incoming = transport_.read();
    std::lock_guard lock(mutex_);
    if (incoming.kind == lsp::Incoming::Kind::Closed || waiting_.size() > most) {
      isClosed_ = true;
      running_.cancel();
      came_.notify_all();
      if (onGone_) onGone_();
      return;
    }
    if (incoming.kind == lsp::Incoming::Kind::Malformed) continue;
    auto message = lsp::parseJson(incoming.text);
    if (!message) {
      transport_.resynchronize();
      continue;
    }
    if (!message->is_object() || text(*message, "type") != "request") continue;
    bool isLast = text(*message, "command") == "disconnect";
    if (byAny_ || isUrgent(text(*message, "command"))) running_.cancel();
    waiting_.push_back(std::move(*message));
    isClosed_ = isLast;
    came_.notify_all();
    if (isLast && onGone_) onGone_();
    if (isLast) return;
  }
}

std::optional<Json> Inbox::next() {
  std::unique_lock lock(mutex_);
  came_.wait(lock, [&] { return isClosed_ || !waiting_.empty(); });
  if (waiting_.empty()) return std::nullopt;
  Json message = std::move(waiting_.front());
  waiting_.pop_front();
  return message;
}

CancellationToken Inbox::interrupt(bool byAny) {
  std::lock_guard lock(mutex_);
  running_ = CancellationSource();
  byAny_ = byAny;
  bool isDue = isClosed_ || std::any_of(waiting_.begin(), waiting_.end(), [&](const Json& each) {
                 return byAny || isUrgent(text(each, "command"));
               });
  if (isDue) running_.cancel();
  return running_.token();
}

bool Inbox::has(const char* command) const {
  std::lock_guard lock(mutex_);
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const Json& each) { return text(each, "command") == command; });
}

bool Inbox::isClosed() const {
  std::lock_guard lock(mutex_);
  return isClosed_;
}

} // namespace gluond::dap
