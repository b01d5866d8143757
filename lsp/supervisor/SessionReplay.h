// The part of a client's messages that a replacement server must receive: initialization, settings,
// folders, the text of open documents, selections.
//
// Only one thread uses it at a time.
#pragma once

#include "lsp/protocol/Messages.h"
#include "lsp/server/Session.h"
#include "lsp/supervisor/Protocol.h"
#include "text/SourceText.h"

#include <map>
#include <string>
#include <vector>

namespace gluond::lsp {

class SessionReplay : public Protocol {
public:
  Change fromClient(const MessageHead& head, std::string_view message) override;
  std::string cancelled(const MessageHead& head, std::string_view message) const override;
  bool wasInitialized() const { return !initialize_.empty(); }
  bool wasShutDown() const { return shutDown_; }
  int64_t clientProcess() const override { return clientProcess_; }
  std::vector<std::string> replay(bool wasInitializeAnswered) const override;
  std::string startedAgain(const std::string& why) const override;
  bool isLast(const MessageHead& head) const override;
  int exitCode(bool saidLast) const override { return saidLast && shutDown_ ? 0 : 1; }

private:
  // Changes are applied to the text many at a time: an edit of a large file must not wait for the
  // copies that those before it would take.
  struct Document {
    std::string language;
    int32_t version;
    text::SourceText text;              // before `changes`
    std::vector<ContentChange> changes; // in order
    size_t bytesOfChanges = 0;
  };
  void open(std::string_view message);
  Change change(std::string_view message);
  text::SourceText textOf(const Document& document) const;
  void close(std::string_view message);
  void keepSelection(std::string_view message);

  std::string initialize_, initialized_, configuration_; // messages
  std::vector<std::string> folders_;                     // changes of workspace folders
  std::map<std::string, std::string> selections_;        // params of requests, by file and kernel
  std::map<std::string, Document> documents_;            // by uri
  PositionEncoding encoding_ = PositionEncoding::Utf16;
  int64_t clientProcess_ = 0;
  bool shutDown_ = false;
};

} // namespace gluond::lsp
