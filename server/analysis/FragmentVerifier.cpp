//===- FragmentVerifier.cpp - the rules of ops, told in the text ----------===//

#include "server/analysis/FragmentVerifier.h"

#include "dialects/ttg/Notes.h"
#include "dialects/ttg/TTG.h"
#include "passes/lint/FlatLints.h"
#include "server/analysis/LayoutErrors.h"
#include "server/analysis/LintFixes.h"
#include "server/analysis/NearMisses.h"
#include "server/analysis/Origins.h"
#include "server/analysis/ParseMessages.h"
#include "server/analysis/PlainWords.h"
#include "server/analysis/ValueName.h"
#include "server/analysis/Verifier.h"
#include "server/analysis/VerifierWords.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <utility>

using namespace kernelscope;
using llvm::StringRef;

namespace {

class FragmentVerifier {
public:
  FragmentVerifier(const Fragment &fragment, const Syntax &syntax,
                   const FragmentRequest &request,
                   const llvm::DenseSet<SyntaxId> &takenOut,
                   FragmentReports &reports)
      : fragment(fragment), syntax(syntax), request(request),
        takenOut(takenOut), reports(reports) {}

  bool run(mlir::Operation *root, bool isHeaderOnly, bool mayStop) {
    current = this->root = root;
    mlir::ScopedDiagnosticHandler handler(
        &request.workspace->context,
        [&](mlir::Diagnostic &message) { take(message); });
    auto enter = [&](mlir::Operation *op) {
      current = op;
      if (request.progress)
        request.progress(placeOf(op).begin);
      return !(mayStop && request.isCancelled());
    };
    auto report = [&](mlir::Operation *op, StringRef code,
                      const llvm::Twine &message) {
      Diagnostic &diagnostic =
          add(op, code.str(), message.str(), Severity::Error);
      if (!op->isRegistered() && code.starts_with("unknown-"))
        describeUnknownOperation(diagnostic, *op->getContext(),
                                 op->getName().getStringRef(),
                                 /*isQuoted=*/true);
      addOrigin(diagnostic, op);
    };
    auto isGeneric = [&](mlir::Operation *op) {
      return syntax.text().substr(placeOf(op).begin).starts_with("\"");
    };
    bool isValid = verifyAll(
        root, {enter, report, isGeneric, brokenBlocks(), isHeaderOnly,
               request.hasUnknownLayouts ? StringRef(unknownValue) : ""});
    // With what it calls it is looked at once that is known, too.
    if (isValid && request.isWhole &&
        llvm::isa<mlir::FunctionOpInterface>(root))
      lintAlone(root, [&](const LintFinding &finding) { take(finding); });
    return isValid;
  }

private:
  /// Whether there are partitions, which may have other numbers of warps.
  bool hasPartitions() {
    if (!foundPartitions)
      foundPartitions = root->walk([](ttg::WarpSpecializeOp) {
                              return mlir::WalkResult::interrupt();
                            })
                            .wasInterrupted();
    return *foundPartitions;
  }

  /// The diagnostic of a rule, on the op that it names, else on the op it
  /// belongs to.
  void take(mlir::Diagnostic &message) {
    // An op that a custom syntax implies has the location of the one around it.
    mlir::Operation *op = current;
    if (message.getLocation() != current->getLoc())
      if (mlir::Operation *other = opAt(message.getLocation()))
        op = other;
    // So was that an alias is missing.
    if (request.hasUnknownLayouts &&
        StringRef(message.str()).contains(unknownValue))
      return;
    // What is wrong with the operands was said before.
    if (op == std::exchange(last, op) &&
        StringRef(message.str()).ends_with("failed to infer returned types"))
      return;
    // So was that the op around it has no such name.
    mlir::Operation *around = op->getParentOp();
    if (around && !around->isRegistered() &&
        StringRef(message.str()).contains("expects parent op"))
      return;
    Diagnostic &diagnostic =
        add(op, ("verify." + op->getName().getStringRef()).str(),
            inPlainWords(op, withSubject(op, message.str())),
            severityOf(message.getSeverity()));
    for (mlir::Diagnostic &note : message.getNotes())
      addNote(diagnostic, note);
    noteLayout(diagnostic, op, fragment, hasPartitions());
    suggestAttribute(diagnostic, syntax);
    diagnostic.message =
        withAliases(sayPlainly(diagnostic.message), fragment.state);
    suggestResultType(diagnostic, syntax);
    if (auto layouts = ttg::suggestedLayout(message))
      addFix(diagnostic, LayoutFix{layouts->first, layouts->second});
    if (auto number = ttg::suggestedNumber(message))
      addFix(diagnostic,
             NumberFix{op, number->from, number->to, number->attribute});
    if (auto numbers = ttg::suggestedOperand(message))
      addOperandFix(diagnostic, op, message, *numbers);
    addOrigin(diagnostic, op);
    if (std::optional<Span> operand = operandAtFault(op, diagnostic))
      diagnostic.span = *operand;
  }

  /// A rule that is checked before there is an op says "needs ..." alone.
  static std::string withSubject(mlir::Operation *op, std::string message) {
    if (!StringRef(message).starts_with("needs "))
      return message;
    return ("'" + op->getName().getStringRef() + "' op " + message).str();
  }

  /// Where the text has the operand that an error is about: "operand #1 must
  /// be ...".
  std::optional<Span> operandAtFault(mlir::Operation *op,
                                     const Diagnostic &error) const {
    StringRef rest = StringRef(error.message).split("' op operand #").second;
    unsigned number;
    const SyntaxId id = syntax.statementAt(error.span.begin);
    if (rest.consumeInteger(10, number) || !rest.starts_with(" must be ") ||
        number >= op->getNumOperands() || id == noSyntax ||
        syntax.statement(id).name.begin != error.span.begin)
      return std::nullopt;
    return spanOfOperand(op->getOpOperand(number), syntax.statement(id),
                         fragment.state, syntax);
  }

