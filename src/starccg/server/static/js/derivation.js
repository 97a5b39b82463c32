/** Drawings that the server sends: put into the page as elements, never as markup, and made to be read aloud. */

import { make } from "./dom.js";

const FORBIDDEN = "script, style, foreignObject, iframe, image, use, a, animate, set";

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
  own.style.setProperty("--natural", `${parseFloat(svg.getAttribute("width") ?? "300")}px`);
  return own;
}

/**
 * A drawing in a box of its own, which scrolls where the page must not.
 * @param {string | null} markup
 * @param {string} label
 * @param {string} [kind] a class
 */
export function framed(markup, label, kind = "derivation") {
  const svg = markup ? drawing(markup, label) : null;
  return make(
    "div",
    { class: `scroller drawing ${kind}`, tabindex: 0, role: "group", "aria-label": label },
    svg ?? make("p", { class: "fine" }, "No drawing."),
  );
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
 * Brings out, in a drawing, the words whose categories are not those of another one, and tells of them.
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
    return make("p", { class: "differs" }, `The same categories as ${name}, put together differently.`);
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
  return make("ul", { class: "differs", "aria-label": `Unlike ${name}` }, ...parts);
}
