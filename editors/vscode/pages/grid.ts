// A tensor as a grid of coloured cells on a canvas that is as large as what is visible, whatever the tensor's size.

import { type Aspect, colorOf } from "./aspects";
import type { Placement } from "./placement";

interface Zoom {
  width: number;
  height: number;
  /** Lines of text in a cell. */
  lines: number;
}
const zooms: Zoom[] = [
  { width: 7, height: 7, lines: 0 },
  { width: 46, height: 18, lines: 1 },
  { width: 58, height: 34, lines: 2 },
];

const ruler = { width: 40, height: 18 };
/** A vector is drawn in rows of as many elements. */
const wrapAt = 32;
/** Browsers lay out no element larger than that, in pixels. */
const mostPixels = 30_000_000;

export class Grid {
  readonly element = document.createElement("div");
  private readonly canvas = document.createElement("canvas");
  private readonly spacer = document.createElement("div");
  private readonly isVector: boolean;
  private readonly rows: number;
  private readonly columns: number;
  private zoom = zooms[1]!;
  /** The indices before the last two, which choose what is drawn. */
  leading: number[];
  selected: number[];
  aspect: Aspect;
  /** Whether a place is outlined, beside the selected element's. */
  isMarked: (place: number[]) => boolean = () => false;

  constructor(
    readonly placement: Placement,
    aspect: Aspect,
    label: string,
    private readonly onSelect: (element: number[]) => void,
  ) {
    const shape = placement.shape;
    this.isVector = shape.length === 1;
    this.columns = this.isVector ? Math.min(shape[0]!, wrapAt) : shape.at(-1)!;
    this.rows = this.isVector ? shape[0]! / this.columns : shape.at(-2)!;
    this.leading = shape.slice(0, -2).map(() => 0);
    this.selected = shape.map(() => 0);
    this.aspect = aspect;
    this.element.className = "grid";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "application");
    this.element.setAttribute("aria-label", `${label}; arrow keys move from element to element`);
    this.canvas.setAttribute("aria-hidden", "true");
    this.element.append(this.canvas, this.spacer);
    this.spacer.className = "spacer";
    this.element.addEventListener("scroll", () => this.draw());
    this.element.addEventListener("focus", () => this.draw());
    this.element.addEventListener("blur", () => this.draw());
    this.canvas.addEventListener("mousedown", (event) => this.onPointer(event));
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  setZoom(level: number): void {
    this.zoom = zooms[level]!;
    const { width, height } = this.zoom;
    this.spacer.style.width = `${Math.min(ruler.width + this.columns * width, mostPixels)}px`;
    this.spacer.style.height = `${Math.min(ruler.height + this.rows * height, mostPixels)}px`;
    this.reveal();
  }

  /** Selects an element, draws the part around it, and notifies nothing. */
  select(element: number[]): void {
    this.selected = element;
    if (!this.isVector) this.leading = element.slice(0, -2);
    this.reveal();
  }

  private elementAt(row: number, column: number): number[] {
    return this.isVector ? [row * this.columns + column] : [...this.leading, row, column];
  }

  private cellOf(element: readonly number[]): [number, number] {
    if (!this.isVector) return [element.at(-2)!, element.at(-1)!];
    return [Math.floor(element[0]! / this.columns), element[0]! % this.columns];
  }

  private onPointer(event: MouseEvent): void {
    const column = Math.floor(
      (event.offsetX - ruler.width + this.element.scrollLeft) / this.zoom.width,
    );
    const row = Math.floor(
      (event.offsetY - ruler.height + this.element.scrollTop) / this.zoom.height,
    );
    if (event.offsetX < ruler.width || event.offsetY < ruler.height) return;
    if (row < this.rows && column < this.columns) this.onSelect(this.elementAt(row, column));
  }

  private onKey(event: KeyboardEvent): void {
    const [row, column] = this.cellOf(this.selected);
    const page = Math.max(
      1,
      Math.floor((this.element.clientHeight - ruler.height) / this.zoom.height) - 1,
    );
    const all = event.ctrlKey || event.metaKey;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      Home: [all ? 0 : row, 0],
      End: [all ? this.rows - 1 : row, this.columns - 1],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const within = (value: number, size: number) => Math.max(0, Math.min(size - 1, value));
    this.onSelect(this.elementAt(within(move[0], this.rows), within(move[1], this.columns)));
  }

