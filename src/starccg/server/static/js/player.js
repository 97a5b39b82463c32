/** The player: scrub, play, pause, step; and the curve of the bound, which falls until it meets the best parse. */

import { token } from "./dom.js";
import { digits, score, whole } from "./format.js";

const STEPS_A_SECOND = 2.5; // at speed 1, where that does not take more than
const LONGEST = 40; // seconds
const AXIS = 76; // pixels to the left of the curve, for the numbers of its axis

export class Player {
  #step = 0;
  #due = 0;
  #frame = 0;
  playing = false;

  /**
   * @param {HTMLElement} root
   * @param {import("./recording.js").Recording} recording
   * @param {(step: number, playing: boolean) => void} onStep
   */
  constructor(root, recording, onStep) {
    this.recording = recording;
    this.onStep = onStep;
    this.scrub = /** @type {HTMLInputElement} */ (root.querySelector("#scrub"));
    this.curve = /** @type {HTMLCanvasElement} */ (root.querySelector("#curve"));
    this.where = /** @type {HTMLOutputElement} */ (root.querySelector("#where"));
    this.pace = /** @type {HTMLSelectElement} */ (root.querySelector("#pace"));
    this.popsOnly = /** @type {HTMLInputElement} */ (root.querySelector("#pops"));
    this.playButton = /** @type {HTMLButtonElement} */ (root.querySelector("[data-go=play]"));
    this.scrub.max = String(recording.last);
    this.scrub.addEventListener("input", () => {
      this.pause();
      this.go(Number(this.scrub.value));
    });
    this.curve.addEventListener("pointerdown", (event) => {
      this.pause();
      this.go(Math.round(((event.offsetX - AXIS) / Math.max(1, this.curve.clientWidth - AXIS - 9)) * recording.last));
    });
    root.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-go]") : null;
      if (button instanceof HTMLElement) this.command(button.dataset.go ?? "");
    });
    this.#observer = new ResizeObserver(() => this.#drawCurve());
    this.#observer.observe(this.curve);
    document.addEventListener("themechange", this.#redraw);
  }

  /** @type {ResizeObserver} */
  #observer;

  #redraw = () => this.#drawCurve();

  /** Lets go of the page. */
  close() {
    this.pause();
    this.#observer.disconnect();
    document.removeEventListener("themechange", this.#redraw);
  }

  get step() {
    return this.#step;
  }

  /** @param {string} name */
  command(name) {
    if (name === "play") return this.playing ? this.pause() : this.play();
    this.pause();
    if (name === "first") this.go(0);
    else if (name === "last") this.go(this.recording.last);
    else if (name === "back") this.go(this.#next(-1));
    else if (name === "forward") this.go(this.#next(1));
  }

  /**
   * Space, arrows, Home and End, from anywhere in the view that does not use these keys itself.
   * @param {KeyboardEvent} event
   */
  key(event) {
    /** @type {Record<string, string>} */
    const names = { " ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
    const name = names[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey) return;
    this.command(name);
    event.preventDefault();
  }

  /** @param {1 | -1} direction */
  #next(direction) {
    return this.popsOnly.checked ? this.recording.neighbourPop(this.#step, direction) : this.#step + direction;
  }

  /** @param {number} step */
  go(step) {
    this.#step = Math.min(this.recording.last, Math.max(0, step || 0));
    const { kind, item, bound } = this.recording.steps[this.#step];
    this.scrub.value = String(this.#step);
    const place = `Step ${whole(this.#step)} of ${whole(this.recording.last)}`;
    this.where.textContent = place;
    const what =
      item >= 0
        ? `: ${kind} ${this.recording.text(item)}, ${this.recording.items[item].category}, ${score(bound)}`
        : "";
    this.scrub.setAttribute("aria-valuetext", place + what);
    this.#drawCurve();
    this.onStep(this.#step, this.playing);
  }

  play() {
    if (this.#step >= this.recording.last) this.go(0);
    this.playing = true;
    this.#label();
    this.#due = performance.now();
    const tick = (/** @type {number} */ time) => {
      if (!this.playing) return;
      const rate = Math.max(STEPS_A_SECOND, this.recording.last / LONGEST) * Number(this.pace.value);
      let step = this.#step;
      for (; this.#due <= time && this.playing; this.#due += 1000 / rate) {
        step = this.popsOnly.checked ? this.recording.neighbourPop(step, 1) : step + 1;
        if (step >= this.recording.last) this.playing = false;
      }
      if (step !== this.#step) this.go(step);
      if (this.playing) this.#frame = requestAnimationFrame(tick);
      else this.pause();
    };
    this.#frame = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.#frame);
    this.playing = false;
    this.#label();
  }

  #label() {
    this.playButton.setAttribute("aria-label", this.playing ? "Pause (space)" : "Play (space)");
    this.playButton.classList.toggle("playing", this.playing);
  }

  /** The bound at the head of the agenda over the steps; it never rises. Below it a tick for each step. */
  #drawCurve() {
    const { steps, last } = this.recording;
    const context = this.curve.getContext("2d");
    const [width, height] = [this.curve.clientWidth, this.curve.clientHeight];
    if (!context || !width) return;
    const scale = devicePixelRatio || 1;
    if (this.curve.width !== Math.round(width * scale)) this.curve.width = Math.round(width * scale);
    if (this.curve.height !== Math.round(height * scale)) this.curve.height = Math.round(height * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const bounds = steps.map((step) => step.bound).filter((bound) => !Number.isNaN(bound));
    if (!bounds.length) return;
    const [high, low] = [bounds[0], bounds[bounds.length - 1]];
    const x = (/** @type {number} */ at) => AXIS + (at / Math.max(1, last)) * (width - AXIS - 9);
    const y = (/** @type {number} */ bound) => 8 + ((high - bound) / Math.max(1e-9, high - low)) * (height - 30);
    this.#drawAxis(context, high, low, y, width);
    const colours = {
      pop: token("--explored"),
      goal: token("--explored"),
      rescore: token("--scored"),
      drop: token("--dropped"),
      start: token("--line"),
    };
    const tick = Math.max(1, (width - AXIS - 9) / Math.max(1, last) - 1);
    steps.forEach((step, at) => {
      if (at === 0) return;
      context.globalAlpha = at <= this.#step ? 1 : 0.3;
      context.fillStyle = colours[step.kind];
      context.fillRect(x(at - 0.5) - tick / 2, height - 9, tick, 6);
    });
    for (const [from, to, colour] of /** @type {const} */ ([
      [this.#step, last, token("--line-strong")],
      [1, this.#step, token("--accent")],
    ])) {
      context.globalAlpha = 1;
      context.strokeStyle = colour;
      context.lineWidth = 2;
      context.beginPath();
      for (let at = Math.max(1, from); at <= to; at += 1) {
        context.lineTo(x(at - 1), y(steps[at].bound));
        context.lineTo(x(at), y(steps[at].bound));
      }
      context.stroke();
    }
    const now = this.#step ? steps[this.#step].bound : high;
    context.fillStyle = token("--accent");
    context.beginPath();
    context.arc(x(this.#step), y(now), 4, 0, 2 * Math.PI);
    context.fill();
    const label = `upper bound ${score(now, digits(high, low))}`;
    context.font = "600 12px system-ui, sans-serif";
    context.textBaseline = "top";
    context.fillStyle = token("--ink");
    const points = steps.slice(1).flatMap((step, at) => [at, at + 1].map((end) => ({ x: x(end), y: y(step.bound) })));
    const size = { width: context.measureText(`upper bound ${score(low, digits(high, low))}`).width, height: 12 };
    const place = besideCurve(points, size, { left: AXIS + 4, right: width - 9, top: 11, bottom: Math.max(28, y(low) - 2) });
    if (width > 500) context.fillText(label, place.x, place.y);
    context.textAlign = "left";
  }

  /**
   * Three lines across with their numbers.
   * @param {CanvasRenderingContext2D} context
   * @param {number} high
   * @param {number} low
   * @param {(bound: number) => number} y
   * @param {number} width
   */
  #drawAxis(context, high, low, y, width) {
    const marks = high - low < 1e-9 ? [high] : [high, (high + low) / 2, low];
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const mark of marks) {
      context.fillStyle = token("--line");
      context.fillRect(AXIS, y(mark), width - AXIS - 9, 1);
      context.fillStyle = token("--muted");
      context.fillText(score(mark, digits(high, low)), AXIS - 8, y(mark));
    }
    context.textAlign = "left";
  }
}

/**
 * Where a text does not touch a curve that only falls: at the top right, or, if the curve is still high there, at the
 * bottom left.
 * @param {{x: number, y: number}[]} points of the curve, from left to right
 * @param {{width: number, height: number}} size of the text
 * @param {{left: number, right: number, top: number, bottom: number}} room
 */
export function besideCurve(points, { width, height }, { left, right, top, bottom }) {
  const before = points.filter(({ x }) => x <= right - width).at(-1);
  if (!before || before.y > top + height) return { x: right - width, y: top };
  return { x: left, y: bottom - height };
}
