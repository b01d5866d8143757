// The requests of the protocol, with one method for each.
#pragma once

#include "dap/Client.h"
#include "dap/Debuggee.h"
#include "dap/Inbox.h"
#include "debug/ElementOrigins.h"

namespace gluond::dap {

class Requests {
public:
  Requests(Client& client, Inbox& inbox, Prepare prepare);
  void handle(const Json& request);
  bool isOver() const { return isOver_; }

private:
  using Handler = void (Requests::*)(const Json& request, const Json& arguments);
  struct Entry {
    const char* command;
    Handler handler;
    bool needsProgram;
  };
  static const Entry table[];

  // Requests.cpp
  void initialize(const Json& request, const Json& arguments);
  void launch(const Json& request, const Json& arguments);
  void restart(const Json& request, const Json& arguments);
  void configurationDone(const Json& request, const Json& arguments);
  void terminate(const Json& request, const Json& arguments);
  void disconnect(const Json& request, const Json& arguments);
  std::string start(const Json& arguments); // returns why it failed; empty on success
  std::string runOthers(const LaunchRequest& wanted, CancellationToken token);

  // Motion.cpp
  void goOn(const Json& request, const Json& arguments);
  void next(const Json& request, const Json& arguments);
  void stepIn(const Json& request, const Json& arguments);
  void stepOut(const Json& request, const Json& arguments);
  void stepBack(const Json& request, const Json& arguments);
  void reverseContinue(const Json& request, const Json& arguments);
  void goTo(const Json& request, const Json& arguments);
  void gotoTargets(const Json& request, const Json& arguments);
  void pause(const Json& request, const Json& arguments);
  void seek(const Json& request, const Json& arguments);
  void move(debug::Motion motion, uint32_t thread);
  // Tells the client where the program stands and why. A client that asked for a moment is not told
  // of it again.
  void report(debug::Stop stop, bool tellsMoment = true);
  void tellMoment();
  void printNews();
  void tell(const simulate::Finding& finding);

  // BreakpointRequests.cpp
  void setBreakpoints(const Json& request, const Json& arguments);
  void setFunctionBreakpoints(const Json& request, const Json& arguments);
  void setExceptionBreakpoints(const Json& request, const Json& arguments);
  void dataBreakpointInfo(const Json& request, const Json& arguments);
  void setDataBreakpoints(const Json& request, const Json& arguments);
  void breakpointLocations(const Json& request, const Json& arguments);
  std::string knownPath(const std::string& path) const;
  // Where a breakpoint was placed, or why it was not.
  Json jsonOf(const debug::Breakpoint& breakpoint) const;
  // In a program that begins: the breakpoints that the client has set before. It is told of those
  // that have moved. `isSameProgram`: values are where they were in the last one.
  void placeKnownBreakpoints(bool isSameProgram);

  // Inspection.cpp
  struct FrameOf {
    uint32_t thread = 0;
    debug::Row row;
  };
  void threads(const Json& request, const Json& arguments);
  void stackTrace(const Json& request, const Json& arguments);
  void scopes(const Json& request, const Json& arguments);
  void variables(const Json& request, const Json& arguments);
  void evaluate(const Json& request, const Json& arguments);
  void exceptionInfo(const Json& request, const Json& arguments);
  void loadedSources(const Json& request, const Json& arguments);
  void readMemory(const Json& request, const Json& arguments);
  void origin(const Json& request, const Json& arguments);
  void readers(const Json& request, const Json& arguments);
  Json jsonOf(const debug::Item& item, const std::optional<FrameOf>& frame);
  Json jsonOf(const debug::Origin& origin) const;
  debug::Item itemOf(const debug::Origin& origin) const;
  // Returns the items `origin` and `readers` of an element. They are computed when they are opened.
  std::vector<debug::Item> kinshipOf(const std::string& expression, const FrameOf& frame);
  Json sourceOf(const std::string& path) const;
  std::vector<debug::Item> globalMemory() const;
  std::vector<debug::Item> programItems() const;
  std::optional<FrameOf> frameOf(const Json& arguments);
  int64_t keep(const debug::Item& item, const std::optional<FrameOf>& frame);
  void forgetLook();

  Client& client_;
  Inbox& inbox_;
  Prepare prepare_;
  bool isOver_ = false, isStarted_ = false, hasEnded_ = false;
  int64_t firstLine_ = 1, firstColumn_ = 1; // 0 or 1, the client's choice
  Json launchArguments_;
  LaunchRequest wanted_;
  Debuggee debuggee_;
  uint64_t places_ = 0; // a hash of what the places of its values follow from
  std::unique_ptr<simulate::Schedule> schedule_;
  std::unique_ptr<debug::Debugger> debugger_;
  bool stopsAtEnd_ = true;
  debug::Stop last_;
  size_t printed_ = 0; // of the program's output
  std::vector<debug::FindingKey> told_;
  int nextBreakpoint_ = 0;
  // Keyed by the client's paths. They are kept for a restart.
  std::map<std::string, std::vector<debug::Breakpoint>> breakpoints_;
  std::vector<debug::Breakpoint> functionBreakpoints_;
  std::vector<debug::Watch> dataBreakpoints_;
  debug::Debugger::FindingFilter filter_;
  std::map<std::string, debug::Watch> offered_; // keyed by the id that the client was given
  // The client refers to these by their number, counted from 1. Frames and values are forgotten
  // when the program moves on.
  std::vector<FrameOf> frames_;
  struct Kept {
    debug::Item item;
    std::optional<FrameOf> frame; // the frame that it was shown in
  };
  std::vector<Kept> items_;
  std::vector<debug::Place> gotoPlaces_;
};

} // namespace gluond::dap
