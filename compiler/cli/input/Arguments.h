// Validators for command-line arguments, and messages for arguments that are not valid: what is
// wrong, the valid choices, the closest one.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace gluond::cli {

CLI::Validator between(double least, double most); // not CLI::Range, which lets NaN pass
CLI::Validator whole(int64_t least, int64_t most);
CLI::Validator oneOf(std::vector<std::string> choices);
CLI::Validator aTarget();                // "cuda:90"
CLI::Validator aRelease(bool orSeveral); // of Triton: "3.8", "3.6,3.9"
CLI::Validator aStage();                 // of any target
CLI::Validator codes();                  // of diagnostics, with commas between them
CLI::Validator patterns();               // of files, with commas between them
CLI::Validator anExistingFile();

// Returns a sentence about a command line that could not be parsed.
std::string whatIsWrong(const CLI::App& app, const CLI::ParseError& error,
                        const std::vector<std::string>& arguments);

} // namespace gluond::cli
