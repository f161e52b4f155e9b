import type { AnyRoute } from "../../../src/platform/http/route.ts";
import { Failure, readFailure, toNetworkFailure } from "./failure.ts";
import { untilServerAnswers } from "./reachable.ts";
import { CONFIRMATION, sessionEnded } from "./session.ts";

/** The input of any route. */
export interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
  /** Default: `RESPONSE_TIMEOUT_MS`. It bounds the time until the headers of the answer. */
  timeoutMs?: number;
  /** Goes on when the page is left. */
  keepalive?: boolean;
}

const RESPONSE_TIMEOUT_MS = 60_000;

/** Sent with every request: a page of another origin cannot send it. */
export const OWN_HEADERS = { "x-parlance": "1" };

/**
 * Sends a request. Where the session has ended, or must prove again who it is, it asks for a new
 * one and sends the request again.
 * @throws Failure when the answer is not a success.
 */
export async function request(
  route: Pick<AnyRoute, "method" | "path">,
  input: AnyInput,
  options: RequestOptions = {},
): Promise<Response> {
  for (;;) {
    const response = await send(route, input, options);
    if (response.ok) return response;
    const failure = await readFailure(response);
    if (failure.status > 500) void untilServerAnswers();
    const signsInAgain = failure.status === 401 || failure.code === CONFIRMATION;
    // each round waits for the person, who may decline
    if (!signsInAgain || !(await sessionEnded(failure, options.signal))) throw failure;
  }
}

async function send(
  route: Pick<AnyRoute, "method" | "path">,
  input: AnyInput,
  { signal, headers, timeoutMs = RESPONSE_TIMEOUT_MS, keepalive = false }: RequestOptions,
): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException("", "TimeoutError")),
    timeoutMs,
  );
  const signals = signal ? [signal, timeout.signal] : [timeout.signal];
  try {
    return await fetch(urlOf(route.path, input), {
      method: route.method.toUpperCase(),
      credentials: "same-origin",
      keepalive,
      headers: {
        ...OWN_HEADERS,
        ...(input.body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      signal: AbortSignal.any(signals),
    });
  } catch (error) {
    signal?.throwIfAborted();
    void untilServerAnswers();
    throw toNetworkFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Fills parameters and query into a path. */
export function urlOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Failure("bad_answer", `${path} needs ${name}`);
    return encodeURIComponent(toText(value));
  });
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(entries.map(([name, value]) => [name, toText(value)]));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
