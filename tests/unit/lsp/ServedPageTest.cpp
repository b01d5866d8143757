// What `gluond serve` lets in: its own page with the token, and nobody else.
#include "lsp/server/Drafts.h"
#include "lsp/server/ServedFolder.h"
#include "lsp/transport/WebSocket.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace gluond::lsp {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace fs = std::filesystem;
using tcp = boost::asio::ip::tcp;

class ServedPage : public testing::Test {
protected:
  ServedPage() {
    WebPage page{[](std::string_view name) -> std::optional<HttpFile> {
      if (name != "index.html") return std::nullopt;
      return HttpFile{"text/html", std::make_shared<const std::string>("the page")};
    }};
    auto made = WebSocketListener::listen({0, "secret", {}, std::move(page)});
    EXPECT_TRUE(made) << made.error();
    server_ = std::move(*made);
    self_ = "127.0.0.1:" + std::to_string(server_->port());
  }

  struct Ask {
    std::string target = "/secret/";
    std::string host = {};   // the server's own when empty
    std::string origin = {}; // none when empty
    http::verb method = http::verb::get;
    bool upgrade = false;
  };
  http::response<http::string_body> ask(const Ask& ask) {
    boost::asio::io_context io;
    tcp::socket socket(io);
    socket.connect({boost::asio::ip::address_v4::loopback(), server_->port()});
    http::request<http::string_body> request(ask.method, ask.target, 11);
    request.set(http::field::host, ask.host.empty() ? self_ : ask.host);
    if (!ask.origin.empty()) request.set(http::field::origin, ask.origin);
    if (ask.upgrade) {
      request.set(http::field::connection, "Upgrade");
      request.set(http::field::upgrade, "websocket");
      request.set(http::field::sec_websocket_version, "13");
      request.set(http::field::sec_websocket_key, "AAAAAAAAAAAAAAAAAAAAAA==");
    }
    request.prepare_payload();
    http::write(socket, request);
    beast::flat_buffer buffer;
    http::response<http::string_body> response;
    beast::error_code error;
    http::read(socket, buffer, response, error);
    return response;
  }
  unsigned status(const Ask& a) { return ask(a).result_int(); }

  std::unique_ptr<WebSocketListener> server_;
  std::string self_;
};

TEST_F(ServedPage, itsOwnPageWithTheToken) {
  auto response = ask({});
  EXPECT_EQ(response.result_int(), 200u);
  EXPECT_EQ(response.body(), "the page");
  std::string policy(response["Content-Security-Policy"]);
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe-eval"), std::string::npos);
  EXPECT_NE(policy.find("script-src 'self';"), std::string::npos);
  EXPECT_EQ(status({.target = "/secret/index.html"}), 200u);
  EXPECT_EQ(status({.target = "/secret/?x=1"}), 200u);
  EXPECT_EQ(status({.origin = "http://" + self_}), 200u);
}

TEST_F(ServedPage, noTokenNoPage) {
  for (const char* target : {"/", "/index.html", "/wrong/", "/secre/", "/secrett/", "//secret/",
                             "/?token=secret", "/wrong/lsp", "/%73ecret/"})
    EXPECT_EQ(status({.target = target}), 403u) << target;
  EXPECT_EQ(status({.target = "/wrong/lsp", .upgrade = true}), 403u);
  EXPECT_EQ(status({.target = "/lsp", .upgrade = true}), 403u);
}

TEST_F(ServedPage, foreignHostsAndOrigins) {
  for (const char* host : {"evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80"})
    EXPECT_EQ(status({.host = host}), 403u) << host;
  for (const char* origin : {"http://evil.example", "https://127.0.0.1", "null", "file://",
                             "http://127.0.0.1:1", "http://127.0.0.1.evil.example"}) {
    EXPECT_EQ(status({.origin = origin}), 403u) << origin;
    EXPECT_EQ(status({.target = "/secret/lsp", .origin = origin, .upgrade = true}), 403u) << origin;
  }
  EXPECT_EQ(status({.target = "/secret/lsp", .origin = "http://" + self_, .upgrade = true}), 101u);
}

TEST_F(ServedPage, nothingElse) {
  for (const char* target : {"/secret/../etc/passwd", "/secret/..%2f..%2fetc/passwd",
                             "/secret//etc/passwd", "/secret/other.js", "/secret/index.html/"})
    EXPECT_EQ(status({.target = target}), 404u) << target;
  for (http::verb method : {http::verb::post, http::verb::put, http::verb::delete_,
                            http::verb::head, http::verb::options})
    EXPECT_EQ(status({.method = method}), 405u) << http::to_string(method);
  EXPECT_EQ(status({.target = "/secret/index.html", .upgrade = true}), 404u);
}

