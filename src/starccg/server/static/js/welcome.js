/** The start page: three views with an example each, and more sentences. */

import { make } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { costSketch, derivationSketch, forestSketch } from "./sketches.js";

const ENTRIES = /** @type {const} */ ([
  [
    "parse",
    "Parse",
    "The derivation, the dependencies as arcs, what is proved, and the next best parses.",
    EXAMPLES[1].text,
    derivationSketch,
  ],
  [
    "search",
    "Watch the search",
    "Step by step: which item is at the head of the agenda, what bound it has, and how the forest grows until the best parse is proved.",
    EXAMPLES[3].text,
    forestSketch,
  ],
  [
    "compare",
    "Compare",
    "The exact global search, the supertag-factored search and beam search on the same sentence: answers, proofs and costs.",
    EXAMPLES[5].text,
    costSketch,
  ],
]);

/**
 * @param {HTMLElement} panel
 * @param {(sentence: string, view: import("./types.js").View) => void} onTry
 */
export function welcome(panel, onTry) {
  const cards = ENTRIES.map(([view, title, text, sentence, sketch]) =>
    make(
      "article",
      { class: "card entry" },
      sketch(),
      make("h2", {}, title),
      make("p", {}, text),
      make("button", { type: "button", class: "link", "data-try": view, click: () => onTry(sentence, view) }, sentence),
    ),
  );
  const rows = EXAMPLES.map(({ text, shows }) =>
    make(
      "li",
      {},
      make("button", { type: "button", class: "link", click: () => onTry(text, "parse") }, text),
      make("span", { class: "fine" }, shows),
    ),
  );
  panel.replaceChildren(
    make(
      "p",
      { class: "lead" },
      "A CCG parser that proves that its answer is the best under its model. Type a sentence above, or start with one of these.",
    ),
    make("div", { class: "cards several" }, ...cards),
    make("h2", { class: "more" }, "Sentences to try"),
    make("ul", { class: "tries" }, ...rows),
  );
}
