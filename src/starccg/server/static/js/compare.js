/** One sentence with several decoders: what each found, what it proved, and what it cost. */

import { certificateBlock, failureBlock } from "./certificate.js";
import { cardHead, differing, fillRows, fitColumns, framed } from "./derivation.js";
import { make, table } from "./dom.js";
import { capital, decoderInWords, duration, whole } from "./format.js";

/** @typedef {import("./types.js").Compared} Compared */
/** @typedef {import("./types.js").Certificate} Certificate */

/** The comparison of the paper, if the model has these decoders. */
const WANTED = ["global", "supertag", "beam"];

/**
 * The decoders to compare.
 * @param {import("./types.js").Models} models
 * @param {string} chosen their names, separated by commas; empty: those of the paper
 */
export function comparable(models, chosen) {
  const available = usable(models).map((decoder) => decoder.name);
  const named = available.filter((name) => chosen.split(",").includes(name));
  if (named.length) return named;
  const wanted = WANTED.filter((name) => available.includes(name));
  return wanted.length ? wanted : available.slice(0, 3);
}

/** @param {import("./types.js").Models} models */
function usable(models) {
  return models.decoders.filter((decoder) => decoder.available !== false);
}

/** @type {[string, (result: Compared, certificate: Certificate) => number, (value: number) => string][]} */
const COSTS = [
  ["explored", (_, certificate) => certificate.explored, whole],
  ["pushed", (_, certificate) => certificate.agenda, whole],
  ["recursive units", (_, certificate) => certificate.recursive_units, whole],
  ["time", (result, certificate) => result.seconds ?? certificate.seconds, duration],
];

/**
 * @param {HTMLElement} panel
 * @param {Compared[]} results
 * @param {import("./types.js").Models} models
 * @param {(decoders: string[]) => void} onChoose
 */
export function showComparison(panel, results, models, onChoose) {
  const described = new Map(models.decoders.map((decoder) => [decoder.name, decoder.description]));
  const frames = results.map(({ decoder, svg }) => framed(svg, `Derivation by the ${decoderInWords(decoder)} decoder`));
  const cards = make(
    "div",
    { class: `cards several compared of-${results.length}` },
    ...results.map((result, at) =>
      card(result, described.get(result.decoder) ?? "", frames[at], likeness(results, frames, at)),
    ),
  );
  fitColumns(cards);
  panel.replaceChildren(
    make(
      "p",
      { class: "lead" },
      "The same sentence with several decoders. Exact decoders prove their answer; beam search does not. Scores can be compared only under the same model: the supertag-factored parser has no global scores.",
    ),
    chooser(results, models, onChoose),
    cards,
    make(
      "section",
      { class: "card" },
      make("h2", { id: "cost-title" }, "Cost of the search"),
      costTable(results),
      make("p", { class: "fine" }, timing(results)),
    ),
  );
  fillRows(cards, results.length);
  for (const bar of panel.querySelectorAll(".cost-bar"))
    if (bar instanceof HTMLElement) bar.style.width = `${bar.dataset.share}%`;
}

/**
 * How a result is like the first one.
 * @param {Compared[]} results
 * @param {HTMLElement[]} frames
 * @param {number} at
 */
function likeness(results, frames, at) {
  const first = decoderInWords(results[0].decoder);
  if (at === 0) return make("p", { class: "differs" }, "The other parses list their differences from this one.");
  if (results[at].same_as_first === null) return make("p", { class: "differs" }, "There is no derivation to compare.");
  if (results[at].same_as_first) return make("p", { class: "differs" }, `The ${first} decoder gives the same derivation.`);
  return differing(frames[at], frames[0], `the ${first} parse`);
}

/**
 * @param {Compared} result
 * @param {string} description
 * @param {HTMLElement} frame
 * @param {HTMLElement} like
 */
function card(result, description, frame, like) {
  const { decoder, certificate, reason } = result;
  const failed = result.outcome === "Failed" || !certificate;
  return make(
    "article",
    { class: "card parse", "aria-labelledby": `with-${decoder}` },
    cardHead(`with-${decoder}`, capital(decoderInWords(decoder)), result.category ?? "", result.score),
    make("p", { class: "fine" }, description),
    like,
    frame,
    failed ? failureBlock(reason) : certificateBlock(certificate, { reason, cost: false }),
  );
}

/** @param {Compared[]} results */
function costTable(results) {
  const rows = COSTS.map(([name, read, write]) => {
    const valueOf = (/** @type {Compared} */ result) =>
      result.certificate ? read(result, result.certificate) : 0;
    const most = Math.max(...results.map(valueOf), 1e-12);
    const cells = results.map((result) => {
      const { certificate } = result;
      const value = valueOf(result);
      return make(
        "td",
        {},
        make("span", { class: "cost-value" }, certificate ? write(value) : "–"),
        make(
          "span",
          { class: "cost-track", "aria-hidden": "true" },
          make("span", { class: "cost-bar", "data-share": ((100 * value) / most).toFixed(1) }),
        ),
      );
    });
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  });
  const heads = results.map(({ decoder }) => capital(decoderInWords(decoder)));
  return table({ "aria-labelledby": "cost-title" }, "costs", ["", ...heads], rows);
}

/** @param {Compared[]} results */
function timing(results) {
  const runs = Math.max(...results.map((result) => result.runs ?? 1), 1);
  return runs > 1 ? `Searches of less than 20 ms are repeated; their time is the median of ${runs} searches. The time of tagging is not included.` : "";
}

/**
 * Checkboxes for the decoders.
 * @param {Compared[]} results
 * @param {import("./types.js").Models} models
 * @param {(decoders: string[]) => void} onChoose
 */
function chooser(results, models, onChoose) {
  const shown = results.map((result) => result.decoder);
  const boxes = usable(models).map(({ name, description, fits_model: fits }) => {
    const box = make("input", { type: "checkbox", value: name, checked: shown.includes(name), id: `compare-${name}` });
    const note = fits === false ? " (model not trained for it)" : "";
    return make("label", { class: "check", for: `compare-${name}`, title: description }, box, decoderInWords(name) + note);
  });
  const choose = () => {
    const chosen = [...fieldset.querySelectorAll("input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
    if (chosen.length) onChoose(chosen);
  };
  const fieldset = make("fieldset", { class: "chooser settings", change: choose }, make("legend", {}, "Decoders"), ...boxes);
  return fieldset;
}
