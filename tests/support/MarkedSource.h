// Source with marks, so that tests need not count columns: `^` is a point, `[[...]]` a range,
// `$name^` and `$name[[...]]` the same with a name. `text` is the source without the marks.
//
//   MarkedSource source("def $def[[f]](x): return $use^f(x)");
//   source.point("use"), source.range("def"), source.text
#pragma once

#include "text/SourceText.h"

#include <llvm/ADT/StringExtras.h>

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace gluond {

class MarkedSource {
public:
  explicit MarkedSource(llvm::StringRef marked) {
    std::string name;
    std::vector<std::pair<std::string, text::Offset>> open;
    for (size_t i = 0; i < marked.size();) {
      llvm::StringRef rest = marked.drop_front(i);
      if (rest.starts_with("$")) {
        llvm::StringRef word =
            rest.drop_front().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
        llvm::StringRef behind = rest.drop_front(1 + word.size());
        if (behind.starts_with("^") || behind.starts_with("[[")) {
          name = word.str();
          i += 1 + word.size();
          continue;
        }
      }
      auto here = static_cast<text::Offset>(text.size());
      if (rest.starts_with("^")) {
        points_[std::exchange(name, "")].push_back(here);
        ++i;
      } else if (rest.starts_with("[[")) {
        open.emplace_back(std::exchange(name, ""), here);
        i += 2;
      } else if (rest.starts_with("]]") && !open.empty()) {
        ranges_[open.back().first].push_back({open.back().second, here});
        open.pop_back();
        i += 2;
      } else {
        text += marked[i++];
      }
    }
  }

  std::string text;

  text::Offset point(const std::string& name = "") const {
    EXPECT_TRUE(points_.contains(name)) << "no point $" << name;
    return points_.contains(name) ? points_.at(name).front() : 0;
  }
  text::Range range(const std::string& name = "") const {
    EXPECT_TRUE(ranges_.contains(name)) << "no range $" << name;
    return ranges_.contains(name) ? ranges_.at(name).front() : text::Range{};
  }
  std::vector<text::Range> ranges(const std::string& name = "") const {
    return ranges_.contains(name) ? ranges_.at(name) : std::vector<text::Range>();
  }

private:
  std::map<std::string, std::vector<text::Offset>> points_;
  std::map<std::string, std::vector<text::Range>> ranges_;
};

} // namespace gluond