  void addOperandFix(Diagnostic &diagnostic, mlir::Operation *op,
                     mlir::Diagnostic &message,
                     std::pair<unsigned, unsigned> numbers) {
    auto notes = message.getNotes();
    mlir::Operation *other =
        notes.empty() ? nullptr : opAt((*notes.begin()).getLocation());
    if (other && numbers.first < op->getNumOperands() &&
        numbers.second < other->getNumOperands())
      addFix(diagnostic, OperandFix{&op->getOpOperand(numbers.first),
                                    other->getOperand(numbers.second)});
  }

  void take(const LintFinding &finding) {
    reports.add(describeFinding(
        finding, [&](mlir::Operation *op) { return placeOf(op); }, {fragment},
        syntax, origins));
  }

  void addFix(Diagnostic &diagnostic, const LintFix &fix) const {
    if (std::optional<QuickFix> written = writeFix(fix, {fragment}, syntax))
      diagnostic.fixes.push_back(std::move(*written));
  }

  Diagnostic &add(mlir::Operation *op, std::string code, std::string message,
                  Severity severity) {
    Diagnostic diagnostic;
    diagnostic.span = placeOf(op);
    diagnostic.severity = severity;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    return reports.add(std::move(diagnostic));
  }

  void addOrigin(Diagnostic &diagnostic, mlir::Operation *op) {
    if (auto origin = origins.of(op, placeOf(op).begin))
      addSourcePlaces(diagnostic, *origin);
  }

  void addNote(Diagnostic &diagnostic, mlir::Diagnostic &note) {
    mlir::Operation *op = opAt(note.getLocation());
    // So MLIR calls the op that passes wrong values to a region or out of it.
    if (StringRef(note.str()).starts_with("region branch point")) {
      if (op)
        diagnostic.span = placeOf(op);
      return;
    }
    if (op) {
      diagnostic.related.push_back({placeOf(op), std::nullopt, note.str()});
      return;
    }
    std::vector<SourcePlace> places = sourcePlaces(note.getLocation());
    std::optional<SourcePlace> place;
    if (!places.empty())
      place = places.front();
    diagnostic.related.push_back({std::nullopt, place, note.str()});
  }

  /// Where the document names `op`. For an op that a custom syntax implies, the
  /// word that implies it, or the name of the enclosing op.
  Span placeOf(mlir::Operation *op) const {
    for (; op; op = op->getParentOp()) {
      if (const auto *definition = fragment.state.getOpDef(op))
        return fragment.span(definition->loc);
      if (std::optional<size_t> offset = inBuffer(op->getLoc()))
        return reports.wordAt(fragment.patched.toSource(*offset));
    }
    return {0, 0};
  }

  /// The op that the parser read at `location`, or null.
  mlir::Operation *opAt(mlir::Location location) {
    std::optional<size_t> offset = inBuffer(location);
    if (!offset)
      return nullptr;
    if (opsByOffset.empty())
      for (const auto &definition : fragment.state.getOpDefs())
        opsByOffset[definition.loc.Start.getPointer() -
                    fragment.buffer().begin()] = definition.op;
    return opsByOffset.lookup(*offset);
  }

  /// The byte of the buffer that a location of the parser names, if any.
  std::optional<size_t> inBuffer(mlir::Location location) const {
    auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
    if (!place || place.getFilename() != bufferName)
      return std::nullopt;
    const char *line =
        fragment.sources.getBufferInfo(1).getPointerForLineNumber(
            place.getLine());
    if (!line)
      return std::nullopt;
    return line - fragment.buffer().begin() + place.getColumn() - 1;
  }

  /// The blocks whose arguments were lost with their label.
  llvm::SmallPtrSet<mlir::Block *, 4> brokenBlocks() const {
    llvm::SmallPtrSet<mlir::Block *, 4> blocks;
    if (takenOut.empty())
      return blocks;
    for (const auto &block : fragment.state.getBlockDefs()) {
      if (!block.definition.loc.isValid())
        continue;
      SyntaxId id =
          syntax.statementAt(fragment.span(block.definition.loc).begin);
      if (id != noSyntax && takenOut.contains(id) &&
          syntax.statement(id).kind == Statement::Label)
        blocks.insert(block.block);
    }
    return blocks;
  }

  const Fragment &fragment;
  const Syntax &syntax;
  const FragmentRequest &request;
  const llvm::DenseSet<SyntaxId> &takenOut;
  FragmentReports &reports;
  Origins origins{fragment, syntax};
  llvm::DenseMap<size_t, mlir::Operation *> opsByOffset; ///< See `opAt`.
  mlir::Operation *root = nullptr;
  std::optional<bool> foundPartitions; ///< See `hasPartitions`.
  mlir::Operation *current = nullptr;  ///< Whose rules are checked.
  mlir::Operation *last = nullptr;     ///< That had a message.
};

} // namespace

bool kernelscope::verifyFragment(const Fragment &fragment,
                                 mlir::Operation *root, const Syntax &syntax,
                                 const FragmentRequest &request,
                                 const llvm::DenseSet<SyntaxId> &takenOut,
                                 FragmentReports &reports, bool isHeaderOnly,
                                 bool mayStop) {
  return FragmentVerifier(fragment, syntax, request, takenOut, reports)
      .run(root, isHeaderOnly, mayStop);
}
