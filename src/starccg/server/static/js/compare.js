/** The same sentence under several decoders: what each found, what it proved, and what it cost. */

import { certificateBlock, failureBlock } from "./certificate.js";
import { differing, fitColumns, framed } from "./derivation.js";
import { make } from "./dom.js";
import { decoderInWords, duration, score, whole } from "./format.js";

/** @typedef {import("./types.js").Compared} Compared */
/** @typedef {import("./types.js").Certificate} Certificate */

/** The paper's own comparison, as far as this model can be asked for it. */
const WANTED = ["global", "supertag", "beam"];

/** @param {import("./types.js").Models} models */
export function comparable(models) {
  const available = models.decoders.filter((decoder) => decoder.available !== false).map((decoder) => decoder.name);
  const wanted = WANTED.filter((name) => available.includes(name));
  return wanted.length ? wanted : available.slice(0, 3);
}

/** @type {[string, (certificate: Certificate) => number, (value: number) => string][]} */
const COSTS = [
  ["explored", (certificate) => certificate.explored, whole],
  ["pushed", (certificate) => certificate.agenda, whole],
  ["recursive units", (certificate) => certificate.recursive_units, whole],
  ["time", (certificate) => certificate.seconds, duration],
];

/**
 * @param {HTMLElement} panel
 * @param {Compared[]} results
 * @param {import("./types.js").Models} models
 */
export function showComparison(panel, results, models) {
  const described = new Map(models.decoders.map((decoder) => [decoder.name, decoder.description]));
  const frames = results.map(({ decoder, svg }) => framed(svg, `Derivation by the ${decoderInWords(decoder)} decoder`));
  const cards = make(
    "div",
    { class: "cards several compared" },
    ...results.map((result, at) =>
      card(result, described.get(result.decoder) ?? "", frames[at], likeness(results, frames, at)),
    ),
  );
  fitColumns(cards);
  panel.replaceChildren(
    make(
      "p",
      { class: "lead" },
      "One sentence, several searches. Exact ones prove their answer; a beam cannot. Scores compare only under the same model: the supertag-factored one counts no global scores.",
    ),
    cards,
    make(
      "section",
      { class: "card" },
      make("h2", { id: "cost-title" }, "What it cost"),
      make(
        "div",
        { class: "scroller", tabindex: 0, role: "region", "aria-labelledby": "cost-title" },
        costTable(results),
      ),
    ),
  );
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
  if (at === 0) return make("p", { class: "differs" }, "The others are told by what is different.");
  if (results[at].same_as_first === null) return make("p", { class: "differs" }, "Nothing to compare.");
  if (results[at].same_as_first) return make("p", { class: "differs" }, `The same derivation as ${first}.`);
  return differing(frames[at], frames[0], first);
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
    make(
      "header",
      {},
      make(
        "h2",
        { id: `with-${decoder}` },
        capital(decoderInWords(decoder)),
        " ",
        make("span", { class: "category" }, result.category ?? ""),
      ),
      make(
        "p",
        { class: "score" },
        ...(result.score === null ? [] : [make("span", {}, "score "), score(result.score)]),
      ),
    ),
    make("p", { class: "fine" }, description),
    like,
    frame,
    failed ? failureBlock(reason) : certificateBlock(certificate, { reason, cost: false }),
  );
}

/** @param {Compared[]} results */
function costTable(results) {
  const costs = results.map((result) => result.certificate);
  const rows = COSTS.map(([name, read, write]) => {
    const most = Math.max(...costs.map((certificate) => (certificate ? read(certificate) : 0)), 1e-12);
    const cells = costs.map((certificate) => {
      const value = certificate ? read(certificate) : 0;
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
  return make(
    "table",
    { class: "costs" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("td"),
        ...results.map(({ decoder }) => make("th", { scope: "col" }, capital(decoderInWords(decoder)))),
      ),
    ),
    make("tbody", {}, ...rows),
  );
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
