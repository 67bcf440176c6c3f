import { get } from "./client";
import { count, h, number, replace, word } from "./dom";
import type { Candidate, FoundWord, Word } from "./schema";
import { searchField } from "./search";
import { nameOf, otherSide, shell, wordAddress, type Side, type View } from "./shell";

export const CRITERIA: Record<string, string> = {
  nn: "nearest neighbor",
  csls: "CSLS",
  rerank: "re-ranked",
  isf: "inverted softmax",
  gc: "globally corrected",
};

const percent = (p: number): string => (p >= 0.0995 ? `${Math.round(100 * p)}%` : `${(100 * p).toFixed(1)}%`);
const fixed = (x: number | undefined): string => (x === undefined ? "" : x.toFixed(3).replace("-", "\u2212"));

/** A bar of a length from 0 to 1 beside a number that says the same. */
function bar(length: number, kind: string): HTMLElement {
  const element = h("span", { class: `bar-box ${kind}`, "aria-hidden": "true" }, h("span", {}));
  (element.firstChild as HTMLElement).style.width = `${Math.round(100 * Math.min(1, Math.max(0, length)))}%`;
  return element;
}

class WordView implements View {
  private body = h("div", { class: "entry" });
  private asked = 0;

  make(element: HTMLElement): void {
    replace(element,
      h("div", { class: "bar" },
        searchField("Look a word up", ["source", "target"], (side, text) => shell.go("word", `${side}:${text}`))),
      this.body);
    replace(this.body, h("p", { class: "quiet" }, `Type a word of ${nameOf("source")} or ${nameOf("target")}.`));
  }

  show(argument: string): void {
    const colon = argument.indexOf(":");
    const side = argument.slice(0, colon);
    if (side === "source" || side === "target") void this.load(side, argument.slice(colon + 1));
  }

