/** What the page says before it is asked anything. */

import { make } from "./dom.js";
import { EXAMPLES } from "./examples.js";

const ENTRIES = /** @type {const} */ ([
  [
    "parse",
    "Parse",
    "The derivation as it is drawn on a blackboard, who does what to whom as arcs, and the next best readings beside it.",
    EXAMPLES[4].text,
  ],
  [
    "search",
    "Watch the search",
    "Step by step: what is at the head of the agenda, what its score may still become, and how the forest grows until the best parse is proved.",
    EXAMPLES[0].text,
  ],
  [
    "compare",
    "Compare",
    "The exact global search, the supertag-factored one and a beam on the same sentence: answers, proofs and costs.",
    EXAMPLES[2].text,
  ],
]);

/**
 * @param {HTMLElement} panel
 * @param {(sentence: string, view: import("./types.js").View) => void} onTry
 */
export function welcome(panel, onTry) {
  const cards = ENTRIES.map(([view, title, text, sentence]) =>
    make(
      "article",
      { class: "card entry" },
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
      "A CCG parser whose answer is proved best. Type a sentence above, or begin with one of these.",
    ),
    make("div", { class: "cards several" }, ...cards),
    make("h2", { class: "more" }, "Sentences to try"),
    make("ul", { class: "tries" }, ...rows),
  );
}
