//===- Trace.cpp - What the agents of a program do, over time -------------===//

#include "executor/agents/Trace.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

unsigned lineOf(Operation *op) {
  auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return place ? place.getLine() : 0;
}

/// As a string of JSON.
std::string inQuotes(llvm::StringRef text) {
  std::string made = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      made += '\\';
    made += c < ' ' && c >= 0 ? ' ' : c;
  }
  return made + "\"";
}

} // namespace

void Trace::add(Event event) {
  if (events.size() < mostEvents)
    events.push_back(std::move(event));
  else
    ++left;
}

void Trace::finish(const Running &running, Operation *op,
                   const std::string &agent) {
  // Another agent may have run meanwhile, and left its op.
  add({agent, op->getName().getStringRef().str(), "", running.begin, now,
       lineOf(op)});
  at = running.outer;
}

void Trace::waited(const std::string &agent, Operation *op,
                   const std::string &what, uint64_t begin) {
  // A wait takes time even if no agent has run meanwhile.
  now = std::max(now, begin + 1);
  add({agent, "waits", what, begin, now, lineOf(op)});
}

std::function<bool()> Trace::follow(const char *engine,
                                    std::function<bool()> effect) {
  return [this, engine, op = at, begin = now,
          effect = std::move(effect)]() mutable {
    const bool done = !effect || effect();
    if (op)
      add({engine, op->getName().getStringRef().str(), "", begin,
           std::max(now, begin + 1), lineOf(op)});
    return done;
  };
}

void Trace::write(llvm::raw_ostream &out, llvm::StringRef program) const {
  out << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
      << R"({"ph": "M", "pid": 1, "name": "process_name", "args": {"name": )"
      << inQuotes(program) << "}}";
  // What overlaps on one track would be drawn as nested, so asynchronous work
  // that is in flight together is spread over lanes.
  llvm::StringMap<unsigned> tracks;
  llvm::StringMap<std::vector<uint64_t>> lanes;
  std::vector<const Event *> inOrder;
  inOrder.reserve(events.size());
  for (const Event &event : events)
    inOrder.push_back(&event);
  // Of those that begin together the longest is around the others.
  llvm::sort(inOrder, [](const Event *a, const Event *b) {
    return std::pair(a->begin, b->end) < std::pair(b->begin, a->end);
  });
  for (const Event *next : inOrder) {
    const Event &event = *next;
    std::string track = event.track;
    if (llvm::StringRef(track).starts_with("engine: ")) {
      std::vector<uint64_t> &busy = lanes[track];
      size_t lane = 0;
      while (lane < busy.size() && busy[lane] > event.begin)
        ++lane;
      busy.resize(std::max(busy.size(), lane + 1));
      busy[lane] = event.end;
      track = track.substr(8) + (lane ? " " + std::to_string(lane + 1) : "");
    }
    auto [known, isNew] = tracks.try_emplace(track, tracks.size() + 1);
    if (isNew)
      out << llvm::formatv(",\n{{\"ph\": \"M\", \"pid\": 1, \"tid\": {0}, "
                           "\"name\": \"thread_name\", \"args\": {{\"name\": "
                           "{1}}}",
                           known->second, inQuotes(track));
    out << llvm::formatv(",\n{{\"ph\": \"X\", \"pid\": 1, \"tid\": {0}, "
                         "\"name\": {1}, \"ts\": {2}, \"dur\": {3}, "
                         "\"args\": {{\"line\": {4}",
                         known->second, inQuotes(event.name), event.begin,
                         event.end - event.begin, event.line);
    if (!event.detail.empty())
      out << ", \"for\": " << inQuotes(event.detail);
    out << "}}";
  }
  out << "\n]";
  if (left)
    out << llvm::formatv(", \"otherData\": {{\"left out\": \"{0} events\"}",
                         left);
  out << "}\n";
}

} // namespace kernelscope::executor
