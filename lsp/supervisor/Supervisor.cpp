#include "lsp/supervisor/Supervisor.h"

#include "lsp/protocol/Json.h"
#include "lsp/protocol/Rpc.h"
#include "lsp/server/Quarantine.h"
#include "lsp/supervisor/WorkerInput.h"
#include "lsp/transport/FramedTransport.h"
#include "support/ChildProcess.h"
#include "support/MachineMemory.h"

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace gluond::lsp {

namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// Ends of workers within a minute after which they get syntax only, and after which there is none.
constexpr size_t endsBeforeCaution = 4, endsBeforeGivingUp = 8;
constexpr int boardOfWorker = 3; // its descriptor
// Requests that wait for an answer: an editor has dozens.
constexpr size_t mostAsked = 10'000;
constexpr auto watchEvery = 100ms, watchIdleEvery = 1000ms;

size_t residentBytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

// A worker process and the two pipes to it.
class Worker {
public:
  // The error says why there is none.
  static tl::expected<std::unique_ptr<Worker>, std::string>
  start(const std::vector<std::string>& command, int board) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0) return tl::unexpected(std::strerror(errno));
    if (::pipe2(out, O_CLOEXEC) != 0) {
      ::close(in[0]), ::close(in[1]);
      return tl::unexpected(std::strerror(errno));
    }
    ChildSetup setup;
    setup.descriptors = {{in[0], 0}, {out[1], 1}};
    if (board >= 0) setup.descriptors.emplace_back(board, boardOfWorker);
    setup.closedFrom = boardOfWorker + (board >= 0);
    auto process = startChild("/proc/self/exe", command, setup);
    ::close(in[0]), ::close(out[1]);
    if (!process) {
      ::close(in[1]), ::close(out[0]);
      return tl::unexpected(process.error());
    }
    constexpr int pipeBytes = 1 << 20; // more than the usual: a message is one switch of process
    ::fcntl(in[1], F_SETPIPE_SZ, pipeBytes);
    ::fcntl(out[0], F_SETPIPE_SZ, pipeBytes);
    return std::unique_ptr<Worker>(new Worker(*process, in[1], out[0]));
  }
  ~Worker() {
    ::close(out_);
    if (!isBuried_) ::kill(process_, SIGKILL), bury();
  }

  pid_t process() const { return process_; }
  WorkerInput& input() { return input_; }
  Incoming read() { return transport_.read(); }
  // Until it is reaped, its process id is not reused.
  void wait() { hasEnded(process_, true); }
  // Returns its exit status. Its process id may be reused from now on.
  int bury() {
    if (!std::exchange(isBuried_, true)) status_ = reapChild(process_);
    return status_;
  }

private:
  Worker(pid_t process, int in, int out)
      : process_(process), out_(out), input_(in), stream_(out, -1), transport_(stream_) {}

  pid_t process_;
  int out_;
  WorkerInput input_;
  FdStream stream_;
  FramedTransport transport_;
  bool isBuried_ = false;
  int status_ = 0;
};

// Messages of a thread that must not wait for the client, which may read nothing: another thread
// sends them.
class Replies {
public:
  explicit Replies(std::function<void(std::string_view)> send) : send_(std::move(send)) {}
  ~Replies() { finish(); }
  Replies(const Replies&) = delete;

  void post(std::string message) {
    constexpr size_t most = 4096; // a client that does not read its answers gets no more
    std::lock_guard lock(mutex_);
    if (isOver_ || waiting_.size() >= most) return;
    waiting_.push_back(std::move(message));
    if (!sender_.joinable()) sender_ = std::thread([this] { run(); });
    changed_.notify_all();
  }
  // Sends what waits.
  void finish() {
    {
      std::lock_guard lock(mutex_);
      isOver_ = true;
    }
    changed_.notify_all();
    if (sender_.joinable()) sender_.join();
  }

private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return isOver_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::string message = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      send_(message);
      lock.lock();
    }
  }

  const std::function<void(std::string_view)> send_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  bool isOver_ = false;
  std::thread sender_; // started for the first message
};

} // namespace

struct Supervisor::State {
  State(Transport& client, std::unique_ptr<Protocol> protocol, SupervisorOptions given)
      : client(client), options(std::move(given)), board(CurrentWork::make()),
        protocol(std::move(protocol)) {
    if (size_t most = machineBytes() / 4 * 3) options.mostBytes = std::min(options.mostBytes, most);
  }

