import { get, getBlob, post, remove } from "./client";
import { count, h, number, replace, s, say } from "./dom";
import type { Decisions, Job, Jobs, MappingRecord, Mappings, Started } from "./schema";
import { CRITERIA } from "./word_view";
import { save } from "./tsv";
import { shell, type View } from "./shell";

const points = (x: number): string => `${x >= 0 ? "+" : "\u2212"}${Math.abs(x).toFixed(1)}`;

/** How sure it is, in words. */
export function verdict(low: number, high: number): string {
  if (low > 0) return "better beyond chance";
  if (high < 0) return "worse beyond chance";
  return "no difference beyond chance";
}

class TrainView implements View {
  private button = h("button", { type: "button", class: "main" }, "Train again");
  private cancel = h("button", { type: "button", hidden: true }, "Cancel");
  private status = h("p", { role: "status" });
  private bar = h("progress", { hidden: true, "aria-label": "Progress" });
  private news = h("section", { class: "news", "aria-label": "The new mapping" });
  private history = h("div", {});
  private job: number | null = null;

  make(element: HTMLElement): void {
    this.button.disabled = !shell.info.can_train;
    this.button.addEventListener("click", () => void this.train());
    this.cancel.addEventListener("click", () => this.job !== null && remove(`jobs/${this.job}`).catch(() => {}));
    replace(element,
      h("p", { class: "quiet" }, shell.info.can_train
        ? "Accepted pairs join the lexicon, rejected ones leave it. The new mapping is compared with the old one on words that it did not learn from."
        : "A mapping and the vectors that it was learned from are needed to learn another one."),
      h("div", { class: "bar" }, this.button, this.cancel, this.bar, this.status), this.news,
      h("h3", {}, "Mappings"), this.history);
    void this.refresh();
    void get<Jobs>("jobs").then((list) => {
      const running = list.jobs.find((one) => one.kind === "train" && (one.state === "running" || one.state === "waiting"));
      if (running) this.follow(running.id);
    });
  }

  show(): void {
    void this.countDecisions();
  }

  hear(kind: string, data: never): void {
    if (kind === "mapping") void this.refresh();
    if (kind === "decision" && this.job === null) void this.countDecisions();
    if (kind !== "job") return;
    const job = data as Job;
    if (job.kind === "train" && this.job === null && job.state === "running") this.follow(job.id);
    if (job.id !== this.job) return;
    if (job.state === "running" || job.state === "waiting") {
      this.bar.max = job.total || 1;
      if (job.total) this.bar.value = job.done;
      else this.bar.removeAttribute("value");
      this.status.textContent = job.stage || "waiting";
      return;
    }
    this.job = null;
    this.button.disabled = false;
    this.cancel.hidden = this.bar.hidden = true;
    if (job.state === "done") {
      this.status.textContent = "";
      void this.refresh((job.result as { mapping: number }).mapping);
    } else {
      this.status.textContent = job.state === "cancelled" ? "The training was cancelled." : `The training failed: ${job.error ?? ""}`;
    }
  }

  private async countDecisions(): Promise<void> {
    try {
      const { standing } = await get<Decisions>("decisions", { count: 1 });
      this.status.textContent = `${count(standing.accepted, "pair")} accepted, ${number.format(standing.rejected)} rejected.`;
    } catch {
      // It is only a remark.
    }
  }

  private follow(id: number): void {
    this.job = id;
    this.button.disabled = true;
    this.cancel.hidden = this.bar.hidden = false;
    replace(this.news);
  }

  private async train(): Promise<void> {
    try {
      this.follow((await post<Started>("train", {})).job);
    } catch (error) {
      this.status.textContent = (error as Error).message;
    }
  }

  private async refresh(trained?: number): Promise<void> {
    const { mappings } = await get<Mappings>("mappings");
    const made = mappings.find((one) => one.id === trained);
    if (made) this.tell(made);
    replace(this.history, this.chart(mappings), this.table(mappings));
    document.documentElement.dataset.mappings = String(mappings.length);
  }

