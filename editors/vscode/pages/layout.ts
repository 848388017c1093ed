// The layout panel: each tensor of the view as a grid, and who holds the selected element.

import "./page.css";
import "./layout.css";
import type { LayoutView, PlacedTensor } from "../src/protocol";
import { type Aspect, aspectsOf, colorOf, describePlace } from "./aspects";
import { Grid } from "./grid";
import { element, markdown } from "./html";
import { bankUse, Placement } from "./placement";

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): State | undefined;
  setState(state: State): void;
};

interface State {
  zoom: number;
  /** The names of the aspects that were chosen, by what the places are called. */
  aspects: Record<string, string>;
}

const mostCopiesShown = 8;
const mostSwatches = 64;
const vscode = acquireVsCodeApi();
const state: State = vscode.getState() ?? { zoom: 1, aspects: {} };
const live = element("p", { id: "selected", role: "status" });

/** One tensor: its facts, its grid, and what is said about the selected element. */
class Pane {
  readonly placement: Placement;
  readonly grid: Grid;
  readonly root: HTMLElement;
  private readonly kind: string;
  private readonly legend = element("div", { className: "legend" });
  private readonly owner = element("p", { className: "owner" });
  private readonly leading: HTMLInputElement[];
  readonly bankStrip = element("div", { className: "banks" });

  constructor(
    readonly tensor: PlacedTensor,
    private readonly banks: number,
    onSelect: (pane: Pane, element: number[]) => void,
  ) {
    const placement = (this.placement = new Placement(tensor));
    this.kind = tensor.places[0]!.name;
    const aspects = aspectsOf(placement, banks);
    const aspect = aspects.find((one) => one.name === state.aspects[this.kind]) ?? aspects[0]!;
    const select = (at: number[]): void => onSelect(this, at);
    this.grid = new Grid(placement, aspect, tensor.role || tensor.type, select);
    const choice = element(
      "select",
      {},
      ...aspects.map((one) =>
        element("option", { value: one.name, selected: one === aspect }, one.name),
      ),
    );
    choice.addEventListener("change", () => {
      state.aspects[this.kind] = choice.value;
      vscode.setState(state);
      this.colorBy(aspects.find((one) => one.name === choice.value)!);
    });
    this.leading = placement.shape.slice(0, -2).map((size, dim) => {
      const input = element("input", {
        type: "number",
        min: "0",
        max: String(size - 1),
        value: "0",
      });
      input.addEventListener("change", () => {
        const at = [...this.grid.selected];
        at[dim] = Math.max(0, Math.min(size - 1, Math.floor(Number(input.value)) || 0));
        select(at);
      });
      return input;
    });
    this.root = element(
      "section",
      {},
      element("h2", {}, tensor.role || "type"),
      element("code", { className: "type" }, tensor.type),
      element(
        "div",
        { className: "controls" },
        element("label", {}, "Colour by ", choice),
        ...this.leading.map((input, dim) => element("label", {}, `dimension ${dim} `, input)),
      ),
      this.legend,
      this.grid.element,
      this.bankStrip,
      this.owner,
      markdown(tensor.text),
    );
    this.showLegend();
  }

  private colorBy(aspect: Aspect): void {
    this.grid.aspect = aspect;
    this.showLegend();
    this.grid.draw();
  }

  showLegend(): void {
    const { name, size } = this.grid.aspect;
    const step = Math.max(1, size / mostSwatches);
    const swatches = [element("span", {}, `${name} `)];
    for (let value = 0; value < size; value += step) {
      const swatch = element("span", { className: "swatch" }, String(value));
      swatch.style.backgroundColor = colorOf(value, size);
      swatches.push(swatch);
    }
    this.legend.replaceChildren(...swatches);
  }

  /** Selects without notifying; marks the elements that share its place. */
  select(at: number[]): void {
    const { placement, grid } = this;
    const place = placement.placeOf(at);
    if (placement.isDistributed) {
      const thread = ["lane", "warp", "block"]
        .map((name) => placement.dim(name))
        .filter((dim) => dim >= 0);
      grid.isMarked = (other) => thread.every((dim) => other[dim] === place[dim]);
    } else if (placement.isShared) {
      const { valueOf } = aspectsOf(placement, this.banks)[0]!;
      grid.isMarked = (other) => valueOf(other) === valueOf(place);
    }
    this.leading.forEach((input, dim) => (input.value = String(at[dim])));
    grid.select(at);
    this.owner.textContent = this.describe(at);
  }

