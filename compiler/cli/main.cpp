// gluond: reads the command line and calls one command.
#include "cli/input/Arguments.h"
#include "cli/input/Commands.h"
#include "cli/output/Output.h"
#include "driver/settings/Configuration.h"
#include "driver/stages/Stages.h"

#include <llvm/ADT/StringExtras.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <fcntl.h>

using namespace gluond::cli;

namespace {

constexpr int64_t mostThreads = 256, mostPort = 65535;

void addSettings(CLI::App* command, std::vector<std::string>& settings) {
  command
      ->add_option("--set", settings,
                   "Change a setting: NAME=VALUE (see docs/configuration.md); may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(CLI::Validator(
          [](std::string& text) -> std::string {
            auto setting = gluond::driver::readSetting(text);
            return setting ? "" : setting.error();
          },
          "NAME=VALUE"));
}

// --triton is a shorter spelling of a setting.
void addTriton(CLI::App* command, std::vector<std::string>& settings) {
  command
      ->add_option_function<std::string>(
          "--triton",
          [&settings](const std::string& release) { settings.push_back("triton=" + release); },
          "Release of Triton for which the programs are written: 3.6, 3.7, 3.8 or 3.9 (default: "
          "that of the Python environment or of the project's requirements, else 3.9)")
      ->check(aRelease(false));
}

