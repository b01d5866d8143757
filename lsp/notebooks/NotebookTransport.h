// A transport whose client has notebooks open, and whose reader sees each of them as one Python
// document (Notebooks.h).
#pragma once

#include "lsp/notebooks/Notebooks.h"
#include "lsp/transport/Transport.h"

#include <deque>
#include <mutex>

namespace gluond::lsp {

class NotebookTransport : public Transport {
public:
  explicit NotebookTransport(Transport& client) : client_(client) {}
  Incoming read() override;
  bool write(std::string_view message) override;
  void abandon() override { client_.abandon(); }
  void resynchronize() override { client_.resynchronize(); }

private:
  Transport& client_;
  std::deque<std::string> read_; // translated already
  std::mutex mutex_;             // guards the translation, which reader and writer share
  Notebooks notebooks_;
};

} // namespace gluond::lsp
