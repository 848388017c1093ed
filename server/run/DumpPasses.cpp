//===- DumpPasses.cpp - what each pass of a dump did ----------------------===//

#include "server/run/DumpPasses.h"

#include "server/run/DumpSections.h"
#include "server/run/IRDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace kernelscope::run {
namespace {

/// Where the ` loc(...)` at the end of a line begins; its size without one.
size_t locationIn(StringRef line) {
  StringRef text = line.rtrim();
  size_t at = text.rfind(" loc(");
  if (!text.ends_with(")"))
    return line.size();
  // `loc("x"(...))` within an argument list is not the end of an op.
  for (; at != StringRef::npos; at = text.take_front(at).rfind(" loc("))
    if (text.drop_front(at).count('(') == text.drop_front(at).count(')'))
      return at;
  return line.size();
}

std::string withoutLocations(StringRef text) {
  std::string rest;
  for (StringRef line : split(text, '\n'))
    if (!line.starts_with("#loc"))
      rest += line.take_front(locationIn(line)).rtrim().str() + "\n";
  return StringRef(rest).trim('\n').str() + "\n";
}

/// The module, as "", or the function that a section shows.
StringRef scopeOf(StringRef text) {
  for (StringRef line : split(text, '\n')) {
    StringRef trimmed = line.trim();
    if (trimmed.empty() || trimmed.starts_with("#") ||
        trimmed.starts_with("!") || trimmed.starts_with("//"))
      continue;
    return trimmed.starts_with("module") ? ""
                                         : trimmed.split('@').second.take_until(
                                               [](char c) { return c == '('; });
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Following an op
//===----------------------------------------------------------------------===//

/// The locations of one section, written out.
class Locations {
public:
  explicit Locations(StringRef text) {
    for (StringRef line : split(text, '\n'))
      if (line.starts_with("#loc")) {
        auto [name, value] = line.split(" = ");
        aliases[name.trim()] = value.trim();
      }
  }

  /// That of the op whose line this is; empty if it is not known.
  std::string of(StringRef line) const {
    StringRef location = line.drop_front(locationIn(line)).trim();
    std::string text = expand(location, 0);
    return text.find('"') == std::string::npos ? "" : text;
  }

private:
  std::string expand(StringRef text, unsigned depth) const {
    constexpr unsigned deepest = 16;
    std::string result;
    while (!text.empty()) {
      size_t at = std::min(text.find("#loc"), text.size());
      result += text.take_front(at).str();
      text = text.drop_front(at);
      StringRef name =
          text.take_while([](char c) { return c == '#' || isAlnum(c); });
      auto alias = aliases.find(name);
      if (alias != aliases.end() && depth < deepest)
        result += expand(alias->second, depth + 1);
      else
        result += name.str();
      text = text.drop_front(name.size());
    }
    return result;
  }

  StringMap<StringRef> aliases;
};

/// `%x` of `%x = ...`, `%x:2 = ...`.
StringRef resultOf(StringRef line) {
  line = line.ltrim();
  StringRef name =
      line.take_until([](char c) { return c == ' ' || c == ':' || c == ','; });
  return name.starts_with("%") ? name : "";
}

/// What makes an op the same in every section.
struct Followed {
  std::string location, result;

  bool isOn(StringRef line, const Locations &locations) const {
    if (!location.empty())
      return locations.of(line) == location;
    return !result.empty() && resultOf(line) == result;
  }

  /// `kernel.py:12:3` of `loc("x"(loc("kernel.py":12:3)))`: its last part.
  std::string what() const {
    if (location.empty())
      return result;
    StringRef last = StringRef(location).rsplit("loc(").second;
    std::string text;
    for (char c : last.take_until([](char c) { return c == ')'; }))
      if (c != '"')
        text += c;
    return text;
  }
};

Followed opAt(ArrayRef<DumpSection> sections, size_t line) {
  for (const DumpSection &section : sections) {
    size_t number = section.line;
    if (line <= number || line > number + section.text.count('\n') + 1)
      continue;
    for (StringRef text : split(section.text, '\n'))
      if (++number == line && !text.starts_with("#loc"))
        return {Locations(section.text).of(text), resultOf(text).str()};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

struct Occurrences {
  bool isKnown = false; ///< False: the section has no locations to find it by.
  std::vector<size_t> lines;
  std::string text;
};

Occurrences find(const Followed &op, const DumpSection &section) {
  Occurrences found;
  if (op.location.empty() && op.result.empty())
    return found;
  Locations locations(section.text);
  found.isKnown = op.location.empty() || section.text.contains(" loc(");
  size_t number = section.line;
  for (StringRef line : split(section.text, '\n')) {
    ++number;
    if (!op.isOn(line, locations) || line.starts_with("#loc"))
      continue;
    found.lines.push_back(number);
    found.text += line.take_front(locationIn(line)).trim().str() + "\n";
  }
  return found;
}

} // namespace

DumpHistory historyOf(StringRef dump, std::optional<size_t> line) {
  DumpHistory history;
  std::vector<DumpSection> sections = splitDump(dump);
  Followed op = line ? opAt(sections, *line) : Followed{};
  history.what = op.what();
  std::vector<Occurrences> occurrences;
  // Of each section its scope, and the state that it shows.
  StringMap<size_t> newest;
  SmallVector<std::pair<StringRef, std::optional<size_t>>> shown;
  StringRef scope;
  for (const DumpSection &section : sections) {
    if (section.hasIR()) {
      scope = scopeOf(section.text);
      newest[scope] = history.states.size();
      history.states.push_back({section.line, withoutLocations(section.text)});
      occurrences.push_back(find(op, section));
    }
    auto state = newest.find(scope);
    shown.push_back({scope, state == newest.end()
                                ? std::nullopt
                                : std::optional(state->second)});
  }
  // The state that the scope of section `i` has in the next one of that scope.
  auto next = [&](size_t i) -> std::optional<size_t> {
    for (size_t j = i + 1; j < sections.size(); ++j)
      if (shown[j].first == shown[i].first)
        return shown[j].second;
    return std::nullopt;
  };
  StringMap<std::optional<size_t>> last;
  for (size_t i = 0; i < sections.size(); ++i) {
    const DumpSection &section = sections[i];
    auto [where, state] = shown[i];
    DumpPass pass{section.pass, section.line, {}, {}, 0, 0, {}, false};
    if (section.isAfter) {
      pass.before = last[where];
      pass.after = state;
    } else {
      pass.before = state;
      pass.after = next(i);
    }
    last[where] = state;
    // A pass that is printed before and after is one.
    if (!section.isAfter && i + 1 < sections.size() &&
        sections[i + 1].isAfter && sections[i + 1].pass == section.pass)
      last[where] = shown[++i].second;
    if (pass.before && pass.after && *pass.before != *pass.after) {
      std::string diff = diffIR(history.states[*pass.before].text,
                                history.states[*pass.after].text);
      for (StringRef row : split(diff, '\n')) {
        pass.added += row.starts_with("+");
        pass.removed += row.starts_with("-");
      }
    }
    if (pass.after) {
      pass.followed = occurrences[*pass.after].lines;
      if (pass.before && occurrences[*pass.before].isKnown &&
          occurrences[*pass.after].isKnown)
        pass.changesFollowed = !diffIR(occurrences[*pass.before].text,
                                       occurrences[*pass.after].text)
                                    .empty();
    }
    history.passes.push_back(std::move(pass));
  }
  return history;
}

} // namespace kernelscope::run
