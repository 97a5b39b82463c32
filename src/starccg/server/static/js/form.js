/** The sentence and the settings above the views. */

import { byId, make } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { decoderInWords, whole } from "./format.js";
import { writeAddress } from "./state.js";

/** @typedef {import("./types.js").Address} Address */
/** @typedef {(change: Partial<Address>) => void} Change */

const COUNTS = [1, 2, 3, 5, 10, 20, 50];

export class Form {
  #text = /** @type {HTMLTextAreaElement} */ (byId("sentence"));
  #decoder = /** @type {HTMLSelectElement} */ (byId("decoder"));
  #nbest = /** @type {HTMLSelectElement} */ (byId("nbest"));
  #example = /** @type {HTMLSelectElement} */ (byId("example"));
  #tokenized = /** @type {HTMLInputElement} */ (byId("tokenized"));
  /** @type {import("./types.js").Models | null} */
  #models = null;

  /** @param {Change} onChange gets what is typed, whatever else has changed */
  constructor(onChange) {
    const form = byId("ask");
    const ask = (/** @type {Partial<Address>} */ change) => onChange({ ...this.typed(), ...change });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask({});
    });
    this.#text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      /** @type {HTMLFormElement} */ (form).requestSubmit();
    });
    this.#text.addEventListener("input", () => this.#fit());
    this.#decoder.addEventListener("change", () =>
      ask({ decoder: this.#decoder.value === this.#models?.default_decoder ? "" : this.#decoder.value }),
    );
    this.#nbest.addEventListener("change", () => ask({ nbest: Number(this.#nbest.value) }));
    this.#tokenized.addEventListener("change", () => this.typed().sentence && ask({}));
    this.#example.append(
      make("option", { value: "" }, "choose…"),
      ...EXAMPLES.map(({ text, shows }) => make("option", { value: text, title: shows }, text)),
    );
    this.#example.addEventListener(
      "change",
      () => this.#example.value && ask({ sentence: this.#example.value, tokenized: false }),
    );
    byId("share").addEventListener("click", () => this.#share());
    addEventListener("resize", () => this.#fit());
  }

  typed() {
    return { sentence: this.#text.value.trim(), tokenized: this.#tokenized.checked };
  }

  /** @param {Address} address */
  show(address) {
    if (this.#text.value.trim() !== address.sentence) this.#text.value = address.sentence;
    this.#tokenized.checked = address.tokenized;
    this.#example.value = EXAMPLES.some(({ text }) => text === address.sentence) ? address.sentence : "";
    if (this.#models) this.know(this.#models, address);
    byId("share").hidden = !writeAddress(address);
    byId("sentences")?.replaceChildren();
    this.#fit();
  }

  /**
   * Shows the decoders and limits of this server.
   * @param {import("./types.js").Models} models
   * @param {Address} address
   */
  know(models, address) {
    this.#models = models;
    byId("model").textContent = models.model ? `model ${models.model}` : "";
    const chosen = address.decoder || models.default_decoder;
    const decoders = models.decoders
      .filter((decoder) => (decoder.available !== false && decoder.fits_model !== false) || decoder.name === chosen)
      .map((decoder) => decoder.name);
    if (!decoders.includes(chosen)) decoders.push(chosen);
    choose(
      this.#decoder,
      decoders.map((name) => [name, decoderInWords(name)]),
      chosen,
    );
    const counts = COUNTS.filter((count) => count <= models.limits.nbest);
    if (!counts.includes(address.nbest)) counts.push(address.nbest);
    choose(
      this.#nbest,
      counts.sort((a, b) => a - b).map((count) => [String(count), String(count)]),
      String(address.nbest),
    );
    this.#fit();
  }

  /**
   * A text of several sentences is shown one sentence at a time.
   * @param {string[]} texts
   * @param {number} which
   * @param {(which: number) => void} onWhich
   */
  sentences(texts, which, onWhich) {
    const place = byId("sentences");
    if (texts.length < 2) return place.replaceChildren();
    const list = make("select", { id: "which", change: (event) => onWhich(Number(event.target.value)) });
    choose(
      list,
      texts.map((text, at) => [
        String(at),
        `${at + 1} of ${texts.length}: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`,
      ]),
      String(which),
    );
    return place.replaceChildren(make("label", { for: "which" }, "Sentence ", list));
  }

  /** Makes the field as high as its text, and shows the number of characters when it comes near the limit. */
  #fit() {
    this.#text.style.height = "auto";
    this.#text.style.height = `${this.#text.scrollHeight + 2}px`;
    const limit = this.#models?.limits.characters ?? Infinity;
    const length = this.#text.value.length;
    const hint = byId("hint");
    hint.classList.toggle("over", length > limit);
    hint.textContent = length > 0.8 * limit ? `${whole(length)} of at most ${whole(limit)} characters` : "";
  }

  async #share() {
    const button = byId("share");
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy it from the address bar"; // no clipboard without https
    }
    setTimeout(() => (button.textContent = "Copy link"), 2000);
  }
}

/**
 * Fills a list only where it changes, so that an open one stays open.
 * @param {HTMLSelectElement} list
 * @param {string[][]} options values and what is read
 * @param {string} chosen
 */
function choose(list, options, chosen) {
  const key = JSON.stringify(options);
  if (list.dataset.options !== key) {
    list.dataset.options = key;
    list.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  }
  list.value = chosen;
}
