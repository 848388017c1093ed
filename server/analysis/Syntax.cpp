//===- Syntax.cpp - statements and their nesting, broken or not -----------===//

#include "server/analysis/Syntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace kernelscope;
using llvm::StringRef;

Span Statement::header(const Syntax &syntax) const {
  if (regions.empty())
    return span;
  return {span.begin, syntax.region(regions.front()).openBrace()};
}

namespace kernelscope {

/// Walks the tokens of each chunk in turn, with a stack of open regions and
/// brackets.
class SyntaxBuilder {
public:
  explicit SyntaxBuilder(Syntax &syntax)
      : syntax(syntax), tokens(syntax.lexed.tokens) {}

  void run() {
    // A line of a dump has twenty tokens or so.
    syntax.allStatements.reserve(tokens.size() / 16);
    size_t token = 0, begin = 0;
    for (Span comment : syntax.comments()) {
      if (!syntax.text(comment).starts_with("// -----"))
        continue;
      size_t next = syntax.tokenAfter(comment.begin);
      chunk({begin, comment.begin}, token, next);
      begin = comment.end;
      token = next;
    }
    chunk({begin, syntax.source.size()}, token, tokens.size());
  }

private:
  struct Frame {
    enum Kind { RegionBrace, DictionaryBrace, Bracket } kind;
    char closer;
    size_t indent;      ///< Of the line of the opening bracket.
    bool opensLine;     ///< The opening bracket is the last of its line.
    SyntaxId region;    ///< Of a `RegionBrace`.
    SyntaxId statement; ///< The one that is being read in that region.
    size_t outerBrace;  ///< The frame of the next brace around it.
    size_t outerRegion; ///< The frame of the next region around it.
    size_t depth;       ///< How many regions are open.
  };

  void chunk(Span span, size_t first, size_t last) {
    size_t statements = syntax.allStatements.size();
    size_t regions = syntax.allRegions.size();
    size_t strays = syntax.strays.size();
    isBalanced = true;
    byIndentation = false;
    lacksOpeners = false;
    read(span, first, last);
    if (isBalanced)
      return;
    // There is a missing or extra brace; the indentation decides which one.
    lacksOpeners = syntax.strays.size() > strays;
    syntax.allStatements.resize(statements);
    syntax.allRegions.resize(regions);
    syntax.strays.resize(strays);
    syntax.roots.pop_back();
    byIndentation = true;
    read(span, first, last);
  }

  void read(Span span, size_t first, size_t last) {
    firstToken = first;
    lastToken = last;
    lineIndent = first < last ? columnOf(tokens[first]) : 0;
    frames.clear();
    deepFrame = noFrame;
    syntax.roots.push_back(openRegion(span.begin, noSyntax));
    frames.push_back({Frame::RegionBrace, '\0', 0, false, syntax.roots.back(),
                      noSyntax, 0, 0, 0});
    for (size_t i = first; i < last; ++i)
      if (i >= metadataEnd && !isInner(i))
        take(i);
    while (frames.size() > 1)
      abandonTop(last);
    finishStatement(frames.back(), last);
    syntax.allRegions[syntax.roots.back()].body.end = span.end;
  }

  //===--- What a token begins --------------------------------------------===//

  bool is(size_t i, char c) const {
    return i < lastToken && tokens[i].kind == Token::Punctuation &&
           syntax.source[tokens[i].begin] == c;
  }
  bool is(size_t i, Token::Kind kind) const {
    return i < lastToken && tokens[i].kind == kind;
  }

  /// The token after the `=` of `%a, %b:2 =`, or 0.
  size_t skipResults(size_t i) const {
    while (is(i, Token::Value)) {
      ++i;
      if (is(i, ':') && is(i + 1, Token::Number))
        i += 2;
      if (is(i, '='))
        return i + 1;
      if (!is(i, ','))
        return 0;
      ++i;
    }
    return 0;
  }

  struct Start {
    bool isStart = false;
    bool isCertain = false; ///< Even inside open brackets.
    Statement::Kind kind = Statement::Other;
  };

