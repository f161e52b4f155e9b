// oxlint-disable-next-line import/default -- made by the build, from `?worker&url`
import workerAddress from "./code-worker.ts?worker&url";

/** A line of code: pieces of text, each with what it is, such as `keyword`. */
export type CodeLine = [text: string, kind: string][];

export interface HighlightRequest {
  id: number;
  code: string;
  language: string;
}
export interface HighlightAnswer {
  id: number;
  /** Absent: the language is not known. */
  lines?: CodeLine[];
}

/** Longer code is shown plain. */
const MAX_CHARACTERS = 100_000;
const MAX_REMEMBERED = 200;

let worker: Worker | undefined;
let nextId = 1;
const waiting = new Map<number, (lines: CodeLine[] | undefined) => void>();
const remembered = new Map<string, CodeLine[]>();
/** What the worker has been asked; each ends with its answer. */
const coming = new Map<string, Promise<CodeLine[] | undefined>>();

/** Highlights code in a worker: a long text would block the page for half a second. */
export async function highlight(
  code: string,
  language: string,
): Promise<CodeLine[] | undefined> {
  if (code.length > MAX_CHARACTERS) return undefined;
  const key = `${language}\n${code}`;
  const known = remembered.get(key);
  if (known) return known;
  const asked = coming.get(key) ?? ask(code, language);
  coming.set(key, asked);
  const lines = await asked;
  coming.delete(key);
  if (lines) remember(key, lines);
  return lines;
}

/** The lines of code that was highlighted before. */
export function knownLines(code: string, language: string): CodeLine[] | undefined {
  return remembered.get(`${language}\n${code}`);
}

/** Starts the worker, so that it is there when the first code is sent to it. */
export function startHighlighting(): void {
  worker ??= startWorker();
}

function ask(code: string, language: string): Promise<CodeLine[] | undefined> {
  worker ??= startWorker();
  const id = nextId;
  nextId += 1;
  const { promise, resolve } = Promise.withResolvers<CodeLine[] | undefined>();
  waiting.set(id, resolve);
  worker.postMessage({ id, code, language } satisfies HighlightRequest);
  return promise;
}

function startWorker(): Worker {
  const started = new Worker(toWorkerAddress(workerAddress), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  started.addEventListener("error", () => {
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
  });
  return started;
}

function remember(key: string, lines: CodeLine[]): void {
  remembered.set(key, lines);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): unknown };
}

/**
 * The address of a worker of this app, as Trusted Types want it. The policy lets only scripts of
 * the app's own origin pass. Source: W3C Trusted Types, "Creating a policy".
 */
function toWorkerAddress(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }; // not in every browser
  policy ??= trustedTypes?.createPolicy("parlance", { createScriptURL: requireOwnOrigin });
  const trusted = policy?.createScriptURL(address) ?? requireOwnOrigin(address);
  return trusted as string; // a `Worker` takes a TrustedScriptURL too
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

function requireOwnOrigin(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin)
    throw new Error("a worker must be of the app's own origin");
  return url.href;
}
