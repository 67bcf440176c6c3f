// Words as points: drawn by WebGL where there is one, else on a plain canvas. Above them a canvas with labels.
import { visible } from "./dom";

export interface PointMap {
  source: number; // points [0, source) are source words, the others target words
  target: number;
  positions: Float32Array; // x, y of the source words, of the target words, and of the source words before
  kept: number;
}

export function parseMap(bytes: ArrayBuffer): PointMap {
  const header = new DataView(bytes);
  const source = header.getUint32(8, true), target = header.getUint32(12, true);
  return { source, target, kept: header.getFloat32(16, true), positions: new Float32Array(bytes, 24) };
}

export interface Hit {
  index: number;
}

const VERTEX = `#version 300 es
in vec2 after; in vec2 before; in float mark;
uniform vec2 center, scale; uniform float step, size; uniform int source;
uniform vec4 colors[3];
out vec4 color;
void main() {
  vec2 place = mix(before, after, step);
  gl_Position = vec4((place - center) * scale, mark * -0.5, 1.0);
  gl_PointSize = mark > 0.5 ? size * 2.2 : size;
  color = mark > 0.5 ? colors[2] : colors[gl_VertexID < source ? 0 : 1];
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec4 color; out vec4 result;
void main() {
  vec2 d = gl_PointCoord - 0.5;
  if (dot(d, d) > 0.25) discard;
  result = vec4(color.rgb * color.a, color.a);
}`;

type Color = [number, number, number, number];

/** "#1461a8" as numbers from 0 to 1. */
function parseColor(text: string, alpha: number): Color {
  const value = parseInt(text.trim().replace("#", ""), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255, alpha];
}

interface Painter {
  load(map: PointMap): void;
  mark(marks: Uint8Array): void;
  paint(view: View, step: number, size: number, colors: Color[]): void;
}

interface View {
  x: number;
  y: number;
  zoom: number; // pixels of a unit
  width: number;
  height: number;
}

class GlPainter implements Painter {
  private gl: WebGL2RenderingContext;
  private program: WebGLProgram;
  private buffers: WebGLBuffer[];
  private map: PointMap | null = null;

  static make(canvas: HTMLCanvasElement): GlPainter | null {
    const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
    return gl ? new GlPainter(gl) : null;
  }

  private constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.program = gl.createProgram()!;
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
    }
    ["after", "before", "mark"].forEach((name, i) => gl.bindAttribLocation(this.program, i, name));
    gl.linkProgram(this.program);
    this.buffers = [0, 1, 2].map(() => gl.createBuffer()!);
  }

  load(map: PointMap): void {
    const gl = this.gl, points = map.source + map.target;
    const after = map.positions.subarray(0, 2 * points);
    const before = new Float32Array(after);
    before.set(map.positions.subarray(2 * points, 2 * (points + map.source)));
    this.fill(0, after, 2, gl.FLOAT);
    this.fill(1, before, 2, gl.FLOAT);
    this.fill(2, new Uint8Array(points), 1, gl.UNSIGNED_BYTE);
    this.map = map;
  }

  mark(marks: Uint8Array): void {
    this.fill(2, marks, 1, this.gl.UNSIGNED_BYTE);
  }

  private fill(at: number, data: Float32Array | Uint8Array, size: number, type: number): void {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[at]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, type, false, 0, 0);
  }

  paint(view: View, step: number, size: number, colors: Color[]): void {
    const gl = this.gl;
    if (!this.map) return;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(this.program);
    const at = (name: string) => gl.getUniformLocation(this.program, name);
    gl.uniform2f(at("center"), view.x, view.y);
    gl.uniform2f(at("scale"), (2 * view.zoom) / view.width, (2 * view.zoom) / view.height);
    gl.uniform1f(at("step"), step);
    gl.uniform1f(at("size"), size * (gl.drawingBufferWidth / view.width));
    gl.uniform1i(at("source"), this.map.source);
    gl.uniform4fv(at("colors"), colors.flat());
    gl.drawArrays(gl.POINTS, 0, this.map.source + this.map.target);
  }
}

/** The same without WebGL: squares, and slower. */
class PlainPainter implements Painter {
  private context: CanvasRenderingContext2D;
  private map: PointMap | null = null;
  private marks: Uint8Array = new Uint8Array();