  Start startAt(size_t i) const {
    const Token &token = tokens[i];
    // Several aliases may be on one line.
    bool isAlias = frames.size() == 1 && i > firstToken && is(i - 1, '>') &&
                   (token.kind == Token::Hash || token.kind == Token::Bang) &&
                   is(i + 1, '=');
    bool isFirst = token.firstOnLine || isAlias ||
                   (i > firstToken && opensRegion == i - 1) ||
                   (i > firstToken && is(i - 1, ':') && labelEnd == i - 1);
    if (!isFirst)
      return {};
    bool isLast = token.lastOnLine;
    switch (token.kind) {
    case Token::Value: {
      size_t next = skipResults(i);
      if (!next)
        return {};
      bool certain = tokens[next - 1].lastOnLine ||
                     is(next, Token::Identifier) || is(next, Token::String);
      return {true, certain, Statement::Operation};
    }
    case Token::Identifier: {
      StringRef word = syntax.text(token);
      if (!word.contains('.')) {
        bool isName = llvm::is_contained({"module", "return", "call"}, word) &&
                      !is(i + 1, '=') && !is(i + 1, '(');
        return {isName, false, Statement::Operation};
      }
      if (!isLast && is(i + 1, '='))
        return {};
      bool certain =
          isLast || !(is(i + 1, ',') || is(i + 1, '}') || is(i + 1, ']') ||
                      is(i + 1, ')') || is(i + 1, '>') || is(i + 1, ':'));
      return {true, certain, Statement::Operation};
    }
    case Token::String:
      return {is(i + 1, '('), is(i + 1, '('), Statement::Operation};
    case Token::Block:
      return {is(i + 1, ':') || is(i + 1, '('), false, Statement::Label};
    case Token::Hash:
    case Token::Bang: {
      bool isAtRoot = frames.size() == 1 || isAtLineStart(token);
      bool isAlias = is(i + 1, '=') && isAtRoot;
      // `#name` at the start of a top-level line can only be an alias
      // definition.
      if (frames.size() == 1 && isAtLineStart(token))
        isAlias = isAlias || !syntax.text(token).contains('.');
      return {isAlias, isAlias, Statement::Alias};
    }
    case Token::Punctuation:
      if (syntax.source.substr(token.begin).starts_with("{-#"))
        return {true, true, Statement::Metadata};
      return {};
    default:
      return {};
    }
  }

  /// Whether the `{` at `i` begins a region, not a dictionary of attributes.
  bool isRegionBrace(size_t i) const {
    bool isLast = tokens[i].lastOnLine;
    size_t next = i + 1;
    if (i > firstToken &&
        (is(i - 1, '<') || syntax.text(tokens[i - 1]) == "attributes"))
      return false;
    if (next >= lastToken || is(next, '}'))
      return true;
    if (is(next, Token::Block) || is(next, Token::Value))
      return true;
    if (is(next, Token::String))
      return is(next + 1, '(');
    if (!is(next, Token::Identifier))
      return isLast;
    if (is(next + 1, '=') || is(next + 1, ','))
      return false;
    return isLast ||
           (!is(next + 1, '}') && syntax.text(tokens[next]).contains('.'));
  }

  size_t columnOf(const Token &token) const {
    size_t lineBreak = syntax.source.rfind('\n', token.begin);
    return lineBreak == StringRef::npos ? token.begin
                                        : token.begin - lineBreak - 1;
  }
  bool isAtLineStart(const Token &token) const {
    return token.begin == 0 || syntax.source[token.begin - 1] == '\n';
  }

  //===--- Moving on by one token -----------------------------------------===//

  /// Whether `i` begins no statement, and neither opens nor closes anything.
  bool isInner(size_t i) const {
    const Token &token = tokens[i];
    if (token.firstOnLine || opensRegion == i - 1 || labelEnd == i - 1)
      return false;
    const Frame &inner = frames.back();
    if (inner.kind == Frame::RegionBrace && inner.statement == noSyntax)
      return false;
    switch (token.kind) {
    case Token::Punctuation:
      switch (syntax.source[token.begin]) {
      case '(':
      case ')':
      case '{':
      case '}':
      case '[':
      case ']':
      case ':':
        return false;
      default:
        return true;
      }
    case Token::Hash:
    case Token::Bang:
      return frames.size() != 1;
    default:
      return true;
    }
  }

