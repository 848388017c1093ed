//===- Messages.h - between the front and the zygote ------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_MESSAGES_H
#define KERNELSCOPE_SERVER_JOBS_MESSAGES_H

#include "server/jobs/Job.h"

#include <variant>

namespace kernelscope::zygote {

struct Start {
  static constexpr const char *kind = "start";
  uint64_t id = 0;
  std::string job;
  Json request;
};

struct Cancel {
  static constexpr const char *kind = "cancel";
  uint64_t id = 0;
};

using ToZygote = std::variant<Start, Cancel>;

struct Progress {
  static constexpr const char *kind = "progress";
  uint64_t id = 0;
  JobNews news;
};

struct Answer {
  static constexpr const char *kind = "answer";
  uint64_t id = 0;
  Json answer; ///< As the job gave it.
};

using FromZygote = std::variant<Progress, Answer>;

void to_json(Json &json, Start message);
void to_json(Json &json, Cancel message);
void to_json(Json &json, Progress message);
void to_json(Json &json, Answer message);
void from_json(Json &json, Start &message);
void from_json(Json &json, Cancel &message);
void from_json(Json &json, Progress &message);
void from_json(Json &json, Answer &message);

} // namespace kernelscope::zygote

#endif // KERNELSCOPE_SERVER_JOBS_MESSAGES_H
