//===- RunnerTest.cpp - children of jobs that end in every way ------------===//

#include "server/jobs/Runner.h"

#include "llvm/Support/ErrorHandling.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <thread>
#include <unistd.h>

using namespace kernelscope;
using namespace std::chrono_literals;
using testing::HasSubstr;

namespace {

Json echo(const Json &request, JobProgress &progress) {
  progress.stage("echo");
  return {{"heard", request}};
}

Json segfault(const Json &, JobProgress &progress) {
  progress.stage("lower");
  progress.line(7);
  raise(SIGSEGV);
  return {};
}

Json fatal(const Json &, JobProgress &progress) {
  progress.stage("codegen");
  llvm::report_fatal_error("Cannot select: \"x\"\n");
}

Json outOfMemory(const Json &, JobProgress &progress) {
  progress.stage("parse");
  std::vector<std::string> all;
  for (;;)
    all.emplace_back(size_t(1) << 20, 'x');
}

Json hang(const Json &, JobProgress &progress) {
  progress.stage("lower");
  // What a job starts ends with it.
  if (fork() == 0)
    for (;;)
      pause();
  for (;;)
    pause();
}

Json leave(const Json &, JobProgress &) { _exit(3); }

/// Says who did it, and dies of the second job in one process.
Json onceOnly(const Json &request, JobProgress &progress) {
  static bool wasHere = false;
  progress.stage("lower");
  if (request == "die" || (request == "once" && wasHere))
    raise(SIGSEGV);
  wasHere = true;
  return {{"process", getpid()}};
}

constexpr Job jobs[] = {
    {"echo", echo, {}},
    {"segfault", segfault, {}},
    {"fatal", fatal, {}},
    {"out-of-memory", outOfMemory, {.memory = uint64_t(512) << 20}},
    {"hang", hang, {.time = 100ms}},
    {"leave", leave, {}},
    {"process", onceOnly, {}},
    {"repeatable", onceOnly, {}, /*isRepeatable=*/true},
};

std::string messageOf(const Json &answer) { return answer["error"]["message"]; }

TEST(JobRunner, AnswersWithWhatTheJobReturns) {
  std::vector<Json> progress;
  Json answer = runJob("echo", {{"text", "é\xff"}}, [&](const Json &message) {
    progress.push_back(message);
  });
  EXPECT_EQ(answer["heard"]["text"], "é\xef\xbf\xbd")
      << "bytes that are no UTF-8 are replaced";
  EXPECT_THAT(progress, testing::ElementsAre(Json{{"stage", "echo"}}));
  EXPECT_EQ(exitCodeOf(answer), 0);
}

TEST(JobRunner, AcceptsLargeAnswers) {
  std::string large(50 << 20, 'x');
  EXPECT_EQ(runJob("echo", large)["heard"], large);
}

TEST(JobRunner, ACrashNamesTheStageAndTheLine) {
  Json answer = runJob("segfault", {});
  EXPECT_EQ(answer["error"]["kind"], "crash");
  EXPECT_EQ(answer["error"]["stage"], "lower");
  EXPECT_EQ(answer["error"]["line"], 7);
  EXPECT_THAT(messageOf(answer), HasSubstr("in stage 'lower'"));
  EXPECT_EQ(exitCodeOf(answer), 1);
}

TEST(JobRunner, LlvmsFatalErrorsAreErrors) {
  Json answer = runJob("fatal", {});
  EXPECT_EQ(answer["error"]["stage"], "codegen");
  EXPECT_THAT(messageOf(answer), HasSubstr("Cannot select: 'x'"));
}

#if !__has_feature(address_sanitizer)
TEST(JobRunner, MemoryIsLimited) {
  Json answer = runJob("out-of-memory", {});
  EXPECT_EQ(answer["error"]["kind"], "limit");
  EXPECT_THAT(messageOf(answer), HasSubstr("512 MiB"));
}
#endif

TEST(JobRunner, TimeIsLimited) {
  Json answer = runJob("hang", {});
  EXPECT_EQ(answer["error"]["kind"], "limit");
  EXPECT_EQ(answer["error"]["stage"], "lower");
}

TEST(JobRunner, AChildThatExitsWithoutAnAnswerIsAnError) {
  EXPECT_THAT(messageOf(runJob("leave", {})), HasSubstr("exit code 3"));
}

TEST(JobRunner, AnUnknownJobIsWrongUsage) {
  EXPECT_EQ(exitCodeOf(runJob("nothing", {})), 2);
}

TEST(JobRunner, MoreJobsThanProcessorsAllAnswerAndReportCancellation) {
  std::map<uint64_t, Json> answers;
  JobRunner runner(
      [](uint64_t, const Json &) {},
      [&](uint64_t id, Json answer) { answers[id] = std::move(answer); });
  for (uint64_t id = 1; id <= 200; ++id)
    runner.start(id, id % 2 ? "echo" : "hang", id, 60s);
  for (uint64_t id = 2; id <= 200; id += 2)
    runner.cancel(id);
  runner.cancel(1000);
  while (!runner.idle()) {
    std::vector<pollfd> descriptors;
    runner.addPollDescriptors(descriptors);
    poll(descriptors.data(), descriptors.size(), runner.pollTimeout());
    runner.step();
  }
  ASSERT_EQ(answers.size(), 200u);
  for (auto &[id, answer] : answers) {
    if (id % 2)
      EXPECT_EQ(answer["heard"], id);
    else
      EXPECT_EQ(answer["error"]["kind"], "cancelled");
  }
}

/// Runs jobs one after another in one runner.
struct OneByOne {
  Json answer;
  JobRunner runner{[](uint64_t, const Json &) {},
                   [this](uint64_t, Json given) { answer = std::move(given); }};

