// A field that finds words of both languages while one types: a combobox with a list of suggestions.
import { get } from "./client";
import { h, replace, say, word } from "./dom";
import type { NumberedWord } from "./schema";
import { nameOf, type Side } from "./shell";

interface Found {
  side: Side;
  word: string;
  id: number;
}

let made = 0;

export function searchField(label: string, sides: Side[], picked: (side: Side, word: string, id: number | null) => void): HTMLElement {
  const id = `search${++made}`;
  const list = h("ul", { id: `${id}-list`, role: "listbox", "aria-label": label, hidden: true });
  const input = h("input", {
    id, type: "search", role: "combobox", autocomplete: "off", spellcheck: "false", dir: "auto", placeholder: label,
    "aria-label": label, "aria-expanded": "false", "aria-controls": `${id}-list`, "aria-autocomplete": "list",
  });
  let found: Found[] = [], active = -1, asked = 0;
  let asking: AbortController | null = null;

  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const activate = (at: number) => {
    active = at;
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === at)));
    if (at >= 0) input.setAttribute("aria-activedescendant", `${id}-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const choose = (one: Found | null) => {
    const text = one ? one.word : input.value.trim();
    if (!text) return;
    input.value = text;
    close();
    picked(one ? one.side : sides[0], text, one ? one.id : null);
  };
  const ask = async () => {
    const prefix = input.value.trim(), turn = ++asked;
    asking?.abort();
    if (!prefix) return close();
    asking = new AbortController();
    try {
      const answers = await Promise.all(
        sides.map((side) => get<{ words: NumberedWord[] }>("words", { prefix, side, count: 8 }, asking!.signal)),
      );
      if (turn !== asked) return;
      found = answers.flatMap((answer, i) => answer.words.map((one) => ({ side: sides[i], ...one })));
      replace(list, found.map((one, i) =>
        h("li", { id: `${id}-${i}`, role: "option", "aria-selected": "false", onpointerdown: (event: Event) => {
          event.preventDefault();
          choose(one);
        } }, word(one.word), h("span", { class: `side ${one.side}` }, nameOf(one.side)))));
      active = -1;
      list.hidden = found.length === 0;
      input.setAttribute("aria-expanded", String(found.length > 0));
      say(found.length ? `${found.length} words` : "no word begins so");
    } catch {
      close();
    }
  };
  input.addEventListener("input", ask);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!found.length) return;
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      activate((active + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(active >= 0 ? found[active] : (found.find((one) => one.word === input.value.trim()) ?? null));
    } else if (event.key === "Escape") {
      close();
    }
  });
  return h("div", { class: "search" }, input, list);
}
