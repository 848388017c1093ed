//===- SourceFiles.cpp - the Python files that `loc` names ----------------===//

#include "server/features/SourceFiles.h"

#include "server/analysis/Syntax.h"

#include "llvm/ADT/StringExtras.h"

#include <filesystem>

using namespace kernelscope;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
using llvm::StringRef;

/// For so long a file that was not there is not looked for again. Short,
/// because who reads that it is missing copies it to where it is looked for.
static constexpr auto patience = 5s;
/// So many entries of the folders are looked at.
static constexpr size_t mostEntries = 20'000;
static constexpr int deepestFolder = 8;

static bool isFile(const fs::path &path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

SourceFiles::SourceFiles(const std::string &documentPath,
                         std::vector<std::string> folders)
    : folders(std::move(folders)) {
  if (documentPath.starts_with('/'))
    beside = fs::path(documentPath).parent_path().string();
}

const std::string &SourceFiles::find(const std::string &name) {
  auto now = std::chrono::steady_clock::now();
  auto [entry, isNew] = known.try_emplace(name);
  Found &found = entry->second;
  if (isNew || (found.path.empty() && now - found.when > patience))
    found = {search(name), now};
  return found.path;
}

std::string SourceFiles::search(const std::string &name) {
  // `<unknown>` and the like name nothing.
  if (name.empty() || name.front() == '<' || name.find('\0') != name.npos)
    return "";
  if (name.front() == '/' && isFile(name))
    return name;
  std::vector<std::string> roots = folders;
  if (!beside.empty())
    roots.insert(roots.begin(), beside);
  for (size_t begin = name.front() == '/';; ++begin) {
    std::string end = name.substr(begin);
    for (const std::string &root : roots)
      if (fs::path file = fs::path(root) / end; isFile(file))
        return file.lexically_normal().string();
    begin = name.find('/', begin);
    if (begin == std::string::npos)
      return searchDeep(end);
  }
}

std::string SourceFiles::searchDeep(const std::string &last) {
  auto now = std::chrono::steady_clock::now();
  if (!walked || now - *walked > patience) {
    walked = now;
    anywhere.clear();
    size_t left = mostEntries;
    for (const std::string &folder : folders)
      walk(folder, left);
  }
  auto found = anywhere.find(last);
  return found == anywhere.end() ? "" : found->second;
}

void SourceFiles::walk(const std::string &folder, size_t &left) {
  std::error_code error;
  fs::recursive_directory_iterator entry(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator() && left > 0;
       entry.increment(error)) {
    --left;
    std::string name = entry->path().filename().string();
    if (name.ends_with(".py"))
      anywhere.try_emplace(name, entry->path().string());
    bool isHidden = name.starts_with(".") || name == "node_modules";
    if (isHidden || entry.depth() >= deepestFolder)
      entry.disable_recursion_pending();
  }
}

std::string SourceFiles::link(const SourcePlace &place) {
  const std::string &path = find(place.file);
  if (path.empty())
    return "";
  std::string uri = "file://";
  for (unsigned char c : path) {
    if (llvm::isAlnum(c) || StringRef("/_.-~").contains(c))
      uri += static_cast<char>(c);
    else
      uri += "%" + llvm::utohexstr(c, /*LowerCase=*/false, /*Width=*/2);
  }
  return uri + "#L" + std::to_string(std::max(place.line, 1u)) + "," +
         std::to_string(std::max(place.column, 1u));
}

/// The link whose string is the token `index`, if it is followed by a line and
/// a column.
static std::optional<SourceLink> linkOf(const Syntax &syntax, size_t index) {
  const std::vector<Token> &tokens = syntax.tokens();
  if (tokens[index].kind != Token::String || index + 4 >= tokens.size())
    return std::nullopt;
  SourceLink link;
  bool isPlace =
      syntax.text(tokens[index + 1]) == ":" &&
      syntax.text(tokens[index + 3]) == ":" &&
      !syntax.text(tokens[index + 2]).getAsInteger(10, link.place.line) &&
      !syntax.text(tokens[index + 4]).getAsInteger(10, link.place.column);
  if (!isPlace)
    return std::nullopt;
  link.place.file = syntax.text(tokens[index]).drop_front().drop_back().str();
  link.span = {tokens[index].begin, tokens[index + 4].end};
  return link;
}

std::vector<SourceLink> kernelscope::sourceLinks(const Document &document) {
  const Syntax &syntax = document.syntax();
  std::vector<SourceLink> links;
  for (size_t i = 0; i < syntax.tokens().size(); ++i)
    if (std::optional<SourceLink> link = linkOf(syntax, i))
      links.push_back(std::move(*link));
  return links;
}

std::optional<SourceLink> kernelscope::sourceLinkAt(const Document &document,
                                                    size_t offset) {
  const Syntax &syntax = document.syntax();
  size_t index = syntax.tokenAfter(offset);
  // It has five tokens, and the cursor may be after the last.
  for (size_t i = index - std::min<size_t>(index, 5);
       i <= index && i < syntax.tokens().size(); ++i)
    if (std::optional<SourceLink> link = linkOf(syntax, i);
        link && link->span.touches(offset))
      return link;
  return std::nullopt;
}
