//===- LaunchSpec.cpp - What to run a kernel on ---------------------------===//
//
// JSON to the structures, with an error for each field that is not as
// described.
//
//===----------------------------------------------------------------------===//

#include "server/run/LaunchSpec.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <nlohmann/json.hpp>
#include <stdexcept>

using nlohmann::json;

namespace kernelscope::run {
namespace {

/// A field that is not as it should be; leaves this file as an llvm::Error.
struct BadField : std::runtime_error {
  BadField(const std::string &field, const std::string &needed,
           const json &found)
      : std::runtime_error("'" + field + "' must be " + needed + ", not " +
                           found.dump()) {}
};

uint64_t readCount(const json &value, const std::string &field,
                   unsigned least = 0) {
  if (!value.is_number_integer() || value < least)
    throw BadField(
        field, llvm::formatv("an integer of at least {0}", least).str(), value);
  return value.get<uint64_t>();
}

double readNumber(const json &value, const std::string &field) {
  if (!value.is_number())
    throw BadField(field, "a number", value);
  return value.get<double>();
}

bool readBool(const json &value, const std::string &field) {
  if (!value.is_boolean())
    throw BadField(field, "true or false", value);
  return value.get<bool>();
}

std::string readString(const json &value, const std::string &field) {
  if (!value.is_string())
    throw BadField(field, "a string", value);
  return value.get<std::string>();
}

void checkKeys(const json &object, const std::string &field,
               std::initializer_list<std::string_view> known) {
  if (!object.is_object())
    throw BadField(field, "an object", object);
  for (const auto &[key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      std::string list;
      for (std::string_view name : known)
        list.append(list.empty() ? "" : ", ").append(name);
      throw std::runtime_error(llvm::formatv(
          "'{0}' has no field '{1}'; it has {2}", field, key, list));
    }
}

std::array<uint32_t, 3> readGrid(const json &value) {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  const json sizes = value.is_array() ? value : json::array({value});
  if (sizes.empty() || sizes.size() > 3)
    throw BadField("grid", "one to three sizes", value);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!sizes[i].is_number_integer() || sizes[i] < 1 || sizes[i] > 0x7fffffff)
      throw BadField("grid", "sizes from 1 to 2147483647", value);
    grid[i] = sizes[i].get<uint32_t>();
  }
  return grid;
}

/// A relative path is one beside the spec.
std::string readPath(const json &value, const std::string &field,
                     llvm::StringRef folder) {
  llvm::SmallString<128> path(readString(value, field));
  if (llvm::sys::path::is_relative(path)) {
    llvm::SmallString<128> beside(folder);
    llvm::sys::path::append(beside, path);
    path = beside;
  }
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

Fill readFill(const json &value, const std::string &field,
              llvm::StringRef folder) {
  static const std::map<std::string, Fill::Kind> kinds = {
      {"zeros", Fill::Kind::Zeros},   {"ones", Fill::Kind::Ones},
      {"arange", Fill::Kind::Arange}, {"ascending", Fill::Kind::Ascending},
      {"normal", Fill::Kind::Normal}, {"uniform", Fill::Kind::Uniform}};
  const std::string needed = "zeros, ones, arange, ascending, normal, uniform, "
                             "or an object with one of "
                             "kind, constant and file";
  Fill fill;
  auto setKind = [&](const json &name) {
    auto found =
        name.is_string() ? kinds.find(name.get<std::string>()) : kinds.end();
    if (found == kinds.end())
      throw BadField(field, needed, value);
    fill.kind = found->second;
  };
  if (value.is_string()) {
    setKind(value);
    return fill;
  }
  checkKeys(value, field, {"kind", "constant", "file", "low", "high", "seed"});
  if (value.contains("constant")) {
    fill.kind = Fill::Kind::Constant;
    fill.value = readNumber(value["constant"], field + ".constant");
  } else if (value.contains("file")) {
    fill.kind = Fill::Kind::File;
    fill.file = readPath(value["file"], field + ".file", folder);
  } else if (value.contains("kind")) {
    setKind(value["kind"]);
  } else {
    throw BadField(field, needed, value);
  }
  if (value.contains("low"))
    fill.low = readNumber(value["low"], field + ".low");
  if (value.contains("high"))
    fill.high = readNumber(value["high"], field + ".high");
  if (fill.kind == Fill::Kind::Uniform && !(fill.low < fill.high))
    throw BadField(field + ".high",
                   llvm::formatv("more than 'low', {0}", json(fill.low).dump()),
                   fill.high);
  if (fill.kind == Fill::Kind::Ascending && fill.high < 0)
    throw BadField(field + ".high", "at least 0", fill.high);
  if (value.contains("seed"))
    fill.seed = readCount(value["seed"], field + ".seed");
  return fill;
}

ArgumentSpec readArgument(const json &value, const std::string &field,
                          llvm::StringRef folder) {
  ArgumentSpec argument;
  auto setValue = [&](const json &number) {
    if (number.is_boolean())
      argument.value = int64_t{number.get<bool>()};
    else if (number.is_number_integer())
      argument.value = number.get<int64_t>();
    else
      argument.value = readNumber(number, field);
  };
  if (!value.is_object()) {
    setValue(value);
    return argument;
  }
  checkKeys(value, field,
            {"value", "shape", "dtype", "fill", "output", "expected"});
  if (value.contains("value"))
    setValue(value["value"]);
  if (value.contains("shape")) {
    const json &shape = value["shape"];
    argument.shape.emplace();
    for (const json &size : shape.is_array() ? shape : json::array({shape}))
      argument.shape->push_back(
          static_cast<int64_t>(readCount(size, field + ".shape")));
  }
  if (value.contains("dtype"))
    argument.dtype = readString(value["dtype"], field + ".dtype");
  if (value.contains("fill"))
    argument.fill = readFill(value["fill"], field + ".fill", folder);
  if (value.contains("output")) {
    argument.output = readBool(value["output"], field + ".output");
  }
  if (value.contains("expected"))
    argument.expected =
        readPath(value["expected"], field + ".expected", folder);
  return argument;
}

LaunchSpec readSpec(const json &value, llvm::StringRef folder) {
  LaunchSpec spec;
  checkKeys(value, "launch spec",
            {"$schema", "kernel", "grid", "arguments", "tolerance", "warmup",
             "repeat", "seed", "cooperative", "schedule", "sanitize",
             "maxSteps"});
  if (value.contains("kernel"))
    spec.kernel = readString(value["kernel"], "kernel");
  if (value.contains("grid"))
    spec.grid = readGrid(value["grid"]);
  if (value.contains("arguments")) {
    const json &arguments = value["arguments"];
    if (arguments.is_array()) {
      for (size_t i = 0; i < arguments.size(); ++i)
        spec.arguments[std::to_string(i)] = readArgument(
            arguments[i], "arguments[" + std::to_string(i) + "]", folder);
    } else if (arguments.is_object()) {
      for (const auto &[name, argument] : arguments.items())
        spec.arguments[name] =
            readArgument(argument, "arguments." + name, folder);
    } else {
      throw BadField("arguments", "an object keyed by name, or an array",
                     arguments);
    }
  }
  if (value.contains("tolerance")) {
    checkKeys(value["tolerance"], "tolerance",
              {"f64", "f32", "f16", "bf16", "f8E5M2", "f8E4M3FN", "f8E5M2FNUZ",
               "f8E4M3FNUZ"});
    for (const auto &[dtype, tolerance] : value["tolerance"].items()) {
      const std::string field = "tolerance." + dtype;
      checkKeys(tolerance, field, {"absolute", "relative"});
      Tolerance &made = spec.tolerance[dtype];
      if (tolerance.contains("absolute"))
        made.absolute = readNumber(tolerance["absolute"], field + ".absolute");
      if (tolerance.contains("relative"))
        made.relative = readNumber(tolerance["relative"], field + ".relative");
    }
  }
  if (value.contains("warmup"))
    spec.warmup = static_cast<unsigned>(readCount(value["warmup"], "warmup"));
  if (value.contains("repeat"))
    spec.repeat = static_cast<unsigned>(readCount(value["repeat"], "repeat"));
  if (value.contains("seed"))
    spec.seed = readCount(value["seed"], "seed");
  if (value.contains("cooperative"))
    spec.cooperative = readBool(value["cooperative"], "cooperative");
  if (value.contains("schedule")) {
    const auto schedule =
        executor::Schedule::parse(readString(value["schedule"], "schedule"));
    if (!schedule)
      throw BadField("schedule", "late, eager or seed:N", value["schedule"]);
    spec.schedule = *schedule;
  }
  if (value.contains("sanitize"))
    spec.sanitize = readBool(value["sanitize"], "sanitize");
  if (value.contains("maxSteps"))
    spec.maxSteps = readCount(value["maxSteps"], "maxSteps", 1);
  return spec;
}

} // namespace

llvm::Expected<LaunchSpec> parseLaunchSpec(llvm::StringRef text,
                                           llvm::StringRef path) {
  try {
    return readSpec(json::parse(text.begin(), text.end(), nullptr, true,
                                /*ignore_comments=*/true),
                    llvm::sys::path::parent_path(path));
  } catch (const json::parse_error &error) {
    // "[json.exception.parse_error.101] parse error at line 2, column 1: ...".
    llvm::StringRef what = llvm::StringRef(error.what()).split("] ").second;
    return llvm::createStringError(path + ": not JSON: " + what);
  } catch (const std::exception &error) {
    return llvm::createStringError(path + ": " + error.what());
  }
}

llvm::Expected<LaunchSpec> readLaunchSpec(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError("cannot read the launch spec '" + path +
                                   "': " + file.getError().message());
  return parseLaunchSpec((*file)->getBuffer(), path);
}

std::string sidecarPath(llvm::StringRef kernelPath) {
  return (kernelPath + ".launch.json").str();
}

} // namespace kernelscope::run
