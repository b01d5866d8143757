#include "dap/Session.h"

#include "dap/Inbox.h"
#include "dap/Requests.h"
#include "lsp/protocol/Json.h"

namespace gluond::dap {

int serve(lsp::Transport& transport, Prepare prepare, std::function<void()> onGone) {
  Inbox inbox(transport, std::move(onGone));
  Client client([&](const Json& message) { transport.write(lsp::dumpJson(message)); });
  Requests requests(client, inbox, std::move(prepare));
  while (auto request = inbox.next()) {
    requests.handle(*request);
    if (requests.isOver()) return 0;
  }
  return 1;
}

} // namespace gluond::dap
