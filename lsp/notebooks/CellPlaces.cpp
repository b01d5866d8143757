#include "lsp/notebooks/CellPlaces.h"

#include "lsp/handlers/Convert.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gluond::lsp {

namespace {

bool isLine(const Json& json) {
  return json.is_number_unsigned();
}

bool hasLine(const Json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && isLine(*it);
}

bool isPosition(const Json& json) {
  return json.is_object() && hasLine(json, "line") && hasLine(json, "character");
}

bool isRange(const Json& json) {
  if (!json.is_object()) return false;
  auto start = json.find("start"), end = json.find("end");
  return start != json.end() && end != json.end() && isPosition(*start) && isPosition(*end);
}

uint64_t lineOf(const Json& position) {
  return position["line"].get<uint64_t>();
}

// The string in a field; null if there is none.
const std::string* stringIn(const Json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? &it->get_ref<const std::string&>() : nullptr;
}

} // namespace

// ---------------------------------------------------------------- to the server

void ToNotebook::translate(Json& json, CellPlace around) const {
  if (json.is_string()) {
    if (CellPlace place = find_(json.get_ref<const std::string&>()); place.notebook)
      json = *place.uri;
  } else if (json.is_array()) {
    for (Json& element : json)
      translate(element, around);
  } else if (json.is_object()) {
    if (isPosition(json)) {
      if (!around.cell) return;
      uint64_t last = around.cell->text.lineCount() - 1;
      json["line"] = around.firstLine() + std::min(lineOf(json), last);
      return;
    }
    if (const std::string* uri = stringIn(json, "uri"))
      around = find_(*uri);
    else if (auto document = json.find("textDocument");
             document != json.end() && document->is_object())
      if (const std::string* uri = stringIn(*document, "uri")) around = find_(*uri);
    for (Json& member : json)
      translate(member, around);
  }
}

// ---------------------------------------------------------------- to the client

uint32_t ToCells::lengthOfLastLine(const Cell& cell) const {
  return PositionMap(cell.text, encoding_).position(cell.text.size()).character;
}

// A range that reaches beyond the cell ends with it.
bool ToCells::translateRange(Json& range, CellPlace around) const {
  Json &start = range["start"], &end = range["end"];
  uint64_t first = around.firstLine(), count = around.cell->text.lineCount();
  uint64_t from = lineOf(start), to = lineOf(end);
  bool endsBefore = to < first || (to == first && from < first && end["character"] == 0);
  if (from >= first + count || endsBefore) return false;
  if (from < first)
    start = {{"line", 0}, {"character", 0}};
  else
    start["line"] = from - first;
  if (to >= first + count)
    end = {{"line", count - 1}, {"character", lengthOfLastLine(*around.cell)}};
  else
    end["line"] = to - first;
  return true;
}

CellPlace ToCells::placeOf(const Json& object, CellPlace notebook) const {
  std::optional<uint64_t> line;
  for (const char* key : {"targetSelectionRange", "selectionRange", "range", "targetRange"}) {
    auto it = object.find(key);
    if (it == object.end() || !isRange(*it)) continue;
    line = lineOf((*it)["start"]);
    break;
  }
  if (hasLine(object, "sourceLine")) line = object["sourceLine"].get<uint64_t>();
  constexpr uint64_t none = UINT32_MAX;
  notebook.cell = notebook.notebook->at(static_cast<uint32_t>(std::min(line.value_or(0), none)));
  return notebook;
}

bool ToCells::translateEdits(Json& changes) const {
  Json result = Json::object();
  for (auto& [uri, edits] : changes.items()) {
    CellPlace notebook = find_(uri);
    if (!notebook.notebook || !edits.is_array()) {
      result[uri] = std::move(edits);
      continue;
    }
    for (Json& edit : edits) {
      CellPlace place = edit.is_object() ? placeOf(edit, notebook) : notebook;
      if (!place.cell || !edit.contains("range") || !isRange(edit["range"])) return false;
      Json& range = edit["range"];
      uint64_t next = place.firstLine() + place.cell->text.lineCount(), to = lineOf(range["end"]);
      // No edit of one cell can do what an edit of two does.
      if (to > next || (to == next && range["end"]["character"] != 0)) return false;
      translateRange(range, place);
      result[place.cell->uri].push_back(std::move(edit));
    }
  }
  changes = std::move(result);
  return true;
}

