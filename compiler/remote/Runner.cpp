#include "remote/Runner.h"

#include "support/json/Text.h"

#include <algorithm>
#include <chrono>

namespace gluond::remote {

using namespace runner;
using Clock = std::chrono::steady_clock;

namespace {

constexpr size_t mostErrorBytes = 8192;

// The last lines of a text, without empty ones.
std::string lastWords(std::string_view text) {
  constexpr size_t most = 600;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\r'))
    text.remove_suffix(1);
  if (text.size() > most) text.remove_prefix(text.size() - most);
  return std::string(text);
}

} // namespace

void Runner::stop() {
  connection_.reset();
  greeting_.reset();
}

Problem Runner::lost(ProblemKind kind, std::string what) {
  Problem problem;
  problem.kind = kind;
  problem.isFatal = true;
  std::string words;
  if (connection_) {
    auto [ending, isBySignal] = connection_->process.finish();
    wasEndedBySignal_ = isBySignal;
    words = lastWords(connection_->errors);
    if (words.empty()) words = lastWords(connection_->decoder.noise());
    if (kind != ProblemKind::Protocol && ending != "was ended") what += " (it " + ending + ")";
  }
  problem.message = "the runner '" + options_.command + "' " + what;
  problem.log = words;
  stop();
  return problem;
}

Expected<Runner::Reply> Runner::talk(const char* method, const Json& params,
                                     std::string_view binary, uint64_t limitMs,
                                     CancellationToken token, const OnTimes& progress) {
  Connection& connection = *connection_;
  uint64_t id = connection.nextId++;
  auto frameOf = [](const Json& message, size_t binaryBytes) {
    std::string text = json::compact(message);
    return frameHeader(text.size(), binaryBytes) + text;
  };
  std::string head = frameOf(
      {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}, binary.size());
  std::string cancel =
      frameOf({{"jsonrpc", "2.0"}, {"method", "cancel"}, {"params", {{"id", id}}}}, 0);
  std::vector<std::string_view> queue = {head, binary}; // to be written
  auto deadline = Clock::now() + std::chrono::milliseconds(limitMs);
  std::optional<Clock::time_point> cancelledAt;
  // Only a run gives back data; then it is as large as the tensors.
  connection.decoder.expectBinary(std::string_view(method) == "run" ? maxBinaryBytes : 0);
  while (true) {
    while (!queue.empty() && queue.front().empty())
      queue.erase(queue.begin());
    std::string_view nothing;
    std::string in;
    bool isOpen =
        connection.process.pump(queue.empty() ? nothing : queue.front(), in, connection.errors, 50);
    if (connection.errors.size() > 2 * mostErrorBytes)
      connection.errors.erase(0, connection.errors.size() - mostErrorBytes);
    connection.decoder.feed(in);
    Frame frame;
    FrameDecoder::State state;
    while ((state = connection.decoder.next(frame)) == FrameDecoder::State::Frame) {
      Json message = json::parse(frame.json, 64).value_or(Json());
      if (!message.is_object())
        return tl::unexpected(
            lost(ProblemKind::Protocol, "answers with something that is no message"));
      if (message.contains("method")) {
        if (message["method"] != "progress" || !progress || !message.contains("params")) continue;
        if (auto news = json::decode<Progress>(message["params"]); news && news->id == id)
          progress(news->times);
        continue;
      }
      // A response without an id is an error that belongs to no request.
      bool isOurs = message.contains("id") && message["id"] == id;
      bool isAny = message.contains("id") && message["id"].is_null();
      if (!isOurs && !isAny) continue; // of a request that was given up
      if (message.contains("error")) {
        Problem problem = decodeProblem(message["error"]);
        if (problem.isFatal) stop();
        return tl::unexpected(std::move(problem));
      }
      if (!isOurs) continue;
      if (!message.contains("result"))
        return tl::unexpected(lost(ProblemKind::Protocol, "answers without a result"));
      return Reply{std::move(message["result"]), std::move(frame.binary)};
    }
    if (state == FrameDecoder::State::Broken)
      return tl::unexpected(lost(ProblemKind::Protocol, "sends " + connection.decoder.problem()));
    if (!isOpen)
      return tl::unexpected(lost(ProblemKind::Lost, connection.decoder.isMidFrame()
                                                        ? "ended in the middle of an answer"
                                                        : "ended without an answer"));
    auto now = Clock::now();
    if (token.isCancelled() && !cancelledAt) {
      cancelledAt = now;
      queue.push_back(cancel);
    }
    // A runner inside a kernel cannot react; starting a new one is faster than waiting.
    if (cancelledAt && now - *cancelledAt > std::chrono::seconds(2)) {
      lost(ProblemKind::Cancelled, "was cancelled");
      return tl::unexpected(Problem{ProblemKind::Cancelled, "cancelled", {}, {}, {}, true});
    }
    if (now > deadline)
      return tl::unexpected(lost(ProblemKind::Lost, "does not answer within " +
                                                        std::to_string(limitMs / 1000) + " s"));
  }
}

static constexpr const char* useOurs =
    ": start the gluond-runner that was installed together with gluond";

Expected<InitializeResult> Runner::connect(CancellationToken token) {
  if (connection_ && greeting_) return *greeting_;
  // Whatever ends runners (a scheduler, a machine that is short of memory) may end one that starts.
  constexpr unsigned mostStarts = 5;
  for (unsigned starts = 1;; ++starts) {
    auto greeting = start(token);
    if (greeting || !wasEndedBySignal_ || starts == mostStarts || token.isCancelled())
      return greeting;
  }
}

// A runner may be anything: a name with line breaks would forge lines of what is printed.
static void makeNames(InitializeResult& greeting) {
  auto isControl = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  auto make = [&](std::string& name) { std::replace_if(name.begin(), name.end(), isControl, ' '); };
  make(greeting.version);
  make(greeting.host);
  for (DriverInfo& driver : greeting.drivers)
    for (std::string* name : {&driver.name, &driver.vendor, &driver.version, &driver.library})
      make(*name);
  for (DeviceInfo& device : greeting.devices)
    for (std::string* name : {&device.name, &device.target, &device.driver})
      make(*name);
}

Expected<InitializeResult> Runner::start(CancellationToken token) {
  stop();
  wasEndedBySignal_ = false;
  auto process = Process::start(options_.command);
  if (!process)
    return tl::unexpected(Problem{ProblemKind::Start, process.error(), {}, {}, {}, false});
  connection_.reset(new Connection{std::move(*process), {}, {}, 1});
  ++generation_;
  auto reply =
      talk("initialize", json::encode(InitializeParams()), {}, options_.startMs, token, {});
  if (!reply) {
    if (reply.error().kind == ProblemKind::Lost) reply.error().kind = ProblemKind::Start;
    // It refuses the version, for the rest of the request is the same in all of them.
    if (reply.error().kind == ProblemKind::Request) reply.error().message += useOurs;
    stop();
    return tl::unexpected(std::move(reply.error()));
  }
  // Another version may greet with other fields.
  if (auto other = reply->result.find("protocol"); other != reply->result.end() &&
                                                   other->is_number_unsigned() &&
                                                   other->get<uint64_t>() != protocolVersion)
    return tl::unexpected(
        lost(ProblemKind::Protocol, "speaks version " + std::to_string(other->get<uint64_t>()) +
                                        " of the protocol, gluond " +
                                        std::to_string(protocolVersion) + useOurs));
  auto greeting = json::decode<InitializeResult>(reply->result);
  if (!greeting)
    return tl::unexpected(
        lost(ProblemKind::Protocol, "greets with something else: " + greeting.error()));
  makeNames(*greeting);
  greeting_ = std::move(*greeting);
  return *greeting_;
}

Expected<Runner::Reply> Runner::ask(const char* method, const Json& params, std::string_view binary,
                                    uint64_t limitMs, CancellationToken token,
                                    const OnTimes& progress) {
  if (auto connected = connect(token); !connected)
    return tl::unexpected(std::move(connected.error()));
  return talk(method, params, binary, limitMs + options_.patienceMs, token, progress);
}

template <typename Result, typename Params>
Expected<Result> Runner::call(const char* method, const Params& params, std::string_view binary,
                              uint64_t limitMs, CancellationToken token, const OnTimes& progress,
                              std::string* out) {
  auto reply = ask(method, json::encode(params), binary, limitMs, token, progress);
  if (!reply) return tl::unexpected(std::move(reply.error()));
  auto result = json::decode<Result>(reply->result);
  if (!result)
    return tl::unexpected(
        lost(ProblemKind::Protocol,
             std::string("answers '") + method + "' with something else: " + result.error()));
  if (out) *out = std::move(reply->binary);
  return std::move(*result);
}

Expected<LoadResult> Runner::load(const LoadParams& params, std::string_view binary,
                                  CancellationToken token) {
  return call<LoadResult>("load", params, binary, 0, token);
}

Expected<bool> Runner::unload(uint64_t module) {
  auto reply = ask("unload", json::encode(UnloadParams{module}), {}, 0, {});
  if (!reply) return tl::unexpected(std::move(reply.error()));
  return true;
}

Expected<Runner::Ran> Runner::run(const RunParams& params, std::string_view binary,
                                  CancellationToken token) {
  Ran ran;
  auto result = call<RunResult>("run", params, binary, params.limitMs, token, {}, &ran.binary);
  if (!result) return tl::unexpected(std::move(result.error()));
  ran.result = std::move(*result);
  for (const TensorSummary& tensor : ran.result.tensors)
    if (tensor.data && (tensor.data->offset > ran.binary.size() ||
                        tensor.data->size > ran.binary.size() - tensor.data->offset))
      return tl::unexpected(lost(ProblemKind::Protocol, "speaks of data that it did not send"));
  return ran;
}

Expected<TimeResult> Runner::time(const TimeParams& params, std::string_view binary,
                                  CancellationToken token, const OnTimes& progress) {
  auto limit = static_cast<uint64_t>(static_cast<double>(params.limitMs) +
                                     10 * (params.budgetMs + params.warmupMs));
  return call<TimeResult>("time", params, binary, limit, token, progress);
}

Expected<CompareResult> Runner::compare(const CompareParams& params, std::string_view binary,
                                        CancellationToken token) {
  return call<CompareResult>("compare", params, binary, 0, token);
}

} // namespace gluond::remote
