// A process that answers requests on its standard input: reads them, passes them to one worker in
// order, drops cancelled ones, and ends when its client disconnects.
//
//   RequestLoop loop(output, [&](RequestLoop& loop, const Request& request) {
//     if (request.method == "load")
//       loop.call<LoadParams>(request, [&](const LoadParams& params, std::string& binary) { ... });
//     else loop.refuse(request);
//   });
//   loop.read();
#pragma once

#include "runner/protocol/Messages.h"
#include "support/Cancellation.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace gluond::runner {

// Exit codes besides 0.
inline constexpr int exitFatal = 3; // no more requests can be answered; the client was told

struct Request {
  Json id;
  std::string method;
  Json params;
  std::string binary;      // slices of the request refer to it
  CancellationToken token; // cancelled by the client
};

class RequestLoop {
public:
  // `handle` is called on the worker; it answers or fails each request exactly once.
  using Handler = std::function<void(RequestLoop&, const Request&)>;
  RequestLoop(int output, Handler handle);

  // Serves standard input until the client disconnects.
  [[noreturn]] void read();

  // Decodes the params, calls the method, and answers. method(params, binary of the answer) returns
  // a result or a Problem.
  template <typename Params, typename Method> void call(const Request& request, Method method) {
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
  void answer(const Json& id, Json result, std::string_view binary);
  // Ends the process if the problem is fatal.
  void fail(const Json& id, const Problem& problem);
  // Answers that there is no such method.
  void refuse(const Request& request);
  void notify(const char* method, Json params);
  // Returns the id of the current request, or null.
  Json current() const;

private:
  void receive(Request request);
  void work();
  void send(const Json& message, std::string_view binary);

  const int out_;
  const Handler handle_;
  mutable std::mutex mutex_; // guards the queue and the current request
  std::mutex output_;        // guards writing
  std::condition_variable changed_;
  std::deque<Request> queue_;
  Json current_;
  CancellationSource cancellation_; // of the current request
  std::thread worker_;
};

} // namespace gluond::runner
