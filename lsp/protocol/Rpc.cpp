#include "lsp/protocol/Rpc.h"

namespace gluond::lsp {

namespace {

// A message of these members, in this order. Results are large and not copied into a document of
// the whole message.
std::string message(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string text = R"({"jsonrpc":"2.0")";
  for (const auto& [key, json] : members)
    text.append(",\"").append(key).append("\":").append(json);
  return text += '}';
}

bool isId(const Json& id) {
  return id.is_string() || id.is_number_integer();
}

} // namespace

Message parseMessage(std::string_view text) {
  std::optional<Json> json = parseJson(text);
  if (!json) return Invalid{nullptr, {ErrorCode::ParseError, "the message is not valid JSON"}};
  if (!json->is_object())
    return Invalid{nullptr,
                   {ErrorCode::InvalidRequest,
                    "a message must be a JSON object (batches are not used in LSP)"}};

  auto take = [&](const char* key) {
    auto it = json->find(key);
    return it == json->end() ? Json() : std::move(*it);
  };
  bool hasId = json->contains("id"), hasMethod = json->contains("method");
  Json id = take("id"), method = take("method");
  if (hasId && !isId(id) && (hasMethod || !id.is_null()))
    return Invalid{nullptr,
                   {ErrorCode::InvalidRequest, "a request's id must be an integer or a string"}};
  if (hasMethod) {
    if (!method.is_string())
      return Invalid{std::move(id), {ErrorCode::InvalidRequest, "'method' must be a string"}};
    Json params = take("params");
    if (params.is_null()) params = Json::object();
    std::string name = method.get<std::string>();
    if (hasId) return Request{std::move(id), std::move(name), std::move(params)};
    return Notification{std::move(name), std::move(params)};
  }
  if (!hasId || (!json->contains("result") && !json->contains("error")))
    return Invalid{
        std::move(id),
        {ErrorCode::InvalidRequest, "neither a request nor a response: no 'method', no 'result'"}};
  Response response{std::move(id), take("result"), std::nullopt};
  if (Json error = take("error"); !error.is_null())
    response.error = decode<ResponseError>(error).value_or(
        ResponseError{ErrorCode::InternalError, "unreadable error"});
  return response;
}

std::string makeResult(const Json& id, const Json& result) {
  return message({{"id", dumpJson(id)}, {"result", dumpJson(result)}});
}

std::string makeError(const Json& id, const ResponseError& error) {
  return message({{"id", dumpJson(id)}, {"error", dumpJson(encode(error))}});
}

std::string makeNotification(std::string_view method, const Json& params) {
  return message({{"method", dumpJson(method)}, {"params", dumpJson(params)}});
}

std::string makeRequest(const Json& id, std::string_view method, const Json& params) {
  std::string name = dumpJson(method);
  if (params.is_null()) return message({{"id", dumpJson(id)}, {"method", std::move(name)}});
  return message({{"id", dumpJson(id)}, {"method", std::move(name)}, {"params", dumpJson(params)}});
}

std::string idKey(const Json& id) {
  return dumpJson(id);
}

} // namespace gluond::lsp
