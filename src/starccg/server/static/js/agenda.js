/** The top of the agenda as a table, and one item in full. */

import { make } from "./dom.js";
import { score as rounded } from "./format.js";
import { STATUS_IN_WORDS } from "./narrate.js";

/** @typedef {import("./recording.js").Recording} Recording */

/**
 * @param {HTMLTableElement} table
 * @param {Recording} recording
 * @param {number} step
 * @param {number} picked
 * @param {(item: number) => void} onPick
 */
export function showAgenda(table, recording, step, picked, onPick) {
  const score = (/** @type {number | null} */ value) => rounded(value, recording.digits);
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, "Item"),
    ...["inside", "outside", "bound", "local", "global"].map((name) =>
      make("th", { scope: "col", title: EXPLAINED[name] }, name),
    ),
  );
  const rows = recording.steps[step].top.slice(0, 8).map((item) => {
    const scores = recording.scores(item, step);
    const scored = recording.status(item, step) !== "waiting";
    const { category } = recording.items[item];
    const button = make(
      "button",
      {
        type: "button",
        class: "link",
        title: `${category}  ${recording.text(item)}`, // both may be cut
        "aria-pressed": String(item === picked),
        click: () => onPick(item),
      },
      make("i", { class: `swatch ${scored ? "scored" : "waiting"}` }),
      make(
        "span",
        { class: "what" },
        make("span", { class: "category" }, category),
        " ",
        make("span", { class: "span" }, recording.text(item)),
      ),
    );
    return make(
      "tr",
      { class: item === picked ? "picked" : item === recording.steps[step].item ? "back" : null },
      make("th", { scope: "row" }, button),
      make("td", {}, score(scores.inside)),
      make("td", {}, score(scores.outside)),
      make("td", { class: "strong" }, score(scores.priority)),
      make("td", {}, score(scores.local)),
      make("td", { class: scored ? null : "later" }, globalInWords(recording, scores.global)),
    );
  });
  const empty = make("tr", {}, make("td", { colspan: 6, class: "none" }, "The agenda is empty."));
  table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...(rows.length ? rows : [empty])));
}

/** @type {Record<string, string>} */
const EXPLAINED = {
  inside: "score of the item's subtree",
  outside: "upper bound on the score of all other words",
  bound: "inside + outside; the agenda is sorted by it",
  local: "score of the item's tag, or cost of its rule",
  global: "score of the item by the recursive unit; at most 0",
};

/**
 * @param {HTMLElement} place
 * @param {Recording} recording
 * @param {number} item
 * @param {number} step
 */
export function showItem(place, recording, item, step) {
  if (item < 0) {
    place.replaceChildren(
      make(
        "p",
        { class: "fine" },
        "Point at an item of the forest, or choose one on the agenda, to see its rule, its children and its scores.",
      ),
    );
    return;
  }
  const score = (/** @type {number | null} */ value) => rounded(value, recording.digits);
  const one = recording.items[item];
  const scores = recording.scores(item, step);
  const status = recording.status(item, step);
  const built = one.children.map((child) => recording.items[child].category).join("  +  ");
  const facts = [
    ["rule", one.children.length ? `${one.rule}  ${one.ruleName}` : "tag of a word"],
    ["built from", built],
    ["state", STATUS_IN_WORDS[status]],
    ["inside", score(scores.inside)],
    ["outside", score(scores.outside)],
    ["local", score(scores.local)],
    ["global", globalInWords(recording, scores.global)],
    ["bound", score(scores.priority)],
  ];
  place.replaceChildren(
    make(
      "p",
      { class: "item-name" },
      make("span", { class: "category" }, one.category),
      make("span", { class: "span" }, recording.text(item)),
    ),
    make(
      "dl",
      {},
      ...facts
        .filter(([, value]) => value)
        .map(([name, value]) =>
          make(
            "div",
            { class: `fact ${/^[a-z]+$/.test(name) ? name : "built"}` },
            make("dt", {}, name),
            make("dd", {}, value),
          ),
        ),
    ),
  );
}

/**
 * @param {Recording} recording
 * @param {number | null} value
 */
function globalInWords(recording, value) {
  return !recording.global ? "–" : value === null ? "not yet" : rounded(value, recording.digits);
}

/**
 * The same for those who hear the page.
 * @param {Recording} recording
 * @param {number} item
 * @param {number} step
 */
export function itemInWords(recording, item, step) {
  if (item < 0) return "No item selected";
  const { category, ruleName, children } = recording.items[item];
  const { inside, outside } = recording.scores(item, step);
  const score = (/** @type {number} */ value) => rounded(value, recording.digits);
  const rule = children.length ? `, ${ruleName}` : "";
  return `${recording.text(item)}: ${category}${rule}, ${STATUS_IN_WORDS[recording.status(item, step)]}, inside ${score(inside)}, outside ${score(outside)}`;
}
