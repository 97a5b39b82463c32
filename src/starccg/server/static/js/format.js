/** Numbers and certificates as text. Pure. */

/** @typedef {import("./types.js").Certificate} Certificate */

/**
 * A score with a true minus sign.
 * @param {number | null | undefined} value
 * @param {number} [digits]
 */
export function score(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/**
 * As many decimals as tell two scores, and those between them, apart.
 * @param {number} high
 * @param {number} low
 */
export function digits(high, low) {
  const range = Math.abs(high - low);
  return range > 1e-9 ? Math.min(6, Math.max(2, 2 - Math.floor(Math.log10(range)))) : 3;
}

/** @param {number} value */
export function whole(value) {
  return Math.round(value).toLocaleString("en-GB");
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function plural(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1e-3) return `${whole(seconds * 1e6)} µs`;
  if (seconds < 0.01) return `${(seconds * 1e3).toFixed(1)} ms`;
  if (seconds < 1) return `${whole(seconds * 1e3)} ms`;
  return `${seconds.toFixed(1)} s`;
}

/**
 * What is proved about a parse, for readers who do not know the paper.
 * @param {Certificate} certificate
 * @param {{rank?: number, reason?: string}} [context]
 * @returns {{tone: "good" | "warn", title: string, proof: string, cost: string}}
 */
export function certificateInWords(certificate, { rank = 1, reason = "" } = {}) {
  const { optimal, decoder, stopped } = certificate;
  const own = score(certificate.score);
  const cost = costInWords(certificate);
  if (optimal) {
    const title = rank === 1 ? "Best under this model" : `Number ${rank} under this model`;
    const proof =
      rank === 1
        ? `Proved: the parse scores ${own}, and no item that was still on the agenda had a higher upper bound, so no other parse under this model scores more. This does not say that the parse is right.`
        : `Proved: the parse scores ${own}, and only the parses ranked before it score more under this model.`;
    return { tone: "good", title, proof, cost };
  }
  if (stopped) {
    const why = reason || `the limit of ${stopped} was reached`;
    const proof = `The search stopped early: ${why}. This parse is from the ${decoderInWords(decoder)} decoder. It scores ${own}${missed(certificate)}`;
    return { tone: "warn", title: "Backed off", proof, cost };
  }
  const why =
    decoder === "rerank"
      ? "Reranking considers only a list of candidates"
      : "Beam search keeps only a few subtrees of each span, so it can miss the best parse";
  const proof = `${why}. The parse scores ${own}${missed(certificate)}`;
  return { tone: "warn", title: "Not proved", proof, cost };
}

/**
 * How much better than an unproved parse the best one can be.
 * @param {Certificate} certificate
 */
function missed({ upper_bound: bound, gap }) {
  if (gap === null) return "; no bound is known for the best parse.";
  if (gap > 0 && gap < 0.001) return `; the best parse is at most 0.001 better.`;
  return `; no parse scores more than ${score(bound)}, so the best parse is at most ${score(gap)} better.`;
}

/**
 * How sure the parser is that the parse is right.
 * @param {import("./types.js").Confidence | null | undefined} confidence
 */
export function confidenceInWords(confidence) {
  if (!confidence) return "";
  if (confidence.probability !== null)
    return `Estimated probability that all dependencies are right: ${percent(confidence.probability)}.`;
  return confidence.posterior === null
    ? ""
    : `Probability under the model, among the ten best parses: ${percent(confidence.posterior)}.`;
}

/** @param {number} share */
function percent(share) {
  const rounded = Math.round(100 * share);
  return rounded >= 100 ? "over 99%" : rounded < 1 ? "under 1%" : `${rounded}%`;
}

/** @param {Certificate} certificate */
export function costInWords({ explored, agenda, recursive_units: units, seconds }) {
  const run = units ? `, ran the recursive unit ${units === 1 ? "once" : `${whole(units)} times`}` : "";
  return `The search explored ${whole(explored)} of ${plural(agenda, "partial parse")} pushed${run}, and took ${duration(seconds)}.`;
}

/** @param {string} name */
export function decoderInWords(name) {
  return name === "supertag" ? "supertag-factored" : name === "span" ? "span-factored" : name;
}

/**
 * A message of the server as a sentence.
 * @param {string} text
 */
export function asSentence(text) {
  return !text || /[.?!]$/.test(text) ? capital(text) : `${capital(text)}.`;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
