//===- DisplayAnswers.cpp - what is shown beside the text -----------------===//

#include "server/features/CodeLens.h"
#include "server/features/FoldingRanges.h"
#include "server/features/Hover.h"
#include "server/features/InlayHints.h"
#include "server/lsp/Answer.h"

#include <utility>

using namespace kernelscope;

Json Answer::hover() {
  std::optional<Hover> found =
      kernelscope::hover(document, offset(), sources, emitted);
  if (!found)
    return nullptr;
  return {{"contents", markup(found->markdown)}, {"range", range(found->span)}};
}

Json Answer::codeLens() {
  Json list = Json::array();
  for (const CodeLens &lens : codeLenses(document, archs, emitted)) {
    Json argument = {{"uri", uri},
                     {"kernel", lens.kernel},
                     {"line", document.text().lineAt(lens.span.begin)}};
    if (lens.preview)
      argument["emit"] = infoOf(*lens.preview).name.str();
    const char *command =
        lens.action == CodeLens::Preview ? "kernelscope.preview"
        : lens.action == CodeLens::Run   ? "kernelscope.run"
                                         : "kernelscope.emitted";
    list.push_back({{"range", range(lens.span)},
                    {"command",
                     {{"title", lens.title},
                      {"command", command},
                      {"arguments", Json::array({std::move(argument)})}}}});
  }
  return list;
}

Json Answer::foldingRange() {
  Json list = Json::array();
  for (const FoldingRange &fold : foldingRanges(document)) {
    Range lines = text.rangeAt(fold.span, client.encoding);
    list.push_back(
        {{"startLine", lines.start.line},
         {"startCharacter", lines.start.character},
         {"endLine", lines.end.line},
         {"endCharacter", lines.end.character},
         {"kind", fold.kind == FoldingKind::Comment ? "comment" : "region"}});
  }
  return list;
}

Json Answer::inlayHint() {
  Json list = Json::array();
  for (const InlayHint &hint : inlayHints(document, span(), emitted)) {
    Json label = hint.label;
    // With the place it is a link.
    if (hint.source)
      if (Json place = location(*hint.source); !place.is_null())
        label = Json::array(
            {{{"value", hint.label}, {"location", std::move(place)}}});
    Json entry = {
        {"position", toJson(text.positionAt(hint.offset, client.encoding))},
        {"label", std::move(label)},
        {"paddingLeft", true}};
    if (!hint.tooltip.empty())
      entry["tooltip"] = markup(hint.tooltip);
    list.push_back(std::move(entry));
  }
  return list;
}
