import type * as schema from "./schema";

/** What the server said when it did not answer. */
export class ApiError extends Error {
  constructor(readonly status: number, reason: string) {
    super(reason);
  }
}

type Parameters = Record<string, string | number | boolean | string[] | undefined>;

let token = "";

/** A token comes behind the "#" of the address, where no server sees it, and goes from there to this tab alone. */
export function takeToken(): void {
  const match = /^#token=([^&]+)/.exec(location.hash);
  if (match) {
    sessionStorage.setItem("token", decodeURIComponent(match[1]));
    history.replaceState(null, "", location.pathname);
  }
  token = sessionStorage.getItem("token") ?? "";
}

function headers(body: boolean): Record<string, string> {
  const result: Record<string, string> = {};
  if (token) result["Authorization"] = `Bearer ${token}`;
  if (body) result["Content-Type"] = "application/json";
  return result;
}

function url(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value])
      query.append(name, typeof one === "boolean" ? (one ? "1" : "0") : String(one));
  }
  const text = query.toString();
  return `api/v1/${path}${text ? "?" + text : ""}`;
}

async function ask(path: string, parameters: Parameters, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url(path, parameters), { ...options, headers: headers(options.body !== undefined) });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "The server does not answer. Is the program still running?");
  }
  if (response.ok) return response;
  let reason = response.statusText;
  try {
    reason = ((await response.json()) as schema.Error).error.reason;
  } catch {
    // Not one of our answers.
  }
  throw new ApiError(response.status, reason);
}

export async function get<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  return (await ask(path, parameters, { signal })).json() as Promise<T>;
}

export async function getBytes(path: string, parameters: Parameters = {}): Promise<ArrayBuffer> {
  return (await ask(path, parameters)).arrayBuffer();
}

export async function getBlob(path: string, parameters: Parameters = {}): Promise<Blob> {
  return (await ask(path, parameters)).blob();
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return (await ask(path, {}, { method: "POST", body: JSON.stringify(body) })).json() as Promise<T>;
}

export async function remove<T>(path: string): Promise<T> {
  return (await ask(path, {}, { method: "DELETE" })).json() as Promise<T>;
}

export type Listener = (kind: string, data: never) => void;

/** What happens, for as long as the page is open; where the connection breaks it is made again. */
export async function listen(heard: Listener, connected: (is: boolean) => void): Promise<never> {
  for (let pause = 500; ; pause = Math.min(2 * pause, 10_000)) {
    try {
      const response = await ask("events", {});
      connected(true);
      pause = 500;
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        text += value;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const event = /^event: (.*)\ndata: (.*)$/m.exec(text.slice(0, end));
          text = text.slice(end + 2);
          if (event) heard(event[1], JSON.parse(event[2]) as never);
        }
      }
    } catch {
      // Tried again.
    }
    connected(false);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
