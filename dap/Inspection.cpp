// Shows a program that stands still: its threads, variables and tensors.
#include "dap/Requests.h"
#include "dap/TensorItems.h"
#include "support/Plural.h"

#include <llvm/Support/Base64.h>
#include <llvm/Support/Path.h>

namespace gluond::dap {

using debug::Item;

Json Requests::sourceOf(const std::string& path) const {
  return {{"name", llvm::sys::path::filename(path).str()}, {"path", path}};
}

int64_t Requests::keep(const Item& item, const std::optional<FrameOf>& frame) {
  if (!item.parts) return 0;
  items_.push_back({item, frame});
  return static_cast<int64_t>(items_.size());
}

// A variable's name, or an element of one.
static bool isElement(const std::string& expression) {
  return !expression.empty() &&
         expression.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_.[], ") == std::string::npos;
}

Json Requests::jsonOf(const Item& given, const std::optional<FrameOf>& frame) {
  Item item = given;
  if (!item.parts && frame && isElement(item.expression) && item.type != "constexpr") {
    item.named = 2;
    item.parts = [this, expression = item.expression, frame = *frame](bool isIndexed, size_t,
                                                                      size_t) {
      return isIndexed ? std::vector<Item>() : kinshipOf(expression, frame);
    };
  }
  Json json = {{"name", item.name}, {"value", item.text}};
  if (!item.type.empty()) json["type"] = item.type;
  json["variablesReference"] = keep(item, frame);
  if (item.indexed) json["indexedVariables"] = item.indexed;
  if (item.indexed && item.named) json["namedVariables"] = item.named;
  if (!item.expression.empty()) json["evaluateName"] = item.expression;
  if (item.spot && item.spot->kind != debug::Spot::Kind::Barrier)
    json["memoryReference"] = std::to_string(static_cast<int>(item.spot->kind)) + ":" +
                              std::to_string(item.spot->address);
  return json;
}

void Requests::threads(const Json& request, const Json&) {
  Json threads = Json::array();
  if (!debugger_) {
    threads.push_back({{"id", 1}, {"name", "default partition"}});
    return client_.reply(request, {{"threads", threads}});
  }
  for (const simulate::Thread& thread : debugger_->state().threads) {
    if (thread.isFinished && thread.id != 0) continue;
    std::string name = thread.name();
    std::vector<debug::Row> stack = debugger_->stackOf(thread.id);
    for (size_t i = stack.size(); i-- > 0 && thread.id != 0;)
      if (!stack[i].calls.empty()) {
        name += ": " + stack[i].function;
        break;
      }
    if (thread.blockedAt) name += thread.waiting ? " (waits for a barrier)" : " (waits)";
    threads.push_back({{"id", thread.id + 1}, {"name", name}});
  }
  client_.reply(request, {{"threads", threads}});
}

void Requests::stackTrace(const Json& request, const Json& arguments) {
  auto id = number(arguments, "threadId").value_or(1);
  uint32_t thread = id > 0 && id < INT32_MAX ? static_cast<uint32_t>(id - 1) : UINT32_MAX;
  std::vector<debug::Row> stack = debugger_->stackOf(thread);
  auto first =
      static_cast<size_t>(std::max<int64_t>(number(arguments, "startFrame").value_or(0), 0));
  auto levels = number(arguments, "levels").value_or(0);
  size_t end =
      levels > 0 ? std::min(stack.size(), first + static_cast<size_t>(levels)) : stack.size();
  Json frames = Json::array();
  for (size_t i = first; i < end; ++i) {
    frames_.push_back({thread, stack[i]});
    Json frame = {{"id", frames_.size()}, {"name", stack[i].function}, {"line", 0}, {"column", 0}};
    if (const auto& place = stack[i].place) {
      frame["source"] = sourceOf(place->path);
      frame["line"] = place->line - 1 + firstLine_;
      frame["column"] = place->column - 1 + firstColumn_;
      // A statement that goes over many lines is shown by its first one.
      if (place->endLine == place->line) {
        frame["endLine"] = frame["line"];
        frame["endColumn"] = place->endColumn - 1 + firstColumn_;
      }
    }
    frames.push_back(std::move(frame));
  }
  client_.reply(request, {{"stackFrames", frames}, {"totalFrames", stack.size()}});
}

std::optional<Requests::FrameOf> Requests::frameOf(const Json& arguments) {
  auto id = number(arguments, "frameId").value_or(0);
  if (id < 1 || static_cast<size_t>(id) > frames_.size()) return std::nullopt;
  return frames_[static_cast<size_t>(id) - 1];
}

// ---------------------------------------------------------------- variables

std::vector<Item> Requests::globalMemory() const {
  std::vector<Item> items;
  for (const driver::SimulatedMemory& memory : debuggee_.simulation->memories)
    items.push_back(dap::itemOf(memory, debugger_->look()));
  return items;
}

std::vector<Item> Requests::programItems() const {
  const simulate::State& state = debugger_->state();
  const debug::History& history = debugger_->history();
  std::vector<Item> items;
  auto add = [&](const char* name, std::string text) {
    Item item;
    item.name = name;
    item.text = std::move(text);
    items.push_back(std::move(item));
  };
  auto triple = [](const std::array<int64_t, 3>& of) {
    return "(" + std::to_string(of[0]) + ", " + std::to_string(of[1]) + ", " +
           std::to_string(of[2]) + ")";
  };
  add("program_id", triple(state.program));
  add("num_programs", triple(debuggee_.simulation->setting.grid));
  add("schedule", wanted_.schedule.text());
  add("moment", std::to_string(history.now()) + " of " + std::to_string(history.reached()) +
                    (history.isFinished() ? ", the last one" : " that were reached"));
  add("findings", std::to_string(state.findings.size()));
  add("history", counted(history.checkpoints(), "checkpoint") + ", about " +
                     std::to_string(history.bytes() >> 20) + " MiB");
  return items;
}

void Requests::scopes(const Json& request, const Json& arguments) {
  auto frame = frameOf(arguments);
  if (!frame) return client_.fail(request, "this frame does not exist any more");
  Json scopes = Json::array();
  auto add = [&](const char* name, std::vector<Item> items, bool isExpensive,
                 const char* hint = nullptr) {
    Item scope;
    scope.name = name;
    scope.parts = [items = std::move(items)](bool isIndexed, size_t, size_t) {
      return isIndexed ? std::vector<Item>() : items;
    };
    Json json = {
        {"name", name}, {"variablesReference", keep(scope, frame)}, {"expensive", isExpensive}};
    if (hint) json["presentationHint"] = hint;
    scopes.push_back(std::move(json));
  };
  debug::Look look = debugger_->look();
  add("Locals", debugger_->locals(frame->thread, frame->row), false, "locals");
  if (auto barriers = look.barriers(); !barriers.empty())
    add("Barriers", std::move(barriers), false);
  if (auto operations = look.operations(); !operations.empty())
    add("Operations in flight", std::move(operations), false);
  add("Global memory", globalMemory(), true);
  add("Program", programItems(), true);
  client_.reply(request, {{"scopes", scopes}});
}

void Requests::variables(const Json& request, const Json& arguments) {
  auto reference = number(arguments, "variablesReference").value_or(0);
  if (reference < 1 || static_cast<size_t>(reference) > items_.size())
    return client_.fail(request, "these variables do not exist any more");
  const Kept kept = items_[static_cast<size_t>(reference) - 1];
  const Item& item = kept.item;
  std::string filter = text(arguments, "filter");
  constexpr size_t usual = 1000;  // parts that are sent without a number asked for
  constexpr size_t most = 10'000; // a client that shows more of them asks again
  auto first = static_cast<size_t>(std::max<int64_t>(number(arguments, "start").value_or(0), 0));
  auto count = static_cast<size_t>(std::max<int64_t>(number(arguments, "count").value_or(0), 0));
  Json variables = Json::array();
  auto add = [&](bool isIndexed, size_t from, size_t wanted) {
    for (const Item& part : item.parts(isIndexed, from, wanted))
      variables.push_back(jsonOf(part, kept.frame));
  };
  if (filter != "indexed") add(false, 0, SIZE_MAX);
  if (filter != "named" && item.indexed > 0) {
    size_t wanted = std::min({count ? count : usual, most, item.indexed});
    add(true, first, wanted);
    if ((!count || count > wanted) && first + wanted < item.indexed)
      variables.push_back({{"name", "..."},
                           {"value", std::to_string(item.indexed - first - wanted) +
                                         " more; request them with 'start' and 'count'"},
                           {"variablesReference", 0}});
  }
  client_.reply(request, {{"variables", variables}});
}

void Requests::evaluate(const Json& request, const Json& arguments) {
  auto frame = frameOf(arguments);
  if (!frame) {
    std::vector<debug::Row> stack = debugger_->stackOf(last_.thread);
    if (stack.empty()) return client_.fail(request, "no function is being executed");
    frame = FrameOf{last_.thread, stack.front()};
  }
  std::string expression = text(arguments, "expression");
  auto value = debugger_->evaluate(frame->thread, frame->row, expression);
  if (!value) return client_.fail(request, value.error());
  Item item = debugger_->look().show(expression, expression, *value);
  Json json = jsonOf(item, frame);
  json["result"] = json["value"];
  json.erase("value");
  json.erase("name");
  json.erase("evaluateName");
  client_.reply(request, std::move(json));
}

// ---------------------------------------------------------------- where values come from

static std::string placeText(const std::optional<debug::Place>& place) {
  return place ? llvm::sys::path::filename(place->path).str() + ":" + std::to_string(place->line)
               : std::string();
}

Item Requests::itemOf(const debug::Origin& origin) const {
  Item item;
  item.name = origin.name.empty() ? placeText(origin.place) : origin.name;
  if (item.name.empty()) item.name = "value";
  item.text = origin.value + " = " + origin.what;
  if (origin.place && !origin.name.empty()) item.text += " (" + placeText(origin.place) + ")";
  if (origin.isCut) item.text += " ...";
  if (origin.from.empty()) return item;
  item.named = origin.from.size();
  std::vector<Item> parts;
  for (const debug::Origin& each : origin.from)
    parts.push_back(itemOf(each));
  item.parts = [parts](bool isIndexed, size_t, size_t) {
    return isIndexed ? std::vector<Item>() : parts;
  };
  return item;
}

Json Requests::jsonOf(const debug::Origin& origin) const {
  Json json = {{"name", origin.name},
               {"value", origin.value},
               {"what", origin.what},
               {"moment", origin.moment},
               {"isCut", origin.isCut}};
  if (origin.place) {
    json["source"] = sourceOf(origin.place->path);
    json["line"] = origin.place->line - 1 + firstLine_;
  }
  json["from"] = Json::array();
  for (const debug::Origin& each : origin.from)
    json["from"].push_back(jsonOf(each));
  return json;
}

std::vector<Item> Requests::kinshipOf(const std::string& expression, const FrameOf& frame) {
  Item origin, readers;
  origin.name = "origin";
  origin.text = "the operations that computed this value";
  origin.named = 1;
  origin.parts = [this, expression, frame](bool isIndexed, size_t, size_t) {
    std::vector<Item> items;
    if (isIndexed) return items;
    auto found = debug::originOf(*debugger_, frame.thread, frame.row, expression, {},
                                 inbox_.interrupt(false));
    if (found) {
      items.push_back(itemOf(*found));
    } else {
      Item why;
      why.name = "not known";
      why.text = found.error();
      items.push_back(std::move(why));
    }
    return items;
  };
  readers.name = "readers";
  readers.text = "the operations that read this value later";
  readers.named = 1;
  readers.parts = [this, expression, frame](bool isIndexed, size_t, size_t) {
    std::vector<Item> items;
    if (isIndexed) return items;
    auto found = debug::readersOf(*debugger_, frame.thread, frame.row, expression, {},
                                  inbox_.interrupt(false));
    for (const debug::Reader& each : found.value_or(std::vector<debug::Reader>())) {
      Item item;
      item.name = placeText(each.place);
      if (item.name.empty()) item.name = "moment " + std::to_string(each.moment);
      item.text = each.what;
      items.push_back(std::move(item));
    }
    return items;
  };
  return {origin, readers};
}

void Requests::origin(const Json& request, const Json& arguments) {
  auto frame = frameOf(arguments);
  if (!frame) return client_.fail(request, "this frame does not exist any more");
  auto found = debug::originOf(*debugger_, frame->thread, frame->row, text(arguments, "expression"),
                               {}, inbox_.interrupt(false));
  if (!found) return client_.fail(request, found.error());
  client_.reply(request, {{"origin", jsonOf(*found)}});
}

void Requests::readers(const Json& request, const Json& arguments) {
  auto frame = frameOf(arguments);
  if (!frame) return client_.fail(request, "this frame does not exist any more");
  auto found = debug::readersOf(*debugger_, frame->thread, frame->row,
                                text(arguments, "expression"), {}, inbox_.interrupt(false));
  if (!found) return client_.fail(request, found.error());
  Json readers = Json::array();
  for (const debug::Reader& each : *found) {
    Json json = {{"what", each.what}, {"moment", each.moment}};
    if (each.place) {
      json["source"] = sourceOf(each.place->path);
      json["line"] = each.place->line - 1 + firstLine_;
    }
    readers.push_back(std::move(json));
  }
  client_.reply(request, {{"readers", readers}});
}

// ---------------------------------------------------------------- the rest

void Requests::exceptionInfo(const Json& request, const Json&) {
  if (last_.why != debug::Stop::Why::Finding || !last_.finding)
    return client_.fail(request, "the program has not stopped at a finding");
  const simulate::Finding* finding = &*last_.finding;
  std::string slug = diagnostics::row(finding->id).slug.str(), events;
  auto lineOf = [](mlir::Location at) {
    auto place = debug::placeOf(at);
    return place ? llvm::sys::path::filename(place->path).str() + ":" + std::to_string(place->line)
                 : std::string("somewhere");
  };
  for (const simulate::Event& event : finding->events)
    events += lineOf(event.at) + ": " + event.message + "\n";
  client_.reply(request, {{"exceptionId", slug},
                          {"description", finding->message},
                          {"breakMode", "always"},
                          {"details",
                           {{"message", finding->message},
                            {"typeName", slug},
                            {"stackTrace", lineOf(finding->at) + ": here\n" + events}}}});
}

void Requests::loadedSources(const Json& request, const Json&) {
  Json sources = Json::array();
  for (const std::string& file : debugger_->files())
    sources.push_back(sourceOf(file));
  client_.reply(request, {{"sources", sources}});
}

void Requests::readMemory(const Json& request, const Json& arguments) {
  std::string reference = text(arguments, "memoryReference");
  auto [kindText, addressText] = llvm::StringRef(reference).split(':');
  unsigned kind;
  uint64_t address;
  if (kindText.getAsInteger(10, kind) || addressText.getAsInteger(10, address) || kind > 2)
    return client_.fail(request, "there is no such memory");
  constexpr int64_t most = 1 << 20;
  int64_t offset = number(arguments, "offset").value_or(0);
  auto count =
      static_cast<size_t>(std::clamp<int64_t>(number(arguments, "count").value_or(0), 0, most));
  uint64_t at = address + static_cast<uint64_t>(offset);
  std::span<const std::byte> from;
  const simulate::State& state = debugger_->state();
  if (static_cast<debug::Spot::Kind>(kind) == debug::Spot::Kind::Global) {
    from = debuggee_.simulation->memory.from(at);
  } else {
    bool isShared = static_cast<debug::Spot::Kind>(kind) == debug::Spot::Kind::Shared;
    const simulate::SharedMemory& memory = isShared ? state.shared : state.tensorMemory;
    if (at <= memory.size()) from = {memory.data() + at, memory.size() - at};
  }
  size_t readable = std::min(count, from.size());
  std::vector<char> bytes(readable);
  std::memcpy(bytes.data(), from.data(), readable);
  client_.reply(request, {{"address", std::to_string(at)},
                          {"unreadableBytes", count - readable},
                          {"data", llvm::encodeBase64(bytes)}});
}

} // namespace gluond::dap
