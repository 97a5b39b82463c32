/**
 * Where the items of a forest are drawn: across, over the middle of their words; upward, by how many words they cover.
 * Items over the same words share a cell and stack in it. The layout is made once for the whole search, so nothing
 * moves while it plays. Pure.
 */

/** @typedef {{x: number, y: number, w: number, h: number, hidden: boolean}} Box */

/** @typedef {{x: number, y: number, items: number[], badge: boolean}} More where "+12" stands for items without a box */

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {number} wordWidth
 * @property {number} left
 * @property {number} baseline  above it the forest, below it the words
 * @property {boolean} labels  whether boxes are large enough for their category
 * @property {boolean} slanted  whether words are written at a slant
 * @property {{top: number, bottom: number, used: boolean, boxes: Box[]}[]} rows  by span length minus one: where its boxes are
 * @property {Box[]} boxes  one for each item; a hidden one lies where its cell says "+12"
 * @property {More[]} more  cells with hidden items
 * @property {number} shown
 */

const MARGIN = 14;
const SLANT = 40; // to the left of the first word, where words are written at a slant
const LETTER = 7.5;
const FEW = 12; // words, of which the categories should be readable even on a phone
const LABELLED = { least: 62, readable: 84, width: 138, height: 18, gap: 2, between: 17, closest: 8, lines: [1, 16] };
const ROOMY = 700; // a window on a desk; in one on a phone words stay wider, and the forest scrolls
const DOTS = { size: 7, largest: 13, widest: 26, gap: 2, between: 8, lines: [1, 24] };

/**
 * @param {import("./recording.js").Recording} recording
 * @param {number} available the width of the window onto the forest
 * @param {number} tallest how high it all should get, where that leaves room for a few lines of items per length
 * @param {number} zoom 1: the sentence fits
 * @param {number} [widest] the most that a box with a category may have; on paper all that it needs
 * @returns {Layout}
 */
export function layOut(recording, available, tallest, zoom, widest = LABELLED.width) {
  const words = Math.max(1, recording.words.length);
  const side = words <= FEW ? MARGIN : SLANT;
  const narrowest = available >= ROOMY ? 24 : 36;
  const least = words <= FEW ? LABELLED.readable : narrowest;
  const widestWord = Math.max(190, widest + 20);
  const wordWidth = Math.max(narrowest, Math.max(least, Math.min(widestWord, (available - 2 * side) / words)) * zoom);
  const width = Math.max(available, wordWidth * words + 2 * side);
  const left = (width - wordWidth * words) / 2;
  const cells = cellsOf(recording);
  const lengths = new Set(cells.map(({ start, end }) => end - start)).size;
  const labelled = LABELLED.height + LABELLED.gap + LABELLED.closest;
  const labels = wordWidth >= LABELLED.least && (words <= FEW || lengths * labelled <= tallest * zoom - 40 - 2 * MARGIN);
  const longest = Math.max(...recording.words.map((word) => word.length), 1);
  const slanted = wordWidth < 44 || (wordWidth < 72 && longest * LETTER > wordWidth); // rather than cut off
  const foot = slanted ? Math.min(84, 24 + 0.72 * longest * LETTER) : 40;
  const room = tallest * zoom - foot - 2 * MARGIN;
  const dot = labels ? 0 : dotSize(cells, words, wordWidth, room - lengths * DOTS.between);
  const high = labels ? LABELLED.height : dot;
  const pitch = high + (labels ? LABELLED.gap : DOTS.gap);
  const columns = labels ? 1 : columnsFor(wordWidth, dot);

  const [closest, farthest] = labels ? [LABELLED.closest, LABELLED.between] : [1, DOTS.between];
  const between = Math.max(closest, Math.min(farthest, room / lengths - pitch));
  const range = labels ? LABELLED.lines : DOTS.lines;
  const lines = linesPerLength(cells, words, columns, range, pitch, between, room);
  const across = acrossPerLength(cells, words, columns, lines);
  // Boxes without a category are as wide as the words leave room for.
  const widths = across.map((count) =>
    labels ? Math.min(widest, wordWidth - 12) : Math.max(dot, Math.min(DOTS.widest, (wordWidth - 6) / count - DOTS.gap)),
  );
  /** @type {number[]} */
  const bottoms = []; // for each length, where its lowest line stands above the baseline
  let top = between / 2;
  for (let length = 0; length < words; length += 1) {
    bottoms.push(top);
    if (lines[length]) top += lines[length] * pitch + between;
  }
  const baseline = top + MARGIN;
  const height = baseline + foot;
  const rows = bottoms.map((bottom, length) => ({
    bottom: baseline - bottom,
    top: baseline - bottom - lines[length] * pitch,
    used: lines[length] > 0,
    boxes: /** @type {Box[]} */ ([]),
  }));

  /** @type {Box[]} */
  const boxes = recording.items.map(() => ({ x: 0, y: 0, w: 0, h: high, hidden: true }));
  /** @type {More[]} */
  const more = [];
  let shown = 0;
  for (const { start, end, members } of cells) {
    const middle = left + (wordWidth * (start + end)) / 2;
    const wide = widths[end - start - 1];
    const places = lines[end - start - 1] * across[end - start - 1];
    const visible = members.length > places ? Math.max(1, places - 1) : members.length;
    const used = Math.min(across[end - start - 1], members.length);
    members.forEach((item, order) => {
      const slot = Math.min(order, visible, places - 1);
      const column = slot % across[end - start - 1];
      const box = boxes[item];
      box.x = middle + (column - (used - 1) / 2) * (wide + DOTS.gap) - wide / 2;
      box.y = baseline - bottoms[end - start - 1] - (Math.floor(slot / across[end - start - 1]) + 1) * pitch;
      box.w = wide;
      box.hidden = order >= visible;
      if (!box.hidden) rows[end - start - 1].boxes.push(box);
    });
    shown += visible;
    if (visible < members.length) {
      const { x, y } = boxes[members[visible]];
      const badge = places === 1; // where there is only one place, the number is on the corner of its box
      const at = badge ? { x: x + wide - 2, y: y - 3 } : { x: x + wide / 2, y: y + high / 2 };
      more.push({ ...at, badge, items: members.slice(visible) });
    }
  }
  return { width, height, wordWidth, left, baseline, labels, slanted, rows, boxes, more, shown };
}

