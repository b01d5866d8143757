// The documents that a client can read: gluond's documentation, and the explanations of diagnostics
// and builtins.
#pragma once

#include "mcp/protocol/Schema.h"

#include <tl/expected.hpp>

#include <string>

namespace gluond::mcp {

class Resources {
public:
  // `folder` holds the pages of docs/; empty if they are not installed.
  explicit Resources(std::string folder) : folder_(std::move(folder)) {}

  Json list() const;       // of `resources/list`
  static Json templates(); // of `resources/templates/list`
  // The contents for `resources/read`. The error is a sentence.
  tl::expected<Json, std::string> read(const std::string& uri) const;

private:
  std::string folder_;
};

} // namespace gluond::mcp
