#include "lsp/notebooks/NotebookTransport.h"

namespace gluond::lsp {

Incoming NotebookTransport::read() {
  while (read_.empty()) {
    Incoming incoming = client_.read();
    if (incoming.kind != Incoming::Kind::Message) return incoming;
    std::lock_guard lock(mutex_);
    for (std::string& message : notebooks_.fromClient(std::move(incoming.text)))
      read_.push_back(std::move(message));
  }
  Incoming incoming{Incoming::Kind::Message, std::move(read_.front())};
  read_.pop_front();
  return incoming;
}

bool NotebookTransport::write(std::string_view message) {
  std::vector<std::string> messages;
  {
    std::lock_guard lock(mutex_);
    messages = notebooks_.fromServer(std::string(message));
  }
  bool isWritten = true;
  for (const std::string& each : messages)
    isWritten = isWritten && client_.write(each);
  return isWritten;
}

} // namespace gluond::lsp
