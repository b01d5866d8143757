// What arguments of the command line may be, and the words for one that may not: what is wrong, the
// valid choices, the nearest of them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace gluond::cli {

CLI::Validator between(double least, double most); // not CLI::Range, which lets NaN pass
CLI::Validator whole(int64_t least, int64_t most);
CLI::Validator oneOf(std::vector<std::string> choices);
CLI::Validator aTarget(); // "cuda:90"
CLI::Validator aStage();  // of any target
CLI::Validator codes();   // of diagnostics, with commas between them
CLI::Validator anExistingFile();

// A sentence for a command line that could not be read.
std::string whatIsWrong(const CLI::App& app, const CLI::ParseError& error,
                        const std::vector<std::string>& arguments);

} // namespace gluond::cli
