#include "cli/input/Commands.h"
#include "cli/output/Output.h"
#include "diagnostics/Summary.h"
#include "driver/settings/Configuration.h"
#include "support/json/Text.h"

#include <llvm/ADT/STLExtras.h>
#include <nlohmann/json.hpp>

namespace gluond::cli {

using diagnostics::Row;

int explain(const ExplainOptions& options) {
  if (!options.code.empty() && !diagnostics::idOf(options.code)) {
    complain(*driver::whyNoCode(options.code) + " ('gluond explain' lists all codes)");
    return wrongUse;
  }
  std::vector<const Row*> rows;
  for (const Row& row : diagnostics::table())
    if (options.code.empty() || row.slug == options.code) rows.push_back(&row);
  llvm::sort(rows, [](const Row* a, const Row* b) { return a->slug < b->slug; });
  if (options.format == "json") {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Row* row : rows)
      list.push_back({{"code", row->slug.str()},
                      {"severity", diagnostics::severityName(row->severity).str()},
                      {"message", row->message.str()},
                      {"meaning", row->meaning.str()},
                      {"remedy", row->remedy.str()},
                      {"example", row->example.str()}});
    Output(Content::Data) << json::indented(options.code.empty() ? list : list.front(), 1) << "\n";
    return fine;
  }
  Output out;
  for (const Row* row : rows) {
    if (options.code.empty()) {
      out << row->slug << " (" << diagnostics::severityName(row->severity)
          << "): " << summaryOf(*row) << "\n";
      continue;
    }
    out << row->slug << " (" << diagnostics::severityName(row->severity) << ")\n\n";
    if (std::string summary = summaryOf(*row); summary != row->meaning)
      out << "  " << summary << "\n\n";
    out << row->meaning << "\n\nFix: " << row->remedy << "\n";
    if (!row->example.empty()) {
      out << "\nExample:\n\n";
      llvm::StringRef rest = row->example;
      while (!rest.empty()) {
        auto [line, after] = rest.split('\n');
        out << "    " << line << "\n";
        rest = after;
      }
    }
  }
  return fine;
}

} // namespace gluond::cli
