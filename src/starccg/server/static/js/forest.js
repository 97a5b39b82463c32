/**
 * The forest on a canvas, in the colours of the paper's Figure 1. Thousands of items are redrawn at every step, which is
 * fast on a canvas; for screen readers the view describes the chosen item in words.
 */

import { token } from "./dom.js";
import { layOut } from "./layout.js";
import { drawEdges, drawItems, drawPicked, drawWordTip, drawWords, widestLabel } from "./painting.js";

/** @typedef {import("./recording.js").Recording} Recording */

export class Forest {
  #zoom = 1;
  #step = 0;
  #hovered = -1;
  #selected = -1;
  #queued = false;
  #fresh = true;
  #word = -1; // that is pointed at
  #printing = false;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} box the window in which it scrolls
   * @param {Recording} recording
   * @param {(item: number, how: "hover" | "select") => void} onPick -1: nothing
   */
  constructor(canvas, box, recording, onPick) {
    this.canvas = canvas;
    this.box = box;
    this.recording = recording;
    this.onPick = onPick;
    this.layout = this.#layOut();
    canvas.addEventListener("pointermove", (event) => {
      this.#point(this.wordAt(event.offsetX, event.offsetY));
      this.#hover(this.itemAt(event.offsetX, event.offsetY));
    });
    canvas.addEventListener("pointerleave", () => (this.#point(-1), this.#hover(-1)));
    canvas.addEventListener("click", (event) => this.select(this.itemAt(event.offsetX, event.offsetY)));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    this.#observer = new ResizeObserver(() => this.resize());
    this.#observer.observe(box);
    document.addEventListener("themechange", this.redraw);
    addEventListener("beforeprint", this.#print);
    addEventListener("afterprint", this.#print);
  }

  /** @type {ResizeObserver} */
  #observer;

  /** In print labels cannot be hovered, so the boxes are as wide as the widest label. */
  #print = (/** @type {Event} */ event) => {
    this.#printing = event.type === "beforeprint";
    this.resize();
  };

  /** Lets go of the page. */
  close() {
    this.#observer.disconnect();
    document.removeEventListener("themechange", this.redraw);
    removeEventListener("beforeprint", this.#print);
    removeEventListener("afterprint", this.#print);
  }

  /** The item that is hovered or, failing that, selected; -1 for none. */
  get picked() {
    return this.#hovered >= 0 ? this.#hovered : this.#selected;
  }

  /** @param {number} direction -1 out, 1 in, 0 so that it fits */
  zoom(direction) {
    this.#zoom = direction === 0 ? 1 : Math.min(8, Math.max(0.5, this.#zoom * (direction > 0 ? 1.4 : 1 / 1.4)));
    this.resize();
  }

  #layOut() {
    const tallest = parseFloat(getComputedStyle(this.box).maxHeight) || 600;
    const width = Math.max(280, this.box.clientWidth);
    const context = this.canvas.getContext("2d");
    if (!this.#printing || !context) return layOut(this.recording, width, tallest - 2, this.#zoom);
    const label = widestLabel(context, this.recording) + 8;
    const needed = (label + 16) * this.recording.words.length + 100;
    return layOut(this.recording, Math.max(width, needed), tallest, 1, label);
  }

  resize() {
    const [width, height] = [this.layout.width, this.layout.height];
    this.layout = this.#layOut();
    const atFoot = this.box.scrollTop + this.box.clientHeight > height - 8 || this.#fresh;
    const scale = Math.min(devicePixelRatio || 1, 16000 / this.layout.width);
    this.canvas.width = Math.round(this.layout.width * scale);
    this.canvas.height = Math.round(this.layout.height * scale);
    this.canvas.style.width = this.#printing ? "100%" : `${this.layout.width}px`;
    this.canvas.style.height = this.#printing ? "auto" : `${this.layout.height}px`;
    this.#draw();
    if (atFoot) this.box.scrollTop = this.layout.height; // the words are at the foot
    if (width !== this.layout.width) this.box.scrollLeft *= this.layout.width / width;
    this.#fresh = false;
  }

  /**
   * @param {number} step
   * @param {boolean} still whether to look where it happens; while it plays that would make one giddy
   */
  show(step, still) {
    this.#step = step;
    this.redraw();
    if (still) this.#reveal(this.recording.steps[step].item);
  }

  /** @param {number} item */
  #reveal(item) {
    if (item < 0) return;
    const { x, w } = this.layout.boxes[item];
    const { scrollLeft, clientWidth } = this.box;
    if (x < scrollLeft || x + w > scrollLeft + clientWidth) this.box.scrollLeft = x + w / 2 - clientWidth / 2;
  }

  redraw = () => {
    if (this.#queued) return;
    this.#queued = true;
    requestAnimationFrame(() => {
      this.#queued = false;
      this.#draw();
    });
  };

  /** @param {number} item */
  select(item) {
    this.#selected = item;
    this.onPick(item, "select");
    this.redraw();
    this.#reveal(item);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  itemAt(x, y) {
    const near = this.layout.labels ? 0 : 1;
    return this.layout.boxes.findIndex(
      (box, item) =>
        !box.hidden &&
        x >= box.x - near &&
        x <= box.x + box.w + near &&
        y >= box.y - near &&
        y <= box.y + box.h + near &&
        this.recording.status(item, this.#step) !== "unseen",
    );
  }

  /**
   * The word at a place under the forest; -1 for none.
   * @param {number} x
   * @param {number} y
   */
  wordAt(x, y) {
    const at = Math.floor((x - this.layout.left) / this.layout.wordWidth);
    return y > this.layout.baseline && at >= 0 && at < this.recording.words.length ? at : -1;
  }

  /** @param {number} word */
  #point(word) {
    if (word === this.#word) return;
    this.#word = word;
    this.canvas.title = word < 0 ? "" : this.recording.words[word];
    this.redraw();
  }

  /** @param {number} item */
  #hover(item) {
    if (item === this.#hovered) return;
    this.#hovered = item;
    this.canvas.classList.toggle("over", item >= 0);
    this.onPick(this.picked, "hover");
    this.redraw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const from = this.#selected;
    const to = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === "Escape" && from >= 0) this.select(-1);
    else if (to && !event.altKey && !event.ctrlKey && !event.metaKey) this.select(this.neighbour(from, to[0], to[1]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * The item that an arrow key leads to: along the sentence, to something built from the item, or to its first child.
   * @param {number} from
   * @param {number} across
   * @param {number} up
   */
  neighbour(from, across, up) {
    const { items, steps } = this.recording;
    const there = (/** @type {number} */ item) =>
      !this.layout.boxes[item].hidden && this.recording.status(item, this.#step) !== "unseen";
    const all = items.map((_, item) => item).filter(there);
    if (from < 0 || !there(from)) return Math.max(steps[this.#step].item, all[0] ?? -1);
    if (up > 0) return all.find((item) => items[item].children.includes(from)) ?? from;
    if (up < 0) return items[from].children[0] ?? from;
    const place = (/** @type {number} */ item) => this.layout.boxes[item].x * 1e4 + this.layout.boxes[item].y;
    const level = items[from].end - items[from].start;
    const row = all
      .filter((item) => items[item].end - items[item].start === level)
      .sort((a, b) => place(a) - place(b) || a - b);
    return row[row.indexOf(from) + across] ?? from;
  }

  #draw() {
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const scale = this.canvas.width / this.layout.width;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, this.layout.width, this.layout.height);
    const scene = {
      context,
      recording: this.recording,
      layout: this.layout,
      view: this.#printing
        ? { left: 0, right: this.layout.width }
        : { left: this.box.scrollLeft, right: this.box.scrollLeft + this.box.clientWidth },
      step: this.#step,
      picked: this.picked,
      lit: this.picked >= 0 ? this.recording.subtree(this.picked) : null,
      ink: token("--ink"),
      faint: token("--line-strong"),
      muted: token("--muted"),
      paper: token("--surface"),
      accent: token("--accent"),
      waiting: token("--waiting"),
      dropped: token("--dropped"),
    };
    drawWords(scene);
    drawEdges(scene);
    drawItems(scene);
    drawPicked(scene);
    if (this.#word >= 0) drawWordTip(scene, this.#word);
  }
}
