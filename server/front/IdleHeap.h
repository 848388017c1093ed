//===- IdleHeap.h - the front's freed memory when nothing happens -*- C++ -*-=//

#ifndef KERNELSCOPE_SERVER_FRONT_IDLEHEAP_H
#define KERNELSCOPE_SERVER_FRONT_IDLEHEAP_H

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>

namespace kernelscope {

/// Returns what the front has freed to the system once a client has been silent
/// for some seconds: large answers and the texts of dumps leave holes in its
/// heap, which glibc keeps.
class IdleHeap {
public:
  explicit IdleHeap(boost::asio::io_context &io) : timer(io) {}

  /// There was a message. Costs next to nothing on its way.
  void use() {
    isUsed = true;
    if (!isWaiting)
      wait();
  }

private:
  void wait();

  boost::asio::steady_timer timer;
  bool isWaiting = false; ///< For silence; else memory was returned since.
  bool isUsed = false;    ///< Since the timer was set.
  std::shared_ptr<char> alive = std::make_shared<char>();
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_IDLEHEAP_H
