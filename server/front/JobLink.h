//===- JobLink.h - keeps a zygote alive, and gives it jobs ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_JOBLINK_H
#define KERNELSCOPE_SERVER_FRONT_JOBLINK_H

#include "server/front/Child.h"
#include "server/front/Log.h"
#include "server/jobs/Messages.h"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>

namespace kernelscope {

/// Jobs as the front sees them: each gets an answer (see server/jobs/Job.h)
/// whatever becomes of the zygote. A job that a zygote took down with it is
/// given to the next one, a few times.
class JobLink {
public:
  using OnProgress = std::function<void(const JobNews &news)>;
  using OnAnswer = std::function<void(Json answer)>;

  JobLink(boost::asio::io_context &io, Log &log)
      : io(io), log(log), restart(io) {}
  ~JobLink();

  /// Starts the zygote a moment from now, or with the first job: while it warms
  /// up, the first document would have to share the processors with it.
  void prepare();
  uint64_t run(std::string job, Json request, OnProgress onProgress,
               OnAnswer onAnswer);
  /// Kills the job; its callbacks are not called any more.
  void cancel(uint64_t id);

private:
  struct Pending {
    zygote::Start start;
    OnProgress onProgress;
    OnAnswer onAnswer;
    unsigned deaths = 0; ///< Zygotes that died with it.
  };

  void startAfter(std::chrono::milliseconds delay);
  void start();
  void send(Json message) {
    if (child)
      child->send(std::move(message));
  }
  void take(Json message);
  void zygoteEnded();

  boost::asio::io_context &io;
  Log &log;
  std::shared_ptr<Child> child; ///< Null while there is no zygote.
  bool wasStarted = false;
  Backoff backoff;
  boost::asio::steady_timer restart;
  std::map<uint64_t, Pending> pending;
  uint64_t lastJob = 0;
  std::shared_ptr<char> alive =
      std::make_shared<char>(); ///< Timers that fire late see that we are gone.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_JOBLINK_H