  hear(kind: string): void {
    if (kind === "mapping") this.show(decodeURIComponent(location.hash.replace(/^#word=/, "")));
  }

  private async load(side: Side, text: string): Promise<void> {
    const turn = ++this.asked;
    this.body.setAttribute("aria-busy", "true");
    try {
      const [page, own] = await Promise.all([
        get<Word>("word", { word: text, side, count: 10 }),
        get<Array<{ neighbors: FoundWord[] }>>("neighbors", { word: text, side, count: 12 }),
      ]);
      if (turn === this.asked) this.fill(side, page, own[0].neighbors);
    } catch (error) {
      if (turn === this.asked) replace(this.body, h("p", { class: "error", role: "alert" }, (error as Error).message));
    }
    this.body.removeAttribute("aria-busy");
  }

  private fill(side: Side, page: Word, neighbors: FoundWord[]): void {
    const shown = page.word || page.query, to = otherSide(side);
    if (page.origin === "unknown") {
      replace(this.body, h("h2", {}, word(shown)),
        h("p", { class: "error" }, `${nameOf(side)} has no such word, and no subwords to make a vector of.`));
      return;
    }
    const facts = new Map(page.candidates.map((one) => [one.id, one]));
    replace(this.body,
      h("h2", {}, word(shown), h("span", { class: `side ${side}` }, nameOf(side))),
      h("p", { class: "quiet" },
        page.origin === "subwords" ? "Not in the vocabulary: its vector is made of its subwords. " : `Frequency rank ${number.format(page.rank ?? 0)}. `,
        page.chosen === undefined ? "" : `Among the ten nearest of ${count(page.chosen, "word")} of ${nameOf(to)}. `,
        h("a", { href: `#map=${encodeURIComponent(`${side}:${shown}`)}` }, "On the map")),
      this.known(page, to),
      h("div", { class: "lists" }, page.lists.map((list) => this.list(list.criterion, list.candidates, facts, to))),
      this.why(page, to),
      h("h3", {}, `Nearest in ${nameOf(side)}`),
      h("p", { class: "words" }, neighbors.flatMap((one) => [h("a", { href: wordAddress(side, one.word) }, word(one.word)), " "])));
  }

  private known(page: Word, to: Side): HTMLElement | null {
    if (!page.known.length) return null;
    return h("p", { class: "known" }, "Known: ", page.known.flatMap((one) => [
      h("a", { href: wordAddress(to, one.word), class: one.how }, word(one.word)),
      one.how === "lexicon" ? " " : ` (${one.how}) `]));
  }

  private list(criterion: string, candidates: Array<{ word: string; id: number; score: number }>, facts: Map<number, Candidate>, to: Side): HTMLElement {
    const best = candidates[0]?.score ?? 1, last = candidates.at(-1)?.score ?? 0;
    const length = (score: number) => (criterion === "rerank" ? score : criterion === "nn" ? score : 0.15 + (0.85 * (score - last)) / (best - last || 1));
    return h("section", { "aria-label": CRITERIA[criterion] ?? criterion },
      h("h3", {}, CRITERIA[criterion] ?? criterion),
      candidates.length ? null : h("p", { class: "quiet" }, "Nothing."),
      h("ol", {}, candidates.map((one) =>
        h("li", {}, h("a", { href: wordAddress(to, one.word) }, word(one.word)),
          h("span", { class: "score" }, criterion === "rerank" ? percent(one.score) : fixed(one.score)),
          bar(length(one.score), facts.get(one.id) ? to : ""))))); 
  }

  /** Why they stand where they do: CSLS takes from twice the cosine what each of both words is near to anyway. */
  private why(page: Word, to: Side): HTMLElement {
    const most = Math.max(1, ...page.candidates.map((one) => one.chosen ?? 0));
    const has = (name: keyof Candidate) => page.candidates.some((one) => one[name] !== undefined);
    const rows = page.candidates.map((one) =>
      h("tr", {},
        h("th", { scope: "row" }, h("a", { href: wordAddress(to, one.word) }, word(one.word))),
        h("td", {}, fixed(one.cosine), bar(one.cosine ?? 0, to)),
        h("td", {}, fixed(one.penalty), bar(one.penalty ?? 0, "warn")),
        h("td", {}, fixed(one.csls)),
        has("chosen") ? h("td", {}, number.format(one.chosen ?? 0), bar((one.chosen ?? 0) / most, "warn")) : null,
        has("probability") ? h("td", {}, one.probability === undefined ? "" : percent(one.probability)) : null,
        has("translation") ? h("td", {}, one.translation === undefined ? "" : percent(one.translation)) : null,
        h("td", { class: "left" }, one.back ? word(one.back, { class: one.back === page.word ? "word same" : "word" }) : ""),
        has("reasons") ? h("td", { class: "left" }, one.reasons ? this.reasons(one) : "") : null));
    return h("section", { class: "why" },
      h("h3", {}, "Why"),
      h("p", { class: "quiet" },
        `CSLS = 2 · cosine − ${fixed(page.penalty)} − hubness, where hubness is the mean cosine of a candidate to its ten nearest words of ${nameOf(page.side)}: a word that is near to everything pays for it.`),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Candidates and their scores" },
        h("table", {}, h("thead", {}, h("tr", {},
          h("th", { scope: "col" }, nameOf(to)), h("th", { scope: "col" }, "cosine"), h("th", { scope: "col" }, "hubness"),
          h("th", { scope: "col" }, "CSLS"),
          has("chosen") ? h("th", { scope: "col" }, "near to words") : null,
          has("probability") ? h("th", { scope: "col" }, "is the first") : null,
          has("translation") ? h("th", { scope: "col" }, "is one at all") : null,
          h("th", { scope: "col", class: "left" }, "back to"),
          has("reasons") ? h("th", { scope: "col", class: "left" }, "what spoke for it") : null)),
          h("tbody", {}, rows))));
  }

  private reasons(one: Candidate): HTMLElement {
    const sums = new Map<string, number>();
    for (const reason of one.reasons ?? []) {
      const name = reason.feature.split(" x ")[0];
      sums.set(name, (sums.get(name) ?? 0) + reason.contribution);
    }
    const sorted = [...sums].filter(([, sum]) => Math.abs(sum) >= 0.05).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, 5);
    const most = Math.max(1, ...sorted.map(([, sum]) => Math.abs(sum)));
    return h("ul", { class: "reasons" }, sorted.map(([name, sum]) =>
      h("li", {}, `${name} ${sum > 0 ? "+" : "\u2212"}${Math.abs(sum).toFixed(2)}`, bar(Math.abs(sum) / most, sum > 0 ? "good" : "warn"))));
  }
}

export const wordView: View = new WordView();
