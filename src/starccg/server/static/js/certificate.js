/** A certificate as a block of words: what is proved, and what it cost. */

import { make } from "./dom.js";
import { certificateInWords } from "./format.js";

/**
 * @param {import("./types.js").Certificate} certificate
 * @param {{rank?: number, reason?: string | null, cost?: boolean}} [context] without `cost` it is left to another place
 */
export function certificateBlock(certificate, { rank = 1, reason = "", cost: told = rank === 1 } = {}) {
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
    told ? make("p", { class: "fine" }, cost) : null,
  );
}

/**
 * What a sentence without a parse looks like.
 * @param {string | null} reason
 */
export function failureBlock(reason) {
  return make(
    "div",
    { class: "certificate bad" },
    make("p", { class: "verdict" }, make("span", { class: "mark", "aria-hidden": "true" }, "∅"), "No parse"),
    make("p", {}, `${reason ? `Reason: ${reason}.` : "The search found none."} No tree is made up in its place.`),
  );
}