// For the two processes of a server; without a group they are not in the help.
void addWorker(CLI::App* command, WorkerOptions& options) {
  command->add_flag("--worker", options.isWorker)->group("");
  command->add_option("--board", options.board)->group("");
  command->add_option("--generation", options.generation)->group("");
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN); // reported as EPIPE by the call
  std::signal(SIGXFSZ, SIG_IGN); // reported as EFBIG
  // If a standard stream is closed, the first opened file would take its place, and be read or
  // written instead of it.
  for (int stream : {0, 1, 2})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY) < 0)
      return wrongUse;

  CLI::App app("Language server, compiler and layout visualizer for Gluon (Triton 3.9.0).",
               "gluond");
  app.set_version_flag("--version",
                       std::string("gluond ") + GLUOND_VERSION + " (Gluon of Triton 3.9.0)");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 success, 1 findings or a failed kernel, 2 wrong use, 70 gluond itself "
             "failed.");

  CheckOptions checkOptions;
  CLI::App* checkCommand =
      app.add_subcommand("check", "Report errors and warnings in files and folders");
  checkCommand->add_option("paths", checkOptions.paths,
                           "Python files, and folders to search for them (default: .); - reads "
                           "standard input");
  checkCommand
      ->add_option("--target", checkOptions.target,
                   "Target of launches that do not name one: cuda:90, hip:gfx942, ...")
      ->check(aTarget());
  checkCommand
      ->add_option(
          "--triton", checkOptions.triton,
          "Release of Triton for which the programs are written: 3.6, 3.7, 3.8 or 3.9 "
          "(default: that of the Python environment or of the project's requirements, else "
          "3.9). With several (3.6,3.9), a finding names the releases that have it, if not all of "
          "them do")
      ->check(aRelease(true));
  checkCommand
      ->add_option("--launches", checkOptions.launches,
                   "An additional file with launch records; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(anExistingFile());
  checkCommand->add_option("--format,--output-format", checkOptions.format, "Output format")
      ->check(oneOf({"text", "json", "sarif", "github", "gitlab", "junit"}));
  checkCommand->add_flag("--fix", checkOptions.fix, "Apply the safe fixes");
  checkCommand->add_flag(
      "--unsafe-fixes", checkOptions.unsafeFixes,
      "With --fix or --diff, suggested fixes too, which may change the meaning: review "
      "them");
  checkCommand->add_flag("--diff", checkOptions.diff,
                         "Print the changes of the fixes as a diff, and write no file");
  auto addList = [&](const char* name, std::vector<std::string>& values, const char* about) {
    return checkCommand->add_option(name, values, about)
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  addList("--select", checkOptions.selected, "CODE,...: report only these")->check(codes());
  addList("--ignore", checkOptions.ignored, "CODE,...: do not report these warnings and hints")
      ->check(codes());
  addList("--exclude", checkOptions.excluded,
          "PATTERN,...: files and folders to skip, such as 'generated' or '*_pb2.py'")
      ->check(patterns());
  checkCommand->add_flag("--force-exclude", checkOptions.forceExclude,
                         "Skip files that are excluded even if they are named, as by pre-commit");
  checkCommand->add_option("--stdin-filename", checkOptions.stdinFilename,
                           "Name of the file on standard input");
  CLI::Option* baseline = checkCommand->add_option(
      "--baseline", checkOptions.baseline,
      "Report only findings that are not in this file, which --update-baseline writes");
  checkCommand
      ->add_flag("--update-baseline", checkOptions.updatesBaseline,
                 "Write all findings to the file of --baseline, and report none")
      ->needs(baseline);
  checkCommand
      ->add_option("--fail-on", checkOptions.failOn,
                   "The least severity that makes the exit code 1 (default: warning)")
      ->check(oneOf({"error", "warning", "information", "hint"}));
  checkCommand->add_flag("--exit-zero", checkOptions.exitZero,
                         "Exit with 0 even if there are findings");
  checkCommand->add_flag("-q,--quiet", checkOptions.quiet, "Print only the findings");
  checkCommand->add_option("--explain", checkOptions.explained,
                           "CODE: explain a diagnostic instead, as gluond explain does");

  checkOptions.arguments.assign(argv, argv + argc);
  // Passed by gluond itself.
  checkCommand->add_option("--ended", checkOptions.ended)->group("");
  checkCommand->add_option("--printed", checkOptions.printed)->group("");

  ExplainOptions explainOptions;
  CLI::App* explainCommand =
      app.add_subcommand("explain", "Explain a diagnostic by its code; without one, list them all");
  explainCommand->add_option("code", explainOptions.code,
                             "Code of a diagnostic, as in the brackets after a message");
  explainCommand->add_option("--format,--output-format", explainOptions.format, "Output format")
      ->check(oneOf({"text", "json"}));

  EmitOptions emitOptions;
  CLI::App* emitCommand = app.add_subcommand(
      "emit", "Write the IR of a stage for every record in a file, or for one kernel");
  emitCommand
      ->add_option("input", emitOptions.input,
                   "Launch records (*.jsonl), or a Python file together with --kernel")
      ->required();
  emitCommand->add_option("--id,--launch", emitOptions.id,
                          "Only the record or launch with this id");
  emitCommand->add_option("--kernel", emitOptions.kernel, "Qualified name of the kernel");
  emitCommand
      ->add_option("--stage", emitOptions.stage,
                   "One of " + llvm::join(gluond::driver::stageNames(), ", "))
      ->required()
      ->check(aStage());
  emitCommand
      ->add_option("--launch-option", emitOptions.codeOptions,
                   "With a .ttgir file: a launch option that the file does not contain, such as "
                   "'enable_fp_fusion=false' or 'waves_per_eu=2'; may be repeated")
      ->type_name("NAME=VALUE");
  emitCommand->add_option("--after", emitOptions.after,
                          "With --stage ttgir: the IR after this pass, or after each pass: 'all'");
  emitCommand->add_option(
      "-o", emitOptions.directory,
      "Folder for <id>.<stage> and <id>.error (default for one kernel: standard output)");
  emitCommand
      ->add_option("--target", emitOptions.target,
                   "Target of launches that do not name one: cuda:90, hip:gfx942, ...")
      ->check(aTarget());
  emitCommand
      ->add_option("-j,--threads", emitOptions.threads,
                   "Number of records to compile in parallel (default: number of processors)")
      ->check(whole(1, mostThreads));
  emitCommand->add_flag("--timings", emitOptions.timings, "Print the time of each step as JSON");

  LaunchesOptions launchesOptions;
  CLI::App* launchesCommand =
      app.add_subcommand("launches", "List the specializations of the kernels of a file, and of "
                                     "those in other files that it launches");
  launchesCommand->add_option("file", launchesOptions.file, "A Python file")->required();
  launchesCommand
      ->add_option("--target", launchesOptions.target,
                   "Target of launches that do not name one (default: from the file's imports)")
      ->check(aTarget());
  launchesCommand
      ->add_option("--format", launchesOptions.format,
                   "Output format; json: a list of launch records, jsonl: a record file")
      ->check(oneOf({"text", "json", "jsonl"}));
  launchesCommand->add_flag("--records", launchesOptions.withRecords,
                            "Give record files precedence, as check does");

  LayoutOptions layoutOptions;
  CLI::App* layoutCommand = app.add_subcommand("layout", "Show which thread holds which element");
  layoutCommand
      ->add_option("layout", layoutOptions.expression,
                   "Layout as a Gluon expression: 'gl.BlockedLayout([1,2],[8,4],[4,1],[1,0])'")
      ->required();
  layoutCommand->add_option("--shape", layoutOptions.shape,
                            "Shape of the tensor: 32x64 (default: one tile of the layout)");
  layoutCommand->add_option("--dtype", layoutOptions.dtype,
                            "Element type: f16, f32, bf16, i8, ...");
  layoutCommand
      ->add_option("--target", layoutOptions.target,
                   "Target: cuda:90, hip:gfx942, ... (default: cuda:90)")
      ->check(aTarget());
  layoutCommand->add_option("--format", layoutOptions.format, "Output format")
      ->check(oneOf({"text", "json", "svg"}));

  LspOptions lspOptions;
  bool useStdio = false; // editors pass --stdio; it is the default
  CLI::App* lspCommand = app.add_subcommand(
      "lsp", "Run the language server for an editor, on standard input and output");
  lspCommand->add_option("--listen", lspOptions.listen,
                         "Listen on a local websocket instead: 'ws' or 'ws:PORT'");
  lspCommand->add_option("--allow-origin", lspOptions.allowedOrigins,
                         "Web origin that may connect; a trailing * matches any text");
  lspCommand
      ->add_option("--threads", lspOptions.threads,
                   "Number of worker threads (default: number of processors, at most 4)")
      ->check(whole(1, mostThreads));
  lspCommand->add_flag("--stdio", useStdio, "Use standard input and output (the default)");
  addWorker(lspCommand, lspOptions.worker);
  lspCommand->add_option("--served", lspOptions.served)->group("");

  DapOptions dapOptions;
  CLI::App* dapCommand = app.add_subcommand(
      "dap", "Run the debug adapter for an editor, on standard input and output");

  McpOptions mcpOptions;
  CLI::App* mcpCommand = app.add_subcommand(
      "mcp", "Run the server for coding agents (Model Context Protocol), on standard input and "
             "output");
  mcpCommand->add_option("folder", mcpOptions.tools.folder,
                         "The only folder whose files are read and fixed (default: the current "
                         "folder)");
  addWorker(mcpCommand, mcpOptions.worker);
  CallOptions callOptions;
  CLI::App* callCommand = app.add_subcommand(
      "call", "Call a tool of gluond mcp and print its result as JSON; without one, describe all");
  callCommand->add_option("tool", callOptions.tool,
                          "Name of a tool, such as check, accesses, simulate or compare");
  callCommand->add_option("arguments", callOptions.arguments,
                          "NAME=VALUE, or a JSON object: file=kernel.py limit=5");
  callCommand->add_option("--folder", callOptions.tools.folder,
                          "The only folder whose files are read and fixed (default: the current "
                          "folder)");
  for (auto [command, options] :
       {std::pair(mcpCommand, &mcpOptions.tools), std::pair(callCommand, &callOptions.tools)})
    command->add_option(
        "--runner", options->runners,
        "Command that starts a GPU process, such as 'ssh box gluond-runner'; may be repeated");

  ServeOptions serveOptions;
  CLI::App* serveCommand = app.add_subcommand(
      "serve", "Serve a browser page with an editor for this folder and all panels");
  serveCommand->add_option(
      "folder", serveOptions.folder,
      "Folder to serve (default: the current folder), or a file to show first");
  serveCommand
      ->add_option("--port", serveOptions.port, "Port on 127.0.0.1 (default: any free port)")
      ->check(whole(0, mostPort));
  serveCommand
      ->add_option("--threads", serveOptions.threads,
                   "Number of worker threads (default: number of processors, at most 4)")
      ->check(whole(1, mostThreads));

  auto addExecution = [](CLI::App* command, ExecutionOptions& options) {
    command->add_option("input", options.input, "A Python file, or launch records (*.jsonl)")
        ->required();
    command->add_option("--kernel", options.kernel, "Qualified name of the kernel");
    command->add_option("--id,--launch", options.launch,
                        "Only the launch with this id (see gluond launches)");
    command
        ->add_option(
            "--target", options.target,
            "Target of launches that do not name one, such as cuda:80 (default: that of the GPU)")
        ->check(aTarget());
    command->add_option("--launches", options.launches, "Additional files with launch records")
        ->check(anExistingFile());
    command->add_option(
        "--runner", options.runners,
        "Command that starts a GPU process, such as 'ssh box gluond-runner'; may be repeated");
    command->add_option(
        "--arg", options.arguments,
        "Value of an argument: n=4096, x=random:f16[4096,4096], x=data.npy; may be repeated");
    command->add_option("--grid", options.grid, "Number of programs: 128,1,1");
    command
        ->add_option("--time-limit", options.limitSeconds,
                     "Stop a kernel that still runs after this many seconds (default: the setting "
                     "runner.timeLimit, 10)")
        ->check(whole(1, 86400));
    command->add_option("--format", options.format, "Output format")
        ->check(oneOf({"text", "json"}));
  };
  RunOptions runOptions;
  CLI::App* runCommand = app.add_subcommand("run", "Run a kernel once, on a GPU or on the CPU");
  addExecution(runCommand, runOptions.execution);
  runCommand
      ->add_option("--device", runOptions.device,
                   "Number of the GPU, or 'cpu' to simulate the kernel (default: the first GPU; "
                   "the CPU where there is none)")
      ->check([](const std::string& text) -> std::string {
        unsigned number;
        bool isNumber = !llvm::StringRef(text).getAsInteger(10, number) && number <= 1023;
        return text == "cpu" || isNumber
                   ? ""
                   : "'" + text + "' is neither 'cpu' nor the number of a GPU";
      });
  runCommand->add_option("--program", runOptions.program,
                         "On the CPU, run only this program of the grid: 3,0,0");
  runCommand->add_option("--schedule", runOptions.schedule,
                         "On the CPU, the order of asynchronous operations and partitions: latest "
                         "(default), earliest, random:SEED, or explore:N to try N schedules");
  runCommand->add_option("--trace", runOptions.trace,
                         "On the CPU, write the events of one program to a file for Perfetto and "
                         "chrome://tracing");
  runCommand->add_option("--out", runOptions.outputs,
                         "Write a tensor to a file after the run: NAME=FILE.npy");
  runCommand->add_option("--reference", runOptions.references,
                         "Compare a tensor with a file after the run: NAME=FILE.npy");
  runCommand
      ->add_option("--relative", runOptions.relative,
                   "Tolerance of --reference (default: depends on the element type)")
      ->check(between(0, 1e30));
  runCommand
      ->add_option("--absolute", runOptions.absolute,
                   "Tolerance of --reference (default: depends on the element type)")
      ->check(between(0, 1e30));

  BenchOptions benchOptions;
  bool noFlush = false;
  CLI::App* benchCommand = app.add_subcommand("bench", "Time launches of a kernel on a GPU");
  addExecution(benchCommand, benchOptions.execution);
  benchCommand
      ->add_option("--device", benchOptions.execution.device,
                   "Number of the GPU (default: the first that fits the launch)")
      ->check([](const std::string& text) -> std::string {
        return text == "cpu" ? "bench measures on a GPU; 'gluond run --device cpu' simulates a "
                               "kernel on the CPU"
                             : "";
      })
      ->check(whole(0, 1023));
  benchCommand->add_flag("--all", benchOptions.execution.all, "Time every launch of the kernel");
  CLI::Option* varied =
      benchCommand
          ->add_option("--vary", benchOptions.varied,
                       "Time every combination of these values: num_warps=4,8; may be repeated. "
                       "Options, constexprs that are numbers, and BlockedLayouts can be varied")
          ->expected(1)
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  benchCommand
      ->add_option("--journal", benchOptions.journal,
                   "Write each result to this file at once, and continue from it after an "
                   "interruption")
      ->needs(varied);
  benchCommand
      ->add_option("--start-limit", benchOptions.startSeconds,
                   "Seconds that a GPU process may take to start, which includes waiting for a GPU "
                   "(default: 60)")
      ->check(whole(1, 1'000'000));
  benchCommand
      ->add_option("--runners-each", benchOptions.each,
                   "Start this many GPU processes with each command of --runner, such as "
                   "'srun -u -n1 --gpus=1 gluond-runner' (default: 1)")
      ->check(whole(1, 1024));
  benchCommand
      ->add_option("--budget", benchOptions.budgetMs,
                   "Time for each launch in milliseconds (default: 500)")
      ->check(between(1, 600000));
  benchCommand
      ->add_option("--bytes", benchOptions.bytes,
                   "Bytes that a launch moves, instead of the counted number")
      ->check(between(0, 1e30));
  benchCommand
      ->add_option("--flops", benchOptions.operations,
                   "Operations of a launch, instead of the counted number")
      ->check(between(0, 1e30));
  benchCommand->add_option("--save", benchOptions.saved,
                           "Also write the results to this file, for --against");
  benchCommand->add_option("--against", benchOptions.earlier,
                           "Compare with the results in this file; exit with 1 if a launch is "
                           "slower");
  benchCommand
      ->add_option("--tolerance", benchOptions.tolerance,
                   "Percent by which a median may grow before it counts as slower (default: 2)")
      ->check(between(0, 1000));
  benchCommand->add_flag("--warm", noFlush, "Do not flush the L2 cache before each run");

  CLI::App* simulatorCommand = app.add_subcommand(
      "simulator", "Run launches on the CPU for another process, over standard input and output "
                   "(python -m gluond --device cpu)");

  DoctorOptions doctorOptions;
  CLI::App* doctorCommand = app.add_subcommand(
      "doctor", "Show which parts of this installation are present and which are missing");
  doctorCommand->add_flag("--clear-cache", doctorOptions.clearCache,
                          "Empty the cache of compiled code instead");

  addSettings(checkCommand, checkOptions.settings);
  addSettings(emitCommand, emitOptions.settings);
  addTriton(emitCommand, emitOptions.settings);
  addTriton(launchesCommand, launchesOptions.settings);
  addTriton(runCommand, runOptions.execution.settings);
  addTriton(benchCommand, benchOptions.execution.settings);
  addSettings(launchesCommand, launchesOptions.settings);
  addSettings(lspCommand, lspOptions.settings);
  addSettings(serveCommand, serveOptions.settings);
  addSettings(dapCommand, dapOptions.settings);
  addSettings(mcpCommand, mcpOptions.tools.settings);
  addSettings(callCommand, callOptions.tools.settings);
  addSettings(runCommand, runOptions.execution.settings);
  addSettings(benchCommand, benchOptions.execution.settings);
  addSettings(doctorCommand, doctorOptions.settings);

  try {
    // `gluond help check` is `gluond check --help`.
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments.front() == "help") {
      arguments.erase(arguments.begin());
      arguments.resize(std::min<size_t>(arguments.size(), 1));
      arguments.push_back("--help");
    }
    std::reverse(arguments.begin(), arguments.end()); // the order that CLI11 takes
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error); // prints help or the version
    complain(whatIsWrong(app, error, std::vector<std::string>(argv + 1, argv + argc)));
    return wrongUse;
  }
  if (*checkCommand && !checkOptions.explained.empty()) {
    explainOptions.code = checkOptions.explained;
    return explain(explainOptions);
  }
  if (*explainCommand) return explain(explainOptions);
  if (*checkCommand) return check(checkOptions);
  if (*emitCommand) return emit(emitOptions);
  if (*launchesCommand) return launches(launchesOptions);
  if (*layoutCommand) return showLayout(layoutOptions);
  if (*lspCommand) return lsp(lspOptions);
  if (*dapCommand) return dap(dapOptions);
  if (*mcpCommand) return mcpServer(mcpOptions);
  if (*callCommand) return callTool(callOptions);
  if (*serveCommand) return serve(serveOptions);
  benchOptions.flushL2 = !noFlush;
  if (*runCommand) {
    runOptions.onCpu = runOptions.device == "cpu";
    runOptions.namesDevice = !runOptions.device.empty();
    if (unsigned device; !llvm::StringRef(runOptions.device).getAsInteger(10, device))
      runOptions.execution.device = device;
    return runKernel(runOptions);
  }
  if (*benchCommand) return bench(benchOptions);
  if (*simulatorCommand) serveSimulator();
  if (*doctorCommand) return doctor(doctorOptions);
  return wrongUse;
}
