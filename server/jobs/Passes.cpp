//===- Passes.cpp - the job that reads a dump of all passes ---------------===//

#include "server/jobs/Passes.h"

#include "server/run/DumpPasses.h"

using namespace kernelscope;

static Json numberOf(std::optional<size_t> value) {
  return value ? Json(*value) : Json();
}

Json kernelscope::passesJob(const PassesRequest &request, JobProgress &) {
  run::DumpHistory history = run::historyOf(request.text, request.line);
  if (history.passes.empty())
    return jobError(
        JobFailure::InvalidUsage,
        "the file is not a dump of passes: it has no line '// -----// IR Dump "
        "Before (or After) PASS'; MLIR_ENABLE_DUMP=1 and `kernelscope opt "
        "--mlir-print-ir-after-all` write one");
  Json passes = Json::array(), states = Json::array();
  for (run::DumpPass &pass : history.passes)
    passes.push_back({{"name", std::move(pass.name)},
                      {"line", pass.line},
                      {"before", numberOf(pass.before)},
                      {"after", numberOf(pass.after)},
                      {"added", pass.added},
                      {"removed", pass.removed},
                      {"followed", pass.followed},
                      {"changesFollowed", pass.changesFollowed}});
  for (run::DumpState &state : history.states)
    states.push_back({{"line", state.line}, {"text", std::move(state.text)}});
  return {{"passes", std::move(passes)},
          {"states", std::move(states)},
          {"what", std::move(history.what)}};
}
