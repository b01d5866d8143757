// What a client told its server, as far as another server must be told to take its place: how it
// was initialized, settings, folders, the text of open documents, choices.
//
// One thread at a time.
#pragma once

#include "lsp/server/Session.h"
#include "lsp/supervisor/MessageHead.h"
#include "text/SourceText.h"

#include <map>
#include <string>
#include <vector>

namespace gluond::lsp {

class Memory {
public:
  void fromClient(const MessageHead& head, std::string_view message);
  bool wasInitialized() const { return !initialize_.empty(); }
  bool wasShutDown() const { return shutDown_; }
  int64_t clientProcess() const { return clientProcess_; }
  // The messages that bring a new server to where the old one was. Requests among them have ids
  // that begin with `replayPrefix`, but for `initialize` when the client still waits for its
  // answer.
  std::vector<std::string> replay(bool wasInitializeAnswered) const;
  static constexpr std::string_view replayPrefix = "gluond-replay-";

private:
  struct Document {
    std::string language;
    int32_t version;
    text::SourceText text;
  };
  void open(std::string_view message);
  void change(std::string_view message);
  void close(std::string_view message);
  void keepSelection(std::string_view message);

  std::string initialize_, initialized_, configuration_; // messages
  std::vector<std::string> folders_;                     // changes of workspace folders
  std::map<std::string, std::string> selections_;        // requests' params, by file and kernel
  std::map<std::string, Document> documents_;            // by uri
  PositionEncoding encoding_ = PositionEncoding::Utf16;
  int64_t clientProcess_ = 0;
  bool shutDown_ = false;
};

} // namespace gluond::lsp
