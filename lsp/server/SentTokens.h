// The semantic tokens last sent to a client, so that the next answer can be a delta. There is one
// per connection, shared by the workers; may be used from any thread.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gluond::lsp {

class SentTokens {
public:
  using Data = std::vector<uint32_t>;
  // Returns the id by which the client will refer to them. The last result of each document is
  // kept, for the 64 most recently requested documents.
  std::string keep(const std::string& uri, Data data) {
    std::lock_guard lock(mutex_);
    std::string id = std::to_string(++next_);
    entries_.remove_if([&](const Entry& entry) { return entry.uri == uri; });
    entries_.push_back({uri, id, std::make_shared<const Data>(std::move(data))});
    if (entries_.size() > most) entries_.pop_front();
    return id;
  }
  // Returns null if these were not the last.
  std::shared_ptr<const Data> find(const std::string& uri, const std::string& id) {
    std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_)
      if (entry.uri == uri && entry.id == id) return entry.data;
    return nullptr;
  }

private:
  static constexpr size_t most = 64;
  struct Entry {
    std::string uri, id;
    std::shared_ptr<const Data> data;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;
  uint64_t next_ = 0;
};

} // namespace gluond::lsp
