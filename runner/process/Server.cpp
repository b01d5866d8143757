#include "runner/process/Server.h"

#include "runner/process/Gpu.h"
#include "runner/protocol/Framing.h"
#include "support/JsonDepth.h"
#include "support/WriteAll.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <unistd.h>

namespace gluond::runner {

namespace {

struct Pending {
  Json id;
  std::string method;
  Json params;
  std::string binary;
};

class Server {
public:
  Server()
      : watchdog_([this](const std::string& kernel, uint64_t milliseconds) {
          hung(kernel, milliseconds);
        }),
        gpu_(watchdog_, capture_), worker_([this] { work(); }) {}

  [[noreturn]] void read() {
    FrameDecoder decoder;
    Frame frame;
    std::string buffer(1 << 20, '\0');
    while (true) {
      ssize_t got = ::read(0, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) _exit(0); // the client is gone; a kernel that still runs ends with us
      decoder.feed({buffer.data(), static_cast<size_t>(got)});
      FrameDecoder::State state;
      while ((state = decoder.next(frame)) == FrameDecoder::State::Frame)
        receive(std::move(frame));
      if (state == FrameDecoder::State::Broken) {
        fail(nullptr, {ProblemKind::Protocol, decoder.problem(), {}, {}, {}, true});
        _exit(exitFatal);
      }
    }
  }

private:
  void receive(Frame frame) {
    Json message =
        isNestedDeeper(frame.json, 64) ? Json() : Json::parse(frame.json, nullptr, false);
    if (message.is_discarded() || !message.is_object() || !message.contains("method") ||
        !message["method"].is_string())
      return fail(nullptr, {ProblemKind::Request, "this is no request", {}, {}, {}, false});
    Pending pending{message.value("id", Json()), message["method"].get<std::string>(),
                    message.value("params", Json::object()), std::move(frame.binary)};
    if (pending.method == "shutdown") {
      answer(pending.id, nullptr, {});
      _exit(0);
    }
    std::unique_lock lock(mutex_);
    if (pending.method == "cancel") {
      auto params = json::decode<CancelParams>(pending.params);
      if (!params) return;
      if (current_ == params->id && !current_.is_null()) {
        cancelled_ = true;
        return;
      }
      auto it = std::find_if(queue_.begin(), queue_.end(),
                             [&](const Pending& each) { return each.id == params->id; });
      if (it == queue_.end()) return;
      Json id = it->id;
      queue_.erase(it);
      lock.unlock();
      return fail(id, {ProblemKind::Cancelled, "cancelled", {}, {}, {}, false});
    }
    queue_.push_back(std::move(pending));
    lock.unlock();
    changed_.notify_one();
  }

  void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !queue_.empty(); });
      Pending request = std::move(queue_.front());
      queue_.pop_front();
      current_ = request.id;
      cancelled_ = false;
      lock.unlock();
      handle(request);
      lock.lock();
      current_ = nullptr;
    }
  }

  // Decodes the params, calls the method, answers.
  template <typename Params, typename Method> void call(const Pending& request, Method method) {
    auto params = json::decode<Params>(request.params);
    if (!params)
      return fail(
          request.id,
          {ProblemKind::Request, request.method + ": " + params.error(), {}, {}, {}, false});
    std::string binary;
    auto result = method(*params, binary);
    if (!result) return fail(request.id, result.error());
    answer(request.id, json::encode(*result), binary);
  }

  void handle(const Pending& request) {
    std::string_view in = request.binary;
    const std::string& method = request.method;
    if (method == "initialize")
      call<InitializeParams>(
          request, [&](auto& params, std::string&) -> Expected<InitializeResult> {
            if (params.protocol != protocolVersion)
              return tl::unexpected(
                  Problem{ProblemKind::Request,
                          "this runner speaks version " + std::to_string(protocolVersion) +
                              " of the protocol, the client " + std::to_string(params.protocol),
                          {},
                          {},
                          {},
                          false});
            return gpu_.initialize();
          });
    else if (method == "load")
      call<LoadParams>(request, [&](auto& params, std::string&) { return gpu_.load(params, in); });
    else if (method == "unload")
      call<UnloadParams>(request, [&](auto& params, std::string&) { return gpu_.unload(params); });
    else if (method == "run")
      call<RunParams>(request,
                      [&](auto& params, std::string& out) { return gpu_.run(params, in, out); });
    else if (method == "time")
      call<TimeParams>(request, [&](auto& params, std::string&) {
        return gpu_.time(params, in, cancelled_, [&](const Times& times) {
          send({{"jsonrpc", "2.0"},
                {"method", "progress"},
                {"params", json::encode(Progress{request.id, times})}},
               {});
        });
      });
    else if (method == "compare")
      call<CompareParams>(request,
                          [&](auto& params, std::string&) { return gpu_.compare(params, in); });
    else
      fail(request.id,
           {ProblemKind::Request, "there is no method '" + method + "'", {}, {}, {}, false});
  }

  void answer(const Json& id, Json result, const std::string& binary) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}, binary);
  }
  void fail(const Json& id, const Problem& problem) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"error", encodeProblem(problem)}}, {});
    if (problem.isFatal) _exit(exitFatal);
  }
  void hung(const std::string& kernel, uint64_t milliseconds) {
    Json id;
    {
      std::lock_guard lock(mutex_);
      id = current_;
    }
    std::string time = milliseconds < 1000 ? std::to_string(milliseconds) + " ms"
                                           : std::to_string(milliseconds / 1000) + " s";
    Problem problem{ProblemKind::Hang, "", kernel, "", capture_.take(), true};
    problem.message = kernel.empty() ? "the CUDA driver did not answer within " + time
                                     : kernel + " did not end within " + time +
                                           ": a loop without end, or a wait (an mbarrier, another "
                                           "program) that nothing ends";
    fail(id, problem);
    _exit(exitFatal);
  }

  void send(const Json& message, std::string_view binary) {
    std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::lock_guard lock(output_);
    std::string head = frameHeader(text.size(), binary.size()) + text;
    for (std::string_view part : {std::string_view(head), binary})
      if (!writeAll(capture_.protocol(), part)) _exit(0); // nobody listens any more
  }

  Capture capture_;
  std::mutex mutex_, output_; // of what stands below; of writing
  std::condition_variable changed_;
  std::deque<Pending> queue_;
  Json current_; // id of the request at work; null: none
  std::atomic<bool> cancelled_ = false;
  Watchdog watchdog_;
  Gpu gpu_;
  std::thread worker_;
};

} // namespace

void serve() {
  std::signal(SIGPIPE, SIG_IGN);
  Server server;
  server.read();
}

} // namespace gluond::runner