  private describe(at: number[]): string {
    const place = this.placement.placeOf(at);
    const words = (other: number[]) => describePlace(this.placement, other, this.banks);
    let text = `[${at.join(", ")}] is at ${words(place)}`;
    const { places, count } = this.placement.copiesOf(place);
    if (count) text += `; also at ${places.slice(0, mostCopiesShown).map(words).join("; ")}`;
    if (count > mostCopiesShown) text += `; and at ${count - mostCopiesShown} more`;
    return `${text}.`;
  }
}

let panes: Pane[] = [];
let view: LayoutView | undefined;

/** Tensors of one shape have their selected element in common. */
function onSelect(from: Pane, at: number[]): void {
  const same = panes.filter(
    (pane) => String(pane.placement.shape) === String(from.placement.shape),
  );
  for (const pane of same) pane.select(at);
  live.textContent = `Element [${at.join(", ")}].${moveOf(same, at)}`;
  showBanks(at);
}

/** How far an element goes from the first to the last of two layouts in registers. */
function moveOf(same: Pane[], at: number[]): string {
  const [from, to] = same
    .map((pane) => pane.placement)
    .filter((placement) => placement.isDistributed);
  if (!from || !to || same.length !== 2) return "";
  const differs = (name: string) =>
    from.placeOf(at)[from.dim(name)] !== to.placeOf(at)[to.dim(name)];
  if (differs("block")) return " It goes to another CTA.";
  if (differs("warp")) return " It goes to another warp.";
  if (differs("lane")) return " It goes to another lane of its warp.";
  return differs("register")
    ? " It stays in its thread, in another register."
    : " It stays where it is.";
}

/** The words that the access of the selected element needs from each bank. */
function showBanks(at: number[]): void {
  const access = view?.access;
  const memory = access && panes[access.memory],
    registers = access && panes[access.registers];
  if (!access || !memory || !registers) return;
  if (String(memory.placement.shape) !== String(registers.placement.shape)) return;
  const place = registers.placement.placeOf(at);
  const { lanes, words } = bankUse(
    registers.placement,
    memory.placement,
    place,
    access,
    view!.banks,
  );
  const most = Math.max(...words);
  const cells = words.map((count, bank) => {
    const cell = element("span", { className: "bank", title: `bank ${bank}: ${count} words` });
    cell.textContent = count ? String(count) : "";
    if (count > 1) cell.classList.add("conflict");
    else if (count) cell.classList.add("wanted");
    return cell;
  });
  const who = `Lanes ${rangesOf(lanes)} are served together. The words that they access in each bank, 0 to ${words.length - 1}`;
  const cost = most > 1 ? ` (${most} cycles: ${most}-way conflict):` : " (one cycle: no conflict):";
  memory.bankStrip.replaceChildren(
    markdown(access.text),
    element("p", {}, who + cost),
    element("div", { className: "strip" }, ...cells),
  );
}

/** "0-7, 16-23". */
function rangesOf(numbers: number[]): string {
  const ranges: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}

function setZoom(level: number): void {
  state.zoom = Math.max(0, Math.min(2, level));
  vscode.setState(state);
  for (const pane of panes) pane.grid.setZoom(state.zoom);
}

function zoomButton(text: string, label: string, step: number): HTMLElement {
  const button = element("button", { title: label, ariaLabel: label }, text);
  button.addEventListener("click", () => setZoom(state.zoom + step));
  return button;
}

function show(next: LayoutView, focus: boolean): void {
  view = next;
  panes = next.tensors.map((tensor) => new Pane(tensor, next.banks, onSelect));
  const header = element(
    "header",
    {},
    element("h1", {}, next.title),
    zoomButton("−", "Smaller cells (-)", -1),
    zoomButton("+", "Larger cells (+)", 1),
    live,
  );
  document.body.replaceChildren(header, element("main", {}, ...panes.map((pane) => pane.root)));
  for (const pane of panes) pane.grid.setZoom(state.zoom);
  for (const pane of [...panes].reverse()) onSelect(pane, pane.grid.selected);
  if (focus) panes[0]?.grid.element.focus();
}

window.addEventListener("message", (event: MessageEvent<{ view: LayoutView; focus: boolean }>) => {
  show(event.data.view, event.data.focus);
});
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
  if (event.key === "+" || event.key === "=") setZoom(state.zoom + 1);
  if (event.key === "-") setZoom(state.zoom - 1);
});
new MutationObserver(() => {
  for (const pane of panes) {
    pane.showLegend();
    pane.grid.draw();
  }
}).observe(document.body, { attributeFilter: ["class"] });
vscode.postMessage("ready");
