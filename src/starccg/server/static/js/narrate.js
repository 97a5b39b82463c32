/** A step of the search in one or two sentences. Pure. */

/** @typedef {string | {category: string}} Part */

import { digits, plural, score as rounded } from "./format.js";

/**
 * @param {import("./recording.js").Recording} recording
 * @param {number} number
 * @returns {Part[]}
 */
export function narrate(recording, number) {
  const step = recording.steps[number];
  const score = (/** @type {number | null} */ value) => rounded(value, recording.digits);
  const pushed = step.pushed.length;
  if (step.item < 0) {
    const words = plural(recording.words.length, "word");
    return [
      `The search starts with ${plural(pushed, "category", "categories")} for the ${words} on the agenda. Each has an upper bound: the most that a complete parse with it can score.`,
    ];
  }
  const name = [`“${recording.brief(step.item)}” as `, { category: recording.items[step.item].category }];
  if (step.kind === "rescore") {
    const { global, priority } = recording.scores(step.item, number);
    const after = step.top[0] === step.item ? "and is still at the head" : "behind items with a higher bound";
    const decimals = Math.max(recording.digits, digits(step.bound, priority)); // so that the change can be seen
    const exact = (/** @type {number | null} */ value) => rounded(value, decimals);
    return [
      ...name,
      ` is at the head with the bound ${exact(step.bound)}, but the global model has not scored it yet. One recursive unit is run and gives ${exact(global)}. The item goes back on the agenda with ${exact(priority)}, ${after}.`,
    ];
  }
  if (step.kind === "drop") {
    return [
      ...name,
      ` is at the head with ${score(step.bound)}, but a better item of the same category already covers these words. It is dropped.`,
    ];
  }
  if (step.kind === "goal") {
    return [
      ...name,
      ` is a complete parse at the head of the agenda. No item on the agenda can score more than ${score(step.bound)}, so the search ends here with a proof.`,
    ];
  }
  const made = pushed
    ? `Combined with its explored neighbours, it gives ${plural(pushed, "new item")}.`
    : "It gives no new item.";
  return [...name, ` has the highest bound, ${score(step.bound)}. It is explored. ${made}`];
}

/** What the states are called on the page. */
export const STATUS_IN_WORDS = {
  unseen: "not built yet",
  waiting: "on the agenda, not scored by the global model yet",
  scored: "on the agenda",
  explored: "explored",
  dropped: "dropped: a better item of the same category covers these words",
};
