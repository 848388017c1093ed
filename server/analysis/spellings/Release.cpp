//===- Release.cpp - releases of Triton, and what tells them --------------===//

#include "server/analysis/spellings/Release.h"

using namespace kernelscope;
using llvm::StringRef;

std::optional<Release> Release::parse(StringRef text) {
  text.consume_front("v");
  Release release{};
  if (!text.consume_front("3.") || text.consumeInteger(10, release.minor) ||
      (!text.empty() && text.front() != '.' && text.front() != '+') ||
      release < oldestRelease || release > newestRelease)
    return std::nullopt;
  return release;
}

std::string kernelscope::allReleases() {
  std::string all;
  for (Release r = oldestRelease; r <= newestRelease; ++r.minor)
    all += (all.empty() ? "" : ", ") + r.str();
  return all;
}

void Evidence::addRejected(Release first, Release last) {
  for (unsigned i = first.minor; i <= last.minor; ++i)
    ++rejected[i];
}

void Evidence::add(const Evidence &other) {
  for (size_t i = 0; i < until.size(); ++i) {
    until[i] += other.until[i];
    since[i] += other.since[i];
    rejected[i] += other.rejected[i];
  }
}

bool Evidence::covers(const Evidence &place) const {
  // A file that was edited by hand has a few places of another release.
  constexpr unsigned enough = 16;
  for (size_t i = 0; i < until.size(); ++i)
    if ((place.until[i] && until[i] < enough) ||
        (place.since[i] && since[i] < enough) ||
        (place.rejected[i] && !rejected[i]))
      return false;
  return true;
}

unsigned Evidence::foreignTo(Release release) const {
  unsigned count = 0;
  for (unsigned i = 0; i < until.size(); ++i)
    count +=
        (i < release.minor ? until[i] : 0) + (i > release.minor ? since[i] : 0);
  return count;
}

bool Evidence::hasNewerThan(Release release) const {
  for (unsigned i = release.minor + 1; i < since.size(); ++i)
    if (since[i])
      return true;
  return rejected[release.minor] ||
         (release == newestRelease && until[newestRelease.minor - 1]);
}

std::optional<Release> Evidence::release() const {
  Release best = newestRelease;
  for (Release r = newestRelease; r >= oldestRelease; --r.minor)
    if (foreignTo(r) < foreignTo(best))
      best = r;
  Release before{newestRelease.minor - 1};
  if (best == newestRelease && foreignTo(before) == foreignTo(best))
    return std::nullopt;
  return best;
}