class ServedFiles : public testing::Test {
protected:
  ServedFiles() {
    base_ = fs::path(testing::TempDir()) / ("served-" + randomToken());
    fs::create_directories(base_ / "root/sub");
    fs::create_directories(base_ / "root/.hidden");
    write("root/a.py", "a");
    write("root/sub/b.py", "b");
    write("root/.hidden/c.py", "c");
    write("root/notes.txt", "n");
    write("secret.py", "secret");
    fs::create_symlink(base_ / "secret.py", base_ / "root/link.py");
    fs::create_directory_symlink(base_, base_ / "root/up");
  }
  ~ServedFiles() override { fs::remove_all(base_); }
  void write(const char* name, const std::string& text) { std::ofstream(base_ / name) << text; }
  std::string content(const char* name) {
    std::ifstream in(base_ / name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  ServedFolder folder() { return *ServedFolder::open((base_ / "root").string()); }
  fs::path base_;
};

TEST_F(ServedFiles, listsPrograms) {
  EXPECT_EQ(folder().files(), (std::vector<std::string>{"a.py", "sub/b.py"}));
  EXPECT_FALSE(ServedFolder::open((base_ / "none").string()));
  EXPECT_FALSE(ServedFolder::open((base_ / "secret.py").string()));
}

TEST_F(ServedFiles, readsAndSavesInside) {
  EXPECT_EQ(folder().read("sub/b.py").value().text, "b");
  auto saved = folder().save("a.py", "new", folder().read("a.py")->revision);
  ASSERT_TRUE(saved) << saved.error();
  EXPECT_FALSE(saved->isConflict);
  EXPECT_EQ(content("root/a.py"), "new");
  EXPECT_EQ(saved->revision, folder().read("a.py")->revision);
  ASSERT_TRUE(folder().save("sub/new.py", "made", ""));
  EXPECT_EQ(content("root/sub/new.py"), "made");
}

TEST_F(ServedFiles, aFileThatChangedIsNotOverwritten) {
  std::string base = folder().read("a.py")->revision;
  EXPECT_EQ(folder().revision("a.py"), base);
  write("root/a.py", "theirs");
  auto saved = folder().save("a.py", "mine", base);
  ASSERT_TRUE(saved) << saved.error();
  EXPECT_TRUE(saved->isConflict);
  EXPECT_EQ(content("root/a.py"), "theirs");
  // On purpose: over what is there now.
  EXPECT_FALSE(folder().save("a.py", "mine", saved->revision)->isConflict);
  EXPECT_EQ(content("root/a.py"), "mine");
  // A file that is gone, and one that came.
  base = folder().revision("a.py");
  fs::remove(base_ / "root/a.py");
  EXPECT_EQ(folder().revision("a.py"), "");
  saved = folder().save("a.py", "mine", base);
  EXPECT_TRUE(saved->isConflict);
  EXPECT_EQ(saved->revision, "");
  write("root/a.py", "theirs");
  EXPECT_TRUE(folder().save("a.py", "mine", "")->isConflict);
  EXPECT_EQ(content("root/a.py"), "theirs");
}

TEST_F(ServedFiles, theStampFollowsTheFiles) {
  std::string before = folder().stamp(folder().files());
  EXPECT_EQ(folder().stamp(folder().files()), before);
  write("root/sub/b.py", "longer");
  std::string after = folder().stamp(folder().files());
  EXPECT_NE(after, before);
  write("root/c.py", "");
  EXPECT_NE(folder().stamp(folder().files()), after);
}

TEST_F(ServedFiles, encodingsAreKeptOrRefused) {
  std::string mark = "\xEF\xBB\xBF";
  write("root/a.py", mark + "x = 1\r\n");
  auto read = folder().read("a.py");
  EXPECT_EQ(read->text, "x = 1\r\n");
  ASSERT_TRUE(folder().save("a.py", "x = 2\r\n", read->revision));
  EXPECT_EQ(content("root/a.py"), mark + "x = 2\r\n");

  write("root/a.py", "# coding: latin-1\n# \xE9\n");
  read = folder().read("a.py");
  EXPECT_EQ(read->text, "# coding: latin-1\n# é\n");
  auto saved = folder().save("a.py", "# coding: latin-1\n# €\n", read->revision);
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().find("'€'"), std::string::npos) << saved.error();
  ASSERT_TRUE(folder().save("a.py", "# coding: latin-1\n# éé\n", read->revision));
  EXPECT_EQ(content("root/a.py"), "# coding: latin-1\n# \xE9\xE9\n");

  write("root/a.py", "x = '\xE9'\n");
  read = folder().read("a.py");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().find("line 1 is not UTF-8"), std::string::npos) << read.error();
}