  private tell(made: MappingRecord): void {
    const { comparison, scores, before } = made.facts;
    const act = (action: "keep" | "drop") => async () => {
      try {
        await post(`mappings/${made.id}`, { action });
        replace(this.news, h("p", {}, action === "keep" ? `Mapping ${made.id} is in use now.` : `Mapping ${made.id} was dropped.`));
        say(action === "keep" ? "kept" : "dropped");
        void this.refresh();
      } catch (error) {
        this.status.textContent = (error as Error).message;
      }
    };
    replace(this.news,
      comparison && scores && before
        ? h("div", {},
            h("p", { class: "headline" }, h("b", {}, `${before.precision[0].toFixed(1)} → ${scores.precision[0].toFixed(1)}`),
              ` P@1 on ${count(comparison.words, "word")} that neither learned from, ${CRITERIA[scores.criterion] ?? scores.criterion}`),
            h("p", {}, `${points(comparison.second - comparison.first)} points (95% interval ${points(comparison.low)} to ${points(comparison.high)}): ${verdict(comparison.low, comparison.high)}. `,
              `${count(comparison.only_second, "word")} won, ${number.format(comparison.only_first)} lost.`))
        : h("p", {}, "There were no words held out to compare it on: open the studio with --lexicon or --validation."),
      h("p", { class: "quiet" }, `Learned from ${count(made.facts.pairs ?? 0, "pair")}, ${number.format(made.facts.accepted ?? 0)} of them accepted here; ${number.format(made.facts.removed ?? 0)} of the lexicon were rejected. ${(made.facts.seconds ?? 0).toFixed(1)} s.`),
      h("div", { class: "bar" },
        h("button", { type: "button", class: "main", onclick: act("keep") }, "Keep it"),
        h("button", { type: "button", onclick: act("drop") }, "Drop it")));
    document.documentElement.dataset.trained = String(made.id);
    say("a new mapping is there");
  }

  /** P@1 of each mapping with scores, in the order they were made. */
  private chart(mappings: MappingRecord[]): SVGElement | null {
    const scored = mappings.filter((one) => one.facts.scores);
    if (!scored.length) return null;
    const values = scored.flatMap((one) => [one.facts.scores!.precision[0], one.facts.before?.precision[0] ?? 0]);
    const low = Math.max(0, Math.floor(Math.min(...values) / 5) * 5 - 5), high = Math.min(100, Math.ceil(Math.max(...values) / 5) * 5 + 5);
    const width = 560, height = 220, left = 44, bottom = 30, step = (width - left - 20) / Math.max(1, scored.length);
    const y = (value: number) => 10 + ((high - value) / (high - low)) * (height - bottom - 10);
    const x = (i: number) => left + step * (i + 0.5);
    const lines = [low, (low + high) / 2, high].flatMap((value) => [
      s("line", { x1: left, x2: width - 10, y1: y(value), y2: y(value), class: "grid" }),
      s("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value))]);
    return s("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": `P@1 of ${scored.length} mappings: ${scored.map((one) => one.facts.scores!.precision[0].toFixed(1)).join(", ")}` },
      ...lines,
      ...scored.flatMap((one, i) => {
        const before = one.facts.before?.precision[0], after = one.facts.scores!.precision[0];
        return [
          before === undefined ? null : s("line", { x1: x(i), x2: x(i), y1: y(before), y2: y(after), class: after >= before ? "rise" : "fall" }),
          before === undefined ? null : s("circle", { cx: x(i), cy: y(before), r: 4, class: "open" }),
          s("circle", { cx: x(i), cy: y(after), r: 5, class: one.state === "dropped" ? "dropped" : "point" }),
          s("text", { x: x(i), y: y(Math.max(after, before ?? 0)) - 10, "text-anchor": "middle" }, after.toFixed(1)),
          s("text", { x: x(i), y: height - 8, "text-anchor": "middle" }, String(one.id))];
      }));
  }

  private table(mappings: MappingRecord[]): HTMLElement {
    const use = (one: MappingRecord) => async () => {
      await post(`mappings/${one.id}`, { action: "keep" });
      void this.refresh();
    };
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "History of mappings" }, h("table", {},
      h("thead", {}, h("tr", {}, ["number", "what it is", "method", "P@1", "difference", "state", "when", ""].map((title, i) =>
        h("th", { scope: "col", class: i === 0 || i === 3 || i === 4 ? "" : "left" }, title || h("span", { class: "hidden" }, "actions"))))),
      h("tbody", {}, mappings.map((one) => h("tr", { class: one.state === "dropped" ? "undone" : "" },
        h("th", { scope: "row" }, String(one.id)), h("td", { class: "left" }, one.name), h("td", { class: "left" }, one.facts.method ?? ""),
        h("td", {}, one.facts.scores?.precision[0].toFixed(1) ?? ""),
        h("td", {}, one.facts.comparison ? points(one.facts.comparison.second - one.facts.comparison.first) : ""),
        h("td", { class: "left" }, one.current ? "in use" : one.state), h("td", { class: "left" }, one.time ? new Date(one.time).toLocaleString("en-GB") : ""),
        h("td", { class: "left" },
          one.current || !shell.info.can_train ? null : h("button", { type: "button", class: "small", onclick: use(one) }, "use"), " ",
          h("button", { type: "button", class: "small", onclick: () => void getBlob(`mappings/${one.id}`).then((blob) => save(`mapping-${one.id}.wbmap`, blob)) }, "save")))))));
  }
}

export const trainView: View = new TrainView();
