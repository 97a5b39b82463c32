/** The parses of a sentence, best first: derivation, dependencies, what is proved, and export. */

import { certificateBlock, failureBlock } from "./certificate.js";
import { cardHead, differing, fitColumns, framed } from "./derivation.js";
import { make, table } from "./dom.js";
import { exportBar } from "./exporting.js";
import { exampleNote } from "./examples.js";
import { plural } from "./format.js";

/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Parse} Parse */

/**
 * @param {HTMLElement} panel
 * @param {Result} result
 * @param {import("./types.js").Models} models
 * @param {string | null} decoder
 * @param {(message: string) => void} onTrouble
 */
export function showParses(panel, result, models, decoder, onTrouble) {
  if (!result.parses.length) {
    panel.replaceChildren(failureBlock(result.reason));
    return;
  }
  const frames = result.parses.map((parse, index) => framed(parse.svg, `Derivation ${index + 1}: ${spoken(parse)}`));
  const several = result.parses.length > 1;
  const cards = result.parses.map((parse, index) => {
    const rank = index + 1;
    const arcs = framed(
      parse.arcs,
      `Dependencies of parse ${rank}: ${plural(parse.dependencies.length, "arc")}, listed below`,
      "arcs",
    );
    const remark =
      rank > 1
        ? differing(frames[index], frames[0], "parse 1")
        : make("p", { class: "differs" }, "The best parse. The other parses list their differences from it.");
    return make(
      "article",
      { class: "card parse", "aria-labelledby": `parse-${rank}` },
      cardHead(`parse-${rank}`, several ? `Parse ${rank}` : "Parse", parse.category, parse.score),
      several
        ? make("div", { class: "remarks" }, remark, rank === 1 ? noteOn(result) : null)
        : noteOn(result),
      make(
        "div",
        { class: "pictures" },
        frames[index],
        make(
          "div",
          { class: "dependencies" },
          make("h3", {}, "Dependencies"),
          arcs,
          styles(parse),
          dependencyTable(parse, result.words, rank),
        ),
      ),
      certificateBlock(parse.certificate, { rank, reason: result.reason, confidence: result.confidence }),
      exportBar(models, { words: result.words, decoder, rank }, onTrouble),
    );
  });
  const list = make("div", { class: several ? "cards several" : "cards" }, ...cards);
  fitColumns(list);
  panel.replaceChildren(list);
}

/**
 * What an example shows, and whether the model gets it right.
 * @param {Result} result
 */
function noteOn(result) {
  const note = exampleNote(result.words, result.parses[0].tokens.map(({ category }) => category));
  return note ? make("p", { class: note.right ? "example-note" : "example-note fooled" }, note.text) : null;
}

/** @param {Parse} parse */
function spoken(parse) {
  return `${parse.tokens.map(({ word, category }) => `${word} ${category}`).join(", ")}; the sentence: ${parse.category}`;
}

/**
 * What dashed and dotted arcs are, if there are any.
 * @param {Parse} parse
 */
function styles({ dependencies }) {
  const has = (/** @type {string} */ reach) => dependencies.some((dependency) => dependency.reach === reach);
  const dashed = has("<XB>") ? "Dashed: through the open subject of a verb, as in control." : "";
  const dotted = has("<XU>") ? "Dotted: through extraction." : "";
  return dashed || dotted ? make("p", { class: "fine" }, `${dashed} ${dotted}`.trim()) : null;
}

/**
 * @param {Parse} parse
 * @param {string[]} words
 * @param {number} rank
 */
function dependencyTable(parse, words, rank) {
  if (!parse.dependencies.length) return make("p", { class: "fine" }, "There are no dependencies: no word is an argument of another word.");
  const rows = parse.dependencies.map(({ head, category, slot, argument, relation }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, words[head]),
      make("td", { class: "category" }, category),
      make("td", {}, String(slot)),
      make("td", {}, relation),
      make("td", {}, words[argument]),
    ),
  );
  return make(
    "details",
    {},
    make("summary", {}, `${plural(parse.dependencies.length, "dependency", "dependencies")} as a table`),
    table(
      { "aria-label": `Dependencies of parse ${rank} as a table` },
      null,
      ["head", "category", "slot", "relation", "argument"],
      rows,
    ),
  );
}