TEST_F(ServedFiles, draftsOutliveTheServer) {
  std::string state = (base_ / "state/of/mine").string();
  Drafts drafts(state, "/served");
  EXPECT_TRUE(drafts.all().empty());
  ASSERT_TRUE(drafts.keep({"b/c.py", "é\r\n", "r1", "A"}));
  ASSERT_TRUE(drafts.keep({"a.py", "one", "r2", "A"}));
  ASSERT_TRUE(drafts.keep({"a.py", "two", "r2", "A"}));
  ASSERT_TRUE(Drafts(state, "/elsewhere").keep({"a.py", "other", "", "A"}));
  auto all = Drafts(state, "/served").all();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text, "two");
  EXPECT_EQ(all[1].name, "b/c.py");
  EXPECT_EQ(all[1].text, "é\r\n");
  EXPECT_EQ(all[1].revision, "r1");
  drafts.drop("a.py", "A");
  drafts.drop("never.py", "A");
  EXPECT_EQ(drafts.all().size(), 1u);
  for (const auto& entry : fs::recursive_directory_iterator(state))
    if (entry.is_regular_file())
      EXPECT_EQ(entry.status().permissions() & fs::perms(077), fs::perms::none) << entry.path();
  // Broken files are passed over; without a home nothing is kept, and that is said.
  write("state/of/mine/gluond/drafts/x.json", "{");
  EXPECT_EQ(drafts.all().size(), 1u);
  EXPECT_FALSE(Drafts("", "/served").keep({"a.py", "one", "", "A"}));
}

// Two windows with one file: neither removes or replaces what was typed in the other.
TEST_F(ServedFiles, draftsArePerPage) {
  Drafts drafts((base_ / "state").string(), "/served");
  ASSERT_TRUE(drafts.keep({"a.py", "of an earlier version", "r", std::nullopt}));
  ASSERT_TRUE(drafts.keep({"a.py", "an hour of work", "r", "A"}));
  ASSERT_TRUE(drafts.keep({"a.py", "a letter", "r", "B"}));
  drafts.drop("a.py", "C");
  EXPECT_EQ(drafts.all().size(), 3u);
  drafts.drop("a.py", "B");
  drafts.drop("a.py", std::nullopt);
  auto all = drafts.all();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].text, "an hour of work");
  EXPECT_EQ(all[0].page, "A");
}

TEST_F(ServedFiles, nothingOutside) {
  std::string absolute = (base_ / "secret.py").string();
  std::string withNul("a.py\0.txt", 9);
  for (const std::string& name :
       {std::string("../secret.py"), std::string("sub/../../secret.py"), absolute,
        std::string("link.py"), std::string("up/secret.py"), std::string(""), std::string("."),
        std::string("sub"), std::string("./a.py"), std::string("sub//b.py"), withNul}) {
    EXPECT_FALSE(folder().read(name)) << name;
    EXPECT_FALSE(folder().save(name, "x", "")) << name;
  }
  EXPECT_EQ(content("secret.py"), "secret");
}

TEST_F(ServedFiles, readsProgramsOnly) {
  write("root/.env", "KEY=1");
  write("root/.hidden.py", "x");
  write("root/id_rsa", "key");
  fs::create_directories(base_ / "root/.gluond");
  write("root/.gluond/a.launches.jsonl", "{}");
  fs::create_symlink("a.py", base_ / "root/near.py");
  for (const char* name : {".env", ".hidden.py", "id_rsa", "notes.txt", ".hidden/c.py", "sub\\b.py",
                           "a.py/", "/a.py", "sub/./b.py"})
    EXPECT_FALSE(folder().read(name)) << name;
  EXPECT_EQ(folder().read(".gluond/a.launches.jsonl").value().text, "{}");
  EXPECT_EQ(folder().read("near.py").value().text, "a");
}

TEST_F(ServedFiles, writesProgramsOnly) {
  for (const char* name :
       {"notes.txt", ".bashrc", "sub/x.sh", ".hidden/c.py", "none/x.py", "a.py.sh"})
    EXPECT_FALSE(folder().save(name, "x", "")) << name;
  EXPECT_EQ(content("root/notes.txt"), "n");
  EXPECT_EQ(content("root/.hidden/c.py"), "c");
}

} // namespace
} // namespace gluond::lsp