  Json run(const std::string &name, const Json &request = {}) {
    answer = nullptr;
    runner.start(0, name, request);
    runner.finish();
    return answer;
  }
};

TEST(JobRunner, ARepeatableJobRunsInTheProcessOfThePreviousOne) {
  OneByOne jobs;
  Json first = jobs.run("repeatable")["process"];
  EXPECT_EQ(jobs.run("repeatable")["process"], first);
  EXPECT_NE(jobs.run("process")["process"], first);
  EXPECT_NE(jobs.run("process")["process"], jobs.run("process")["process"]);
  EXPECT_EQ(jobs.run("repeatable")["process"], first);
}

TEST(JobRunner, WhatAJobLeavesBehindDoesNotAffectTheNext) {
  OneByOne jobs;
  Json first = jobs.run("repeatable", "once")["process"];
  Json second = jobs.run("repeatable", "once")["process"];
  EXPECT_TRUE(second.is_number()) << "a fresh process does it again";
  EXPECT_NE(second, first);
}

TEST(JobRunner, ARepeatableJobThatCrashesSaysSo) {
  OneByOne jobs;
  jobs.run("repeatable");
  EXPECT_EQ(jobs.run("repeatable", "die")["error"]["stage"], "lower");
  EXPECT_TRUE(jobs.run("repeatable")["process"].is_number());
}

TEST(JobRunner, AProcessThatDiesWhileItWaitsIsReplaced) {
  OneByOne jobs;
  for (int signal : {SIGKILL, SIGSTOP}) {
    pid_t first = jobs.run("repeatable")["process"];
    kill(first, signal);
    std::string large(1 << 20, 'x');
    EXPECT_NE(jobs.run("repeatable", large)["process"], first);
  }
}

} // namespace

const Job *kernelscope::findJob(std::string_view name) {
  for (const Job &job : jobs)
    if (job.name == name)
      return &job;
  return nullptr;
}

void kernelscope::prewarmJobs() {}
void kernelscope::prewarmJobs(const std::string &) {}
