//===- Messages.cpp - between the front and the zygote --------------------===//

#include "server/jobs/Messages.h"

#include <utility>

using namespace kernelscope;
using namespace kernelscope::zygote;

void zygote::to_json(Json &json, Start message) {
  json["id"] = message.id;
  json["job"] = std::move(message.job);
  json["request"] = std::move(message.request);
}
void zygote::from_json(Json &json, Start &message) {
  message.id = json.at("id");
  message.job = json.at("job");
  message.request = std::move(json.at("request"));
}

void zygote::to_json(Json &json, Cancel message) { json["id"] = message.id; }
void zygote::from_json(Json &json, Cancel &message) {
  message.id = json.at("id");
}

void zygote::to_json(Json &json, Progress message) {
  json["id"] = message.id;
  json["news"] = std::move(message.news);
}
void zygote::from_json(Json &json, Progress &message) {
  message.id = json.at("id");
  from_json(json.at("news"), message.news);
}

void zygote::to_json(Json &json, Answer message) {
  json["id"] = message.id;
  json["answer"] = std::move(message.answer);
}
void zygote::from_json(Json &json, Answer &message) {
  message.id = json.at("id");
  message.answer = std::move(json.at("answer"));
}
