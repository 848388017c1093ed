// The report of a run: how fast against the device's limits, each result's statistics, and where it differs.

import "./page.css";
import "./report.css";
import type { ErrorMap, OutputReport, RunReport } from "../src/protocol";
import { element } from "./html";

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };
const vscode = acquireVsCodeApi();

/** JSON has no infinities. */
const numberOf = (value: number | "infinity"): number => (value === "infinity" ? Infinity : value);
const short = (value: number | "infinity"): string => {
  if (typeof value !== "number") return value;
  const isSmall = value !== 0 && Math.abs(value) < 1e-4;
  return isSmall ? value.toExponential(3) : String(Number(value.toPrecision(6)));
};

function table(...rows: [string, string | Node, string?][]): HTMLTableElement {
  return element(
    "table",
    {},
    ...rows.map(([name, value, className]) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, name),
        element("td", { className: className ?? "" }, value),
      ),
    ),
  );
}

/** A rate, and how much of the device's limit it is where that is known. */
function rate(value: number, unit: string, peak: number | undefined): Node {
  const text = `${value.toFixed(1)} ${unit}`;
  if (!peak) return element("span", {}, `${text}; the limit of the device is not known`);
  const share = (100 * value) / peak;
  const bar = element("div");
  bar.style.width = `${Math.min(share, 100)}%`;
  return element(
    "span",
    {},
    `${text} `,
    element("span", { className: "bar", role: "presentation" }, bar),
    ` ${share.toFixed(1)}% of ${peak.toFixed(0)} ${unit}`,
  );
}

/** The cells of an error map; the arrow keys, Home and End move the selected one, which is described above it. */
function heat(map: ErrorMap, output: OutputReport): HTMLElement {
  const cells = map.cells.map(numberOf);
  const rows = Math.ceil(cells.length / map.columns);
  const worst = Math.max(...cells);
  const said = element("p", { role: "status" });
  const squares = cells.map((error) => {
    const square = element("div", {
      className: `cell ${error > 1 ? "beyond" : error > 0 ? "within" : ""}`,
    });
    // Tolerances span decades: a tenth is half as dark.
    const strength = error > 1 ? 1 : 1 + Math.log10(Math.max(error, 1e-3)) / 4;
    square.style.opacity = error > 0 ? String(Math.max(strength, 0.15)) : "1";
    return square;
  });
  const grid = element(
    "div",
    {
      className: "map",
      tabIndex: 0,
      role: "application",
      ariaLabel: `Where ${output.name} differs: arrow keys move`,
    },
    ...squares,
  );
  grid.style.gridTemplateColumns = `repeat(${map.columns}, 7px)`;
  let selected = cells.indexOf(worst);
  const span = (first: number, per: number, limit: number): string => {
    const last = Math.min(first + per, limit) - 1;
    return last > first ? `${first} to ${last}` : String(first);
  };
  const select = (index: number): void => {
    squares[selected]!.classList.remove("selected");
    selected = index;
    squares[index]!.classList.add("selected");
    const row = Math.floor(index / map.columns) * map.rowsPerCell;
    const column = (index % map.columns) * map.columnsPerCell;
    const count = output.shape.reduce((product, size) => product * size, 1);
    const place =
      `${map.rowsPerCell > 1 ? "Rows" : "Row"} ${span(row, map.rowsPerCell, Math.ceil(count / map.rowLength))}, ` +
      `${map.columnsPerCell > 1 ? "columns" : "column"} ${span(column, map.columnsPerCell, map.rowLength)}`;
    const error = cells[index]!;
    said.textContent = `${place}: ${
      error === 0
        ? "equal"
        : Number.isFinite(error)
          ? `at most ${short(error)} times the tolerance`
          : "not finite on one side, or not equal where it must be"
    }.`;
  };
  grid.addEventListener("click", (event) => {
    const index = squares.indexOf(event.target as HTMLDivElement);
    if (index >= 0) select(index);
  });
  grid.addEventListener("keydown", (event) => {
    const column = selected % map.columns;
    const row = Math.floor(selected / map.columns);
    const moves: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, map.columns - 1],
    };
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    const [r, c] = to;
    if (r >= 0 && r < rows && c >= 0 && c < map.columns && r * map.columns + c < cells.length)
      select(r * map.columns + c);
  });
  select(selected);
  const legend =
    `Each cell is ${map.rowsPerCell} x ${map.columnsPerCell} elements; a row has ${map.rowLength}. ` +
    "Blue: differs within the tolerance, in a stronger colour for larger differences; red: differs by more than the tolerance.";
  return element("div", {}, element("p", {}, legend), said, grid);
}

