//===- Messages.cpp - between the front and the engine --------------------===//

#include "server/engine/Messages.h"

#include <utility>

using namespace kernelscope;
using namespace kernelscope::engine;

//===----------------------------------------------------------------------===//
// To the engine
//===----------------------------------------------------------------------===//

void engine::to_json(Json &json, Start message) {
  json["client"] = message.client;
}
void engine::from_json(Json &json, Start &message) {
  message.client = json.at("client");
}

void engine::to_json(Json &json, Settings message) {
  json["settings"] = std::move(message.settings);
  json["sourceFolders"] = std::move(message.sourceFolders);
}
void engine::from_json(Json &json, Settings &message) {
  json.at("settings").get_to(message.settings);
  json.at("sourceFolders").get_to(message.sourceFolders);
}

void engine::to_json(Json &json, Open message) {
  json["document"] = message.document;
  json["uri"] = std::move(message.uri);
  json["version"] = message.version;
  json["text"] = std::move(message.text);
  json["quarantine"] = message.quarantine;
}
void engine::from_json(Json &json, Open &message) {
  message.document = json.at("document");
  message.uri = takeString(json, "uri");
  message.version = json.at("version");
  message.text = takeString(json, "text");
  json.at("quarantine").get_to(message.quarantine);
}

void engine::to_json(Json &json, Edit message) {
  json["document"] = message.document;
  json["version"] = message.version;
  Json &changes = json["changes"] = Json::array();
  for (Change &change : message.changes)
    changes.push_back({{"begin", change.span.begin},
                       {"end", change.span.end},
                       {"text", std::move(change.text)}});
  json["kept"] = std::move(message.kept);
}
void engine::from_json(Json &json, Edit &message) {
  message.document = json.at("document");
  message.version = json.at("version");
  for (Json &change : json.at("changes"))
    message.changes.push_back(
        {{change.at("begin"), change.at("end")}, takeString(change, "text")});
  json.at("kept").get_to(message.kept);
}

void engine::to_json(Json &json, Close message) {
  json["document"] = message.document;
}
void engine::from_json(Json &json, Close &message) {
  message.document = json.at("document");
}

void engine::to_json(Json &json, Emitted message) {
  json["document"] = message.document;
  json["version"] = message.version;
  json["code"] = std::move(message.code);
}
void engine::from_json(Json &json, Emitted &message) {
  message.document = json.at("document");
  message.version = json.at("version");
  message.code = std::move(json.at("code"));
}

void engine::to_json(Json &json, Request message) {
  json["id"] = message.id;
  json["document"] = message.document;
  json["method"] = std::move(message.method);
  json["params"] = message.params;
}
void engine::from_json(Json &json, Request &message) {
  message.id = json.at("id");
  message.document = json.at("document");
  message.method = takeString(json, "method");
  message.params = json.at("params");
}

void engine::to_json(Json &json, Cancel message) {
  json["id"] = message.id;
  json["document"] = message.document;
}
void engine::from_json(Json &json, Cancel &message) {
  message.id = json.at("id");
  message.document = json.at("document");
}

//===----------------------------------------------------------------------===//
// From the engine
//===----------------------------------------------------------------------===//

void engine::to_json(Json &json, Diagnostics message) {
  json["document"] = message.document;
  json["version"] = message.version;
  json["list"] = std::move(message.list);
}
void engine::from_json(Json &json, Diagnostics &message) {
  message.document = json.at("document");
  message.version = json.at("version");
  message.list = std::move(json.at("list"));
}

void engine::to_json(Json &json, Answer message) {
  json["id"] = message.id;
  json["result"] = std::move(message.result);
  json["refusal"] = std::move(message.refusal);
}
void engine::from_json(Json &json, Answer &message) {
  message.id = json.at("id");
  message.result = takeString(json, "result");
  message.refusal = takeString(json, "refusal");
}
