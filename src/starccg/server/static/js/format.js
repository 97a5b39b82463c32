/** Numbers and certificates in words. Pure. */

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
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(2).replace(/\.0$/, "")} ms`;
  return `${seconds.toFixed(1)} s`;
}

/**
 * What is proved about a parse, for someone who has not read the paper.
 * @param {Certificate} certificate
 * @param {{rank?: number, reason?: string}} [context]
 * @returns {{tone: "good" | "warn", title: string, proof: string, cost: string}}
 */
export function certificateInWords(certificate, { rank = 1, reason = "" } = {}) {
  const { optimal, decoder, stopped } = certificate;
  const [own, bound, gap] = [score(certificate.score), score(certificate.upper_bound), score(certificate.gap)];
  const cost = costInWords(certificate);
  if (optimal) {
    const title = rank === 1 ? "Proved best" : `Proved number ${rank}`;
    const proof =
      rank === 1
        ? `The parse scores ${own}. When it came to the head of the agenda, no upper bound of anything still waiting was higher, so no other parse under this model can score more.`
        : `The parse scores ${own}. The search went on until it was sure that only those ranked before it can score more.`;
    return { tone: "good", title, proof, cost };
  }
  if (stopped) {
    const why = reason || `the limit of ${stopped} was reached`;
    const proof = `The search stopped early: ${why}. This answer is the ${decoderInWords(decoder)} parser's. It scores ${own}; no parse can score more than ${bound}, so at most ${gap} is missed.`;
    return { tone: "warn", title: "Backed off", proof, cost };
  }
  const why =
    decoder === "rerank"
      ? "Reranking sees only a list of candidates"
      : "Beam search throws away all but a few subtrees of each span, and cannot know what it threw away";
  const proof = `${why}. The parse scores ${own}; no parse can score more than ${bound}, so at most ${gap} is missed, perhaps nothing.`;
  return { tone: "warn", title: "Not proved", proof, cost };
}

/** @param {Certificate} certificate */
export function costInWords({ explored, agenda, recursive_units: units, seconds }) {
  const run = units ? `, ran the recursive unit ${units === 1 ? "once" : `${whole(units)} times`}` : "";
  return `It explored ${whole(explored)} of ${plural(agenda, "partial parse")} pushed${run}, and took ${duration(seconds)}.`;
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
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return !whole || /[.?!]$/.test(whole) ? whole : `${whole}.`;
}
