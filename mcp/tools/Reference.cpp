// The tools explain and search.
#include "mcp/tools/Places.h"
#include "mcp/tools/Topics.h"

namespace gluond::mcp {

namespace {

struct ExplainParams {
  std::string name;
  static constexpr auto fields() {
    return std::make_tuple(told("name", &ExplainParams::name,
                                "Code of a diagnostic (layout-mismatch), or name of a builtin or "
                                "a layout (gl.load, mbarrier.wait, BlockedLayout)."));
  }
};
struct Explanation {
  std::string kind, name, summary, text;
  std::optional<std::string> signature, module, severity, remedy, example;
  static constexpr auto fields() {
    return std::make_tuple(
        told("kind", &Explanation::kind, "What it is.", "builtin|layout|dtype|diagnostic"),
        field("name", &Explanation::name), field("summary", &Explanation::summary),
        told("text", &Explanation::text,
             "What it does, with its parameters; of a diagnostic, what it means."),
        told("signature", &Explanation::signature, "Parameters and their defaults."),
        told("module", &Explanation::module, "Python module or class that has it."),
        field("severity", &Explanation::severity),
        told("remedy", &Explanation::remedy, "What to do about a diagnostic."),
        told("example", &Explanation::example, "Code that shows a diagnostic."));
  }
};
struct ExplainResult {
  std::vector<Explanation> entries;
  static constexpr auto fields() {
    return std::make_tuple(told("entries", &ExplainResult::entries,
                                "More than one if several modules have the name."));
  }
};

Explanation explanationOf(const Topic& topic) {
  Explanation out{kindOf(topic), nameOf(topic), summaryOf(topic), {}, {}, {}, {}, {}, {}};
  if (const diagnostics::Row* row = topic.diagnostic) {
    out.text = row->meaning.str();
    out.severity = diagnostics::severityName(row->severity).str();
    out.remedy = row->remedy.str();
    if (!row->example.empty()) out.example = row->example.str();
    return out;
  }
  out.text = topic.builtin->doc.str();
  if (topic.builtin->hasParameters()) out.signature = signatureOf(topic);
  out.module = moduleOf(topic);
  if (topic.builtin->kind == language::BuiltinKind::Removed)
    out.text += "\nIt was removed from Gluon; use " + topic.builtin->text.str() + ".";
  return out;
}

Answer<ExplainResult> explain(const ExplainParams& params, const Context&) {
  ExplainResult result;
  for (const Topic& topic : topicsNamed(params.name))
    if (result.entries.size() < 10) result.entries.push_back(explanationOf(topic));
  if (!result.entries.empty()) return result;
  std::string close;
  for (const Topic& topic : matching(params.name, "", 5))
    close += (close.empty() ? "" : ", ") + nameOf(topic);
  return fail("'" + params.name.substr(0, 100) +
              "' is neither the code of a diagnostic nor a name of Gluon" +
              (close.empty() ? "; the tool search finds names by what they do"
                             : "; similar ones are " + close));
}

struct SearchParams {
  std::string query;
  std::optional<std::string> kind;
  std::optional<uint32_t> limit;
  static constexpr auto fields() {
    return std::make_tuple(
        told("query", &SearchParams::query,
             "Words: 'async copy tma'. Entries with most of them are returned."),
        told("kind", &SearchParams::kind, "Search only these.", "builtin|layout|dtype|diagnostic"),
        told("limit", &SearchParams::limit, "The most entries to return; 20 if left out."));
  }
};
struct Hit {
  std::string kind, name, signature, summary;
  static constexpr auto fields() {
    return std::make_tuple(
        told("kind", &Hit::kind, "What it is.", "builtin|layout|dtype|diagnostic"),
        told("name", &Hit::name, "The tool explain takes it."), field("signature", &Hit::signature),
        field("summary", &Hit::summary));
  }
};
struct SearchResult {
  std::vector<Hit> entries;
  static constexpr auto fields() {
    return std::make_tuple(told("entries", &SearchResult::entries, "The best match first."));
  }
};

Answer<SearchResult> searchWords(const SearchParams& params, const Context&) {
  SearchResult result;
  size_t limit = std::clamp<uint32_t>(params.limit.value_or(20), 0, 200);
  for (const Topic& topic : matching(params.query, params.kind.value_or(""), limit))
    result.entries.push_back({kindOf(topic), nameOf(topic), signatureOf(topic), summaryOf(topic)});
  return result;
}

} // namespace

Tool explainTool() {
  return makeTool<explain>("explain", "Explain a name",
                           "Explains a diagnostic by its code (meaning, remedy, example), or a "
                           "builtin or layout of Gluon by its name (signature, parameters).");
}

Tool searchTool() {
  return makeTool<searchWords>("search", "Search Gluon",
                               "Finds builtins, layouts, dtypes and diagnostics of Gluon by words "
                               "of their names and descriptions.");
}

} // namespace gluond::mcp
