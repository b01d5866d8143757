#include "driver/settings/Configuration.h"

#include "driver/workspace/ProjectSettings.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/protocol/Uri.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>
#include <nlohmann/json.hpp>

#include <set>

namespace gluond::lsp {

namespace {

std::optional<driver::SettingValue> settingValue(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned()) return json.get<uint64_t>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) return std::nullopt;
  std::vector<std::string> strings;
  for (const Json& each : json) {
    if (!each.is_string()) return std::nullopt;
    strings.push_back(each.get<std::string>());
  }
  return strings;
}

// {"inlayHints": {"types": false}} and {"inlayHints.types": false} are the same.
void flatten(const Json& json, const std::string& prefix, driver::SettingValues& values,
             std::vector<std::string>& warnings, unsigned depth = 0) {
  driver::Settings scratch;
  for (const auto& [key, value] : json.items()) {
    std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.is_null() || name == "documentation") continue; // not set; read by initialize()
    if (value.is_object() && depth < 4) {
      flatten(value, name, values, warnings, depth + 1);
      continue;
    }
    auto read = settingValue(value);
    if (!read) {
      warnings.push_back("settings: '" + name + "' has a value of the wrong type");
      continue;
    }
    if (auto applied = driver::applySetting(scratch, name, *read); !applied)
      warnings.push_back("settings: " + applied.error());
    else
      values.push_back({name, std::move(*read)});
  }
}

} // namespace

void refreshProjects(Session& session) {
  auto snapshot = session.workspace.snapshot();
  std::set<std::string> folders(snapshot->settings().roots.begin(),
                                snapshot->settings().roots.end());
  for (const std::string& path : snapshot->openPaths())
    folders.insert(llvm::sys::path::parent_path(path).str());
  for (const std::string& folder : folders)
    if (auto project = driver::projectOf(*snapshot, folder))
      session.refreshed.push_back(project->path);
}

// A client that is a web page may not be the user who started the server.
static void dropPersonal(driver::SettingValues& values, Session& session) {
  if (!session.workspace.settings().isConfined) return;
  llvm::erase_if(values, [&](const driver::NamedSetting& each) {
    const driver::SettingRow* row = driver::findSetting(each.name);
    bool isPersonal = row && row->kind != driver::SettingKind::Taste;
    if (isPersonal)
      session.warnings.push_back("settings: '" + each.name +
                                 "' can only be set on the command line of the server");
    return isPersonal;
  });
}

void applyConfiguration(const Json& json, Session& session) {
  driver::SettingValues values;
  if (json.is_object()) flatten(json, "", values, session.warnings);
  dropPersonal(values, session);
  driver::Settings settings = session.workspace.settings();
  settings.overrides = session.initialOverrides;
  settings.overrides.insert(settings.overrides.end(), values.begin(), values.end());
  session.workspace.changeSettings(std::move(settings));
  session.othersAffected = session.viewsAffected = true;
}

void readInitialConfiguration(const Json& options, Session& session) {
  driver::SettingValues values;
  if (options.is_object()) flatten(options, "", values, session.warnings);
  dropPersonal(values, session);
  // Settings from the server's start are kept unless the client overrides them.
  session.initialOverrides = session.workspace.settings().overrides;
  session.initialOverrides.insert(session.initialOverrides.end(), values.begin(), values.end());
  driver::Settings settings = session.workspace.settings();
  settings.overrides = session.initialOverrides;
  session.workspace.changeSettings(std::move(settings));
}

void requestConfiguration(Session& session) {
  refreshProjects(session);
  if (!session.client->hasConfiguration) return;
  Json params = {{"items", Json::array({Json{{"section", "gluond"}}})}};
  session.requests.push_back(
      {"workspace/configuration", std::move(params), [](const Json& result, Session& session) {
         if (result.is_array() && !result.empty()) applyConfiguration(result.front(), session);
       }});
}

// Requests settings from clients that support it; others send them with the notification.
void didChangeConfiguration(const DidChangeConfigurationParams& params, Session& session) {
  if (session.client->hasConfiguration) return requestConfiguration(session);
  const Json& settings = params.settings;
  if (!settings.is_object()) return;
  applyConfiguration(settings.contains("gluond") ? settings["gluond"] : settings, session);
}

void didChangeWorkspaceFolders(const DidChangeWorkspaceFoldersParams& params, Session& session) {
  driver::Settings settings = session.workspace.settings();
  if (settings.isConfined) return;
  for (const WorkspaceFolder& folder : params.event.removed)
    llvm::erase(settings.roots, pathFromUri(folder.uri));
  for (const WorkspaceFolder& folder : params.event.added)
    if (std::string path = pathFromUri(folder.uri); !llvm::is_contained(settings.roots, path))
      settings.roots.push_back(path);
  session.workspace.changeSettings(std::move(settings));
  session.workspace.diskChanged();
  session.othersAffected = session.viewsAffected = true;
  refreshProjects(session);
}

} // namespace gluond::lsp
