import { get } from "./client";
import { count, h, number, replace, s, word } from "./dom";
import type { Hubs } from "./schema";
import { nameOf, otherSide, shell, wordAddress, type Side, type View } from "./shell";
import { CRITERIA } from "./word_view";

class HubsView implements View {
  private body = h("div", {});
  private side: Side = "source";
  private asked = 0;

  make(element: HTMLElement): void {
    const side = h("select", { "aria-label": "Direction" },
      (["source", "target"] as const).map((one) => h("option", { value: one }, `${nameOf(one)} → ${nameOf(otherSide(one))}`)));
    side.addEventListener("change", () => {
      this.side = side.value as Side;
      void this.load();
    });
    replace(element,
      h("div", { class: "bar" }, side),
      h("p", { class: "quiet" }, "Hubs are words that are near to everything: many words choose them among their ten best translations. Before: by nearest neighbor. After: by what corrects for them."),
      this.body);
    void this.load();
  }

  hear(kind: string): void {
    if (kind === "mapping") void this.load();
  }

  private async load(): Promise<void> {
    const turn = ++this.asked;
    const known = shell.info[this.side].criteria;
    const criteria = ["nn", "csls"].filter((one) => known.includes(one));
    this.body.setAttribute("aria-busy", "true");
    replace(this.body, h("p", { role: "status" }, "Counting who chooses whom …"));
    const done: Hubs[] = [];
    for (const criterion of criteria) {
      try {
        done.push(await get<Hubs>("hubs", { side: this.side, criterion, count: 20, words: 20_000 }));
      } catch (error) {
        if (turn === this.asked) replace(this.body, h("p", { class: "error", role: "alert" }, (error as Error).message));
        return;
      }
      if (turn !== this.asked) return;
      replace(this.body, h("div", { class: "lists" }, done.map((one, i) => this.list(one, i === 0 ? "Before" : "After"))));
    }
    this.body.removeAttribute("aria-busy");
    document.documentElement.dataset.hubs = String(done.length);
  }

  private list(hubs: Hubs, when: string): HTMLElement {
    const to = otherSide(this.side);
    return h("section", {},
      h("h3", {}, `${when}: ${CRITERIA[hubs.criterion] ?? hubs.criterion}`),
      h("p", { class: "quiet" }, `Skewness ${hubs.skewness.toFixed(2)}. ${number.format(hubs.never)} of ${count(hubs.words, "word")} are chosen by nobody, asked by ${count(hubs.asked_by, "word")}.`),
      this.histogram(hubs),
      h("ol", { class: "hubs" }, hubs.hubs.map((hub) => h("li", {},
        h("details", {}, h("summary", {}, word(hub.word), h("span", { class: "score" }, ` ${number.format(hub.chosen)}`)),
          h("p", {}, "Chosen by ", hub.chosen_by.flatMap((one) => [h("a", { href: wordAddress(this.side, one) }, word(one)), " "]), hub.chosen > hub.chosen_by.length ? "…" : ""),
          h("p", {}, h("a", { href: wordAddress(to, hub.word) }, "Look at it")))))));
  }

  private histogram(hubs: Hubs): SVGElement {
    const bins = hubs.histogram, most = Math.max(1, ...bins.map((bin) => bin.words));
    const width = 560, height = 170, step = width / Math.max(1, bins.length);
    return s("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img",
      "aria-label": `Words by how often they are chosen: ${bins.map((bin) => `${bin.chosen}: ${bin.words}`).join(", ")}` },
      ...bins.flatMap((bin, i) => {
        const tall = (bin.words / most) * (height - 34);
        return [s("rect", { x: i * step + 2, y: height - 18 - tall, width: step - 4, height: tall, class: "point" }),
          s("text", { x: (i + 0.5) * step, y: height - 5, "text-anchor": "middle", class: "small" }, bin.chosen),
          s("text", { x: (i + 0.5) * step, y: height - 21 - tall, "text-anchor": "middle", class: "small" }, number.format(bin.words))];
      }));
  }
}

export const hubsView: View = new HubsView();
