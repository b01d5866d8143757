// A folder that is deleted at the end of the test.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace gluond {

class TempFolder {
public:
  TempFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "gluond-test-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string path(std::string_view name = "") const {
    return (path_ / name).lexically_normal().string();
  }
  std::string write(std::string_view name, std::string_view text) const {
    std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

private:
  std::filesystem::path path_;
};

} // namespace gluond