bool ToCells::translateMembers(Json& json, CellPlace around, CellPlace asked,
                               bool isElement) const {
  for (auto it = json.begin(); it != json.end();) {
    const std::string& key = it.key();
    Json& value = *it;
    bool isThere = true;
    if (key == "changes" && value.is_object()) {
      if (!translateEdits(value)) return false;
    } else if (key == "edit") {
      // An action without its edit would do nothing.
      if (!translate(value, around, true)) return false;
    } else if (key == "originSelectionRange") {
      isThere = translate(value, asked, false);
    } else if (key == "sourceLine" && around.cell && isLine(value)) {
      value = value.get<uint64_t>() - around.firstLine();
    } else if (key == "calledFrom" && around.cell && value.is_array() &&
               llvm::all_of(value, isLine)) {
      Json lines = Json::array();
      for (const Json& line : value)
        if (around.notebook->at(line.get<uint32_t>()) == around.cell)
          lines.push_back(line.get<uint64_t>() - around.firstLine());
      value = std::move(lines);
    } else {
      isThere = translate(value, around, false);
    }
    if (!isThere && isElement) return false;
    it = isThere ? std::next(it) : json.erase(it);
  }
  return true;
}

bool ToCells::translate(Json& json, CellPlace around, bool isElement) const {
  if (json.is_string()) {
    const std::string& text = json.get_ref<const std::string&>();
    if (around.cell && text == *around.uri) json = around.cell->uri;
    return true;
  }
  if (json.is_array()) {
    for (auto it = json.begin(); it != json.end();)
      it = translate(*it, around, true) ? std::next(it) : json.erase(it);
    return true;
  }
  if (!json.is_object()) return true;
  if (isRange(json)) return !around.cell || translateRange(json, around);
  if (isPosition(json)) {
    if (!around.cell) return true;
    uint64_t line = lineOf(json), first = around.firstLine();
    if (line < first || line >= first + around.cell->text.lineCount()) return false;
    json["line"] = line - first;
    return true;
  }
  if (around.cell && hasLine(json, "startLine") && hasLine(json, "endLine")) { // a fold
    Json range = {{"start", {{"line", json["startLine"]}, {"character", 0}}},
                  {"end", {{"line", json["endLine"]}, {"character", 1}}}};
    if (!translateRange(range, around)) return false;
    json["startLine"] = range["start"]["line"];
    json["endLine"] = range["end"]["line"];
    return true;
  }
  CellPlace asked = around;
  for (const char* key : {"uri", "targetUri"})
    if (const std::string* uri = stringIn(json, key)) {
      CellPlace notebook = find_(*uri);
      around = notebook.notebook ? placeOf(json, notebook) : CellPlace();
    }
  // The places of calls are in the caller.
  if (auto from = json.find("from"); from != json.end() && from->is_object())
    if (const std::string* uri = stringIn(*from, "uri")) {
      CellPlace notebook = find_(*uri);
      around = notebook.notebook ? placeOf(*from, notebook) : CellPlace();
    }
  return translateMembers(json, around, asked, isElement);
}

Json ToCells::tokens(const Json& data, CellPlace asked) {
  Json result = Json::array();
  if (!data.is_array() || !asked.cell) return result;
  constexpr size_t size = 5; // line and start after the token before, length, type, modifiers
  uint64_t line = 0, start = 0, lastLine = 0, lastStart = 0;
  for (size_t i = 0; i + size <= data.size(); i += size) {
    if (!llvm::all_of(llvm::seq(i, i + size), [&](size_t n) { return isLine(data[n]); }))
      return result;
    auto down = data[i].get<uint64_t>();
    line += down;
    start = data[i + 1].get<uint64_t>() + (down == 0 ? start : 0);
    uint64_t first = asked.firstLine();
    if (line < first) continue;
    if (line >= first + asked.cell->text.lineCount()) break;
    uint64_t inCell = line - first;
    result.push_back(inCell - lastLine);
    result.push_back(inCell == lastLine ? start - lastStart : start);
    for (size_t n = 2; n < size; ++n)
      result.push_back(data[i + n]);
    lastLine = inCell;
    lastStart = start;
  }
  return result;
}

} // namespace gluond::lsp
