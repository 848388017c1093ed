//===- RuleText.cpp - what the code of a diagnostic is about --------------===//

#include "server/cli/RuleText.h"

#include <cstring>

using namespace kernelscope;

static constexpr struct {
  const char *code, *about;
} rules[] = {
    {"aref-pairing", "A reference without a put or a get, or with a wrong one"},
    {"async-wait-missing", "Copied data is read before a wait for its copy"},
    {"barrier-arrivals", "A barrier's count differs from the arrivals at it"},
    {"barrier-bytes",
     "The announced bytes differ from those that the copies write"},
    {"barrier-wait-missing", "A buffer is used without a wait for its barrier"},
    {"dominance", "A value is used where it is not defined on every path"},
    {"lds-width", "A copy to LDS is narrower than the chip allows"},
    {"newer-spelling", "A spelling that the file's release does not have"},
    {"older-spelling", "A spelling that another release of Triton uses"},
    {"phase-parity", "A wait names a phase that never completes then"},
    {"product-wait-missing",
     "An asynchronous product is used before it is complete"},
    {"redefinition", "A name is defined twice"},
    {"shared-memory-bytes",
     "Buffers in shared memory need more bytes than a block has"},
    {"stopped", "The check was stopped before its end"},
    {"syntax", "The text cannot be parsed"},
    {"tensor-memory-columns",
     "Buffers in tensor memory need more columns than a CTA has"},
    {"terminator",
     "A block does not end with a terminator that its op accepts"},
    {"type-mismatch", "A value is used with a type other than its own"},
    {"undeclared-alias", "An alias is used but not defined"},
    {"undeclared-value", "A value is used but not defined"},
    {"unknown-attribute", "An attribute that its dialect does not have"},
    {"unknown-dialect", "A dialect that Kernelscope does not know"},
    {"unknown-op", "An op that its dialect does not have"},
    {"unknown-type", "A type that its dialect does not have"},
    {"verify.layout", "A layout that does not fit its tensor or module"},
    {"wait-count", "A wait leaves copies in flight that are read next"},
};

std::string cli::aboutRule(const std::string &code) {
  for (const auto &rule : rules)
    if (code == rule.code)
      return rule.about;
  return code.starts_with("verify.")
             ? "A rule of " + code.substr(strlen("verify."))
             : code;
}
