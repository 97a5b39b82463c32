/**
 * The way of an edge where the boxes are too small for categories: a curve or, where that would run behind a box, a line
 * that goes around the boxes. Rows of boxes have gaps between their cells, cells between their columns and lines. Pure.
 */

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./edges.js").Point} Point */

const STEP = 2; // pixels between the places of an edge that are looked at

/**
 * @param {Layout} layout
 * @param {number} low the row of the child: the number of its words
 * @param {Box} child
 * @param {number} high the row of the parent
 * @param {Box} parent
 * @returns {Point[]} two points are joined by a curve, others by lines
 */
export function detour(layout, low, child, high, parent) {
  /** @type {Point} */
  const start = [child.x + child.w / 2, child.y];
  /** @type {Point} */
  const end = [parent.x + parent.w / 2, parent.y + parent.h];
  const isFree = (/** @type {Iterable<Point>} */ places) => free(layout, low, high, places, child, parent);
  if (isFree(along([start, end]))) return [start, end];
  const side = end[0] >= start[0] ? 1 : -1;
  const [beside, under] = [besideOf(child, side), parent.y + parent.h + 1];
  if (low === high)
    return [edgeOf(child, side), [beside, child.y + child.h / 2], [beside, under], [end[0], under], end];
  const rows = layout.rows.map((row, at) => ({ ...row, at: at + 1 })).filter(({ used }) => used);
  const between = rows.filter(({ at }) => at > low && at < high);
  const bandUnder = (/** @type {number} */ at) => {
    const above = layout.rows[at - 1];
    const below = rows.filter((row) => row.at < at).at(-1);
    return below ? (below.top + above.bottom) / 2 - 1 : above.bottom;
  };
  const [first, last] = [bandUnder(between[0]?.at ?? high), bandUnder(high)];
  /** @type {Point[]} */
  const points = isFree(along([start, [start[0], first], [start[0], first]]))
    ? [start, [start[0], first]]
    : [edgeOf(child, side), [beside, child.y + child.h / 2], [beside, first]];
  const open = isFree(along([end, [end[0], last], [end[0], last]]));
  /** @type {Point[]} */
  const arrival = open
    ? [[end[0], last], end]
    : [[besideOf(parent, -side), last], [besideOf(parent, -side), parent.y + parent.h / 2], edgeOf(parent, -side)];
  for (const { at } of between) {
    const [from, to] = [points[points.length - 1], arrival[0]];
    const [bottom, top] = [bandUnder(at), bandUnder(rows[rows.findIndex((row) => row.at === at) + 1].at)];
    const placeAt = (/** @type {number} */ y) =>
      from[0] + (to[0] - from[0]) * Math.min(1, (from[1] - y) / Math.max(1, from[1] - to[1]));
    const [x, next] = [placeAt(bottom), placeAt(top)];
    if (isFree(along([[x, bottom], [next, top], [next, top]]))) continue;
    const gap = gapNear(layout, at, (x + next) / 2);
    points.push([x, bottom], [gap, bottom], [gap, top]);
  }
  return [...points, ...arrival];
}

/**
 * Whether no box that is shown lies over any of these places, but for the two that the edge joins.
 * @param {Layout} layout
 * @param {number} low the first row to look at
 * @param {number} high the last
 * @param {Iterable<Point>} places
 * @param {Box} child
 * @param {Box} parent
 */
function free(layout, low, high, places, child, parent) {
  for (const [x, y] of places)
    for (let at = low; at <= high; at += 1) {
      const row = layout.rows[at - 1];
      if (y < row.top - 1 || y > row.bottom + 1) continue;
      for (const box of row.boxes) {
        const over = x > box.x - 0.5 && x < box.x + box.w + 0.5 && y > box.y - 0.5 && y < box.y + box.h + 0.5;
        if (over && box !== child && box !== parent) return false;
      }
    }
  return true;
}

/**
 * Places on an edge as it is drawn, close together.
 * @param {Point[]} points
 * @returns {Generator<Point>}
 */
export function* along(points) {
  if (points.length === 2) {
    const [[x1, y1], [x2, y2]] = points;
    const bend = bendOf(y1, y2);
    const count = Math.ceil((Math.abs(x2 - x1) + Math.abs(y2 - y1) + 2 * Math.abs(bend)) / STEP) + 1;
    for (let at = 0; at <= count; at += 1) {
      const [t, s] = [at / count, 1 - at / count];
      const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
      yield [(a + b) * x1 + (c + d) * x2, a * y1 + b * (y1 - bend) + c * (y2 + bend) + d * y2];
    }
    return;
  }
  for (let at = 1; at < points.length; at += 1) {
    const [[x1, y1], [x2, y2]] = [points[at - 1], points[at]];
    const count = Math.ceil(Math.hypot(x2 - x1, y2 - y1) / STEP) + 1;
    for (let part = 0; part <= count; part += 1)
      yield [x1 + ((x2 - x1) * part) / count, y1 + ((y2 - y1) * part) / count];
  }
}

/**
 * How far a curve leaves its ends upright.
 * @param {number} y1
 * @param {number} y2
 */
export function bendOf(y1, y2) {
  return Math.max(4, Math.abs(y1 - y2) / 2) * Math.sign(y1 - y2 || 1);
}

/**
 * The middle of the gap beside a box, between its column and the next.
 * @param {Box} box
 * @param {number} side 1: to the right
 */
function besideOf(box, side) {
  return side > 0 ? box.x + box.w + 1 : box.x - 1;
}

/**
 * The middle of the left or right edge of a box.
 * @param {Box} box
 * @param {number} side
 * @returns {Point}
 */
function edgeOf(box, side) {
  return [side > 0 ? box.x + box.w : box.x, box.y + box.h / 2];
}

/**
 * The gap between two cells of a row that is nearest to a place.
 * @param {Layout} layout
 * @param {number} length
 * @param {number} x
 */
export function gapNear({ left, wordWidth }, length, x) {
  const offset = left + (wordWidth * (length - 1)) / 2; // cells are centred at offset + (start + 1/2) words
  return offset + Math.round((x - offset) / wordWidth) * wordWidth;
}
