//===- Release.h - releases of Triton, and what tells them ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_RELEASE_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_RELEASE_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>
#include <string>

namespace kernelscope {

/// A release of Triton, 3.`minor`, whose spelling is read and written.
struct Release {
  unsigned minor;

  /// Of `3.6`, `3.6.1` or `v3.6.0`; none for one that is not known.
  static std::optional<Release> parse(llvm::StringRef text);
  std::string str() const { return "3." + std::to_string(minor); }
  friend auto operator<=>(const Release &, const Release &) = default;
};

inline constexpr Release oldestRelease{4}, newestRelease{9};
/// "3.4, 3.5, ..., 3.9".
std::string allReleases();

/// How many places of a text are as only some releases write them.
class Evidence {
public:
  /// No release after `last` writes this.
  void addUntil(Release last) { ++until[last.minor]; }
  /// No release before `first` writes this.
  void addSince(Release first) { ++since[first.minor]; }
  /// The releases from `first` to `last` reject this.
  void addRejected(Release first, Release last);
  void add(const Evidence &other);
  /// Whether so many places say what `place` does that it adds nothing.
  bool covers(const Evidence &place) const;

  /// The newest release to which the fewest places are foreign; none if nothing
  /// tells the newest two apart.
  std::optional<Release> release() const;

  /// Whether something is as only releases after `release` write it, or as
  /// 3.9 does not if that is `release`, or is rejected by it.
  bool hasNewerThan(Release release) const;

private:
  unsigned foreignTo(Release release) const;

  std::array<unsigned, newestRelease.minor + 1> until{}, since{}, rejected{};
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_RELEASE_H
