/** Making elements. Text is always set as text, never as markup. */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes]
 *   `class` and the rest as in HTML; a function is a listener of the event after which it is named
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(
    ...children
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => /** @type {Node | string} */ (child)),
  );
  return element;
}

/**
 * The element of an id that is known to be in the page.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return /** @type {T} */ (element);
}

/**
 * A table that scrolls in a box of its own.
 * @param {Record<string, string>} named what the box is called: an `aria-label` or `aria-labelledby`
 * @param {string | null} kind a class
 * @param {string[]} heads
 * @param {HTMLTableRowElement[]} rows
 */
export function table(named, kind, heads, rows) {
  const head = make("tr", {}, ...heads.map((name) => (name ? make("th", { scope: "col" }, name) : make("td"))));
  return make(
    "div",
    { class: "scroller", tabindex: 0, role: "region", ...named },
    make("table", { class: kind }, make("thead", {}, head), make("tbody", {}, ...rows)),
  );
}

/**
 * A colour or length of the style sheet.
 * @param {string} name
 */
export function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
