// Text that was typed in the page of `gluond serve` and is not saved yet, kept outside the served
// folder, so that it outlives the page, the worker and the server.
//
// It is in $XDG_STATE_HOME/gluond/drafts, or else ~/.local/state/gluond/drafts, readable by the
// user only: one file per text, by served folder, page and file name. Two pages may have the same
// file open, and neither removes or replaces what was typed in the other. May be used from any
// thread.
#pragma once

#include "lsp/protocol/Messages.h"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

struct Draft {
  std::string name;                // relative to the served folder
  std::string text;                // the text in the editor
  std::string revision;            // of the file that it was derived from (ServedFolder.h)
  std::optional<std::string> page; // which page typed it; none in drafts of earlier versions
  GLUOND_FIELDS(field("name", &Draft::name), field("text", &Draft::text),
                field("revision", &Draft::revision), field("page", &Draft::page))
};

class Drafts {
public:
  // For the folder `root`, stored below `state`, which need not exist; if "", nothing is stored.
  Drafts(std::string state, std::string root);
  // Returns the user's $XDG_STATE_HOME, if absolute, else ~/.local/state, or "" if neither exists.
  static std::string userState();

  tl::expected<void, std::string> keep(const Draft& draft) const;
  void drop(const std::string& name, const std::optional<std::string>& page) const;
  std::vector<Draft> all() const; // by name, of a file the latest first

  static constexpr size_t mostBytes = size_t{16} << 20, mostDrafts = 1000;

private:
  std::string folder() const;
  std::string placeOf(const std::string& name, const std::optional<std::string>& page) const;
  std::string state_, root_;
};

} // namespace gluond::lsp
