// The commands of `gluond`, one source file each. Each returns the exit code: 0 fine, 1 findings or
// a failed kernel, 2 wrong use. docs/using.md fixes their output; scripts depend on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gluond::cli {

// `failed` means that gluond itself crashed on a file.
inline constexpr int fine = 0, findings = 1, wrongUse = 2, failed = 70;

// Every command with settings takes them as `settings`: "NAME=VALUE" of --set, checked before.

struct CheckOptions {
  std::vector<std::string> settings;
  std::vector<std::string> paths;    // files and folders
  std::string target;                // for launches that name none; empty for cuda:90
  std::string triton;                // releases of Triton, with commas; empty for the setting
  std::vector<std::string> launches; // record files besides those found automatically
  std::string format = "text";       // text, or one of formats() (output/Render.h)
  // Comma-separated lists. Codes of diagnostics replace those of the project's settings.
  std::vector<std::string> selected, ignored, excluded;
  bool forceExclude = false;             // skip excluded files that `paths` names, too
  std::string stdinFilename;             // name of the text on standard input ("-")
  bool fix = false, unsafeFixes = false; // apply safe fixes; with them suggested ones
  bool diff = false;                     // show what would be fixed, and write nothing
  bool exitZero = false, quiet = false;
  std::string failOn = "warning";     // the least severity that makes the exit code 1
  std::string baseline;               // file of findings that are not reported
  bool updatesBaseline = false;       // write what is found to it
  std::string explained;              // a code to explain, instead of checking files
  std::vector<std::string> arguments; // of this process, to restart it (CrashGuard.h)
  std::vector<std::string> ended;     // files that crashed it before
  std::vector<size_t> printed;        // the findings that it had printed at each crash
};
int check(const CheckOptions& options);

struct ExplainOptions {
  std::string code;            // empty for all, one per line
  std::string format = "text"; // text, json
};
int explain(const ExplainOptions& options);

struct EmitOptions {
  std::vector<std::string> settings;
  std::string input;  // launch records (*.jsonl), or a program
  std::string id;     // of one record or launch; empty for all records or the selected launch
  std::string kernel; // of a program
  std::string stage;
  std::string after;     // for stage ttgir: a pass (driver/inspect/PassTrace.h), or "all"
  std::string directory; // for files; if empty, one kernel is written to standard output
  std::string target;    // for launches of a program that name none
  std::vector<std::string> codeOptions; // of a file of IR: "waves_per_eu=2"
  bool timings = false;
  unsigned threads = 0; // that compile records in parallel; 0 for the machine's number
};
int emit(const EmitOptions& options);

struct LaunchesOptions {
  std::vector<std::string> settings;
  std::string file, target;
  std::string format = "text"; // text, json (a list of launch records), jsonl (a record file)
  bool withRecords = false;    // also list record files' launches
};
int launches(const LaunchesOptions& options);

struct LayoutOptions {
  std::string expression, shape, dtype, target;
  std::string format = "text"; // text, json, svg
};
int showLayout(const LayoutOptions& options);

// The options of a worker process, which serves a client of another gluond
// (lsp/supervisor/Supervisor.h).
struct WorkerOptions {
  bool isWorker = false;
  int board = -1;          // descriptor of its CurrentWork
  unsigned generation = 0; // number of earlier workers of the client
};

struct LspOptions {
  std::vector<std::string> settings;
  std::string listen; // "" for stdio; "ws" for a websocket on a free port; "ws:PORT"
  std::vector<std::string> allowedOrigins;
  unsigned threads = 0; // 0 for the machine's number, at most 4
  WorkerOptions worker;
  std::string served; // the folder that `gluond serve` shows to the worker's client
};
int lsp(const LspOptions& options);

struct DapOptions {
  std::vector<std::string> settings;
};
int dap(const DapOptions& options);

// The tools of coding agents (mcp/), in one folder.
struct ToolOptions {
  std::vector<std::string> settings;
  std::string folder;               // empty for the current one
  std::vector<std::string> runners; // commands; empty for the setting
};
struct McpOptions {
  ToolOptions tools;
  WorkerOptions worker;
};
int mcpServer(const McpOptions& options);

struct CallOptions {
  ToolOptions tools;
  std::string tool;                   // empty to describe all
  std::vector<std::string> arguments; // JSON objects and NAME=VALUE
};
int callTool(const CallOptions& options);

struct ServeOptions {
  std::vector<std::string> settings;
  std::string folder; // empty for the current one
  uint16_t port = 0;  // 0 for any free one
  unsigned threads = 0;
};
int serve(const ServeOptions& options);

struct DoctorOptions {
  std::vector<std::string> settings;
  bool clearCache = false; // remove the cached files, and print their size
};
int doctor(const DoctorOptions& options);

// The launches of `run` and `bench`, and their GPU.
struct ExecutionOptions {
  std::vector<std::string> settings;
  std::string input, kernel, launch, target;
  bool all = false;                   // every launch of the kernel
  std::vector<std::string> launches;  // record files besides those found automatically
  std::vector<std::string> runners;   // commands; empty for the setting
  std::vector<std::string> arguments; // NAME=VALUE
  std::vector<std::string> tensors;   // that the user wants written or compared, by name
  std::string grid;
  std::optional<unsigned> device; // empty for the GPU that fits the launch
  uint64_t limitSeconds = 0;      // 0 for the setting
  std::string format = "text";    // text, json
};
struct RunOptions {
  ExecutionOptions execution;
  std::string device;  // "cpu", or the number of a GPU; empty for the first GPU, else the CPU
  std::string program; // "3,0,0": run only this one, on the CPU
  std::string schedule, trace;                  // on the CPU
  bool onCpu = false, namesDevice = false;      // derived from `device`
  std::vector<std::string> outputs, references; // NAME=FILE.npy
  std::optional<double> relative, absolute;     // tolerances
};
int runKernel(const RunOptions& options);

// Serves launches on standard input and output (cli/simulator/Messages.h).
[[noreturn]] int serveSimulator();

struct BenchOptions {
  ExecutionOptions execution;
  double budgetMs = 500; // per launch
  bool flushL2 = true;
  std::optional<double> bytes, operations;
  std::string saved, earlier;      // files: write the results to it; compare them with its
  double tolerance = 2;            // percent that a median may differ from the earlier one
  std::vector<std::string> varied; // NAME=VALUE,VALUE: every combination is timed
  std::string journal;             // file that keeps the results, to go on after an interruption
  unsigned each = 1;               // GPU processes to start with each command of a runner
  uint64_t startSeconds = 60;      // that one may take to start
};
int bench(const BenchOptions& options);

} // namespace gluond::cli