  void take(size_t i) {
    if (tokens[i].firstOnLine)
      lineIndent = columnOf(tokens[i]);
    if (frames.size() <= deepFrame)
      deepFrame = noFrame;
    Start start = deepFrame == noFrame ? startAt(i) : Start{};
    if (start.isStart && byIndentation && tokens[i].firstOnLine) {
      closeByIndentation(i, start);
      openByIndentation(i, start);
    }
    if (start.isStart && start.kind == Statement::Alias)
      while (frames.size() > 1)
        abandonTop(i);
    if (start.isStart && frames.back().kind != Frame::RegionBrace) {
      if (!start.isCertain)
        start.isStart = false;
      else
        while (frames.back().kind != Frame::RegionBrace)
          abandonTop(i);
    }
    if (start.isStart) {
      finishStatement(frames.back(), i);
      beginStatement(i, start.kind);
    }

    if (is(i, '}') || is(i, ')') || is(i, ']'))
      return close(i);
    if (frames.back().kind == Frame::RegionBrace &&
        frames.back().statement == noSyntax)
      beginStatement(i, Statement::Other);
    if (start.kind == Statement::Metadata && start.isStart) {
      metadataEnd = i;
      while (
          metadataEnd < lastToken &&
          !syntax.source.substr(tokens[metadataEnd].begin).starts_with("#-}"))
        ++metadataEnd;
      metadataEnd = std::min(metadataEnd + 3, lastToken);
      return;
    }
    if (is(i, '('))
      push(i, Frame::Bracket, ')');
    else if (is(i, '['))
      push(i, Frame::Bracket, ']');
    else if (is(i, '{'))
      openBrace(i);
    else if (is(i, ':') && frames.back().kind == Frame::RegionBrace &&
             current(frames.back()).kind == Statement::Label)
      endLabel(i);
  }

  Statement &current(Frame &frame) {
    return syntax.allStatements[frame.statement];
  }

  void push(size_t i, Frame::Kind kind, char closer,
            SyntaxId region = noSyntax) {
    push(kind, closer, lineIndent, tokens[i].lastOnLine, region);
  }
  void push(Frame::Kind kind, char closer, size_t indent, bool opensLine,
            SyntaxId region) {
    size_t brace = innerBrace(), inner = innerRegion();
    frames.push_back({kind, closer, indent, opensLine, region, noSyntax, brace,
                      inner, frames[inner].depth + (region != noSyntax)});
  }

  /// The innermost frame of a region, and of anything in braces.
  size_t innerRegion() const {
    return frames.back().kind == Frame::RegionBrace ? frames.size() - 1
                                                    : frames.back().outerRegion;
  }
  size_t innerBrace() const {
    return frames.back().closer == '}' ? frames.size() - 1
                                       : frames.back().outerBrace;
  }

  SyntaxId openRegion(size_t bodyBegin, SyntaxId owner) {
    Region region;
    region.body = {bodyBegin, bodyBegin};
    region.owner = owner;
    syntax.allRegions.push_back(std::move(region));
    return syntax.allRegions.size() - 1;
  }

  void openBrace(size_t i) {
    const Frame &inner = frames[innerRegion()];
    bool isTooDeep = inner.depth == deepestNesting;
    if (isTooDeep || !isRegionBrace(i)) {
      if (isTooDeep)
        deepFrame = std::min(deepFrame, frames.size());
      return push(i, Frame::DictionaryBrace, '}');
    }
    SyntaxId owner = inner.statement;
    SyntaxId region = openRegion(tokens[i].end, owner);
    syntax.allStatements[owner].regions.push_back(region);
    push(i, Frame::RegionBrace, '}', region);
    opensRegion = i;
  }

  /// The 2 in `%x:2`.
  unsigned packSize(const Token &number) const {
    unsigned count = 0;
    if (syntax.text(number).getAsInteger(10, count))
      count = 1;
    return std::min(count, mostResults);
  }

