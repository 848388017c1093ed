//===- Schedule.cpp - When asynchronous work takes effect -----------------===//

#include "executor/Schedule.h"

using namespace kernelscope::executor;

std::optional<Schedule> Schedule::parse(llvm::StringRef text) {
  if (text == "late")
    return Schedule{Kind::Late, 0};
  if (text == "eager")
    return Schedule{Kind::Eager, 0};
  Schedule seeded{Kind::Seeded, 0};
  if (!text.consume_front("seed:") || text.getAsInteger(10, seeded.seed))
    return std::nullopt;
  return seeded;
}

std::string Schedule::name() const {
  switch (kind) {
  case Kind::Late:
    return "late";
  case Kind::Eager:
    return "eager";
  case Kind::Seeded:
    return "seed:" + std::to_string(seed);
  }
  __builtin_unreachable();
}
