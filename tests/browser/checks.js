/** What axe would look for, in our own words: run in the page, each check gives a list of what is wrong. */
(() => {
  const parse = (colour) => {
    const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
    return { red, green, blue, alpha };
  };
  const over = (top, under) => {
    const mix = (name) => top[name] * top.alpha + under[name] * (1 - top.alpha);
    return { red: mix("red"), green: mix("green"), blue: mix("blue"), alpha: 1 };
  };
  const light = ({ red, green, blue }) => {
    const [r, g, b] = [red, green, blue].map((value) =>
      (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), { red: 255, green: 255, blue: 255, alpha: 1 });
  };

  const contrast = (one, other) => {
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };

  /** Everything that can be pressed, reached or read aloud as one thing has a name. */
  const nameless = () => {
    const shown = (element) => element.checkVisibility({ checkVisibilityCSS: true });
    const text = (id) => document.getElementById(id)?.textContent.trim();
    const named = (element) =>
      element.getAttribute("aria-label")?.trim() ||
      (element.getAttribute("aria-labelledby") ?? "").split(" ").map(text).join("") ||
      [...(element.labels ?? [])].map((label) => label.textContent.trim()).join("") ||
      element.textContent.trim();
    const wanted =
      "button, a[href], input, select, textarea, summary, [tabindex='0'], [role=img], [role=tab], [role=group], [role=region], nav, canvas:not([aria-hidden])";
    return [...document.querySelectorAll(wanted)]
      .filter((each) => shown(each) && !named(each))
      .map((each) => each.outerHTML.slice(0, 90));
  };

  /** Ids are single, references lead somewhere, landmarks are there, headings do not skip a level. */
  const broken = () => {
    const found = [];
    const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
    for (const id of new Set(ids))
      if (ids.filter((other) => other === id).length > 1) found.push(`two elements are called ${id}`);
    for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "for"])
      for (const each of document.querySelectorAll(`[${name}]`))
        for (const id of each.getAttribute(name).split(" "))
          if (!ids.includes(id)) found.push(`${name} leads to ${id}, which is not there`);
    for (const role of ["main", "header", "footer", "nav"])
      if (document.querySelectorAll(role === "main" ? "main" : `body > ${role}, body > * > ${role}`).length < 1)
        found.push(`no ${role}`);
    if (document.querySelectorAll("h1").length !== 1) found.push("not one h1");
    let level = 1;
    for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
      if (!heading.checkVisibility()) continue;
      const next = Number(heading.localName[1]);
      if (next > level + 1) found.push(`h${next} after h${level}: ${heading.textContent}`);
      level = next;
    }
    if (!document.documentElement.lang) found.push("no language");
    for (const each of document.querySelectorAll("[tabindex]"))
      if (each.tabIndex > 0) found.push("a tabindex above zero");
    for (const each of document.querySelectorAll("[role=tab]"))
      if (!each.hasAttribute("aria-selected")) found.push("a tab that is neither selected nor not");
    return found;
  };

  /** Text against its ground: 4.5, or 3 where it is large (WCAG 2.1, 1.4.3). */
  const faint = () => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.textContent.trim() || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
        continue;
      if (element.closest("[aria-hidden=true], .unseen, .skip, noscript, option, desc, title")) continue;
      const style = getComputedStyle(element);
      const svg = element instanceof SVGElement;
      const under = ground(element);
      let opacity = 1;
      for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      const ink = parse(svg ? style.fill : style.color);
      const own = over({ ...ink, alpha: ink.alpha * opacity }, under);
      const ratio = contrast(own, under);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5))
        found.push(
          `${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)} (${element.className.baseVal ?? element.className})`,
        );
    }
    return found;
  };

  /** The lines of a control against the page: 3 (WCAG 2.1, 1.4.11). */
  const edge = (id) =>
    contrast(parse(getComputedStyle(document.getElementById(id)).borderTopColor), ground(document.body));

  /** Whether the element that has the focus shows it. */
  const focusShown = () => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
    return document.activeElement === document.body || (outlineStyle === "solid" && outlineWidth === "3px");
  };

  return { nameless, broken, faint, edge, focusShown };
})();
