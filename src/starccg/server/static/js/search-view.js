/** The view of a search: forest, player, agenda and certificate of one recording, at the same step. */

import { itemInWords, showAgenda, showItem } from "./agenda.js";
import { certificateBlock, failureBlock } from "./certificate.js";
import { framed } from "./derivation.js";
import { byId, make } from "./dom.js";
import { Forest } from "./forest.js";
import { asSentence, decoderInWords, plural, score, whole } from "./format.js";
import { narrate } from "./narrate.js";
import { Player } from "./player.js";

/** @typedef {import("./recording.js").Recording} Recording */

export class SearchView {
  /**
   * @param {HTMLElement} panel
   * @param {Recording} recording
   * @param {number} step where to begin; -1: at the start
   * @param {{announce: (text: string) => void, onStep: (step: number, playing: boolean) => void}} page
   */
  constructor(panel, recording, step, page) {
    this.recording = recording;
    this.page = page;
    const template = /** @type {HTMLTemplateElement} */ (byId("search-template"));
    panel.replaceChildren(template.content.cloneNode(true));
    this.panel = panel;
    this.agenda = /** @type {HTMLTableElement} */ (byId("agenda"));
    this.#legend();
    this.#arrange();
    addEventListener("resize", this.#arrange);
    this.forest = new Forest(
      /** @type {HTMLCanvasElement} */ (byId("forest")),
      byId("forest-box"),
      recording,
      (item, how) => this.#picked(item, how),
    );
    this.player = new Player(panel, recording, (at, playing) => this.#stepped(at, playing));
    document.addEventListener("keydown", this.#key);
    for (const button of panel.querySelectorAll("[data-zoom]"))
      if (button instanceof HTMLElement)
        button.addEventListener("click", () => (this.forest.zoom(Number(button.dataset.zoom)), this.#note()));
    this.forest.resize();
    this.player.go(Math.max(0, step));
    this.#note();
    requestAnimationFrame(this.#arrange); // when the sign that the page is busy is gone
  }

  /**
   * The forest gets the height that is left, so that it, the player and the description of the step are on one screen;
   * and the whole width, where beside the agenda it would be too narrow.
   */
  #arrange = () => {
    const box = byId("forest-box");
    const roomy = matchMedia("(min-width: 75rem)").matches;
    this.panel.classList.toggle("broad", roomy && this.recording.words.length * 112 + 28 > this.panel.clientWidth - 480);
    const [top, foot] = ["legend", "forest-note"].map((id) => byId(id).getBoundingClientRect().top + scrollY);
    const rest = foot - top - box.offsetHeight;
    const height = Math.max(180, Math.min(900, innerHeight - top - rest - 20));
    this.panel.style.setProperty("--forest-height", `${Math.floor(height)}px`);
    if (!this.forest) return; // it is made after this was called for the first time
    this.forest.resize();
    this.#note();
  };

  close() {
    removeEventListener("resize", this.#arrange);
    this.forest.close();
    this.player.close();
    document.removeEventListener("keydown", this.#key);
    this.panel.replaceChildren();
  }

  /**
   * The keys of the player work wherever the focus is, but for elements that use these keys themselves.
   * @param {KeyboardEvent} event
   */
  #key = (event) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.defaultPrevented || !target || target.closest("dialog, form") || this.panel.hidden) return;
    if (target.matches("select, textarea, summary, [type=text]")) return;
    if (target.matches("[role=tab]:not([aria-selected=true]), a")) return;
    if (target.matches("[role=tab]")) return void this.player.key(event); // it is selected already
    if (target.matches(".scroller:not(.forest)") && event.key.startsWith("Arrow")) return; // it scrolls
    if (target.matches("button, [type=checkbox]") && event.key === " ") return; // it presses
    this.player.key(event);
  };

  /**
   * @param {number} step
   * @param {boolean} playing
   */
  #stepped(step, playing) {
    this.forest.show(step, !playing);
    const now = byId("now");
    now.setAttribute("aria-live", playing ? "off" : "polite"); // a screen reader is slower than the player
    now.replaceChildren(
      ...narrate(this.recording, step).map((part) =>
        typeof part === "string" ? part : make("b", { class: "category" }, part.category),
      ),
    );
    now.dataset.kind = this.recording.steps[step].kind;
    this.#details(step);
    byId("forest").setAttribute(
      "aria-label",
      `Forest after step ${step}: ${plural(this.recording.steps[step].explored, "item")} explored, ${whole(this.recording.steps[step].agendaSize)} on the agenda`,
    );
    byId("proof").replaceChildren(...(step === this.recording.last ? this.#proof() : this.#notYet(step)));
    this.page.onStep(step, playing);
  }

  /** @param {number} step */
  #details(step) {
    const chosen = this.forest.picked;
    const current = chosen >= 0 ? chosen : this.recording.steps[step].item;
    showItem(byId("item"), this.recording, current, step);
    const held = document.activeElement?.closest("#agenda")
      ? [...this.agenda.querySelectorAll("button")].findIndex((button) => button === document.activeElement)
      : -1;
    showAgenda(this.agenda, this.recording, step, chosen, (item) => this.forest.select(item));
    if (held >= 0) this.agenda.querySelectorAll("button")[held]?.focus();
    const { agendaSize, explored, units } = this.recording.steps[step];
    byId("agenda-title").textContent = `Top of the agenda (${plural(agendaSize, "item")})`;
    const run = this.recording.lazy ? `, ${plural(units, "recursive unit")} run` : "";
    byId("now-title").textContent = `Now: ${whole(explored)} explored${run}`;
  }

  /**
   * @param {number} item
   * @param {"hover" | "select"} how
   */
  #picked(item, how) {
    this.#details(this.player.step);
    if (how === "select") this.page.announce(itemInWords(this.recording, item, this.player.step));
  }

  #legend() {
    for (const entry of this.panel.querySelectorAll("[data-lazy]"))
      entry.toggleAttribute("hidden", !this.recording.lazy);
    for (const entry of this.panel.querySelectorAll("[data-dropped]"))
      entry.toggleAttribute("hidden", !this.recording.drops);
  }

  #note() {
    const { items, truncated, last, totalSteps, difference } = this.recording;
    const { shown } = this.forest.layout;
    const notes = [];
    if (shown < items.length)
      notes.push(
        `The forest shows ${whole(shown)} of ${plural(items.length, "item")}: for each span first the explored ones, then those with the highest bounds. A number such as +3 counts the items that are not shown.`,
      );
    if (truncated) notes.push(`The recording has the first ${whole(last)} of ${plural(totalSteps, "step")}.`);
    if (difference) notes.push(difference);
    byId("forest-note").textContent = notes.join(" ");
  }

  /** @param {number} step */
  #notYet(step) {
    const { bound } = this.recording.steps[step];
    const known = Number.isNaN(bound)
      ? ""
      : ` So far: no parse can score more than ${score(bound)}, the bound of the item at the head.`;
    return [
      make("p", { class: "fine" }, `The proof is complete when a complete parse is at the head of the agenda.${known}`),
    ];
  }

  #proof() {
    const { certificate, outcome, reason, svg } = this.recording;
    if (outcome === "Failed" || !certificate) return [failureBlock(reason)];
    return [certificateBlock(certificate, { reason }), framed(svg, "Derivation of the answer")];
  }
}

/**
 * For decoders without an agenda.
 * @param {HTMLElement} panel
 * @param {Recording} recording
 * @param {(decoder: string) => void} onSwitch
 */
export function showWithoutSteps(panel, recording, onSwitch) {
  panel.replaceChildren(
    make(
      "div",
      { class: "blank" },
      make("h2", {}, "There are no steps to show"),
      make("p", {}, asSentence(recording.note)),
      recording.decoder !== "global" &&
        make(
          "p",
          {},
          make(
            "button",
            { type: "button", class: "primary", click: () => onSwitch("global") },
            "Show the global search",
          ),
        ),
    ),
    make(
      "section",
      { class: "card" },
      make("h2", {}, "Answer of this decoder"),
      framed(recording.svg, "Derivation of the answer"),
      recording.certificate
        ? certificateBlock(recording.certificate, { reason: recording.reason })
        : failureBlock(recording.reason),
    ),
  );
}
