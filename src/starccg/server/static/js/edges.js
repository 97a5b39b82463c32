/**
 * The way of an edge from a child to its parent: between the boxes, not behind them. Each row of boxes (the items over
 * spans of one length) has gaps between its cells; an edge passes every row through the gap nearest to its straight line.
 * Pure.
 */

import { bendOf, detour, gapNear } from "./detours.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {[number, number]} Point */

const INSET = 3; // from a box to the bend of an edge, in the gap between rows

/**
 * @param {Layout} layout
 * @param {{start: number, end: number}} child
 * @param {number} from its number
 * @param {{start: number, end: number}} parent
 * @param {number} to its number
 * @returns {Point[]}
 */
export function route(layout, child, from, parent, to) {
  const known = routes.get(layout) ?? new Map();
  routes.set(layout, known);
  const key = `${from} ${to}`;
  if (!known.has(key)) known.set(key, routed(layout, child, from, parent, to));
  return known.get(key);
}

/** The ways that were found, so that they are not sought again at every step. @type {WeakMap<Layout, Map<string, Point[]>>} */
const routes = new WeakMap();

/**
 * @param {Layout} layout
 * @param {{start: number, end: number}} child
 * @param {number} from
 * @param {{start: number, end: number}} parent
 * @param {number} to
 * @returns {Point[]}
 */
function routed(layout, child, from, parent, to) {
  const [low, high] = [layout.boxes[from], layout.boxes[to]];
  const [x1, x2] = [low.x + low.w / 2, high.x + high.w / 2];
  const rowOf = (/** @type {{start: number, end: number}} */ item) => item.end - item.start;
  if (!layout.labels) return detour(layout, rowOf(child), low, rowOf(parent), high);
  const half = layout.wordWidth / 2;
  if (rowOf(child) === rowOf(parent)) {
    // A unary rule: both are in one cell, so the edge goes around the boxes between them.
    const above = high.y < low.y;
    if (Math.abs(low.y - high.y) < 1.5 * (low.h + 4))
      return above
        ? [
            [x1, low.y],
            [x2, high.y + high.h],
          ]
        : [
            [x1, low.y + low.h],
            [x2, high.y],
          ];
    const gap = x1 + low.w / 2 + (half - low.w / 2) / 2;
    return [
      [x1 + low.w / 2, low.y + low.h / 2],
      [gap, low.y + low.h / 2],
      [gap, high.y + high.h / 2],
      [x2 + high.w / 2, high.y + high.h / 2],
    ];
  }
  /** @type {Point[]} */
  const points = [];
  let x = x1;
  const first = layout.rows[rowOf(child) - 1];
  if (low.y - first.top < 1) points.push([x1, low.y]);
  else {
    const side = x2 >= x1 ? 1 : -1;
    x = x1 + side * (low.w / 2 + (half - low.w / 2) / 2);
    points.push([x1 + (side * low.w) / 2, low.y + low.h / 2], [x, low.y + low.h / 2], [x, first.top - INSET]);
  }
  for (let length = rowOf(child) + 1; length < rowOf(parent); length += 1) {
    const row = layout.rows[length - 1];
    if (!row.used) continue;
    const share = (length - rowOf(child)) / (rowOf(parent) - rowOf(child));
    x = gapNear(layout, length, x1 + (x2 - x1) * share);
    points.push([x, row.bottom + INSET], [x, row.top - INSET]);
  }
  const last = layout.rows[rowOf(parent) - 1];
  if (last.bottom - (high.y + high.h) < 1) points.push([x2, high.y + high.h]);
  else {
    const side = x >= x2 ? 1 : -1;
    const gap = x2 + side * (high.w / 2 + (half - high.w / 2) / 2);
    points.push([gap, last.bottom + INSET], [gap, high.y + high.h / 2], [x2 + (side * high.w) / 2, high.y + high.h / 2]);
  }
  return points;
}

/**
 * Draws a way with rounded corners.
 * @param {CanvasRenderingContext2D} context
 * @param {Point[]} points
 */
export function trace(context, points) {
  const [first, ...rest] = points;
  context.moveTo(...first);
  if (rest.length === 1) {
    const [[x1, y1], [x2, y2]] = points;
    const bend = bendOf(y1, y2);
    context.bezierCurveTo(x1, y1 - bend, x2, y2 + bend, x2, y2);
    return;
  }
  rest.forEach(([x, y], at) => {
    const next = rest[at + 1];
    const [before, after] = [points[at], next ?? points[at]];
    const shortest = Math.min(Math.hypot(x - before[0], y - before[1]), Math.hypot(x - after[0], y - after[1]));
    if (next) context.arcTo(x, y, ...next, Math.min(6, shortest / 2));
    else context.lineTo(x, y);
  });
}