  int run() {
    if (!start()) return 70;
    std::thread reader([this] { read(); });
    std::thread watcher([this] { watch(); });
    relay();
    reader.join();
    replies.finish();
    {
      std::lock_guard lock(watchMutex);
      isOver = true;
    }
    changed.notify_all();
    watcher.join();
    return exitCode;
  }

  // ---- from the client

  void read() {
    while (true) {
      Incoming incoming = client.read();
      if (incoming.kind == Incoming::Kind::Closed) {
        awaitAnswers();
        return leave(false);
      }
      if (incoming.kind == Incoming::Kind::Malformed) {
        std::optional<Json> id = parseJson(incoming.id);
        replies.post(
            makeError(id.value_or(nullptr),
                      {id ? ErrorCode::InvalidRequest : ErrorCode::ParseError, incoming.text}));
        continue;
      }
      MessageHead head = headOf(incoming.text);
      if (!head.isWhole) client.resynchronize();
      forward(head, incoming.text);
      if (protocol->isLast(head)) return leave(true);
    }
  }

  void forward(const MessageHead& head, std::string_view message) {
    std::lock_guard lock(mutex);
    if (head.isRequest() && asked.size() >= mostAsked)
      return refuse(head, "more than " + std::to_string(mostAsked) + " requests wait for answers");
    if (head.isRequest()) asked[std::string(head.id)] = head.method;
    if (hasGivenUp) {
      for (std::string& each : answerAll("it ended again and again"))
        replies.post(std::move(each));
      return;
    }
    std::string withdrawn = protocol->withdrawn(head, message);
    if (withdraw(withdrawn.empty() ? protocol->cancelled(head, message) : withdrawn, head, message,
                 !withdrawn.empty()))
      return;
    WorkerInput& input = worker->input(); // if it is gone, the next one gets the message
    bool isPosted = input.post(message, head.isRequest() ? head.id : std::string_view());
    if (!isPosted && head.isRequest()) {
      asked.erase(std::string(head.id));
      return refuse(head, "too many messages wait");
    }
    if (Protocol::Change change = protocol->fromClient(head, message); !change.document.empty())
      input.lastChanges(change.document, change.isWholeText);
    if (!isPosted && head.isNotification()) overrun();
    clientProcess = protocol->clientProcess();
  }

  // The next ones are called with the lock held.
  void refuse(const MessageHead& head, const std::string& why) {
    if (auto id = parseJson(head.id))
      replies.post(makeError(*id, {codeFor(head.method), "gluond is busy: " + why}));
  }

  // Passes on, or does, what a message says about a request that is no longer wanted. Returns false
  // if there is none.
  bool withdraw(const std::string& id, const MessageHead& head, std::string_view message,
                bool isWithoutAnswer) {
    if (id.empty()) return false;
    if (!asked.contains(id)) return true; // it was answered, or never asked
    if (worker->input().drop(id)) {
      asked.erase(id);
      if (auto json = parseJson(id); json && !isWithoutAnswer)
        replies.post(makeError(*json, {ErrorCode::RequestCancelled, "cancelled"}));
      return true;
    }
    worker->input().postFirst(message);
    if (isWithoutAnswer) asked.erase(id);
    return true;
  }

  // More waits for the worker than anybody types: a new one starts from where the client is now.
  void overrun() {
    std::lock_guard watching(watchMutex);
    if (process == 0 || leaving || !killedBecause.empty()) return;
    killedBecause = "more than " + std::to_string(WorkerInput::mostWaitingBytes >> 20) +
                    " MB of messages waited for it";
    isOverrun = true;
    ::kill(process, SIGKILL);
  }

  void awaitAnswers() {
    auto isAwaited = [this] {
      std::lock_guard lock(mutex);
      return !asked.empty();
    };
    // Requests that are refused as no valid ones may keep their ids here: a worker that has had
    // nothing to do for a while has answered everything.
    constexpr auto rest = 300ms;
    auto until = SteadyClock::now() + protocol->patience(), lastWork = SteadyClock::now();
    for (auto now = lastWork;
         now < until && now - lastWork < rest && isAwaited() && !client.isDeserted();
         now = SteadyClock::now()) {
      if (board && !board->tasks().empty()) lastWork = now;
      std::this_thread::sleep_for(5ms);
    }
  }