/**
 * The items by the words they cover; in each cell those of the final parse come first (lowest), then what was
 * explored, in that order, then the rest by how promising it was.
 * @param {import("./recording.js").Recording} recording
 * @returns {{start: number, end: number, members: number[]}[]}
 */
function cellsOf(recording) {
  /** @type {Map<string, {start: number, end: number, members: number[]}>} */
  const cells = new Map();
  recording.items.forEach(({ start, end }, item) => {
    const cell = cells.get(`${start} ${end}`);
    if (cell) cell.members.push(item);
    else cells.set(`${start} ${end}`, { start, end, members: [item] });
  });
  const { items } = recording;
  for (const { members } of cells.values())
    members.sort(
      (a, b) =>
        Number(items[b].inParse) - Number(items[a].inParse) ||
        items[a].poppedAt - items[b].poppedAt ||
        items[b].inside + items[b].outside - (items[a].inside + items[a].outside) ||
        a - b,
    );
  return [...cells.values()];
}

/**
 * How many lines each span length needs for its fullest cell.
 * @param {{start: number, end: number, members: number[]}[]} cells
 * @param {number} words
 * @param {number} columns
 * @returns {number[]}
 */
function neededLines(cells, words, columns) {
  const needed = new Array(words).fill(0);
  for (const { start, end, members } of cells)
    needed[end - start - 1] = Math.max(needed[end - start - 1], Math.ceil(members.length / columns));
  return needed;
}

/**
 * How many boxes stand side by side in the cells of each span length.
 * @param {{start: number, end: number, members: number[]}[]} cells
 * @param {number} words
 * @param {number} columns the most
 * @param {number[]} lines
 */
function acrossPerLength(cells, words, columns, lines) {
  const fullest = neededLines(cells, words, 1);
  return fullest.map((count, at) => Math.max(1, Math.min(columns, Math.ceil(count / Math.max(1, lines[at])))));
}

/**
 * How many boxes without a category stand side by side over a word: each is wide enough to be seen, however flat.
 * @param {number} wordWidth
 * @param {number} dot their height
 */
function columnsFor(wordWidth, dot) {
  return Math.max(1, Math.floor((wordWidth - 4) / (Math.max(dot, DOTS.size) + DOTS.gap)));
}

/**
 * The size of a dot: larger ones if all items have room all the same.
 * @param {{start: number, end: number, members: number[]}[]} cells
 * @param {number} words
 * @param {number} wordWidth
 * @param {number} room
 */
function dotSize(cells, words, wordWidth, room) {
  for (let size = DOTS.largest; size > DOTS.size; size -= 1) {
    const lines = neededLines(cells, words, columnsFor(wordWidth, size)).reduce((sum, count) => sum + count, 0);
    if (lines * (size + DOTS.gap) <= room) return size;
  }
  const rows = new Set(cells.map(({ start, end }) => end - start)).size; // each has room for one line at least
  return Math.max(3, Math.min(DOTS.size, Math.floor(room / rows + DOTS.between - DOTS.gap - 1)));
}

/**
 * How many lines each span length gets: what its fullest cell needs, as far as the height goes; shared evenly, the
 * shorter spans first.
 * @param {{start: number, end: number, members: number[]}[]} cells
 * @param {number} words
 * @param {number} columns
 * @param {number[]} range the fewest and the most lines
 * @param {number} pitch
 * @param {number} between
 * @param {number} tallest
 */
function linesPerLength(cells, words, columns, [fewest, most], pitch, between, tallest) {
  const needed = neededLines(cells, words, columns);
  const lines = needed.map((count) => Math.min(count, fewest));
  let height = lines.reduce((sum, count) => sum + (count ? count * pitch + between : 0), 0);
  for (let cap = fewest + 1; cap <= most; cap += 1)
    for (let length = 0; length < words; length += 1)
      if (needed[length] >= cap && lines[length] === cap - 1 && height + pitch <= tallest) {
        lines[length] = cap;
        height += pitch;
      }
  return lines;
}
