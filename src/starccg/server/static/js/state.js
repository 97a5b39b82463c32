/** The address of what the page shows: sentence, decoder, number of parses, view, step and compared decoders. */

/** @typedef {import("./types.js").Address} Address */

/** @type {import("./types.js").View[]} */
export const VIEWS = ["parse", "search", "compare"];

const LONGEST = 4000; // characters of a sentence that are put into an address

/** @type {Address} */
export const START = { sentence: "", tokenized: false, decoder: "", nbest: 1, view: "parse", step: -1, which: 0, compared: "" };

/**
 * @param {string} query as in `location.search`
 * @returns {Address}
 */
export function readAddress(query) {
  const given = new URLSearchParams(query);
  const view = VIEWS.find((name) => name === given.get("view")) ?? START.view;
  return {
    sentence: (given.get("s") ?? "").trim(),
    tokenized: given.get("words") === "1",
    decoder: given.get("decoder") ?? START.decoder,
    nbest: natural(given.get("n"), START.nbest, 1),
    view,
    step: natural(given.get("step"), START.step, 0),
    which: natural(given.get("k"), 1, 1) - 1,
    compared: given.get("with") ?? START.compared,
  };
}

/**
 * The shortest query that reads back as the same address; only a very long text is left out.
 * @param {Address} address
 */
export function writeAddress(address) {
  const query = new URLSearchParams();
  if (address.sentence && address.sentence.length <= LONGEST) query.set("s", address.sentence);
  if (address.tokenized) query.set("words", "1");
  if (address.decoder !== START.decoder) query.set("decoder", address.decoder);
  if (address.nbest !== START.nbest) query.set("n", String(address.nbest));
  if (address.view !== START.view) query.set("view", address.view);
  if (address.view === "search" && address.step >= 0) query.set("step", String(address.step));
  if (address.view === "compare" && address.compared) query.set("with", address.compared);
  if (address.which > 0) query.set("k", String(address.which + 1));
  const text = query.toString();
  return text ? `?${text}` : "";
}

/**
 * @param {string | null} text
 * @param {number} otherwise
 * @param {number} least
 */
function natural(text, otherwise, least) {
  const value = Number(text);
  return text !== null && /^\d{1,6}$/.test(text) && value >= least ? value : otherwise;
}
