// The agents' protocol, as its supervisor sees it (lsp/supervisor/Supervisor.h): the tools have no
// state, so that a new worker only hears of an `initialize` that was not answered.
#pragma once

#include "lsp/supervisor/Protocol.h"

namespace gluond::mcp {

class Conversation : public lsp::Protocol {
public:
  Change fromClient(const lsp::MessageHead& head, std::string_view message) override;
  std::vector<std::string> replay(bool wasInitializeAnswered) const override;
  std::string withdrawn(const lsp::MessageHead& head, std::string_view message) const override;
  // A script that pipes its requests ends its messages with the last one.
  std::chrono::milliseconds patience() const override { return std::chrono::seconds(30); }

private:
  std::string initialize_; // a message
};

} // namespace gluond::mcp