  void beginStatement(size_t i, Statement::Kind kind) {
    Frame &frame = frames.back();
    Statement statement;
    statement.kind = kind;
    statement.parent = frame.region;
    statement.firstToken = i;
    statement.span = tokens[i].span();
    size_t name = i;
    if (kind == Statement::Operation && tokens[i].kind == Token::Value) {
      for (name = i; !is(name, '='); ++name) {
        if (tokens[name].kind == Token::Value)
          statement.results.push_back({tokens[name].span(), 1});
        else if (tokens[name].kind == Token::Number)
          statement.results.back().count = packSize(tokens[name]);
      }
      ++name;
    }
    bool hasName =
        name < lastToken && (kind != Statement::Operation ||
                             tokens[name].kind == Token::Identifier ||
                             tokens[name].kind == Token::String);
    // `%x =` with nothing behind it must not take the next line's word.
    if (hasName && name > i && tokens[name].firstOnLine)
      hasName = false;
    statement.name = hasName ? tokens[name].span()
                             : Span{tokens[name - 1].end, tokens[name - 1].end};
    frame.statement = syntax.allStatements.size();
    syntax.allRegions[frame.region].statements.push_back(frame.statement);
    syntax.allStatements.push_back(std::move(statement));
  }

  /// `end` is the first token after the statement.
  void finishStatement(Frame &frame, size_t end) {
    if (frame.statement == noSyntax)
      return;
    Statement &statement = current(frame);
    statement.endToken = end;
    statement.span.end = tokens[end - 1].end;
    frame.statement = noSyntax;
  }

  void endLabel(size_t i) {
    finishStatement(frames.back(), i + 1);
    labelEnd = i;
  }

  /// Leaves the innermost bracket without its closer before token `i`.
  void abandonTop(size_t i) {
    Frame &frame = frames.back();
    if (frame.kind == Frame::RegionBrace) {
      finishStatement(frame, i);
      Region &region = syntax.allRegions[frame.region];
      region.isClosed = false;
      region.body.end = std::max(region.body.begin, size_t(tokens[i - 1].end));
    }
    isBalanced = false;
    frames.pop_back();
  }

  /// A statement is indented deeper than the line that opens its region.
  void closeByIndentation(size_t i, const Start &start) {
    size_t column = columnOf(tokens[i]);
    while (frames.size() > 1) {
      const Frame &top = frames.back();
      bool isOutside = start.kind == Statement::Label ? column < top.indent
                                                      : column <= top.indent;
      bool mayLeave =
          top.kind == Frame::RegionBrace ? top.opensLine : start.isCertain;
      if (!isOutside || !mayLeave)
        return;
      abandonTop(i);
    }
  }

  /// A statement that stands deeper than the one before it is inside it, if
  /// there are more closing braces than opening ones.
  void openByIndentation(size_t i, const Start &start) {
    if (!lacksOpeners || start.kind != Statement::Operation)
      return;
    const Frame &inner = frames[innerRegion()];
    if (inner.statement == noSyntax || inner.depth == deepestNesting)
      return;
    const Statement &before = syntax.allStatements[inner.statement];
    const Token &first = tokens[before.firstToken];
    bool isInside = before.kind == Statement::Operation &&
                    before.regions.empty() && first.firstOnLine &&
                    columnOf(first) < columnOf(tokens[i]);
    if (!isInside)
      return;
    while (frames.back().kind != Frame::RegionBrace)
      abandonTop(i);
    size_t column = columnOf(first);
    SyntaxId owner = frames.back().statement;
    SyntaxId region = openRegion(tokens[i - 1].end, owner);
    syntax.allRegions[region].isOpened = false;
    syntax.allStatements[owner].regions.push_back(region);
    push(Frame::RegionBrace, '}', column, true, region);
  }

  void close(size_t i) {
    char closer = syntax.source[tokens[i].begin];
    if (byIndentation && closer == '}' && tokens[i].firstOnLine) {
      size_t column = columnOf(tokens[i]);
      while (frames.size() > 1 && frames.back().indent > column)
        abandonTop(i);
      if (frames.size() > 1 && frames.back().closer == '}' &&
          frames.back().opensLine && frames.back().indent < column)
        return stray(i);
    }
    size_t depth = closer == '}' ? innerBrace() + 1 : frames.size();
    while (depth > 1 && frames[depth - 1].closer != closer) {
      // A parenthesis never closes a region around it.
      if (frames[depth - 1].kind == Frame::RegionBrace)
        return stray(i);
      --depth;
    }
    if (depth <= 1)
      return stray(i);
    // In a region of several lines, `{` ends a line and `}` starts one; any
    // other `}` belongs to a dictionary whose `{` is missing.
    const Frame &closed = frames[depth - 1];
    if (byIndentation && closed.kind == Frame::RegionBrace &&
        closed.opensLine && !tokens[i].firstOnLine)
      return;
    while (frames.size() > depth)
      abandonTop(i);
    Frame &frame = frames.back();
    if (frame.kind == Frame::RegionBrace) {
      finishStatement(frame, i);
      syntax.allRegions[frame.region].body.end = tokens[i].begin;
    }
    frames.pop_back();
  }

