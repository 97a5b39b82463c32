/** Draws the forest: words, hyperedges, items. */

import { route, trace } from "./edges.js";
import { digits, score } from "./format.js";

/**
 * @typedef {object} Scene
 * @property {CanvasRenderingContext2D} context
 * @property {import("./recording.js").Recording} recording
 * @property {import("./layout.js").Layout} layout
 * @property {{left: number, right: number}} view  the part of the drawing that the window shows
 * @property {number} step
 * @property {number} picked
 * @property {Set<number> | null} lit  the subtree to bring out, the rest is dimmed
 * @property {string} ink
 * @property {string} faint
 * @property {string} muted
 * @property {string} paper
 * @property {string} accent
 * @property {string} waiting
 * @property {string} dropped
 */

const EXPLORED = "#446eb6"; // the colours of the paper's Figure 1, in both themes
const AGENDA = "#f6b420";
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const FAINT_EDGES = 240; // over this many explored items only the edges that matter are drawn

/** @param {Scene} scene */
export function drawWords({ context, recording, layout, step, picked, ink, muted, faint }) {
  const current = picked >= 0 ? picked : (recording.steps[step]?.item ?? -1);
  const span = current >= 0 ? recording.items[current] : null;
  context.fillStyle = faint;
  context.fillRect(layout.left, layout.baseline, layout.wordWidth * recording.words.length, 1);
  recording.words.forEach((word, at) => {
    const covered = span !== null && at >= span.start && at < span.end;
    const x = layout.left + (at + 0.5) * layout.wordWidth;
    if (covered) {
      context.fillStyle = ink;
      context.fillRect(x - layout.wordWidth / 2 + 2, layout.baseline - 1, layout.wordWidth - 4, 3);
    }
    context.fillStyle = covered ? ink : muted;
    context.font = `${covered ? 600 : 500} ${layout.wordWidth < 72 ? 13 : 15}px ${SANS}`;
    context.textBaseline = "middle";
    if (layout.slanted) {
      context.save();
      context.translate(x + 3, layout.baseline + 12);
      context.rotate(-Math.PI / 4);
      context.textAlign = "right";
      context.fillText(fit(context, word, 96), 0, 0);
      context.restore();
    } else {
      context.textAlign = "center";
      context.fillText(fit(context, word, layout.wordWidth - 6), x, layout.baseline + 22);
    }
  });
}

/** @param {Scene} scene */
export function drawEdges(scene) {
  const { context, recording, step, lit, picked, ink, muted, faint } = scene;
  const current = recording.steps[step]?.item ?? -1;
  const explored = recording.steps[step]?.explored ?? 0;
  /** @type {{item: number, width: number, colour: string, dash: number[]}[]} */
  const strong = [];
  context.globalAlpha = lit ? 0.15 : 0.55;
  recording.items.forEach((one, item) => {
    if (!one.children.length) return;
    const status = recording.status(item, step);
    if (status === "unseen" || status === "dropped") return;
    if (lit?.has(item)) strong.push({ item, width: 2, colour: ink, dash: [] });
    else if (item === current) strong.push({ item, width: 2, colour: ink, dash: [] });
    else if (one.inParse && status === "explored") strong.push({ item, width: 2.4, colour: EXPLORED, dash: [] });
    else if (status === "explored" && explored <= FAINT_EDGES) edge(scene, item, 1, muted, []);
    else if (explored <= FAINT_EDGES / 4) edge(scene, item, 0.8, faint, [3, 3]);
  });
  for (const { item, width, colour, dash } of strong) {
    context.globalAlpha = !lit || lit.has(item) || item === picked ? 1 : 0.25;
    edge(scene, item, width, colour, dash);
  }
  context.globalAlpha = 1;
}

/**
 * The hyperedge of an item: a line to each of its children.
 * @param {Scene} scene
 * @param {number} item
 * @param {number} width
 * @param {string} colour
 * @param {number[]} dash
 */
function edge({ context, recording, layout }, item, width, colour, dash) {
  const { items } = recording;
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.setLineDash(dash);
  context.beginPath();
  for (const child of items[item].children) trace(context, route(layout, items[child], child, items[item], item));
  context.stroke();
  context.setLineDash([]);
}