  /** Scrolls no more than it takes to see the selected element. */
  private reveal(): void {
    const [row, column] = this.cellOf(this.selected);
    const { width, height } = this.zoom;
    const view = this.element;
    const nearest = (at: number, size: number, from: number, room: number) =>
      at < from ? at : at + size > from + room ? at + size - room : from;
    view.scrollLeft = nearest(
      column * width,
      width,
      view.scrollLeft,
      view.clientWidth - ruler.width,
    );
    view.scrollTop = nearest(
      row * height,
      height,
      view.scrollTop,
      view.clientHeight - ruler.height,
    );
    this.draw();
  }

  draw(): void {
    const ratio = window.devicePixelRatio;
    const width = this.element.clientWidth,
      height = this.element.clientHeight;
    if (!width || !height) return;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.body);
    const foreground = style.getPropertyValue("--vscode-editor-foreground") || style.color;
    const muted = style.getPropertyValue("--vscode-editorLineNumber-foreground") || foreground;
    const focus = style.getPropertyValue("--vscode-focusBorder") || foreground;
    pen.font = `11px ${style.getPropertyValue("--vscode-editor-font-family") || "monospace"}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";

    const { scrollLeft, scrollTop } = this.element;
    const cell = this.zoom;
    const firstRow = Math.floor(scrollTop / cell.height),
      firstColumn = Math.floor(scrollLeft / cell.width);
    const lastRow = Math.min(
      this.rows,
      Math.ceil((scrollTop + height - ruler.height) / cell.height),
    );
    const lastColumn = Math.min(
      this.columns,
      Math.ceil((scrollLeft + width - ruler.width) / cell.width),
    );
    const x = (column: number) => ruler.width + column * cell.width - scrollLeft;
    const y = (row: number) => ruler.height + row * cell.height - scrollTop;

    pen.save();
    pen.beginPath();
    pen.rect(ruler.width, ruler.height, width, height);
    pen.clip();
    for (let row = firstRow; row < lastRow; ++row)
      for (let column = firstColumn; column < lastColumn; ++column) {
        const place = this.placement.placeOf(this.elementAt(row, column));
        const left = x(column),
          top = y(row);
        pen.fillStyle = colorOf(this.aspect.valueOf(place), this.aspect.size);
        pen.fillRect(left, top, cell.width - 1, cell.height - 1);
        if (cell.lines) {
          pen.fillStyle = foreground;
          const lines = this.aspect.cellText(place, cell.lines);
          lines.forEach((line, i) => {
            pen.fillText(
              line,
              left + cell.width / 2,
              top + (cell.height * (i + 0.5)) / lines.length,
              cell.width - 3,
            );
          });
        }
        if (this.isMarked(place)) {
          pen.strokeStyle = foreground;
          pen.lineWidth = 1;
          pen.strokeRect(left + 0.5, top + 0.5, cell.width - 2, cell.height - 2);
        }
      }
    const [row, column] = this.cellOf(this.selected);
    pen.strokeStyle = focus;
    pen.lineWidth = 3;
    pen.strokeRect(x(column), y(row), cell.width - 1, cell.height - 1);
    pen.restore();

    pen.fillStyle = muted;
    // Numbers as far apart as they need to be.
    const stepFor = (size: number, room: number) =>
      2 ** Math.max(0, Math.ceil(Math.log2(room / size)));
    for (let at = firstColumn, step = stepFor(cell.width, 30); at < lastColumn; ++at)
      if (at % step === 0 && x(at) >= ruler.width - 1)
        pen.fillText(String(at), x(at) + cell.width / 2, ruler.height / 2);
    pen.textAlign = "right";
    for (let at = firstRow, step = stepFor(cell.height, 16); at < lastRow; ++at)
      if (at % step === 0 && y(at) >= ruler.height - 1)
        pen.fillText(
          String(this.isVector ? at * this.columns : at),
          ruler.width - 6,
          y(at) + cell.height / 2,
        );
  }
}
