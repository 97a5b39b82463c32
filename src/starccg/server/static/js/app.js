/** The page: reads its address, sends requests to the server, shows the view. */

import { Answers, ServerError, ask } from "./api.js";
import { comparable, showComparison } from "./compare.js";
import { RULES } from "./derivation.js";
import { byId, make } from "./dom.js";
import { asSentence, plural, whole } from "./format.js";
import { Form } from "./form.js";
import { welcome } from "./welcome.js";
import { showParses } from "./parse-view.js";
import { Recording } from "./recording.js";
import { SearchView, showWithoutSteps } from "./search-view.js";
import { START, VIEWS, readAddress, writeAddress } from "./state.js";

/** @typedef {import("./types.js").Address} Address */
/** @typedef {import("./types.js").Models} Models */

class Page {
  /** @type {Models | null} */
  #models = null;
  #answers = new Answers();
  #address = readAddress(location.search);
  #turn = 0;
  /** @type {SearchView | null} */
  #searchView = null;
  #request = new AbortController();
  #clock = 0;
  #saving = 0;

  constructor() {
    this.form = new Form((change) => this.#change(change));
    addEventListener("popstate", () => this.#show(readAddress(location.search)));
    const tabs = [...byId("tabs").querySelectorAll("button")];
    for (const tab of tabs)
      tab.addEventListener("click", () =>
        this.#change({ ...this.form.typed(), view: VIEWS.find((view) => view === tab.dataset.view) ?? "parse" }),
      );
    byId("cancel").addEventListener("click", () => this.#cancel());
    byId("tabs").addEventListener("keydown", (event) => {
      if (this.#searchView) return; // the keys belong to the player
      const at = tabs.findIndex((tab) => tab === document.activeElement);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const tab = tabs[(to + tabs.length) % tabs.length];
      tab.focus();
      tab.click();
    });
    this.#show(this.#address);
  }

  /**
   * What was typed or chosen. Another sentence or decoder has another search, so its steps begin anew.
   * @param {Partial<Address>} change
   */
  #change(change) {
    const { sentence, tokenized, decoder, step, which } = this.#address;
    const next = { ...this.#address, ...change };
    const same = next.sentence === sentence && next.tokenized === tokenized;
    this.#go({ ...next, which: same ? which : 0, step: same && next.decoder === decoder ? step : -1 });
  }

  /** @param {Address} address */
  #go(address) {
    if (writeAddress(address) !== writeAddress(this.#address))
      history.pushState(null, "", location.pathname + writeAddress(address));
    this.#show(address);
  }

  /** @param {Address} address */
  async #show(address) {
    this.#address = address;
    this.#turn += 1;
    const turn = this.#turn;
    this.#request.abort();
    this.#request = new AbortController();
    this.#searchView?.close();
    this.#searchView = null;
    this.form.show(address);
    for (const view of VIEWS) {
      const chosen = view === address.view;
      byId(`tab-${view}`).setAttribute("aria-selected", String(chosen));
      byId(`tab-${view}`).tabIndex = 0; // in the search view the arrow keys belong to the player
      byId(`panel-${view}`).hidden = !chosen;
    }
    document.body.dataset.view = address.sentence ? address.view : "welcome";
    document.title = address.sentence ? `${address.sentence} – starccg` : "starccg explorer";
    this.#trouble(null);
    const waiting = setTimeout(() => turn === this.#turn && this.#busy(true), 150);
    try {
      await this.#fill(address, () => turn === this.#turn);
    } catch (error) {
      if (turn === this.#turn) this.#trouble(error instanceof Error ? error : new Error(String(error)));
    } finally {
      clearTimeout(waiting);
      if (turn === this.#turn) this.#busy(false);
    }
  }

  /**
   * @param {Address} address
   * @param {() => boolean} current whether the answer is still wanted
   */
  async #fill(address, current) {
    const panel = byId(`panel-${address.view}`);
    this.#models ??= /** @type {Models} */ (await ask("models"));
    const models = this.#models;
    if (!current()) return;
    this.form.know(models, address);
    Object.assign(RULES, models.rules);
    if (!address.sentence) {
      welcome(panel, (sentence, view) => this.#go({ ...START, sentence, view }));
      return;
    }
    const decoder = address.decoder || null;
    const parsed = await this.#answers.get("parse", {
      text: address.sentence,
      tokenized: address.tokenized,
      decoder,
      nbest: address.nbest,
      confidence: true,
    }, this.#request.signal);
    if (!current()) return;
    const results = /** @type {import("./types.js").Result[]} */ (parsed.results);
    const which = Math.min(address.which, results.length - 1);
    this.form.sentences(
      results.map((result) => result.words.join(" ")),
      which,
      (next) => this.#go({ ...this.#address, which: next, step: -1 }),
    );
    const result = results[which];
    if (!result) throw new ServerError("empty", "The server sent no result.");
    if (address.view === "parse" || !result.words.length) {
      showParses(panel, result, models, decoder, (message) => this.#trouble(new Error(message)));
      this.#announce(
        result.parses.length ? `${plural(result.parses.length, "parse")} found` : `No parse: ${result.reason}`,
      );
    } else if (address.view === "search") {
      const recording = new Recording(
        await this.#answers.get(
          "search",
          { words: result.words, decoder, max_steps: models.limits.steps },
          this.#request.signal,
        ),
      );
      if (current()) this.#showSearch(panel, recording, address.step);
    } else {
      const decoders = comparable(models, address.compared);
      const { results: compared } = await this.#answers.get(
        "compare",
        { words: result.words, decoders },
        this.#request.signal,
      );
      if (!current()) return;
      showComparison(panel, compared, models, (chosen) => this.#go({ ...this.#address, compared: chosen.join(",") }));
      this.#announce(`${plural(compared.length, "decoder")} compared`);
    }
  }

  /**
   * @param {HTMLElement} panel
   * @param {Recording} recording
   * @param {number} step
   */
  #showSearch(panel, recording, step) {
    if (!recording.recorded) {
      showWithoutSteps(panel, recording, (decoder) => this.#go({ ...this.#address, decoder, step: -1 }));
      return;
    }
    this.#searchView = new SearchView(panel, recording, step, {
      announce: (text) => this.#announce(text),
      onStep: (at, playing) => {
        this.#address = { ...this.#address, step: at };
        clearTimeout(this.#saving);
        if (!playing)
          this.#saving = setTimeout(
            () =>
              this.#address.view === "search" &&
              history.replaceState(null, "", location.pathname + writeAddress(this.#address)),
            250,
          );
      },
    });
    this.#announce(`${plural(recording.last, "step")}. The space key plays the search, and the arrow keys move by one step.`);
    // After a tab, a card of the start page or a link, the keys work at once; focus in a text field is kept.
    const focused = document.activeElement;
    if (!focused || focused === document.body || focused.matches("[role=tab], .link"))
      /** @type {HTMLElement | null} */ (panel.querySelector("[data-go=play]"))?.focus({ preventScroll: true });
  }

  /**
   * Shows that a request takes time, how long it has taken, and the button to cancel it.
   * @param {boolean} busy
   */
  #busy(busy) {
    clearInterval(this.#clock);
    const begin = performance.now();
    const show = () => {
      const limit = this.#models?.limits.request_seconds;
      const most = limit ? ` of at most ${whole(limit)}` : "";
      byId("progress").textContent = `Parsing: ${whole((performance.now() - begin) / 1000)}${most} seconds`;
    };
    if (busy) {
      show();
      this.#clock = setInterval(show, 500);
    }
    byId("loading").hidden = !busy;
    byId("results").setAttribute("aria-busy", String(busy));
    byId("results").classList.toggle("busy", busy);
  }

  #cancel() {
    this.#turn += 1; // its answer is not wanted any more
    this.#request.abort();
    this.#busy(false);
    this.#trouble(new ServerError("cancelled", "The request was cancelled, and the server has stopped its work."));
  }

  /** @param {string} text */
  #announce(text) {
    byId("announce").textContent = text;
  }

  /** @param {Error | null} error */
  #trouble(error) {
    const place = byId("trouble");
    place.hidden = !error;
    place.replaceChildren();
    byId("results").classList.toggle("troubled", Boolean(error));
    if (!error) return;
    const title = make("h2", {}, (error instanceof ServerError && TITLES[error.code]) || "Request failed");
    const text = make("p", {}, asSentence(error.message));
    place.append(title, text);
    if (error instanceof ServerError && !WORTH_TRYING_AGAIN.has(error.code)) return;
    place.append(make("button", { type: "button", click: () => this.#show(this.#address) }, "Try again"));
  }
}

/** @type {Record<string, string>} */
const TITLES = {
  too_long: "The text is too long",
  body_too_large: "The text is too long",
  too_many: "Over a limit of this server",
  too_large: "The answer would be too large",
  cancelled: "Cancelled",
  stopping: "The server is stopping",
  unknown_decoder: "Unknown decoder",
  needs_global_model: "This decoder needs a global model",
  unreachable: "No connection",
  busy: "The server is busy",
  internal: "Error in the server",
};

const WORTH_TRYING_AGAIN = new Set(["unreachable", "busy", "stopping", "cancelled", "internal"]);

new Page();
