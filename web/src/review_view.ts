import { get, getBlob, post, remove } from "./client";
import { count, h, number, replace, say, word } from "./dom";
import type { Decision, Decisions, Imported, Review, Suggestion } from "./schema";
import { nameOf, shell, wordAddress, type View } from "./shell";
import { save } from "./tsv";

const ORDERS: Array<[string, string]> = [
  ["use", "most useful first"],
  ["probability", "surest first"],
  ["frequency", "most frequent first"],
  ["disputed", "disputed first"],
];
const PAGE = 40;

class ReviewView implements View {
  private order = "use";
  private queue: Suggestion[] = [];
  private open = 0;
  private complete = false;
  private mine: number[] = []; // decisions of this page, the latest last
  private answered = new Set<string>(); // words answered here, until the server leaves them out
  private loading = false;
  private chain: Promise<unknown> = Promise.resolve(); // decisions go in the order of the keys
  private pending = 0;
  private card = h("div", { class: "review-card" });
  private counts = h("p", { class: "quiet", role: "status" });
  private problem = h("p", { class: "error", role: "alert" });
  private log = h("tbody");
  private typed = h("input", { type: "text", "aria-label": "The right translation", dir: "auto", autocomplete: "off", spellcheck: "false" });
  private section!: HTMLElement;

