#include "cli/input/Notebooks.h"

#include "files/ReadFile.h"

namespace gluond::cli {

std::string openNotebook(const Input& input, std::string json, driver::Workspace& workspace,
                         Notebooks& notebooks) {
  auto notebook = driver::NotebookFile::read(std::move(json));
  if (!notebook) return "'" + input.asGiven + "' " + notebook.error();
  if (notebook->python().size() > workspace.settings().maxFileBytes)
    return "cannot read '" + input.asGiven + "': its cells are larger than gluond reads";
  workspace.open(input.path, 0, notebook->python());
  notebooks.insert_or_assign(input.path, std::move(*notebook));
  return {};
}

std::vector<std::string> openNotebooks(const std::vector<Input>& files,
                                       driver::Workspace& workspace, Notebooks& notebooks) {
  constexpr size_t mostBytes = size_t{64} << 20; // with the pictures and tables below its cells
  std::vector<std::string> problems, folders = workspace.snapshot()->folders();
  for (const Input& input : files) {
    if (!driver::isNotebook(input.path)) continue;
    auto json = input.isNamed ? files::readFile(input.path, mostBytes)
                              : files::readFileBeneath(folders, input.path, mostBytes);
    if (!input.isNamed && (!json || !llvm::StringRef(*json).contains("gluon"))) continue;
    std::string problem =
        json ? openNotebook(input, std::move(*json), workspace, notebooks) : json.error();
    if (!problem.empty() && input.isNamed) problems.push_back(std::move(problem));
  }
  return problems;
}

std::string openIfNotebook(const std::string& given, driver::Workspace& workspace) {
  Notebooks notebooks;
  auto problems = openNotebooks({{absolutePath(given), given, true}}, workspace, notebooks);
  return problems.empty() ? "" : problems.front();
}

} // namespace gluond::cli
