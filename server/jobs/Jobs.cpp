//===- Jobs.cpp - the kinds of job there are ------------------------------===//

#include "dialects/target/Target.h"
#include "server/jobs/Bisect.h"
#include "server/jobs/CheckFiles.h"
#include "server/jobs/EmittedFacts.h"
#include "server/jobs/Functions.h"
#include "server/jobs/Passes.h"
#include "server/jobs/Preview.h"
#include "server/jobs/RunKernel.h"

#include <algorithm>
#include <set>

using namespace kernelscope;
using namespace std::chrono_literals;

/// A job with its request made from JSON.
template <typename Request, Json (*job)(const Request &, JobProgress &)>
static Json runOn(const Json &request, JobProgress &progress) {
  return job(request.get<Request>(), progress);
}

constexpr Job jobs[] = {
    {"check",
     runOn<CheckRequest, checkJob>,
     {.time = 10s, .memory = uint64_t(8) << 30}},
    {"preview",
     runOn<PreviewRequest, previewJob>,
     {.time = 60s, .memory = uint64_t(8) << 30},
     /*isRepeatable=*/true},
    {"emitted",
     runOn<PreviewRequest, emittedFactsJob>,
     {.time = 60s, .memory = uint64_t(8) << 30},
     /*isRepeatable=*/true},
    // For each section of the dump.
    {"bisect",
     runOn<BisectRequest, bisectJob>,
     {.time = 120s, .memory = uint64_t(16) << 30}},
    {"passes",
     runOn<PassesRequest, passesJob>,
     {.time = 60s, .memory = uint64_t(8) << 30}},
    // Until its next part.
    {"functions",
     runOn<FunctionsRequest, functionsJob>,
     {.time = 20s, .memory = uint64_t(4) << 30}},
    {"run", runOn<RunRequest, runKernelJob>, {.time = 120s, .memory = 0}},
};

const Job *kernelscope::findJob(std::string_view name) {
  auto it = std::find_if(std::begin(jobs), std::end(jobs),
                         [&](const Job &job) { return job.name == name; });
  return it == std::end(jobs) ? nullptr : it;
}

void kernelscope::prewarmJobs() {
  for (Vendor vendor : {Vendor::Nvidia, Vendor::Amd})
    prewarmJobs(Target::usual(vendor, 64).arch);
}

void kernelscope::prewarmJobs(const std::string &arch) {
  static std::set<std::string> done;
  if (done.insert(arch).second)
    prewarmPreview(arch);
}