  void leave(bool saidLast) {
    {
      std::lock_guard lock(watchMutex);
      leaving = SteadyClock::now();
    }
    changed.notify_all();
    std::lock_guard lock(mutex);
    if (!hasGivenUp) exitCode = protocol->exitCode(saidLast);
    worker->input().close();
  }

  // ---- to the client

  void send(std::string_view message) {
    std::lock_guard lock(sendMutex);
    client.write(message);
  }

  void relay() {
    while (true) {
      Incoming incoming = worker->read();
      if (incoming.kind == Incoming::Kind::Message) {
        if (isForClient(incoming.text)) send(incoming.text);
        continue;
      }
      if (incoming.kind == Incoming::Kind::Malformed) continue;
      worker->wait();
      std::string why;
      {
        std::lock_guard watching(watchMutex);
        process = 0;
        int status = worker->bury();
        if (leaving) return;
        why = reasonOf(status);
      }
      std::vector<std::string> said;
      {
        // Held until the new one has all state: messages of the client follow it.
        std::lock_guard lock(mutex);
        hasGivenUp = !replace(why, said);
        if (hasGivenUp) {
          exitCode = 70;
          said = answerAll(why);
        }
      }
      for (const std::string& each : said)
        send(each);
      if (!hasGivenUp) continue;
      if (options.onGiveUp) options.onGiveUp(70);
      return;
    }
  }

  // Whether it is for the client; a new worker's requests and responses during its start are ours.
  bool isForClient(std::string_view message) {
    MessageHead head = headOfOurs(message);
    std::lock_guard lock(mutex);
    if (head.isResponse) {
      if (head.id.starts_with("\"") && head.id.substr(1).starts_with(Protocol::replayPrefix))
        return false;
      if (auto it = asked.find(std::string(head.id)); it != asked.end()) {
        if (it->second == "initialize") isInitializeAnswered = true;
        asked.erase(it);
      }
      return true;
    }
    if (head.method != "client/registerCapability") return true;
    if (!std::exchange(hasRegistered, true)) return true;
    worker->input().postAlways(makeResult(*parseJson(head.id), nullptr)); // for the worker before
    return false;
  }

  // ---- the worker

  bool start() {
    std::vector<std::string> command = options.command;
    if (board) {
      board->clear();
      command.insert(command.end(), {"--board", std::to_string(boardOfWorker)});
    }
    command.insert(command.end(), {"--generation", std::to_string(generation)});
    auto made = Worker::start(command, board ? board->descriptor() : -1);
    if (!made) {
      std::string why = "gluond cannot start its own program, /proc/self/exe: " + made.error() +
                        " (is /proc mounted?)\n";
      std::fputs(why.c_str(), stderr);
      return false;
    }
    worker = std::move(*made);
    process = worker->process();
    return true;
  }

  // Called with the lock held, after the old worker has ended. `said` collects messages for the
  // client, sent when the lock is released.
  bool replace(const std::string& why, std::vector<std::string>& said) {
    auto now = SteadyClock::now();
    ends.push_back(now);
    while (now - ends.front() > 60s)
      ends.pop_front();
    if (ends.size() >= endsBeforeGivingUp) return false;
    keepSuspects(why);
    if (ends.size() >= endsBeforeCaution)
      quarantine["*"] = {0, "it ended several times within a minute (" + why + ")"};
    said = answerAll(why);
    ++generation;
    if (!start()) return false;
    for (const auto& [path, what] : quarantine)
      worker->input().postAlways(makeQuarantine(path, what));
    for (const std::string& message : protocol->replay(isInitializeAnswered))
      worker->input().postAlways(message);
    if (std::string note = protocol->startedAgain(why); isInitializeAnswered && !note.empty())
      said.push_back(std::move(note));
    return true;
  }

