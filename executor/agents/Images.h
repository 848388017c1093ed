//===- Images.h - Views whose elements are at no strides -------*- C++ -*-===//
//
// A buffer is kept in row-major order. A view of its bytes that no strides can
// describe is a view of an image: addresses of a row-major tensor, each byte of
// which is kept elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_IMAGES_H
#define KERNELSCOPE_EXECUTOR_AGENTS_IMAGES_H

#include "executor/plan/Values.h"
#include "mlir/IR/Operation.h"
#include <array>
#include <map>
#include <memory>
#include <vector>

namespace kernelscope::executor {

/// The images of a program.
class Images {
public:
  /// Where each byte of an image is kept; null for one that is in no place.
  using Places = std::vector<char *>;

  /// The first address of the image that `op` makes of `view`; `make` says its
  /// places when it is new.
  template <typename Make>
  char *of(mlir::Operation *op, const View &view, Make make) {
    Key key{op, view.base, {}};
    std::copy(std::begin(view.strides), std::end(view.strides),
              std::get<2>(key).begin());
    char *&image = made[key];
    if (!image) {
      Places places = make();
      // Nobody reads or writes this memory: it is there to have an address.
      auto addresses = std::make_unique<char[]>(places.size());
      image = addresses.get();
      images.emplace(image, Image{std::move(addresses), std::move(places)});
    }
    return image;
  }
  /// Where the byte at `at` is kept: there, when it is in no image.
  char *resolve(char *at) const {
    if (images.empty() || !at)
      return at;
    auto after = images.upper_bound(at);
    if (after == images.begin())
      return at;
    const auto &[begin, image] = *std::prev(after);
    const size_t offset = at - begin;
    return offset < image.places.size() ? image.places[offset] : at;
  }
  bool empty() const { return images.empty(); }
  void clear() {
    made.clear();
    images.clear();
  }

private:
  struct Image {
    std::unique_ptr<char[]> addresses;
    Places places;
  };
  using Key =
      std::tuple<mlir::Operation *, char *, std::array<int64_t, View::maxRank>>;
  std::map<Key, char *> made;
  std::map<char *, Image> images; ///< by their first address
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_IMAGES_H
