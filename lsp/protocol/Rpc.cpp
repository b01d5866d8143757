#include "lsp/protocol/Rpc.h"

namespace gluond::lsp {

namespace {

Json envelope() {
  Json message = Json::object();
  message["jsonrpc"] = "2.0";
  return message;
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
  Json message = envelope();
  message["id"] = id;
  message["result"] = result;
  return dumpJson(message);
}

std::string makeError(const Json& id, const ResponseError& error) {
  Json message = envelope();
  message["id"] = id;
  message["error"] = encode(error);
  return dumpJson(message);
}

std::string makeNotification(std::string_view method, const Json& params) {
  Json message = envelope();
  message["method"] = method;
  message["params"] = params;
  return dumpJson(message);
}

std::string makeRequest(const Json& id, std::string_view method, const Json& params) {
  Json message = envelope();
  message["id"] = id;
  message["method"] = method;
  if (!params.is_null()) message["params"] = params;
  return dumpJson(message);
}

std::string idKey(const Json& id) {
  return dumpJson(id);
}

} // namespace gluond::lsp
