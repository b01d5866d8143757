#include "runner/protocol/RequestLoop.h"

#include "runner/protocol/Framing.h"
#include "support/WriteAll.h"
#include "support/json/Text.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace gluond::runner {

RequestLoop::RequestLoop(int output, Handler handle) : out_(output), handle_(std::move(handle)) {}

void RequestLoop::read() {
  worker_ = std::thread([this] { work(); });
  FrameDecoder decoder;
  Frame frame;
  std::string buffer(1 << 20, '\0');
  while (true) {
    ssize_t got = ::read(0, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(0); // the client is gone; this also ends running work
    decoder.feed({buffer.data(), static_cast<size_t>(got)});
    FrameDecoder::State state;
    while ((state = decoder.next(frame)) == FrameDecoder::State::Frame) {
      Json message = json::parse(frame.json, 64).value_or(Json());
      if (!message.is_object() || !message.contains("method") || !message["method"].is_string())
        fail(nullptr, {ProblemKind::Request, "this is no request", {}, {}, {}, false});
      else
        receive({message.value("id", Json()),
                 message["method"].get<std::string>(),
                 message.value("params", Json::object()),
                 std::move(frame.binary),
                 {}});
    }
    if (state == FrameDecoder::State::Broken)
      fail(nullptr, {ProblemKind::Protocol, decoder.problem(), {}, {}, {}, true});
  }
}

void RequestLoop::receive(Request request) {
  if (request.method == "shutdown") {
    answer(request.id, nullptr, {});
    _exit(0);
  }
  std::unique_lock lock(mutex_);
  if (request.method == "cancel") {
    auto params = json::decode<CancelParams>(request.params);
    if (!params) return;
    if (current_ == params->id && !current_.is_null()) {
      cancellation_.cancel();
      return;
    }
    auto it = std::find_if(queue_.begin(), queue_.end(),
                           [&](const Request& each) { return each.id == params->id; });
    if (it == queue_.end()) return;
    Json id = it->id;
    queue_.erase(it);
    lock.unlock();
    return fail(id, {ProblemKind::Cancelled, "cancelled", {}, {}, {}, false});
  }
  queue_.push_back(std::move(request));
  lock.unlock();
  changed_.notify_one();
}

void RequestLoop::work() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !queue_.empty(); });
    Request request = std::move(queue_.front());
    queue_.pop_front();
    current_ = request.id;
    cancellation_ = {};
    request.token = cancellation_.token();
    lock.unlock();
    handle_(*this, request);
    lock.lock();
    current_ = nullptr;
  }
}

Json RequestLoop::current() const {
  std::lock_guard lock(mutex_);
  return current_;
}

void RequestLoop::answer(const Json& id, Json result, std::string_view binary) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}, binary);
}

void RequestLoop::fail(const Json& id, const Problem& problem) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", encodeProblem(problem)}}, {});
  if (problem.isFatal) _exit(exitFatal);
}

void RequestLoop::refuse(const Request& request) {
  fail(request.id,
       {ProblemKind::Request, "there is no method '" + request.method + "'", {}, {}, {}, false});
}

void RequestLoop::notify(const char* method, Json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}, {});
}

void RequestLoop::send(const Json& message, std::string_view binary) {
  std::string text = json::compact(message);
  std::lock_guard lock(output_);
  std::string head = frameHeader(text.size(), binary.size()) + text;
  for (std::string_view part : {std::string_view(head), binary})
    if (!writeAll(out_, part)) _exit(0); // the client is gone
}

} // namespace gluond::runner
