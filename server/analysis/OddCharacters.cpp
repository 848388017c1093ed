//===- OddCharacters.cpp - characters that IR does not have ---------------===//

#include "server/analysis/OddCharacters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope;

namespace {

struct Lookalike {
  llvm::UTF32 code;
  llvm::StringLiteral name; ///< By Unicode, in lower case.
  llvm::StringLiteral meant;
};

constexpr Lookalike lookalikes[] = {
    {0x00A0, "no-break space", " "},
    {0x2007, "figure space", " "},
    {0x2009, "thin space", " "},
    {0x202F, "narrow no-break space", " "},
    {0x3000, "ideographic space", " "},
    {0x00AD, "soft hyphen", ""},
    {0x200B, "zero-width space", ""},
    {0x200C, "zero-width non-joiner", ""},
    {0x200D, "zero-width joiner", ""},
    {0x200E, "left-to-right mark", ""},
    {0x2060, "word joiner", ""},
    {0xFEFF, "byte order mark", ""},
    {0x2010, "hyphen", "-"},
    {0x2011, "no-break hyphen", "-"},
    {0x2013, "en dash", "-"},
    {0x2014, "em dash", "-"},
    {0x2212, "minus sign", "-"},
    {0x2192, "rightwards arrow", "->"},
    {0x201C, "left double quotation mark", "\""},
    {0x201D, "right double quotation mark", "\""},
    {0x00D7, "multiplication sign", "x"},
    {0xFF08, "fullwidth left parenthesis", "("},
    {0xFF09, "fullwidth right parenthesis", ")"},
    {0xFF0C, "fullwidth comma", ","},
    {0xFF1A, "fullwidth colon", ":"},
};

} // namespace

void kernelscope::describeCharacter(Diagnostic &diagnostic,
                                    llvm::StringRef text) {
  if (diagnostic.message != "unexpected character" ||
      diagnostic.span.begin >= text.size())
    return;
  llvm::StringRef rest = text.drop_front(diagnostic.span.begin);
  const llvm::UTF8 *at = rest.bytes_begin();
  llvm::UTF32 code = 0;
  if (llvm::convertUTF8Sequence(&at, rest.bytes_end(), &code,
                                llvm::strictConversion) != llvm::conversionOK) {
    diagnostic.message =
        llvm::formatv("unexpected byte {0:X}, which is not UTF-8",
                      static_cast<unsigned char>(rest.front()))
            .str();
    return;
  }
  llvm::StringRef character =
      rest.take_front(static_cast<size_t>(at - rest.bytes_begin()));
  diagnostic.span.end = diagnostic.span.begin + character.size();
  if (code < 0x80 && llvm::isPrint(static_cast<char>(code))) {
    diagnostic.message = ("unexpected character '" + character + "'").str();
    return;
  }
  std::string number = llvm::formatv("U+{0:X-4}", code).str();
  const auto *known = llvm::find_if(
      lookalikes, [&](const Lookalike &one) { return one.code == code; });
  if (known == std::end(lookalikes)) {
    diagnostic.message = "unexpected character " + number;
    return;
  }
  diagnostic.message =
      ("unexpected character " + number + " (" + known->name + ")").str();
  std::string title = known->meant.empty() ? "Remove the character"
                      : known->meant == " "
                          ? "Change to a space"
                          : "Change to '" + known->meant.str() + "'";
  diagnostic.fixes.push_back(
      {std::move(title), {{diagnostic.span, known->meant.str()}}});
}
