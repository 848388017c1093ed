//===- Jobs.cpp - the kinds of job there are ------------------------------===//

#include "server/jobs/CheckFiles.h"
#include "server/jobs/Preview.h"
#include "server/jobs/RunKernel.h"

#include <algorithm>

using namespace kernelscope;
using namespace std::chrono_literals;

constexpr Job jobs[] = {
    {"check", checkJob, {.time = 10s, .memory = uint64_t(8) << 30}},
    {"preview", previewJob, {.time = 60s, .memory = uint64_t(8) << 30}},
    {"run", runKernelJob, {.time = 120s, .memory = 0}},
};

const Job *kernelscope::findJob(std::string_view name) {
  auto it = std::find_if(std::begin(jobs), std::end(jobs),
                         [&](const Job &job) { return job.name == name; });
  return it == std::end(jobs) ? nullptr : it;
}

void kernelscope::prewarmJobs() { prewarmPreview(); }
