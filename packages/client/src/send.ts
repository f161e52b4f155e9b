import type { AnyInput, CallOptions, Row } from "./call-types.ts";
import { ConnectionError, ParlanceError, readError, TimeoutError } from "./errors.ts";

export interface ClientOptions {
  /** The address of the server, such as `https://parlance.example`. */
  baseUrl: string;
  apiKey?: string;
  /**
   * An access token, or a function that gives one. A function is asked again, with the token that
   * the server refused, when one has expired.
   */
  token?: string | ((refused?: string) => string | Promise<string>);
  /** Default: 10 minutes, since models take their time. */
  timeoutMs?: number;
  /** Default: 4. */
  maxAttempts?: number;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

/** An answer whose body is still to be read, and what bounds that. */
export interface Sent {
  response: Response;
  /** Ends the attempt. */
  abort: AbortController;
  /** Stops the clock of `timeoutMs`. */
  release(): void;
  /** What a failure while reading means. */
  toError(error: unknown): unknown;
}

const TIMEOUT_MS = 600_000;
const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A server that asks for a longer pause is not asked again: the caller decides. */
const MAX_RETRY_AFTER_MS = 60_000;
const TEMPORARY = [429, 502, 503, 504];
const IDEMPOTENT = ["GET", "PUT", "DELETE"];

/**
 * Calls an operation, and again after a temporary failure: always after 429, since the server did
 * nothing; otherwise if a second call has no other effect than the first.
 * @param read reads the answer; what breaks there counts as a broken connection.
 * @throws ParlanceError, or the reason of the caller's signal.
 */
export async function send<Result>(
  client: ClientOptions,
  row: Row,
  input: AnyInput,
  options: CallOptions,
  read: (sent: Sent) => Promise<Result>,
): Promise<Result> {
  const maxAttempts = options.maxAttempts ?? client.maxAttempts ?? MAX_ATTEMPTS;
  const key = options.idempotencyKey ?? (row.once ? newKey() : undefined);
  const keyed = key === undefined ? options : withHeader(options, "idempotency-key", key);
  const isRepeatable = IDEMPOTENT.includes(row.method) || key !== undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(client, row, input, keyed, read);
    } catch (error) {
      options.signal?.throwIfAborted();
      const delayMs = delayBefore(error, attempt, isRepeatable);
      if (attempt >= maxAttempts || delayMs === undefined) throw error;
      await pause(delayMs, options.signal);
    }
  }
}

async function sendOnce<Result>(
  client: ClientOptions,
  row: Row,
  input: AnyInput,
  options: CallOptions,
  read: (sent: Sent) => Promise<Result>,
): Promise<Result> {
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new TimeoutError(timeoutMs)), timeoutMs);
  const signal = options.signal
    ? AbortSignal.any([options.signal, abort.signal])
    : abort.signal;
  const toError = (error: unknown) => {
    options.signal?.throwIfAborted();
    if (error instanceof ParlanceError) return error;
    if (abort.signal.reason instanceof ParlanceError) return abort.signal.reason;
    return new ConnectionError(error);
  };
  try {
    const response = await authorized(client, options, (headers) =>
      (client.fetch ?? fetch)(urlOf(client.baseUrl, row.path, input), {
        method: row.method,
        ...bodyOf(input, headers),
        headers,
        signal,
      }),
    );
    if (!response.ok) throw await readError(response);
    return await read({ response, abort, release: () => clearTimeout(timer), toError });
  } catch (error) {
    throw toError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Sends with the credential; a token that is refused is renewed once. */
async function authorized(
  { apiKey, token, headers: common }: ClientOptions,
  options: CallOptions,
  request: (headers: Headers) => Promise<Response>,
): Promise<Response> {
  const headers = new Headers({ ...common, ...options.headers });
  if (apiKey !== undefined) headers.set("x-api-key", apiKey);
  if (token === undefined) return request(headers);
  const first = typeof token === "string" ? token : await token();
  headers.set("authorization", `Bearer ${first}`);
  const response = await request(headers);
  if (response.status !== 401 || typeof token === "string") return response;
  await response.body?.cancel();
  headers.set("authorization", `Bearer ${await token(first)}`);
  return request(headers);
}

function bodyOf(
  { body, form, bytes }: AnyInput,
  headers: Headers,
): { body?: NonNullable<RequestInit["body"]> } {
  if (form) {
    const data = new FormData();
    for (const [name, value] of orderFields(form)) {
      if (value instanceof Blob) data.append(name, value);
      else if (value !== undefined) data.append(name, toText(value));
    }
    return { body: data };
  }
  if (bytes) {
    headers.set("content-type", "application/octet-stream");
    return { body: bytes };
  }
  if (body === undefined) return {};
  headers.set("content-type", "application/json");
  return { body: JSON.stringify(body) };
}

/** The server reads the fields before the file. */
function orderFields(form: Record<string, unknown>): [string, unknown][] {
  const rank = (value: unknown) => (value instanceof Blob ? 1 : 0);
  return Object.entries(form).sort(([, a], [, b]) => rank(a) - rank(b));
}

/** Fills parameters and query into a path. */
function urlOf(
  baseUrl: string,
  path: string,
  { params = {}, query = {} }: AnyInput,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "")
      throw new TypeError(`${path} needs params.${name}`);
    return encodeURIComponent(toText(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined)
      search.set(name, Array.isArray(value) ? value.join(",") : toText(value));
  const base = baseUrl.endsWith("/") ? baseUrl.slice(0, -1) : baseUrl;
  return `${base}${filled}${search.size > 0 ? `?${search}` : ""}`;
}

/** @returns how long to wait before the next attempt; undefined: another one does not help. */
function delayBefore(
  error: unknown,
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  if (!(error instanceof ParlanceError)) return undefined;
  const isRefused = error.status === 429;
  const isTemporary = error.status === 0 || TEMPORARY.includes(error.status);
  if (!isTemporary || !(isRepeatable || isRefused)) return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : error.retryAfterMs;
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
  return delayMs * (0.5 + Math.random() / 2);
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    const end = () => {
      clearTimeout(timer);
      // the caller's own reason, whatever it is
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", end, { once: true });
  });
}

function withHeader(options: CallOptions, name: string, value: string): CallOptions {
  return { ...options, headers: { ...options.headers, [name]: value } };
}

/** Random enough for a key. `crypto.randomUUID` is missing in pages over plain HTTP. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
