/**
 * A recorded search: the state of every item at every step. The server gives for each item the steps at which it was
 * pushed, scored, popped and dropped, so the state at any step is found without replaying the ones before it.
 *
 * Inside the page items are numbered by their position in the list, not by the server's id.
 */

import { digits } from "./format.js";

/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./types.js").Status} Status */

const NEVER = 2 ** 30;

export class Recording {
  /** @param {any} sent the answer of /api/search, see docs/server.md */
  constructor(sent) {
    /** @type {string[]} */
    this.words = sent.words ?? [];
    /** @type {string} */
    this.decoder = sent.decoder ?? "";
    /** @type {import("./types.js").Certificate | null} */
    this.certificate = sent.certificate ?? null;
    /** @type {import("./types.js").OutcomeName} */
    this.outcome = sent.outcome;
    /** @type {string} */
    this.reason = sent.reason ?? "";
    /** @type {string} */
    this.note = sent.note ?? "";
    /** @type {string} how the recorded search differs from the one that answered */
    this.difference = sent.difference ?? "";
    /** @type {string | null} */
    this.svg = sent.svg ?? null;
    /** @type {any[]} */
    const items = sent.items ?? [];
    /** @type {Map<number, number>} */
    this.positions = new Map(items.map((item, position) => [item.id, position]));
    /** @type {Item[]} */
    this.items = items.map((item) => this.#item(item, sent.categories ?? []));
    /** @type {Step[]} */
    this.steps = (sent.steps ?? []).map((/** @type {any} */ step) => this.#step(step));
    for (const step of sent.steps ?? []) {
      const at = this.positions.get(step.item);
      if (at !== undefined && typeof step.returned === "number") this.items[at].returned = step.returned;
    }
    this.recorded = sent.recorded !== false && this.steps.length > 0;
    /** @type {number} */
    this.totalSteps = sent.total_steps ?? this.steps.length;
    this.truncated = Boolean(sent.truncated);
    this.lazy = this.steps.some((step) => step.kind === "rescore");
    this.global = !this.decoder.startsWith("supertag"); // whether a global model took part
    this.drops = this.steps.some((step) => step.kind === "drop");
  }

  /** The decimals that tell the bounds of this search apart. */
  get digits() {
    const bounds = this.steps.map(({ bound }) => bound).filter((bound) => !Number.isNaN(bound));
    return bounds.length ? Math.max(3, digits(bounds[0], bounds[bounds.length - 1])) : 3;
  }

  /** The number of the last step. */
  get last() {
    return Math.max(0, this.steps.length - 1);
  }

  /** @param {number[]} ids */
  #known(ids) {
    return ids.map((id) => this.positions.get(id) ?? -1).filter((position) => position >= 0);
  }

  /**
   * @param {any} sent
   * @param {string[]} categories
   * @returns {Item}
   */
  #item(sent, categories) {
    return {
      category: categories[sent.category] ?? String(sent.category),
      start: sent.start,
      end: sent.end,
      rule: sent.rule ?? "",
      ruleName: sent.rule_name ?? sent.rule ?? "",
      children: this.#known(sent.children ?? []),
      inside: sent.inside,
      outside: sent.outside,
      local: sent.local,
      global: sent.global ?? null,
      pushedAt: sent.pushed_at ?? 0,
      scoredAt: sent.scored_at ?? NEVER,
      poppedAt: sent.popped_at ?? NEVER,
      droppedAt: sent.dropped_at ?? NEVER,
      inParse: Boolean(sent.in_parse),
      returned: null,
    };
  }

  /**
   * @param {any} sent
   * @returns {Step}
   */
  #step(sent) {
    return {
      kind: sent.kind,
      item: this.positions.get(sent.item) ?? -1,
      bound: sent.bound ?? NaN,
      agendaSize: sent.agenda_size ?? 0,
      explored: sent.explored ?? 0,
      units: sent.recursive_units ?? 0,
      pushed: this.#known((sent.pushed ?? []).map((/** @type {any} */ one) => one.item)),
      top: this.#known(sent.top ?? []),
    };
  }

  /**
   * Where an item is after a step.
   * @param {number} at
   * @param {number} step
   * @returns {Status}
   */
  status(at, step) {
    const item = this.items[at];
    if (item.pushedAt > step) return "unseen";
    if (item.poppedAt <= step) return "explored";
    if (item.droppedAt <= step) return "dropped";
    return item.scoredAt <= step ? "scored" : "waiting";
  }

  /**
   * What is known of an item's scores after a step: before its recursive unit has run, only an upper bound.
   * @param {number} at
   * @param {number} step
   * @returns {import("./types.js").Scores}
   */
  scores(at, step) {
    const { inside: pushed, local, global, pushedAt, scoredAt, poppedAt, returned } = this.items[at];
    const scored = scoredAt <= step;
    const late = scored && scoredAt > pushedAt;
    const inside = pushed + (late ? (global ?? 0) : 0);
    const whole = returned !== null && poppedAt <= step; // a complete parse that waits again, with its root score
    const outside = whole ? returned - inside : this.items[at].outside;
    return { inside, outside, local, global: scored ? global : null, priority: inside + outside };
  }

  /**
   * An item and all it is built from.
   * @param {number} at
   * @returns {Set<number>}
   */
  subtree(at) {
    /** @type {Set<number>} */
    const found = new Set();
    const open = [at];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(...this.items[next].children);
    }
    return found;
  }

  /**
   * The words that an item covers.
   * @param {number} at
   */
  text(at) {
    return this.words.slice(this.items[at].start, this.items[at].end).join(" ");
  }

  /**
   * The same in few words.
   * @param {number} at
   */
  brief(at) {
    const { start, end } = this.items[at];
    if (end - start <= 8) return this.text(at);
    return `${this.words.slice(start, start + 4).join(" ")} … ${this.words.slice(end - 3, end).join(" ")}`;
  }

  /**
   * The next step in a direction at which an item was explored; the start and the end count too.
   * @param {number} step
   * @param {1 | -1} direction
   */
  neighbourPop(step, direction) {
    for (let at = step + direction; at > 0 && at < this.last; at += direction)
      if (this.steps[at].kind === "pop") return at;
    return direction > 0 ? this.last : 0;
  }
}
