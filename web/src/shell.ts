// What the views share: what is open, where the page is, who listens.
import type { Info } from "./schema";

export interface View {
  /** Fills the element; called when the view is first shown. */
  make(element: HTMLElement): void;
  /** Called each time it is shown, with what stands behind its name in the address. */
  show?(argument: string): void;
  /** Something happened. */
  hear?(kind: string, data: never): void;
}

export const shell = {
  info: null as unknown as Info,
  /** Changes the address: "word", "source:night". */
  go(view: string, argument = ""): void {
    location.hash = argument ? `${view}=${encodeURIComponent(argument)}` : view;
  },
};

export type Side = "source" | "target";
export const otherSide = (side: Side): Side => (side === "source" ? "target" : "source");
export const nameOf = (side: Side): string => shell.info[side].name;

export function wordAddress(side: Side, text: string): string {
  return `#word=${encodeURIComponent(`${side}:${text}`)}`;
}
