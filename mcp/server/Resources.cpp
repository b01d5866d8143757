#include "mcp/server/Resources.h"

#include "files/ReadFile.h"
#include "mcp/tools/Topics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

namespace gluond::mcp {

namespace {

constexpr llvm::StringLiteral scheme = "gluond://";
constexpr const char* markdown = "text/markdown";

// The pages that help with writing kernels.
struct Page {
  const char *name, *file, *title;
};
constexpr Page pages[] = {
    {"skill", "SKILL.md", "How to get to a correct and fast kernel with these tools"},
    {"docs/mcp", "mcp.md", "The tools, their arguments and results"},
    {"docs/diagnostics", "diagnostics.md", "Every diagnostic: meaning, remedy, example"},
    {"docs/builtins", "builtins.md", "Every name of Gluon"},
    {"docs/launch-records", "launch-records.md", "How launches are found and written down"},
    {"docs/simulating", "simulating.md", "Running kernels on the CPU"},
    {"docs/performance", "performance.md", "What makes kernels slow"},
    {"docs/configuration", "configuration.md", "Settings"},
    {"docs/runner", "runner.md", "GPUs of this and of other machines"},
};

std::string textOf(const Topic& topic) {
  std::string text = "# " + nameOf(topic) + "\n\n";
  if (const diagnostics::Row* row = topic.diagnostic) {
    text += "A diagnostic (" + diagnostics::severityName(row->severity).str() +
            "): " + row->message.str() + "\n\n" + row->meaning.str() +
            "\n\nRemedy: " + row->remedy.str() + "\n";
    if (!row->example.empty()) text += "\n```python\n" + row->example.str() + "\n```\n";
    return text;
  }
  return text + "```python\n" + signatureOf(topic) + "\n```\n\n" + topic.builtin->doc.str() + "\n";
}

Json contents(const std::string& uri, std::string text) {
  return {{"contents",
           Json::array({{{"uri", uri}, {"mimeType", markdown}, {"text", std::move(text)}}})}};
}

} // namespace

Json Resources::list() const {
  Json all = Json::array();
  for (const Page& page : pages)
    if (!folder_.empty() && llvm::sys::fs::exists(folder_ + "/" + page.file))
      all.push_back({{"uri", (scheme + page.name).str()},
                     {"name", page.name},
                     {"title", page.title},
                     {"mimeType", markdown}});
  return {{"resources", std::move(all)}};
}

Json Resources::templates() {
  auto entry = [](const char* kind, const char* parameter, const char* title) {
    return Json{{"uriTemplate", (scheme + kind + "/{" + parameter + "}").str()},
                {"name", kind},
                {"title", title},
                {"mimeType", markdown}};
  };
  return {{"resourceTemplates",
           Json::array({entry("diagnostics", "code", "A diagnostic by its code"),
                        entry("builtins", "name", "A builtin or a layout by its name")})}};
}

tl::expected<Json, std::string> Resources::read(const std::string& uri) const {
  llvm::StringRef name = uri;
  auto missing = tl::unexpected("there is no resource '" + uri.substr(0, 200) + "'");
  if (!name.consume_front(scheme)) return missing;
  for (const Page& page : pages)
    if (name == page.name && !folder_.empty()) {
      auto text = files::readFile(folder_ + "/" + page.file, size_t{4} << 20);
      if (!text) return tl::unexpected(std::move(text.error()));
      return contents(uri, std::move(*text));
    }
  bool isDiagnostic = name.consume_front("diagnostics/");
  if (!isDiagnostic && !name.consume_front("builtins/")) return missing;
  std::string text;
  for (const Topic& topic : topicsNamed(name))
    if ((topic.diagnostic != nullptr) == isDiagnostic)
      text += (text.empty() ? "" : "\n") + textOf(topic);
  if (text.empty()) return missing;
  return contents(uri, std::move(text));
}

} // namespace gluond::mcp