  make(element: HTMLElement): void {
    this.section = element;
    const order = h("select", { "aria-label": "Order" }, ORDERS.map(([value, text]) => h("option", { value }, text)));
    order.addEventListener("change", () => {
      this.order = order.value;
      this.queue = [];
      void this.load();
    });
    const file = h("input", { type: "file", accept: ".txt,.tsv,.csv,text/*", class: "hidden", id: "import-file", tabindex: -1, "aria-label": "Lexicon to import" });
    file.addEventListener("change", () => void this.take(file));
    const give = h("select", { "aria-label": "Export the dictionary" },
      h("option", { value: "" }, "Export …"),
      ["tsv", "csv", "json"].flatMap((format) => [
        h("option", { value: `${format} all` }, `lexicon and accepted pairs, ${format.toUpperCase()}`),
        h("option", { value: `${format} accepted` }, `accepted pairs, ${format.toUpperCase()}`)]));
    give.addEventListener("change", () => {
      const [format, what] = give.value.split(" ");
      give.value = "";
      if (format) void getBlob("export", { format, what }).then((blob) => save(`dictionary.${format}`, blob), (error) => this.fail(error));
    });
    this.typed.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        const text = this.typed.value.trim();
        if (text) this.accept(text);
        this.typed.value = "";
        this.section.focus();
      } else if (event.key === "Escape") {
        this.typed.value = "";
        this.section.focus();
      }
      event.stopPropagation();
    });
    element.tabIndex = -1;
    replace(element,
      h("div", { class: "bar" }, order,
        h("button", { type: "button", onclick: () => file.click() }, "Import a lexicon"), file, give),
      this.counts, this.problem, this.card,
      h("section", { "aria-label": "Last decisions" }, h("h3", {}, "Last decisions"),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Decisions" }, h("table", {}, h("thead", {}, h("tr", {},
          h("th", { scope: "col" }, nameOf("source")), h("th", { scope: "col", class: "left" }, nameOf("target")),
          h("th", { scope: "col", class: "left" }, "decision"), h("th", { scope: "col", class: "left" }, "by"),
          h("th", { scope: "col", class: "left" }, "when"), h("th", { scope: "col" }, h("span", { class: "hidden" }, "undo")))), this.log))));
    addEventListener("keydown", (event) => this.key(event));
    void this.load();
    void this.showLog();
  }

  show(): void {
    this.section.focus({ preventScroll: true });
  }

  hear(kind: string, data: never): void {
    const job = data as { kind?: string; state?: string };
    if (kind === "decision" || kind === "behind") {
      const one = data as Partial<Decision>;
      if (one.id === undefined || !this.mine.includes(one.id)) {
        if (one.undone) this.answered.delete(one.source ?? "");
        void this.load(true);
      }
      void this.showLog();
    }
    if (kind === "mapping" || (kind === "job" && job.kind === "review" && job.state !== "waiting")) {
      if (kind === "mapping") this.queue = [];
      if (!this.queue.length || job.state === "done") void this.load();
    }
  }

  private async load(anew = false): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    try {
      const review = await get<Review>("review", { order: this.order, count: PAGE });
      this.open = review.open;
      this.complete = review.complete;
      const shown = this.queue[0];
      this.queue = review.suggestions.filter((one) => !this.answered.has(one.word) || this.pending === 0);
      if (this.pending === 0) this.answered.clear();
      // What is looked at stays, unless somebody else has answered it.
      if (shown && !anew && this.queue.some((one) => one.word === shown.word))
        this.queue = [shown, ...this.queue.filter((one) => one.word !== shown.word)];
      this.problem.textContent = "";
    } catch (error) {
      this.fail(error as Error);
    }
    this.loading = false;
    this.draw();
  }

  private draw(): void {
    const one = this.queue[0];
    this.counts.textContent = `${count(this.open, "suggestion")} open${this.complete ? "" : ", more to come"}.`;
    if (!one) {
      replace(this.card, h("p", {}, this.complete ? "Nothing is left to be answered." : "Suggestions are being made …"));
      return;
    }
    const button = (key: string, text: string, action: () => void, kind = "") =>
      h("button", { type: "button", class: kind, onclick: action, "aria-keyshortcuts": key }, h("kbd", {}, key), ` ${text}`);
    replace(this.card,
      h("h2", {}, h("a", { href: wordAddress("source", one.word) }, word(one.word)), h("span", { class: "quiet small" }, ` rank ${number.format(one.rank)}`)),
      h("ol", { class: "candidates", "aria-label": "Candidates" }, one.candidates.map((candidate, i) =>
        h("li", {}, h("button", { type: "button", onclick: () => this.accept(candidate.word), "aria-keyshortcuts": i ? String(i + 1) : "a" },
          h("kbd", {}, String(i + 1)), " ", word(candidate.word)),
          h("span", { class: "score" }, shell.info.criterion === "rerank" ? `${(100 * candidate.score).toFixed(1)}%` : candidate.score.toFixed(3)),
          h("a", { href: wordAddress("target", candidate.word), class: "small" }, "look at it")))),
      one.disputed ? h("p", { class: "quiet" }, "Nearest neighbor, CSLS and the re-ranker do not agree.") : null,
      h("div", { class: "bar" },
        button("a", "accept", () => this.accept(one.candidates[0].word), "main"),
        button("r", "reject", () => this.reject()),
        button("s", "skip", () => this.skip()),
        button("u", "undo", () => this.undo()),
        h("label", {}, h("kbd", {}, "t"), " other: ", this.typed)));
    document.documentElement.dataset.review = one.word;
  }

  private key(event: KeyboardEvent): void {
    if (this.section.closest("section")!.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const one = this.queue[0], digit = Number(event.key);
    const actions: Record<string, () => void> = {
      a: () => one && this.accept(one.candidates[0].word),
      r: () => this.reject(),
      s: () => this.skip(),
      u: () => this.undo(),
      t: () => this.typed.focus(),
    };
    if (one && digit >= 1 && digit <= one.candidates.length) this.accept(one.candidates[digit - 1].word);
    else if (actions[event.key]) actions[event.key]();
    else return;
    event.preventDefault();
  }

  private accept(target: string): void {
    const one = this.queue[0];
    if (!one) return;
    this.next(one);
    this.send({ source: one.word, target, verdict: "accepted" });
    say(`accepted ${one.word} ${target}`);
  }

  private reject(): void {
    const one = this.queue[0];
    if (!one) return;
    const rejected = one.candidates[0].word;
    // The next candidate of the same word takes its place.
    if (one.candidates.length > 1) {
      one.candidates = one.candidates.slice(1);
      this.draw();
    } else {
      this.next(one);
    }
    this.send({ source: one.word, target: rejected, verdict: "rejected" });
    say(`rejected ${one.word} ${rejected}`);
  }

  private skip(): void {
    const one = this.queue[0];
    if (!one) return;
    this.next(one);
    this.send({ source: one.word, verdict: "skipped" });
    say(`skipped ${one.word}`);
  }

  private undo(): void {
    const id = this.mine.pop();
    if (id === undefined) return say("nothing to undo");
    this.enqueue(async () => {
      const undone = await remove<Decision>(`decisions/${id}`);
      this.answered.delete(undone.source);
      const review = await get<Review>("review", { order: "frequency", count: 1000 });
      const back = review.suggestions.find((one) => one.word === undone.source);
      this.open = review.open;
      if (back) this.queue = [back, ...this.queue.filter((one) => one.word !== back.word)];
      this.draw();
      say(`took back ${undone.source} ${undone.target}`);
    });
  }

  private next(one: Suggestion): void {
    this.answered.add(one.word);
    this.queue = this.queue.filter((other) => other !== one);
    --this.open;
    this.draw();
  }

  private send(decision: { source: string; target?: string; verdict: string }): void {
    this.enqueue(async () => {
      const made = await post<Decision>("decisions", decision);
      this.mine.push(made.id);
      document.documentElement.dataset.decided = String(this.mine.length);
    });
  }

  private enqueue(work: () => Promise<void>): void {
    ++this.pending;
    this.chain = this.chain.then(work).then(
      () => (this.problem.textContent = ""),
      (error) => this.fail(error as Error),
    ).then(() => {
      --this.pending;
      if (this.pending === 0 && this.queue.length < PAGE / 4) void this.load();
    });
  }

  /** What was not kept is shown again, so that nobody believes it was. */
  private fail(error: Error): void {
    this.problem.textContent = `${error.message} The last decision may not have been kept.`;
    this.answered.clear();
    this.queue = [];
    setTimeout(() => void this.load(), 1000);
  }

  private async take(file: HTMLInputElement): Promise<void> {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    try {
      const done = await post<Imported>("import", { name: chosen.name, text: await chosen.text() });
      this.counts.textContent = `${chosen.name}: ${count(done.pairs, "pair")}, ${number.format(done.added)} of them new.`;
      void this.load(true);
    } catch (error) {
      this.problem.textContent = (error as Error).message;
    }
  }

  private async showLog(): Promise<void> {
    try {
      const list = await get<Decisions>("decisions", { count: 30 });
      replace(this.log, list.decisions.map((one) =>
        h("tr", { class: one.undone ? "undone" : "" }, h("th", { scope: "row" }, word(one.source)), h("td", { class: "left" }, word(one.target)),
          h("td", { class: `left ${one.verdict}` }, one.undone ? `${one.verdict}, taken back` : one.verdict), h("td", { class: "left" }, word(one.author)),
          h("td", { class: "left" }, new Date(one.time).toLocaleString("en-GB")),
          h("td", {}, one.undone ? null : h("button", { type: "button", class: "small", "aria-label": `undo ${one.source} ${one.target}`, onclick: () => {
            this.mine = this.mine.filter((id) => id !== one.id);
            this.enqueue(async () => {
              await remove(`decisions/${one.id}`);
              await this.load(true);
            });
          } }, "undo")))));
      const { accepted, rejected, skipped } = list.standing;
      document.documentElement.dataset.accepted = String(accepted);
      this.log.closest("section")!.querySelector("h3")!.textContent =
        `Last decisions (${number.format(accepted)} accepted, ${number.format(rejected)} rejected, ${number.format(skipped)} skipped)`;
    } catch {
      // Shown again with the next one.
    }
  }
}

export const reviewView: View = new ReviewView();