/** @param {Scene} scene */
export function drawItems(scene) {
  const { context, recording, layout, step, lit, picked, muted } = scene;
  const now = recording.steps[step];
  const fresh = new Set(now?.pushed ?? []);
  recording.items.forEach((_, item) => {
    if (
      (layout.boxes[item].hidden && item !== now?.item && item !== picked) ||
      recording.status(item, step) === "unseen"
    )
      return;
    context.globalAlpha = lit && !lit.has(item) ? 0.28 : 1;
    drawItem(scene, item, fresh.has(item) && step > 0);
  });
  context.globalAlpha = 1;
  if (now && now.item >= 0) drawRing(scene, layout.boxes[now.item]);
  context.font = `600 11px ${SANS}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { x, y, items, badge } of layout.more) {
    const count = items.filter((item) => recording.status(item, step) !== "unseen").length;
    if (!count || items.includes(now?.item ?? -1) || items.includes(picked)) continue;
    if (badge && layout.labels) drawBadge(scene, `+${count}`, x, y);
    context.fillStyle = muted;
    if (!badge || !layout.labels) context.fillText(layout.labels ? `+${count}` : "+", x, y);
  }
  if (now && now.item >= 0 && now.kind === "rescore" && picked < 0) {
    const { priority } = recording.scores(now.item, step);
    drawTip(scene, now.item, [now.bound, priority].map((value) => score(value, Math.max(3, digits(now.bound, priority)))).join(" → ")); // lazy scoring, where it happens
  }
}

/**
 * The ring around the item of this step.
 * @param {Scene} scene
 * @param {import("./layout.js").Box} box
 */
function drawRing({ context, layout, accent }, { x, y, w, h }) {
  context.strokeStyle = accent;
  context.lineWidth = 3;
  context.beginPath();
  context.roundRect(x - 4, y - 4, w + 8, h + 8, layout.labels ? 8 : 5);
  context.stroke();
}

/**
 * How many items of a cell have no box of their own, on the corner of the box of its best one.
 * @param {Scene} scene
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
function drawBadge({ context, ink, paper, muted }, text, x, y) {
  context.font = `600 10px ${SANS}`;
  const width = context.measureText(text).width + 6;
  context.beginPath();
  context.roundRect(x - width / 2, y - 6.5, width, 13, 6.5);
  context.fillStyle = paper;
  context.strokeStyle = muted;
  context.lineWidth = 1;
  context.fill();
  context.stroke();
  context.fillStyle = ink;
  context.fillText(text, x, y + 0.5);
}

/**
 * The item that is pointed at, in short.
 * @param {Scene} scene
 */
export function drawPicked(scene) {
  const { recording, picked, step } = scene;
  if (picked < 0 || recording.status(picked, step) === "unseen") return;
  const { category, rule, children } = recording.items[picked];
  const by = children.length ? `  ${rule}` : "";
  drawTip(
    scene,
    picked,
    `${category}${by}   ${recording.brief(picked)}   ${score(recording.scores(picked, step).priority, recording.digits)}`,
  );
}

/**
 * A flag beside an item, where it hides no other item.
 * @param {Scene} scene
 * @param {number} item
 * @param {string} text
 */
function drawTip(scene, item, text) {
  const { layout, recording, step } = scene;
  const others = layout.boxes.filter(
    (box, other) => other !== item && !box.hidden && recording.status(other, step) !== "unseen",
  );
  drawFlag(scene, layout.boxes[item], text, others);
}

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Place
 */

/**
 * Where a flag of a width goes: to the right of a box, to its left or over it, as near to the height of the box as it
 * hides no other box. Without other boxes, or where there is no such place, above it.
 * @param {Place} box
 * @param {number} width
 * @param {{left: number, right: number}} view between which it has to be
 * @param {Place[]} others
 * @returns {{left: number, middle: number}}
 */
export function flagBeside({ x, y, w, h }, width, view, others) {
  const [least, most] = [view.left + 2, view.right - width - 2];
  const centred = Math.max(least, Math.min(most, x + w / 2 - width / 2));
  const centre = y + h / 2;
  const free = Array.from({ length: others.length ? 40 : 0 }, (_, nth) => centre - 12 * nth)
    .filter((middle) => middle > 13)
    .flatMap((middle) => [x + w + 10, x - width - 10, centred].map((left) => ({ left, middle })))
    .find(
      ({ left, middle }) =>
        left >= least &&
        left <= most &&
        ![...others, { x, y, w, h }].some(
          (box) => box.x + box.w >= left && box.x <= left + width && box.y + box.h >= middle - 12 && box.y <= middle + 12,
        ),
    );
  return free ?? { left: centred, middle: y > 40 ? y - 20 : y + h + 20 };
}

/**
 * A word that is pointed at, in full.
 * @param {Scene} scene
 * @param {number} at
 */
export function drawWordTip(scene, at) {
  const { layout, recording } = scene;
  const x = layout.left + at * layout.wordWidth;
  drawFlag(scene, { x, y: layout.baseline - 6, w: layout.wordWidth, h: 4 }, recording.words[at]);
}

/**
 * @param {Scene} scene
 * @param {Place} place
 * @param {string} text
 * @param {Place[]} [others] what it must not hide
 */
function drawFlag({ context, layout, view, ink, paper }, place, text, others = []) {
  context.font = `600 13px ${SANS}`;
  const width = context.measureText(text).width + 16;
  const inView = place.x < view.right && place.x + place.w > view.left;
  const { left, middle } = flagBeside(place, width, inView ? view : { left: 0, right: layout.width }, others);
  context.beginPath();
  context.roundRect(left, middle - 12, width, 24, 6);
  context.fillStyle = ink;
  context.fill();
  context.fillStyle = paper;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, left + 8, middle + 0.5);
}

/**
 * @param {Scene} scene
 * @param {number} item
 * @param {boolean} fresh whether this very step pushed it
 */
function drawItem({ context, recording, layout, step, ink, paper, waiting, dropped, muted }, item, fresh) {
  const { x, y, w, h } = layout.boxes[item];
  const one = recording.items[item];
  const status = recording.status(item, step);
  const parsed = one.inParse && status === "explored";
  context.beginPath();
  context.roundRect(x, y, w, h, layout.labels ? 5 : 2.5);
  context.fillStyle =
    status === "explored" ? EXPLORED : status === "scored" ? AGENDA : status === "waiting" ? waiting : paper;
  context.fill();
  const dashed = status === "waiting" || status === "dropped";
  if (parsed || dashed || fresh || layout.labels) {
    context.setLineDash(dashed ? (layout.labels ? [4, 3] : [2, 2]) : []);
    context.lineWidth = h < 6 ? 1.2 : parsed ? 2.5 : fresh ? 2 : 1;
    context.strokeStyle =
      parsed || fresh ? ink : dashed ? (status === "dropped" ? dropped : muted) : "rgb(0 0 0 / 0.35)";
    context.stroke();
    context.setLineDash([]);
  }
  if (!layout.labels) return;
  context.fillStyle =
    status === "explored" ? "#fff" : status === "scored" ? "#1a1405" : status === "waiting" ? ink : dropped;
  drawCategory(context, one.category, x + w / 2, y + h / 2 + 0.5, w - 8, parsed ? 600 : 500);
}

const SMALLEST = 9; // pixels; a category that does not fit in this size is cut, and shown whole when pointed at

/**
 * A category with small features, as large as the width allows.
 * @param {CanvasRenderingContext2D} context
 * @param {string} category
 * @param {number} x its middle
 * @param {number} y
 * @param {number} width
 * @param {number} weight
 */
function drawCategory(context, category, x, y, width, weight) {
  const parts = category.split(/(\[[^\]]*\])/).filter(Boolean);
  const font = (/** @type {string} */ part, /** @type {number} */ size) =>
    `${weight} ${part.startsWith("[") ? 0.75 * size : size}px ${SANS}`;
  context.textBaseline = "middle";
  for (let size = 12.5; size >= SMALLEST; size -= 0.5) {
    const widths = parts.map((part) => ((context.font = font(part, size)), context.measureText(part).width));
    const total = widths.reduce((sum, each) => sum + each, 0);
    if (total > width) continue;
    context.textAlign = "left";
    let left = x - total / 2;
    parts.forEach((part, at) => {
      context.font = font(part, size);
      context.fillText(part, left, part.startsWith("[") ? y + 0.2 * size : y);
      left += widths[at];
    });
    return;
  }
  context.font = `${weight} 11px ${SANS}`;
  context.textAlign = "center";
  context.fillText(fit(context, category, width), x, y);
}

/**
 * The width of the widest category or word.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./recording.js").Recording} recording
 */
export function widestLabel(context, recording) {
  context.font = `600 13px ${SANS}`;
  const texts = new Set([...recording.words, ...recording.items.map(({ category }) => category)]);
  return Math.max(1, ...[...texts].map((text) => context.measureText(text).width));
}

/**
 * As much of a text as a width has room for.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} width
 */
function fit(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let shorter = text;
  while (shorter.length > 1 && context.measureText(`${shorter}…`).width > width) shorter = shorter.slice(0, -1);
  return `${shorter}…`;
}
