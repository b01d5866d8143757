// The commands of `gluond`, one source file each. Each returns the exit code: 0 fine, 1 findings or
// a failed kernel, 2 wrong use. What they print is fixed in docs/using.md; scripts depend on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gluond::cli {

// `failed`: gluond itself ended while it looked at a file.
inline constexpr int fine = 0, findings = 1, wrongUse = 2, failed = 70;

// Every command that has settings takes them as `settings`: "NAME=VALUE" of --set, checked before.

struct CheckOptions {
  std::vector<std::string> settings;
  std::vector<std::string> paths;    // files and folders
  std::string target;                // for launches that name none; empty: cuda:90
  std::vector<std::string> launches; // record files beyond those found by themselves
  std::string format = "text";       // text, json, sarif
  // Lists with commas. Codes of diagnostics replace those of the project's settings.
  std::vector<std::string> selected, ignored, excluded;
  std::string stdinFilename;             // of what comes on standard input ("-")
  bool fix = false, unsafeFixes = false; // safe ones; suggested ones, too
  bool diff = false;                     // show what would be fixed, write nothing
  bool exitZero = false, quiet = false;
  std::string explained;              // a code: explain it instead
  std::vector<std::string> arguments; // of this process, to start it again (CrashGuard.h)
  std::vector<std::string> ended;     // files that ended it before
};
int check(const CheckOptions& options);

struct ExplainOptions {
  std::string code;            // empty: all, a line each
  std::string format = "text"; // text, json
};
int explain(const ExplainOptions& options);

struct EmitOptions {
  std::vector<std::string> settings;
  std::string input;  // records (*.jsonl), or a program
  std::string id;     // of one record or launch; empty: all records, the selected launch
  std::string kernel; // of a program
  std::string stage;
  std::string after;     // of stage ttgir: a pass (driver/inspect/PassTrace.h), or "all"
  std::string directory; // for files; empty, of one kernel: standard output
  std::string target;    // for a program's launches that name none
  bool timings = false;
  unsigned threads = 0; // that compile records side by side; 0: as the machine has
};
int emit(const EmitOptions& options);

struct LaunchesOptions {
  std::vector<std::string> settings;
  std::string file, target;
  std::string format = "text"; // text, json (a list of launch records), jsonl (a record file)
  bool withRecords = false;    // list what record files say, too
};
int launches(const LaunchesOptions& options);

struct LayoutOptions {
  std::string expression, shape, dtype, target;
  std::string format = "text"; // text, json, svg
};
int showLayout(const LayoutOptions& options);

struct LspOptions {
  std::vector<std::string> settings;
  std::string listen; // "": stdio; "ws": a websocket on a free port; "ws:PORT"
  std::vector<std::string> allowedOrigins;
  unsigned threads = 0; // 0: as the machine has, at most 4
  // Of the worker process that serves a client of another gluond (lsp/supervisor/Supervisor.h).
  bool isWorker = false;
  int board = -1;          // descriptor of its WorkBoard
  unsigned generation = 0; // how many workers the client had before
  std::string served;      // the folder that `gluond serve` shows
};
int lsp(const LspOptions& options);

struct DapOptions {
  std::vector<std::string> settings;
};
int dap(const DapOptions& options);

struct ServeOptions {
  std::vector<std::string> settings;
  std::string folder; // empty: the current one
  uint16_t port = 0;  // 0: any free one
  unsigned threads = 0;
};
int serve(const ServeOptions& options);

struct DoctorOptions {
  std::vector<std::string> settings;
  bool clearCache = false; // remove what is kept on disk, and say how much that was
};
int doctor(const DoctorOptions& options);

// What `run` and `bench` launch, and on which GPU.
struct ExecutionOptions {
  std::vector<std::string> settings;
  std::string input, kernel, launch, target;
  bool all = false;                   // every launch of the kernel
  std::vector<std::string> launches;  // record files beyond those found by themselves
  std::vector<std::string> runners;   // commands; none: as settings say
  std::vector<std::string> arguments; // NAME=VALUE
  std::string grid;
  unsigned device = 0;
  uint64_t limitSeconds = 0;   // 0: as settings say
  std::string format = "text"; // text, json
};
struct RunOptions {
  ExecutionOptions execution;
  std::string device;  // "cpu", or the number of a GPU; empty: the first GPU, else the CPU
  std::string program; // "3,0,0": only this one; on the CPU
  bool onCpu = false, namesDevice = false;      // read off `device`
  std::vector<std::string> outputs, references; // NAME=FILE.npy
  std::optional<double> relative, absolute;     // tolerances
};
int runKernel(const RunOptions& options);

// Serves launches on standard input and output (cli/simulator/Messages.h).
[[noreturn]] int serveSimulator();

struct BenchOptions {
  ExecutionOptions execution;
  double budgetMs = 500; // of each launch
  bool flushL2 = true;
  std::optional<double> bytes, operations;
};
int bench(const BenchOptions& options);

} // namespace gluond::cli
