import { get } from "./client";
import { count, h, number, replace, word } from "./dom";
import type { Difference, MappingRecord, Mappings } from "./schema";
import { nameOf, wordAddress, type View } from "./shell";
import { verdict } from "./train_view";

const nameOfMapping = (one: MappingRecord) => `${one.id}: ${one.name}`;

class CompareView implements View {
  private first = h("select", { "aria-label": "First mapping" });
  private second = h("select", { "aria-label": "Second mapping" });
  private body = h("div", {});
  private asked = 0;

  make(element: HTMLElement): void {
    for (const select of [this.first, this.second]) select.addEventListener("change", () => void this.load());
    replace(element, h("div", { class: "bar" }, this.first, "against", this.second), this.body);
  }

  show(): void {
    void this.fill();
  }

  hear(kind: string, data: never): void {
    const job = data as { kind?: string; state?: string };
    if (kind === "mapping" || (kind === "job" && job.kind === "train" && job.state === "done")) void this.fill();
  }

  private async fill(): Promise<void> {
    const { mappings } = await get<Mappings>("mappings");
    const old = [this.first.value, this.second.value];
    const options = () => mappings.map((one) => h("option", { value: one.id }, nameOfMapping(one)));
    replace(this.first, options());
    replace(this.second, options());
    if (mappings.length < 2) {
      replace(this.body, h("p", {}, "There is one mapping only. Train another one, or open the studio with --compare MAPPING."));
      return;
    }
    this.first.value = old[0] || String(mappings[0].id);
    this.second.value = old[1] || String(mappings.at(-1)!.id);
    await this.load();
  }

  private async load(): Promise<void> {
    const turn = ++this.asked;
    replace(this.body, h("p", { role: "status" }, "Comparing …"));
    try {
      const difference = await get<Difference>("compare", { first: this.first.value, second: this.second.value });
      if (turn === this.asked) this.draw(difference);
    } catch (error) {
      if (turn === this.asked) replace(this.body, h("p", { class: "error", role: "alert" }, (error as Error).message));
    }
  }

  private draw(one: Difference): void {
    const different = one.different ?? [];
    const group = (title: string, first: boolean, second: boolean) => {
      const words = different.filter((w) => w.first_right === first && w.second_right === second);
      return h("section", {}, h("h3", {}, `${title} (${number.format(words.length)})`),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, h("table", {},
          h("thead", {}, h("tr", {}, [nameOf("source"), "first", "second", "right"].map((text) => h("th", { scope: "col", class: "left" }, text)))),
          h("tbody", {}, words.slice(0, 200).map((w) => h("tr", {},
            h("th", { scope: "row" }, h("a", { href: wordAddress("source", w.word) }, word(w.word))),
            h("td", { class: w.first_right ? "left right" : "left" }, word(w.first)),
            h("td", { class: w.second_right ? "left right" : "left" }, word(w.second)),
            h("td", { class: "left" }, w.gold.flatMap((one, i) => [i ? ", " : "", word(one)]))))))));
    };
    replace(this.body,
      h("p", { class: "headline" }, h("b", {}, `${one.first.toFixed(1)} → ${one.second.toFixed(1)}`), ` P@1 on ${count(one.words, "word")} held out`),
      h("p", {}, `Difference ${(one.second - one.first).toFixed(1)} (95% interval ${one.low.toFixed(1)} to ${one.high.toFixed(1)}, p = ${one.p_value.toPrecision(2)}): ${verdict(one.low, one.high)}.`),
      group("Won", false, true), group("Lost", true, false), group("Different, and both wrong", false, false));
    document.documentElement.dataset.compared = String(different.length);
  }
}

export const compareView: View = new CompareView();
