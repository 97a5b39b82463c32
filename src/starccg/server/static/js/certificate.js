/** A certificate as a block of text: what is proved, how sure the parser is, and what the search cost. */

import { make } from "./dom.js";
import { certificateInWords, confidenceInWords } from "./format.js";

/**
 * @param {import("./types.js").Certificate} certificate
 * @param {object} [context]
 * @param {number} [context.rank]
 * @param {string | null} [context.reason]
 * @param {boolean} [context.cost] whether to add the cost of the search
 * @param {import("./types.js").Confidence | null} [context.confidence]
 */
export function certificateBlock(
  certificate,
  { rank = 1, reason = "", cost: withCost = rank === 1, confidence = null } = {},
) {
  const sure = rank === 1 ? confidenceInWords(confidence) : "";
  const { tone, title, proof, cost } = certificateInWords(certificate, { rank, reason: reason ?? "" });
  return make(
    "div",
    { class: `certificate ${tone}` },
    make(
      "p",
      { class: "verdict" },
      make("span", { class: "mark", "aria-hidden": "true" }, tone === "good" ? "✓" : "≈"),
      title,
    ),
    make("p", {}, proof),
    sure ? make("p", { class: "confidence" }, sure) : null,
    withCost ? make("p", { class: "fine" }, cost) : null,
  );
}

/**
 * The block for a sentence without a parse.
 * @param {string | null} reason
 */
export function failureBlock(reason) {
  return make(
    "div",
    { class: "certificate bad" },
    make("p", { class: "verdict" }, make("span", { class: "mark", "aria-hidden": "true" }, "∅"), "No parse"),
    make("p", {}, `${reason ? `Reason: ${reason}.` : "The search found no parse."} No other tree is shown instead.`),
  );
}