  // The task whose thread crashed or was stuck. If the thread has no task, as those that help a
  // task have none, any task in progress.
  void keepSuspects(const std::string& why) {
    if (!board) return;
    std::vector<CurrentWork::Task> suspects;
    if (std::lock_guard watching(watchMutex); std::exchange(isOverrun, false))
      return; // no text is the cause
    else if (killedOver)
      suspects = {*std::exchange(killedOver, std::nullopt)};
    else if (auto crashed = board->crashed())
      suspects = {*crashed};
    else
      suspects = board->tasks();
    for (const CurrentWork::Task& task : suspects)
      if (!task.path.empty()) quarantine[task.path] = {task.hash, why};
  }

  std::string reasonOf(int status) {
    if (!killedBecause.empty()) return std::exchange(killedBecause, "");
    if (WIFSIGNALED(status))
      return std::string("it crashed (") + ::strsignal(WTERMSIG(status)) + ")";
    return "it ended with status " + std::to_string(WEXITSTATUS(status));
  }

  // Answers for every request that the old worker did not answer. With the lock held.
  std::vector<std::string> answerAll(const std::string& why) {
    std::vector<std::string> answers;
    for (auto it = asked.begin(); it != asked.end();) {
      const auto& [id, method] = *it;
      if (method == "initialize" && !hasGivenUp) { // the next worker answers it
        ++it;
        continue;
      }
      auto json = parseJson(id);
      if (json && method == "shutdown")
        answers.push_back(makeResult(*json, nullptr));
      else if (json)
        answers.push_back(
            makeError(*json, {codeFor(method), "gluond's worker process ended: " + why}));
      it = asked.erase(it);
    }
    return answers;
  }

  // Editors repeat their automatic requests after an edit; other errors are shown.
  static ErrorCode codeFor(std::string_view method) {
    return method.starts_with("textDocument/") ? ErrorCode::ContentModified
                                               : ErrorCode::InternalError;
  }

  void watch() {
    std::unique_lock lock(watchMutex);
    while (!isOver) {
      bool isBusy = board && !board->tasks().empty();
      changed.wait_for(lock, isBusy || leaving ? watchEvery : watchIdleEvery);
      if (leaving && !isOver && SteadyClock::now() - *leaving >= options.leave) {
        if (process != 0) ::kill(process, SIGKILL);
        client.abandon(); // it may read nothing more: the rest is not waited for
      }
      if (isOver || process == 0 || leaving) continue;
      if (residentBytes(process) > options.mostBytes) {
        killedBecause = "it took more than " + std::to_string(options.mostBytes >> 20) + " MB";
        ::kill(process, SIGKILL);
      } else if (auto task = board ? board->stuck(process) : std::nullopt) {
        killedBecause = "it took more than " + std::to_string(task->limitSeconds) +
                        " s of CPU time and could not be stopped";
        killedOver = std::move(task);
        ::kill(process, SIGKILL);
      }
    }
  }

  Transport& client;
  SupervisorOptions options;
  std::optional<CurrentWork> board;
  const std::unique_ptr<Protocol> protocol; // with `mutex` held, except for isLast()
  std::atomic<pid_t> process{0};
  std::atomic<int64_t> clientProcess{0};
  // The order of locks: `mutex`, then one of the others.
  std::mutex sendMutex;
  // Guards what the watcher needs: it must be available while a message waits for a stuck
  // worker.
  std::mutex watchMutex;
  std::condition_variable changed;
  std::string killedBecause;
  std::optional<CurrentWork::Task> killedOver;
  std::optional<SteadyClock::time_point> leaving;
  bool isOver = false, isOverrun = false;
  Replies replies{[this](std::string_view message) { send(message); }};
  std::mutex mutex;               // guards the members below; relay() reads the worker without it
  std::unique_ptr<Worker> worker; // never null once it was started
  unsigned generation = 0;
  std::map<std::string, std::string> asked; // requests without an answer: id -> method
  bool isInitializeAnswered = false, hasRegistered = false;
  driver::Quarantine quarantine;
  std::deque<SteadyClock::time_point> ends;
  bool hasGivenUp = false;
  int exitCode = 1;
};

Supervisor::Supervisor(Transport& client, std::unique_ptr<Protocol> protocol,
                       SupervisorOptions options)
    : state_(std::make_unique<State>(client, std::move(protocol), std::move(options))) {}
Supervisor::~Supervisor() = default;

int Supervisor::run() {
  return state_->run();
}
int64_t Supervisor::clientProcess() const {
  return state_->clientProcess;
}

} // namespace gluond::lsp
