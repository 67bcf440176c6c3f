// Elements without markup: every text stays a text.

type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

/** h("p", { class: "quiet", onclick: f }, "text", element). */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Array<Child | Child[]>
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children.flat());
  return element;
}

export function s(tag: string, attributes: Record<string, Value> = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  append(element, children);
  return element;
}

function set(element: Element, attributes: Record<string, Value>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

export function replace(element: Element, ...children: Array<Child | Child[]>): void {
  element.replaceChildren();
  append(element, children.flat());
}

/** A word of some language, in whatever direction it is written; control characters are shown as pictures of them. */
export function word(text: string, attributes: Record<string, Value> = {}): HTMLElement {
  return h("bdi", { class: "word", ...attributes }, visible(text));
}

export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) => {
    const code = c.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

export const number = new Intl.NumberFormat("en");
export function count(n: number, one: string): string {
  return `${number.format(n)} ${n === 1 ? one : one + "s"}`;
}

/** Says something to people who hear the page. */
export function say(text: string): void {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}