  constructor(canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
  }
  load(map: PointMap): void {
    this.map = map;
    this.marks = new Uint8Array(map.source + map.target);
  }
  mark(marks: Uint8Array): void {
    this.marks = marks;
  }
  paint(view: View, step: number, size: number, colors: Color[]): void {
    const { context, map } = this;
    const ratio = context.canvas.width / view.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    if (!map) return;
    const points = map.source + map.target;
    for (let pass = 0; pass < 3; ++pass) {
      const [r, g, b, a] = colors[pass];
      context.fillStyle = `rgba(${255 * r},${255 * g},${255 * b},${a})`;
      const side = pass === 2 ? 2 * size : size;
      const [begin, end] = pass === 0 ? [0, map.source] : pass === 1 ? [map.source, points] : [0, points];
      for (let i = begin; i < end; ++i) {
        if ((pass === 2) !== (this.marks[i] === 1)) continue;
        const x = view.width / 2 + (xOf(map, i, step) - view.x) * view.zoom;
        const y = view.height / 2 - (yOf(map, i, step) - view.y) * view.zoom;
        if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
        context.fillRect(x - side / 2, y - side / 2, side, side);
      }
    }
  }
}

function xOf(map: PointMap, i: number, step: number): number {
  const after = map.positions[2 * i];
  if (i >= map.source || step === 1) return after;
  const before = map.positions[2 * (map.source + map.target + i)];
  return before + (after - before) * step;
}
function yOf(map: PointMap, i: number, step: number): number {
  const after = map.positions[2 * i + 1];
  if (i >= map.source || step === 1) return after;
  const before = map.positions[2 * (map.source + map.target + i) + 1];
  return before + (after - before) * step;
}

export class PointView {
  readonly element: HTMLElement;
  onhover: (index: number | null) => void = () => {};
  onpick: (index: number) => void = () => {};
  onlasso: (indexes: number[]) => void = () => {};
  lassoing = false;
  labels: (index: number) => string | undefined = () => undefined;
  frames = 0; // that were painted

  private points: HTMLCanvasElement;
  private overlay: HTMLCanvasElement;
  private painter: Painter;
  private map: PointMap | null = null;
  private view: View = { x: 0, y: 0, zoom: 1, width: 1, height: 1 };
  private home = { x: 0, y: 0, zoom: 1 };
  private step = 1;
  private marked: number[] = [];
  private hovered: number | null = null;
  private path: Array<[number, number]> = [];
  private pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;
  private pending = false;
  private grid: { cell: number; x: number; y: number; columns: number; starts: Uint32Array; items: Uint32Array } | null = null;

  constructor(element: HTMLElement) {
    this.element = element;
    this.points = document.createElement("canvas");
    this.overlay = document.createElement("canvas");
    this.points.setAttribute("aria-hidden", "true");
    this.overlay.setAttribute("aria-hidden", "true");
    element.append(this.points, this.overlay);
    this.painter = GlPainter.make(this.points) ?? new PlainPainter(this.points);
    new ResizeObserver(() => this.resize()).observe(element);
    this.listen();
  }

  get usesGl(): boolean {
    return this.painter instanceof GlPainter;
  }

  load(map: PointMap): void {
    this.map = map;
    this.grid = null;
    this.marked = [];
    this.hovered = null;
    this.painter.load(map);
    this.frame();
    this.reset();
  }

  /** From 0, before words were mapped, to 1, after. */
  setStep(step: number): void {
    this.step = step;
    this.grid = null;
    this.draw();
  }

  mark(indexes: number[]): void {
    if (!this.map) return;
    this.marked = indexes;
    const marks = new Uint8Array(this.map.source + this.map.target);
    for (const index of indexes) marks[index] = 1;
    this.painter.mark(marks);
    this.draw();
  }

  /** Brings a word into the middle. */
  show(index: number): void {
    if (!this.map) return;
    this.view.x = xOf(this.map, index, this.step);
    this.view.y = yOf(this.map, index, this.step);
    this.view.zoom = Math.max(this.view.zoom, 6 * this.home.zoom);
    this.draw();
  }

  reset(): void {
    Object.assign(this.view, this.home);
    this.draw();
  }

  zoom(factor: number, x = this.view.width / 2, y = this.view.height / 2): void {
    const { view } = this;
    const zoom = Math.min(Math.max(view.zoom * factor, this.home.zoom / 4), this.home.zoom * 2000);
    const dx = x - view.width / 2, dy = view.height / 2 - y;
    view.x += dx / view.zoom - dx / zoom;
    view.y += dy / view.zoom - dy / zoom;
    view.zoom = zoom;
    this.draw();
  }

  pan(dx: number, dy: number): void {
    this.view.x -= dx / this.view.zoom;
    this.view.y += dy / this.view.zoom;
    this.draw();
  }

