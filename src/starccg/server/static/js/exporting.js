/** A parse as a file: three formats as buttons, the others in a list. */

import { exported } from "./api.js";
import { make } from "./dom.js";

const AT_HAND = ["svg", "latex", "json"];
/** @type {Record<string, string>} */
const NAMES = { svg: "SVG", latex: "LaTeX", json: "JSON" };

/**
 * @param {import("./types.js").Models} models
 * @param {{words: string[], decoder: string | null, rank: number}} parse
 * @param {(message: string) => void} onTrouble
 */
export function exportBar(models, parse, onTrouble) {
  const save = async (/** @type {string} */ format) => {
    try {
      download(await exported({ ...parse, format }));
    } catch (error) {
      onTrouble(error instanceof Error ? error.message : String(error));
    }
  };
  const known = models.formats.map((format) => format.name);
  const buttons = AT_HAND.filter((name) => known.includes(name)).map((name) =>
    make("button", { type: "button", class: "quiet", "data-format": name, click: () => save(name) }, NAMES[name]),
  );
  const others = models.formats.filter((format) => !AT_HAND.includes(format.name));
  const list = make(
    "select",
    {
      "aria-label": "Export in another format",
      change: (event) => (event.target.value && save(event.target.value), (event.target.value = "")),
    },
    make("option", { value: "" }, "more…"),
    ...others.map(({ name, description }) =>
      make("option", { value: name }, description ? `${name}: ${description}` : name),
    ),
  );
  return make(
    "div",
    { class: "exports", role: "group", "aria-label": `Export parse ${parse.rank}` },
    make("span", { "aria-hidden": "true" }, "Export"),
    ...buttons,
    others.length ? list : null,
  );
}

/** @param {{name: string, blob: Blob}} file */
function download({ name, blob }) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
