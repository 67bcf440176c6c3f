import { get, getBytes, post, remove } from "./client";
import { count, h, number, replace, say, word } from "./dom";
import { parseMap, PointView, type PointMap } from "./points";
import type { Job, Started } from "./schema";
import { searchField } from "./search";
import { nameOf, shell, wordAddress, type Side, type View } from "./shell";
import { save, tsvField } from "./tsv";

const SIZES = [1000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000];

class MapView implements View {
  private view!: PointView;
  private map: PointMap | null = null;
  private words: Record<Side, string[]> = { source: [], target: [] };
  private kind: "pca" | "umap" = "pca";
  private size = 10_000;
  private job: number | null = null;
  private status = h("p", { class: "status", role: "status" });
  private card = h("div", { class: "card", hidden: true });
  private inside = h("section", { class: "inside", hidden: true, "aria-label": "Words inside" });
  private slider!: HTMLInputElement;
  private kindSelect!: HTMLSelectElement;
  private cancel!: HTMLButtonElement;

  make(element: HTMLElement): void {
    const largest = Math.max(shell.info.source.words, shell.info.target.words);
    this.size = Math.min(this.size, largest);
    const sizes = [...SIZES.filter((size) => size < largest), largest].slice(0, SIZES.length);
    const canvas = h("div", {
      class: "points", tabindex: 0, role: "application",
      "aria-label": "Map of words. Arrow keys move it, plus and minus zoom, 0 shows all. Words can be found with the search field.",
    });
    this.slider = h("input", { type: "range", min: 0, max: 100, value: 100, "aria-label": "From before to after the mapping" });
    this.slider.addEventListener("input", () => this.view.setStep(Number(this.slider.value) / 100));
    this.kindSelect = h("select", { "aria-label": "Kind of map" },
      h("option", { value: "pca" }, "plane of largest variance (PCA)"),
      h("option", { value: "umap" }, "neighborhoods (UMAP)"));
    this.kindSelect.addEventListener("change", () => this.choose(this.kindSelect.value as "pca" | "umap"));
    const sizeSelect = h("select", { "aria-label": "Words of each language" },
      sizes.map((size) => h("option", { value: size, selected: size === this.size }, `${number.format(size)} words each`)));
    sizeSelect.addEventListener("change", () => {
      this.size = Number(sizeSelect.value);
      this.choose(this.kind);
    });
    const lasso = h("button", { type: "button", "aria-pressed": "false", title: "Draw around words; also with Shift held" }, "Lasso");
    lasso.addEventListener("click", () => {
      this.view.lassoing = !this.view.lassoing;
      lasso.setAttribute("aria-pressed", String(this.view.lassoing));
    });
    this.cancel = h("button", { type: "button", hidden: true }, "Cancel");
    this.cancel.addEventListener("click", () => this.job !== null && remove(`jobs/${this.job}`).catch(() => {}));
    replace(element,
      h("div", { class: "bar" },
        searchField("Find a word", ["source", "target"], (side, text, id) => this.find(side, text, id)),
        this.kindSelect, sizeSelect, lasso,
        h("button", { type: "button", onclick: () => this.view.reset() }, "Show all"),
        shell.info.before ? h("label", { class: "slider" }, "before", this.slider, "after") : null),
      h("p", { class: "legend" },
        h("span", { class: "dot source" }), nameOf("source"), " ", h("span", { class: "dot target" }), nameOf("target")),
      h("div", { class: "stage" }, canvas, this.card),
      h("div", { class: "line" }, this.status, this.cancel),
      this.inside);
    this.view = new PointView(canvas);
    this.view.labels = (index) => this.wordAt(index)?.text;
    this.view.onhover = (index) => this.hover(index);
    this.view.onpick = (index) => {
      const at = this.wordAt(index);
      if (at) shell.go("word", `${at.side}:${at.text}`);
    };
    this.view.onlasso = (indexes) => this.list(indexes);
    (window as unknown as { studioMap: PointView }).studioMap = this.view;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.view.draw());
    void this.choose("pca");
  }

  show(argument: string): void {
    const [side, ...rest] = argument.split(":");
    if (rest.length && (side === "source" || side === "target")) void this.find(side, rest.join(":"), null);
  }

  hear(kind: string, data: never): void {
    if (kind === "mapping") void this.choose(this.kind);
    if (kind !== "job" || (data as Job).id !== this.job) return;
    const job = data as Job;
    if (job.state === "running" || job.state === "waiting") {
      const share = job.total ? ` ${Math.floor((100 * job.done) / job.total)}%` : "";
      this.status.textContent = `Making the map: ${job.stage || "waiting"}${share}`;
      return;
    }
    this.job = null;
    this.cancel.hidden = true;
    if (job.state === "done") {
      void this.choose("umap");
    } else {
      this.status.textContent = job.state === "cancelled" ? "The map was cancelled." : `The map failed: ${job.error ?? ""}`;
      this.kindSelect.value = this.kind;
    }
  }

  private async choose(kind: "pca" | "umap"): Promise<void> {
    const words = kind === "umap" ? Math.min(this.size, 50_000) : this.size;
    try {
      if (kind === "umap") {
        if (this.job !== null) return;
        const { job } = await post<Started>("map", { words });
        if (job !== 0) {
          this.job = job;
          this.cancel.hidden = false;
          this.status.textContent = "Making the map …";
          return;
        }
      }
      this.load(parseMap(await getBytes("map", { kind, words })), kind);
    } catch (error) {
      this.status.textContent = (error as Error).message;
    }
  }

  private load(map: PointMap, kind: "pca" | "umap"): void {
    this.map = map;
    this.kind = kind;
    this.kindSelect.value = kind;
    this.view.load(map);
    this.view.setStep(Number(this.slider.value) / 100);
    const kept = kind === "umap" ? ` ${Math.round(100 * map.kept)}% of the 15 nearest words of a word are among its 15 nearest here.` : "";
    this.status.textContent = `${count(map.source + map.target, "word")}.${kept} A click opens a word.`;
    document.documentElement.dataset.points = String(map.source + map.target);
    void this.loadWords();
  }

  private async loadWords(): Promise<void> {
    for (const side of ["source", "target"] as const) {
      const wanted = this.map![side];
      if (this.words[side].length >= wanted) continue;
      this.words[side] = (await get<{ words: string[] }>("words", { side, first: 0, count: wanted })).words;
      this.view.draw();
    }
    document.documentElement.dataset.labels = "ready";
  }

  private wordAt(index: number): { side: Side; text: string; id: number } | null {
    if (!this.map) return null;
    const side = index < this.map.source ? "source" : "target";
    const id = side === "source" ? index : index - this.map.source;
    const text = this.words[side][id];
    return text === undefined ? null : { side, text, id };
  }

  private hover(index: number | null): void {
    const at = index === null ? null : this.wordAt(index);
    this.card.hidden = at === null;
    if (at) replace(this.card, word(at.text), h("span", { class: `side ${at.side}` }, nameOf(at.side)),
      h("span", { class: "quiet" }, ` rank ${number.format(at.id + 1)}`));
  }

  private async find(side: Side, text: string, id: number | null): Promise<void> {
    if (id === null) {
      const answer = await get<{ words: Array<{ word: string; id: number }> }>("words", { side, prefix: text, count: 100 });
      id = answer.words.find((one) => one.word === text)?.id ?? null;
    }
    if (!this.map || id === null || id >= this.map[side]) {
      this.status.textContent = id === null ? `"${text}" is not in the vocabulary.` : `"${text}" is rarer than the words of this map: show more.`;
      return;
    }
    const index = side === "source" ? id : this.map.source + id;
    this.view.mark([index]);
    this.view.show(index);
    replace(this.status, "Found ", word(text), ". ", h("a", { href: wordAddress(side, text) }, "Open it"));
    say(`Found ${text}`);
  }

  private list(indexes: number[]): void {
    this.view.mark(indexes.slice(0, 5000));
    const words = indexes.map((index) => this.wordAt(index)).filter((at) => at !== null);
    words.sort((a, b) => a.id - b.id);
    const close = () => {
      this.inside.hidden = true;
      this.view.mark([]);
    };
    const tsv = () => save("words.tsv", "# side\tword\trank\n" +
      words.map((at) => `${at.side}\t${tsvField(at.text)}\t${at.id + 1}\n`).join(""));
    this.inside.hidden = false;
    replace(this.inside,
      h("div", { class: "bar" }, h("h2", {}, `${count(words.length, "word")} inside`),
        h("button", { type: "button", onclick: tsv }, "Save as TSV"), h("button", { type: "button", onclick: close }, "Close")),
      h("div", { class: "columns" }, (["source", "target"] as const).map((side) =>
        h("div", {}, h("h3", {}, nameOf(side)), h("p", { class: "words" }, words.filter((at) => at.side === side).slice(0, 500)
          .flatMap((at) => [h("a", { href: wordAddress(side, at.text) }, word(at.text)), " "]))))));
    say(`${words.length} words inside`);
  }
}

export const mapView: View = new MapView();
