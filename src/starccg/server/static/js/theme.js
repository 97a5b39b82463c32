/**
 * Light, dark, or same as the system; kept in localStorage. A plain script, not a module: it runs before the first
 * paint, so that the page never flashes in the wrong colours.
 */
(() => {
  const KEY = "starccg-theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const NAMES = ["auto", "light", "dark"];
  const LABELS = { auto: "same as the system", light: "light", dark: "dark" };

  /** @returns {"auto" | "light" | "dark"} */
  function stored() {
    try {
      const name = localStorage.getItem(KEY);
      return name === "light" || name === "dark" ? name : "auto";
    } catch {
      return "auto"; // storage is switched off
    }
  }

  /** @param {"auto" | "light" | "dark"} name */
  function apply(name) {
    const dark = name === "dark" || (name === "auto" && system.matches);
    document.documentElement.dataset.theme = name;
    document.documentElement.dataset.scheme = dark ? "dark" : "light";
    const button = document.getElementById("theme");
    const label = document.getElementById("theme-name");
    if (button && label) {
      button.setAttribute("aria-label", `Theme: ${LABELS[name]}`);
      label.textContent = name[0].toUpperCase() + name.slice(1);
    }
    document.dispatchEvent(new CustomEvent("themechange"));
  }

  apply(stored());
  addEventListener("DOMContentLoaded", () => {
    apply(stored());
    document.getElementById("theme")?.addEventListener("click", () => {
      const next = /** @type {"auto" | "light" | "dark"} */ (NAMES[(NAMES.indexOf(stored()) + 1) % NAMES.length]);
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // it then holds until the page is left
      }
      apply(next);
    });
  });
  system.addEventListener("change", () => apply(stored()));
})();
