import { get, listen, takeToken } from "./client";
import { h, number, replace } from "./dom";
import { compareView } from "./compare_view";
import { hubsView } from "./hubs_view";
import { mapView } from "./map_view";
import { reviewView } from "./review_view";
import type { Info } from "./schema";
import { nameOf, shell, type View } from "./shell";
import { trainView } from "./train_view";
import { wordView } from "./word_view";

const VIEWS: Array<{ name: string; title: string; view: View; edits?: boolean }> = [
  { name: "map", title: "Map", view: mapView },
  { name: "word", title: "Word", view: wordView },
  { name: "hubs", title: "Hubs", view: hubsView },
  { name: "compare", title: "Compare", view: compareView },
  { name: "review", title: "Review", view: reviewView, edits: true },
  { name: "train", title: "Train", view: trainView, edits: true },
];

const made = new Map<string, HTMLElement>();

function route(): void {
  const [name, argument] = /^#(\w*)=?(.*)$/.exec(location.hash)?.slice(1) ?? ["map", ""];
  const entry = VIEWS.find((one) => one.name === name && !(one.edits && shell.info.read_only)) ?? VIEWS[0];
  for (const element of made.values()) element.hidden = true;
  let element = made.get(entry.name);
  if (!element) {
    const inside = h("div", { id: `view-${entry.name}` });
    element = h("section", { class: `view-${entry.name}`, "aria-label": entry.title }, h("h2", { class: "hidden" }, entry.title), inside);
    document.querySelector("main")!.append(element);
    made.set(entry.name, element);
    entry.view.make(inside);
  }
  element.hidden = false;
  document.querySelectorAll("nav a").forEach((link) => {
    if (link.getAttribute("href") === `#${entry.name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  document.title = `${entry.title} – ${nameOf("source")} and ${nameOf("target")} – wordbridge studio`;
  try {
    entry.view.show?.(decodeURIComponent(argument));
  } catch {
    // An address that nobody made.
  }
}

async function start(): Promise<void> {
  takeToken();
  try {
    shell.info = await get<Info>("info");
  } catch (error) {
    replace(document.body, h("main", {}, h("h1", {}, "wordbridge studio"), h("p", { class: "error", role: "alert" }, (error as Error).message)));
    return;
  }
  const { info } = shell;
  const lost = h("p", { class: "error", id: "lost", role: "status" });
  replace(document.body,
    h("header", {},
      h("a", { class: "skip", href: "#", onclick: (event: Event) => {
        event.preventDefault();
        document.querySelector("main")!.focus();
      } }, "To the content"),
      h("h1", {}, "wordbridge studio"),
      h("p", { class: "quiet" }, `${info.source.name} → ${info.target.name}, ${number.format(info.source.words)} × ${number.format(info.target.words)} words`),
      h("nav", { "aria-label": "Views" }, VIEWS.filter((one) => !(one.edits && info.read_only)).map((one) =>
        h("a", { href: `#${one.name}` }, one.title)))),
    lost,
    h("main", { tabindex: -1 }),
    h("p", { id: "live", "aria-live": "polite", class: "hidden" }));
  addEventListener("hashchange", route);
  route();
  void listen(
    async (kind, data) => {
      if (kind === "mapping") shell.info = await get<Info>("info");
      VIEWS.forEach((one) => made.has(one.name) && one.view.hear?.(kind, data));
    },
    (is) => (lost.textContent = is ? "" : "The server does not answer; this page tries again by itself."),
  );
}

void start();