function outputSection(output: OutputReport, wasCompared: boolean): HTMLElement {
  const rows: [string, string | Node, string?][] = [];
  if (output.mean !== undefined)
    rows.push(
      ["minimum", short(output.minimum!)],
      ["maximum", short(output.maximum!)],
      ["mean", short(output.mean)],
    );
  rows.push(
    ["NaN", String(output.nans), output.nans ? "outside" : ""],
    ["infinite", String(output.infinities), output.infinities ? "outside" : ""],
    ["first", output.first.join(" ")],
    ["checksum", output.checksum],
  );
  const c = output.comparison;
  if (c)
    rows.push(
      ["compared with", c.with],
      ["largest difference", `${short(c.maxAbsolute)} (${short(c.maxRelative)} relative)`],
      ["tolerance", `${short(c.absoluteTolerance)} + ${short(c.relativeTolerance)} |x|`],
      ["beyond the tolerance", `${c.outside} elements`, c.outside ? "outside" : ""],
    );
  const section = element(
    "section",
    {},
    element("h2", {}, `${output.name}: ${output.dtype}[${output.shape.join("x")}]`),
    table(...rows),
  );
  if (output.errors) section.append(heat(output.errors, output));
  else if (c) section.append(element("p", {}, `Equal to ${c.with}.`));
  else if (wasCompared) section.append(element("p", {}, "Not compared."));
  return section;
}

function draw(report: RunReport): void {
  const rows: [string, string | Node, string?][] = [["grid", report.grid.join(" x ")]];
  if (report.threads)
    rows.push([
      "block",
      `${report.threads} threads, ${report.sharedBytes} bytes of shared memory` +
        (report.ctas && report.ctas > 1 ? `, clusters of ${report.ctas}` : ""),
    ]);
  if (report.schedule)
    rows.push(["schedule", `${report.schedule}, sanitizer ${report.sanitized ? "on" : "off"}`]);
  if (report.microseconds !== undefined)
    rows.push([
      "time",
      `${report.microseconds.toFixed(2)} µs` +
        (report.schedule ? " in the CPU interpreter; a GPU's time would be different" : "") +
        (report.launches && report.launches > 1 ? `, the median of ${report.launches}` : ""),
    ]);
  if (report.gigabytesPerSecond)
    rows.push(["memory", rate(report.gigabytesPerSecond, "GB/s", report.peakGigabytesPerSecond)]);
  if (report.teraflops)
    rows.push(["products", rate(report.teraflops, "TFLOP/s", report.peakTeraflops)]);
  for (const argument of report.arguments)
    rows.push([
      argument.name,
      `${argument.dtype}${argument.shape ? `[${argument.shape.join("x")}]` : ""} ${argument.value}`,
    ]);
  const compared = report.matches !== undefined;
  document.body.replaceChildren(
    element("h1", {}, `${report.kernel} on ${report.device}`),
    ...(compared
      ? [
          element(
            "p",
            { className: report.matches ? "" : "outside" },
            report.matches
              ? "The results match the reference."
              : "The results differ from the reference by more than the tolerance.",
          ),
        ]
      : []),
    element(
      "main",
      {},
      table(...rows),
      ...report.outputs.map((output) => outputSection(output, compared)),
      ...report.notes.map((note) => element("p", {}, `Note: ${note}`)),
    ),
  );
}

window.addEventListener("message", (event: MessageEvent<{ report: RunReport }>) =>
  draw(event.data.report),
);
vscode.postMessage("ready");
