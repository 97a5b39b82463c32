/** Drawings that the server sends: inserted as elements, never as markup, with labels for screen readers. */

import { make } from "./dom.js";
import { score } from "./format.js";

const FORBIDDEN = "script, style, foreignObject, iframe, image, use, a, animate, set";

/** @type {Record<string, string>} the names of rules by their symbols; the page fills it */
export const RULES = {};

/**
 * @param {string} markup an SVG document
 * @param {string} label
 * @returns {SVGElement | null}
 */
export function drawing(markup, label) {
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml");
  const svg = parsed.documentElement;
  if (svg.localName !== "svg" || parsed.querySelector("parsererror")) return null;
  svg.querySelectorAll(FORBIDDEN).forEach((element) => element.remove());
  for (const element of [svg, ...svg.querySelectorAll("*")])
    for (const { name } of [...element.attributes])
      if (/^on/i.test(name) || /href$/i.test(name) || name === "style") element.removeAttribute(name);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const own = /** @type {SVGElement} */ (/** @type {Element} */ (document.importNode(svg, true)));
  for (const rule of own.querySelectorAll(".ccg-rule")) {
    const title = document.createElementNS(own.namespaceURI, "title"); // a tooltip
    title.textContent = RULES[rule.textContent ?? ""] ?? "";
    rule.append(title);
  }
  own.style.setProperty("--natural", `${parseFloat(svg.getAttribute("width") ?? "300")}px`);
  return own;
}

/**
 * A drawing in a box that scrolls, with a button that shows it full screen where it is reduced or cut.
 * @param {string | null} markup
 * @param {string} label
 * @param {string} [kind] a class
 */
export function framed(markup, label, kind = "derivation") {
  const svg = markup ? drawing(markup, label) : null;
  const box = make(
    "div",
    { class: `scroller drawing ${kind}`, tabindex: 0, role: "group", "aria-label": label },
    svg ?? make("p", { class: "fine" }, "There is no drawing."),
  );
  if (!svg) return box;
  const button = make(
    "button",
    { type: "button", class: "quiet enlarge", "aria-label": `Full screen: ${kind}`, click: () => enlarge(svg, label) },
    "⤢ Full screen",
  );
  const natural = parseFloat(svg.style.getPropertyValue("--natural"));
  const fit = () => button.toggleAttribute("hidden", natural <= box.clientWidth); // it is as large here as it would be
  new ResizeObserver(fit).observe(box);
  return make("div", { class: "framed" }, box, button);
}

/**
 * A drawing alone on the screen, all of it at once; a click or key switches to its own size.
 * @param {SVGElement} svg
 * @param {string} label
 */
function enlarge(svg, label) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  const size = make("button", { type: "button", class: "quiet", click: () => resize() }, "Actual size");
  const dialog = /** @type {HTMLDialogElement} */ (
    make(
      "dialog",
      { class: "enlarged fit", "aria-label": label },
      make(
        "p",
        { class: "enlarged-bar" },
        size,
        make("button", { type: "button", class: "quiet", click: () => dialog.close() }, "Close"),
      ),
      make("div", { class: "enlarged-drawing drawing", tabindex: 0 }, copy),
    )
  );
  const resize = () => {
    const fits = dialog.classList.toggle("fit");
    size.textContent = fits ? "Actual size" : "Fit to screen";
  };
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * The head of the card of a parse.
 * @param {string} id of the title
 * @param {string} title
 * @param {string} category
 * @param {number | null} value its score
 */
export function cardHead(id, title, category, value) {
  return make(
    "header",
    {},
    make("h2", { id }, title, " ", make("span", { class: "category" }, category)),
    make("p", { class: "score" }, ...(value === null ? [] : [make("span", {}, "score "), score(value)])),
  );
}

/**
 * Columns for cards such that no place in the last row stays empty: a card that is alone there gets the whole row.
 * @param {HTMLElement} cards in the page
 * @param {number} count
 */
export function fillRows(cards, count) {
  const fit = () => {
    const widest = parseFloat(cards.style.getPropertyValue("--widest")) || 0;
    const least = Math.max(290, 0.55 * widest + 40);
    const most = Math.max(1, Math.min(count, Math.floor((cards.clientWidth + 24) / (least + 24))));
    let columns = most;
    while (columns > 1 && count % columns > 1) columns -= 1;
    cards.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    const last = cards.lastElementChild;
    if (last instanceof HTMLElement) last.style.gridColumn = count % columns === 1 && columns > 1 ? "1 / -1" : "";
  };
  new ResizeObserver(fit).observe(cards);
  fit();
}

/**
 * Drawings side by side get columns as wide as the widest of them needs, small but still readable.
 * @param {HTMLElement} cards
 */
export function fitColumns(cards) {
  const width = (/** @type {Element} */ svg) => parseFloat(svg.getAttribute("width") ?? "0");
  const drawings = [...cards.querySelectorAll("svg")];
  const widest = Math.max(1, ...drawings.map(width));
  cards.style.setProperty("--widest", `${widest}px`);
  for (const svg of drawings) svg.style.setProperty("--share", `${(100 * width(svg)) / widest}%`); // all to one scale
}

/**
 * The categories of the words, as a drawing shows them.
 * @param {Element} frame
 * @returns {{word: string, category: string}[]}
 */
export function leaves(frame) {
  return [...frame.querySelectorAll(".ccg-leaf")].map((leaf) => ({
    word: leaf.querySelector(".ccg-word")?.textContent ?? "",
    category: leaf.querySelector(".ccg-category")?.textContent ?? "",
  }));
}

/**
 * Highlights, in a drawing, the words whose categories differ from another drawing, and lists them.
 * @param {Element} frame
 * @param {Element} other
 * @param {string} name what the other one is called
 */
export function differing(frame, other, name) {
  const theirs = leaves(other);
  const found = leaves(frame)
    .map(({ word, category }, at) => ({ at, word, category, instead: theirs[at]?.category ?? "" }))
    .filter(({ category, instead }) => category !== instead);
  if (!found.length)
    return make("p", { class: "differs" }, `The words have the same categories as in ${name}, but are combined differently.`);
  for (const { at } of found) frame.querySelectorAll(".ccg-leaf")[at]?.classList.add("unlike");
  const parts = found.map(({ word, category, instead }) =>
    make(
      "li",
      {},
      make("b", {}, word),
      " ",
      make("span", { class: "category" }, category),
      ", not ",
      make("span", { class: "category" }, instead),
    ),
  );
  return make("ul", { class: "differs", "aria-label": `Differences from ${name}` }, ...parts);
}