  draw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.paint();
    });
  }

  /** The frame that shows all but the outermost points. */
  private frame(): void {
    const map = this.map!;
    const points = map.source + map.target;
    const xs: number[] = [], ys: number[] = [];
    for (let i = 0; i < points; i += Math.max(1, Math.floor(points / 5000))) {
      xs.push(map.positions[2 * i]);
      ys.push(map.positions[2 * i + 1]);
    }
    xs.sort((a, b) => a - b);
    ys.sort((a, b) => a - b);
    const low = Math.floor(xs.length * 0.002), high = xs.length - 1 - low;
    const width = xs[high] - xs[low] || 1, height = ys[high] - ys[low] || 1;
    this.home = {
      x: (xs[low] + xs[high]) / 2,
      y: (ys[low] + ys[high]) / 2,
      zoom: 0.92 * Math.min(this.view.width / width, this.view.height / height),
    };
  }

  private resize(): void {
    const box = this.element.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    if (box.width === 0 || box.height === 0) return;
    const isHome = this.view.zoom === this.home.zoom;
    this.view.width = box.width;
    this.view.height = box.height;
    for (const canvas of [this.points, this.overlay]) {
      canvas.width = Math.round(box.width * ratio);
      canvas.height = Math.round(box.height * ratio);
    }
    if (this.map) {
      this.frame();
      if (isHome) Object.assign(this.view, this.home);
    }
    this.paint();
  }

  private size(): number {
    const points = this.map ? this.map.source + this.map.target : 1;
    const closer = Math.log2(Math.max(1, this.view.zoom / this.home.zoom));
    return Math.min(10, (points > 50_000 ? 1.6 : points > 5000 ? 2.6 : 5) + 0.7 * closer);
  }

  private paint(): void {
    if (!this.map) return;
    const style = getComputedStyle(this.element);
    const colors = [
      parseColor(style.getPropertyValue("--source"), 0.75),
      parseColor(style.getPropertyValue("--target"), 0.75),
      parseColor(style.getPropertyValue("--marked"), 1),
    ];
    this.painter.paint(this.view, this.step, this.size(), colors);
    this.write(style);
    ++this.frames;
  }

  private place(index: number): [number, number] {
    const { view } = this;
    return [
      view.width / 2 + (xOf(this.map!, index, this.step) - view.x) * view.zoom,
      view.height / 2 - (yOf(this.map!, index, this.step) - view.y) * view.zoom,
    ];
  }

  /** Labels of the most frequent words in sight, as many as there is room for. */
  private write(style: CSSStyleDeclaration): void {
    const context = this.overlay.getContext("2d")!, { view } = this, map = this.map!;
    const ratio = this.overlay.width / view.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.font = "13px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = style.getPropertyValue("--page");
    const taken: Array<[number, number, number, number]> = [];
    const tryLabel = (index: number, must: boolean): boolean => {
      const text = this.labels(index);
      if (text === undefined) return false;
      const [x, y] = this.place(index);
      if (x < 0 || y < 0 || x > view.width || y > view.height) return false;
      const shown = visible(text).slice(0, 40), width = context.measureText(shown).width;
      const box: [number, number, number, number] = [x + 6, y - 9, x + 6 + width, y + 9];
      if (!must && taken.some((b) => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) return false;
      taken.push(box);
      context.strokeText(shown, x + 6, y);
      context.fillStyle = style.getPropertyValue(index < map.source ? "--source" : "--target");
      context.fillText(shown, x + 6, y);
      return true;
    };
    for (const index of [...this.marked.slice(0, 60), ...(this.hovered === null ? [] : [this.hovered])])
      tryLabel(index, true);
    const most = Math.min(140, Math.floor((view.width * view.height) / 9000));
    const deepest = Math.max(map.source, map.target);
    let looked = 0;
    for (let rank = 0; rank < deepest && taken.length < most && looked < 60_000; ++rank)
      for (const index of [rank < map.source ? rank : -1, rank < map.target ? map.source + rank : -1])
        if (index >= 0) {
          ++looked;
          tryLabel(index, false);
        }
    if (this.path.length > 1) {
      context.beginPath();
      this.path.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.closePath();
      context.strokeStyle = style.getPropertyValue("--text");
      context.lineWidth = 1.5;
      context.setLineDash([4, 3]);
      context.stroke();
      context.setLineDash([]);
    }
  }

  /** The point next to a place of the screen, within some pixels. */
  private nearest(x: number, y: number, most = 10): number | null {
    if (!this.map) return null;
    const grid = (this.grid ??= this.makeGrid());
    const { view } = this, radius = most / view.zoom;
    const wx = view.x + (x - view.width / 2) / view.zoom, wy = view.y - (y - view.height / 2) / view.zoom;
    let best: number | null = null, least = radius * radius;
    const rows = (grid.starts.length - 1) / grid.columns;
    const column = (value: number) => Math.floor((value - grid.x) / grid.cell);
    const row = (value: number) => Math.floor((value - grid.y) / grid.cell);
    for (let r = Math.max(0, row(wy - radius)); r <= Math.min(rows - 1, row(wy + radius)); ++r)
      for (let c = Math.max(0, column(wx - radius)); c <= Math.min(grid.columns - 1, column(wx + radius)); ++c)
        for (let at = grid.starts[r * grid.columns + c]; at < grid.starts[r * grid.columns + c + 1]; ++at) {
          const i = grid.items[at];
          const dx = xOf(this.map, i, this.step) - wx, dy = yOf(this.map, i, this.step) - wy;
          const square = dx * dx + dy * dy;
          if (square < least) [least, best] = [square, i];
        }
    return best;
  }

  private makeGrid(): NonNullable<PointView["grid"]> {
    const map = this.map!, points = map.source + map.target, step = this.step;
    let left = Infinity, right = -Infinity, low = Infinity, high = -Infinity;
    for (let i = 0; i < points; ++i) {
      const x = xOf(map, i, step), y = yOf(map, i, step);
      left = Math.min(left, x);
      right = Math.max(right, x);
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
    const cell = Math.max(right - left, high - low, 1e-9) / 256;
    const columns = Math.floor((right - left) / cell) + 1, rows = Math.floor((high - low) / cell) + 1;
    const cellOf = (i: number) =>
      Math.floor((yOf(map, i, step) - low) / cell) * columns + Math.floor((xOf(map, i, step) - left) / cell);
    const starts = new Uint32Array(columns * rows + 1), items = new Uint32Array(points);
    for (let i = 0; i < points; ++i) ++starts[cellOf(i) + 1];
    for (let i = 0; i < columns * rows; ++i) starts[i + 1] += starts[i];
    const next = starts.slice();
    for (let i = 0; i < points; ++i) items[next[cellOf(i)]++] = i;
    return { cell, x: left, y: low, columns, starts, items };
  }

  private inside(): number[] {
    const result: number[] = [], map = this.map!, path = this.path;
    for (let i = 0; i < map.source + map.target; ++i) {
      const [x, y] = this.place(i);
      let inside = false;
      for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
        const [ax, ay] = path[a], [bx, by] = path[b];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      }
      if (inside) result.push(i);
    }
    return result;
  }

  private listen(): void {
    const element = this.element;
    const at = (event: PointerEvent | WheelEvent): [number, number] => {
      const box = element.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), ...at(event));
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => {
      const [x, y] = at(event);
      element.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, { x, y });
      this.moved = 0;
      if (this.pointers.size === 1 && (this.lassoing || event.shiftKey)) this.path = [[x, y]];
    });
    element.addEventListener("pointermove", (event) => {
      const [x, y] = at(event), from = this.pointers.get(event.pointerId);
      if (!from) return this.hover(this.nearest(x, y));
      this.moved += Math.abs(x - from.x) + Math.abs(y - from.y);
      if (this.path.length) {
        this.path.push([x, y]);
        this.draw();
      } else if (this.pointers.size === 2) {
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)![1];
        const before = Math.hypot(from.x - other.x, from.y - other.y), after = Math.hypot(x - other.x, y - other.y);
        if (before > 0) this.zoom(after / before, (x + other.x) / 2, (y + other.y) / 2);
      } else {
        this.pan(x - from.x, y - from.y);
      }
      this.pointers.set(event.pointerId, { x, y });
    });
    const release = (event: PointerEvent) => {
      if (!this.pointers.delete(event.pointerId)) return;
      if (this.path.length > 2) this.onlasso(this.inside());
      else if (event.type === "pointerup" && this.moved < 5) {
        const hit = this.nearest(...at(event), 14);
        if (hit !== null) this.onpick(hit);
      }
      this.path = [];
      this.draw();
    };
    element.addEventListener("pointerup", release);
    element.addEventListener("pointercancel", release);
    element.addEventListener("pointerleave", () => this.hover(null));
    element.addEventListener("keydown", (event) => {
      const step = 60;
      const moves: Record<string, () => void> = {
        ArrowLeft: () => this.pan(step, 0),
        ArrowRight: () => this.pan(-step, 0),
        ArrowUp: () => this.pan(0, step),
        ArrowDown: () => this.pan(0, -step),
        "+": () => this.zoom(1.5),
        "=": () => this.zoom(1.5),
        "-": () => this.zoom(1 / 1.5),
        "0": () => this.reset(),
      };
      const move = moves[event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move();
    });
  }

  private hover(index: number | null): void {
    if (index === this.hovered) return;
    this.hovered = index;
    this.element.style.cursor = index === null ? "" : "pointer";
    this.onhover(index);
    this.draw();
  }
}
