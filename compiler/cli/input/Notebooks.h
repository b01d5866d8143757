// The notebooks among the files of a command. Each is a document of the workspace, which has the
// notebook's path and the Python of its cells.
#pragma once

#include "cli/input/Inputs.h"
#include "driver/notebooks/NotebookFile.h"

#include <map>

namespace gluond::cli {

// By their absolute paths.
using Notebooks = std::map<std::string, driver::NotebookFile>;

// Reads the notebooks among the files and opens them in the workspace. Returns a sentence for each
// named one that cannot be read. One that was found in a folder is opened only if its text mentions
// Gluon.
std::vector<std::string> openNotebooks(const std::vector<Input>& files,
                                       driver::Workspace& workspace, Notebooks& notebooks);
// The same for one whose text was read from standard input.
std::string openNotebook(const Input& input, std::string json, driver::Workspace& workspace,
                         Notebooks& notebooks);

// For commands on one file: opens it if it is a notebook. Returns a sentence if it cannot be read.
std::string openIfNotebook(const std::string& given, driver::Workspace& workspace);

} // namespace gluond::cli
