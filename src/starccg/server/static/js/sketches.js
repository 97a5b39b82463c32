/** Small pictures for the cards of the start page: what each view looks like. They say nothing that the text does not. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function draw(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @param {...Node} children */
function sketch(...children) {
  return draw("svg", { class: "sketch", viewBox: "0 0 300 120", "aria-hidden": "true" }, ...children);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} kind a class
 */
function label(x, y, text, kind) {
  return draw("text", { x, y, class: kind }, text);
}

/** A derivation: words, categories, and a line for each step. */
export function derivationSketch() {
  const words = /** @type {const} */ ([
    [50, "Dogs", "NP"],
    [140, "chase", "(S\\NP)/NP"],
    [240, "cats", "NP"],
  ]);
  const line = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ y) =>
    draw("line", { x1: from, x2: to, y1: y, y2: y });
  return sketch(
    ...words.flatMap(([x, word, category]) => [
      label(x, 18, word, "sketch-word"),
      line(x - 30, x + 30, 25),
      label(x, 41, category, "sketch-category"),
    ]),
    line(95, 270, 52),
    label(280, 56, ">", "sketch-rule"),
    label(185, 69, "S\\NP", "sketch-category"),
    line(20, 270, 80),
    label(280, 84, "<", "sketch-rule"),
    label(145, 97, "S", "sketch-category"),
  );
}

/** A forest: items that are explored, on the agenda, and not scored yet. */
export function forestSketch() {
  const boxes = /** @type {const} */ ([
    [20, 92, "explored"],
    [90, 92, "explored"],
    [160, 92, "explored"],
    [230, 92, "explored"],
    [55, 54, "explored"],
    [55, 36, "scored"],
    [195, 54, "explored"],
    [125, 12, "explored"],
    [187, 12, "waiting"],
  ]);
  const edges = [
    ...["M71 69 C70 82 48 80 46 92", "M91 69 C92 82 114 80 116 92", "M211 69 C210 82 188 80 186 92"],
    ...["M231 69 C232 82 254 80 256 92", "M141 27 C138 56 130 61 107 61", "M161 27 C163 44 221 38 221 54"],
  ];
  return sketch(
    ...edges.map((d) => draw("path", { d })),
    ...boxes.map(([x, y, kind]) => draw("rect", { x, y, width: 52, height: 15, rx: 4, class: `sketch-${kind}` })),
  );
}

/** Bars: what several decoders cost. */
export function costSketch() {
  const bars = /** @type {const} */ ([
    ["global", 70],
    ["supertag", 24],
    ["beam", 190],
  ]);
  return sketch(
    ...bars.flatMap(([name, width], at) => [
      label(8, 30 + 34 * at, name, "sketch-name"),
      draw("rect", { x: 90, y: 20 + 34 * at, width: 196, height: 12, rx: 6, class: "sketch-track" }),
      draw("rect", { x: 90, y: 20 + 34 * at, width, height: 12, rx: 6, class: "sketch-explored" }),
    ]),
  );
}