  void stray(size_t i) {
    isBalanced = false;
    while (frames.back().kind != Frame::RegionBrace)
      abandonTop(i);
    if (syntax.source[tokens[i].begin] != '}') {
      if (frames.back().statement == noSyntax)
        beginStatement(i, Statement::Other);
      return;
    }
    finishStatement(frames.back(), i);
    beginStatement(i, Statement::Other);
    syntax.strays.push_back(frames.back().statement);
    finishStatement(frames.back(), i + 1);
  }

  Syntax &syntax;
  const std::vector<Token> &tokens;
  size_t firstToken = 0, lastToken = 0;
  std::vector<Frame> frames;
  static constexpr size_t noFrame = ~size_t(0);
  size_t deepFrame = noFrame; ///< Inside it, only brackets count.
  size_t lineIndent = 0;      ///< Of the line at hand.
  bool isBalanced = true;
  bool byIndentation = false;
  bool lacksOpeners = false;       ///< There are more `}` than `{`.
  size_t opensRegion = ~size_t(0); ///< The last `{` that began a region.
  size_t labelEnd = ~size_t(0);    ///< The `:` of the last label.
  size_t metadataEnd = 0;
};

} // namespace kernelscope

Syntax::Syntax(StringRef text) : source(text), lexed(lex(text)) {
  SyntaxBuilder(*this).run();
}

size_t Syntax::tokenAfter(size_t offset) const {
  return llvm::partition_point(
             lexed.tokens,
             [&](const Token &token) { return token.end <= offset; }) -
         lexed.tokens.begin();
}

const Token *Syntax::tokenAt(size_t offset) const {
  size_t index = tokenAfter(offset);
  const auto &all = lexed.tokens;
  if (index < all.size() && all[index].begin <= offset &&
      all[index].kind != Token::Punctuation)
    return &all[index];
  if (index > 0 && all[index - 1].end == offset &&
      all[index - 1].kind != Token::Punctuation)
    return &all[index - 1];
  if (index < all.size() && all[index].begin <= offset)
    return &all[index];
  return nullptr;
}

SyntaxId Syntax::statementBefore(SyntaxId region, size_t offset) const {
  const std::vector<SyntaxId> &ids = allRegions[region].statements;
  auto after = llvm::partition_point(
      ids, [&](SyntaxId id) { return allStatements[id].span.begin <= offset; });
  return after == ids.begin() ? noSyntax : *std::prev(after);
}

SyntaxId Syntax::regionAt(size_t offset) const {
  auto root = llvm::partition_point(
      roots, [&](SyntaxId id) { return allRegions[id].body.end < offset; });
  SyntaxId region = root == roots.end() ? roots.back() : *root;
  while (true) {
    SyntaxId before = statementBefore(region, offset);
    if (before == noSyntax)
      return region;
    auto inner = llvm::find_if(allStatements[before].regions, [&](SyntaxId id) {
      return allRegions[id].body.touches(offset);
    });
    if (inner == allStatements[before].regions.end())
      return region;
    region = *inner;
  }
}

SyntaxId Syntax::statementAt(size_t offset) const {
  SyntaxId region = regionAt(offset);
  SyntaxId before = statementBefore(region, offset);
  if (before != noSyntax && allStatements[before].span.touches(offset))
    return before;
  return allRegions[region].owner;
}

const Token *Syntax::symbolOf(const Statement &statement) const {
  if (statement.kind != Statement::Operation)
    return nullptr;
  Span header = statement.header(*this);
  for (size_t i = tokenAfter(statement.name.end);
       i < statement.endToken && lexed.tokens[i].begin < header.end; ++i)
    if (lexed.tokens[i].kind == Token::Symbol)
      return &lexed.tokens[i];
  return nullptr;
}

bool Syntax::isLocationAlias(const Statement &alias) const {
  size_t value = alias.firstToken + 2;
  return alias.kind == Statement::Alias && value < alias.endToken &&
         text(lexed.tokens[value]) == "loc";
}
