//===- LayoutAnswer.cpp - where elements are, for a panel -----------------===//

#include "server/features/LayoutView.h"
#include "server/lsp/Answer.h"

#include <utility>

using namespace kernelscope;

static Json jsonOf(const std::vector<MappedDim> &dims) {
  Json list = Json::array();
  for (const MappedDim &dim : dims)
    list.push_back({{"name", dim.name}, {"bases", dim.bases}});
  return list;
}

static Json jsonOf(const PlacedTensor &tensor) {
  return {{"role", tensor.role},
          {"type", tensor.type},
          {"bits", tensor.bits},
          {"text", tensor.text},
          {"places", jsonOf(tensor.places)},
          {"elements", jsonOf(tensor.elements)},
          {"copies", tensor.copies},
          {"gaps", tensor.gaps}};
}

Json Answer::layout() {
  std::optional<LayoutView> view = layoutView(document, offset());
  if (!view)
    return nullptr;
  Json tensors = Json::array();
  for (const PlacedTensor &tensor : view->tensors)
    tensors.push_back(jsonOf(tensor));
  Json answer = {{"range", range(view->span)},
                 {"title", view->title},
                 {"banks", view->banks},
                 {"tensors", std::move(tensors)}};
  if (const auto &access = view->access)
    answer["access"] = {{"registers", access->registers},
                        {"memory", access->memory},
                        {"text", access->text},
                        {"vectorMask", access->vectorMask},
                        {"lanesTogether", access->lanesTogether}};
  return answer;
}
