// gluond: reads the command line and calls one command.
#include "cli/Commands.h"
#include "cli/Output.h"

#include <CLI/CLI.hpp>
#include <csignal>

using namespace gluond::cli;

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN); // seen as EPIPE where it happens

  CLI::App app("Language server, compiler and layout visualizer for Gluon, as Triton 3.9.0 has it.",
               "gluond");
  app.set_version_flag("--version",
                       std::string("gluond ") + GLUOND_VERSION + " (Gluon of Triton 3.9.0)");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 fine, 1 findings or a failed kernel, 2 wrong use.");

  CheckOptions checkOptions;
  CLI::App* checkCommand = app.add_subcommand("check", "Report every mistake in files and folders");
  checkCommand
      ->add_option("paths", checkOptions.paths, "Python files, and folders to search for them")
      ->required();
  checkCommand->add_option("--target", checkOptions.target,
                           "For launches that name none: cuda:90, hip:gfx942, ...");
  checkCommand->add_option("--launches", checkOptions.launches,
                           "Launch records, besides those found beside the files");
  checkCommand->add_option("--format", checkOptions.format)
      ->check(CLI::IsMember({"text", "json", "sarif"}));

  LspOptions lspOptions;
  bool useStdio = false; // editors pass --stdio; it is the default
  CLI::App* lspCommand = app.add_subcommand(
      "lsp", "Serve an editor: the Language Server Protocol on standard input and output");
  lspCommand->add_option("--listen", lspOptions.listen,
                         "Serve a websocket on this machine instead: 'ws' or 'ws:PORT'");
  lspCommand->add_option("--allow-origin", lspOptions.allowedOrigins,
                         "Web origin that may connect; a final * matches anything");
  lspCommand->add_option("--threads", lspOptions.threads,
                         "Worker threads (default: as the machine has, at most 4)");
  lspCommand->add_flag("--stdio", useStdio, "Standard input and output (the default)");

  CLI::App* doctorCommand =
      app.add_subcommand("doctor", "Say what this installation can do and what is missing");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    int code = app.exit(error); // prints help, the version or what is wrong
    return code == 0 ? fine : wrongUse;
  }
  if (*checkCommand) return check(checkOptions);
  if (*lspCommand) return lsp(lspOptions);
  if (*doctorCommand) return doctor();
  return wrongUse;
}
