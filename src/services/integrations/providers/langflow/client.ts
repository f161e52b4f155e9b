import { traceHeaders } from "../../../../platform/http/context.ts";
import {
  ApiError,
  BadGateway,
  GatewayTimeout,
  TooLarge,
  Unavailable,
} from "../../../../platform/http/errors.ts";
import { readJson } from "../../../../platform/http/read-json.ts";
import { readRetryAfter } from "../../../../platform/http/retry-after.ts";
import { JsonLimitExceeded } from "../../../../platform/json/json-limits.ts";
import type { Outgoing } from "../../../../platform/outgoing/outgoing.ts";
import { CredentialsRefused } from "../provider.ts";

interface Deps {
  baseUrl: string;
  adminKey: string;
  outgoing: Outgoing;
  timeoutMs: number;
}

/** The credentials of a request. The refresh token is only ever sent in a cookie. */
type As =
  | "nobody"
  | "admin"
  | { key: string }
  | { token: string }
  | { refreshToken: string };

export interface LangflowRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /**
   * The path from the root, with a trailing slash where Langflow has one, since redirects are not
   * followed.
   */
  path: string;
  as: As;
  json?: unknown;
  form?: Record<string, string>;
  file?: { name: string; mimeType: string; bytes: Uint8Array };
  /** The answer is a stream: only the time until its start is limited. */
  streamed?: boolean;
}

export interface LangflowAnswer {
  status: number;
  /** The JSON of a complete answer. Absent for a stream. */
  body?: unknown;
  stream?: ReadableStream<Uint8Array>;
}

export type AskLangflow = (
  request: LangflowRequest,
  signal?: AbortSignal,
) => Promise<LangflowAnswer>;

/** The largest answer: a flow with all its components, or the names of thousands. */
const MAX_ANSWER = { maxBytes: 16 * 2 ** 20, maxValues: 100_000 };
const COME_BACK_MS = 5_000;
const MAX_WAIT_MS = 3_600_000;

/**
 * Sends one request to Langflow, with limits on time and size. Returns answers with a status below
 * 500, which each call interprets, except refused credentials and too many requests. Errors never
 * contain Langflow's own text, which may hold prompts and keys.
 * @throws ApiError `provider_unavailable` (503), `provider_busy` (503), `provider_timeout` (504),
 * `provider_failed`, `provider_invalid`, `provider_admin_key_refused` (502), and
 * CredentialsRefused.
 */
export function createClient({
  baseUrl,
  adminKey,
  outgoing,
  timeoutMs,
}: Deps): AskLangflow {
  return async (request, signal) => {
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(), timeoutMs);
    const until = signal ? AbortSignal.any([signal, clock.signal]) : clock.signal;
    try {
      const response = await outgoing.fetch(baseUrl + request.path, {
        method: request.method,
        headers: {
          accept: "application/json",
          ...traceHeaders(),
          ...credential(request.as, adminKey),
          ...contentType(request),
        },
        // the reader ends a stream that has started, not the time limit
        signal: request.streamed
          ? AbortSignal.any([...(signal ? [signal] : []), clock.signal])
          : until,
        ...bodyOf(request),
      });
      if (request.streamed && response.ok && response.body)
        return { status: response.status, stream: response.body };
      const body = await bodyOfAnswer(response);
      refuse(request, response, body);
      return { status: response.status, body };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ApiError) throw error;
      if (clock.signal.aborted)
        throw new GatewayTimeout(
          "provider_timeout",
          "The flow provider did not answer in time. Try again in a moment.",
          {
            cause: error,
          },
        );
      throw new Unavailable(
        "provider_unavailable",
        "The flow provider cannot be reached. Try again in a moment.",
        COME_BACK_MS,
        {
          cause: error,
        },
      );
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Throws for answers that mean a failure of every call. */
function refuse({ as }: LangflowRequest, response: Response, body: unknown): void {
  const { status } = response;
  if (as === "admin" && (status === 401 || status === 403))
    throw new BadGateway(
      "provider_admin_key_refused",
      "The flow provider refused the administrator's key. The operator must set FLOWENGINE_ADMIN_API_KEY to a key of a superuser.",
    );
  if (as !== "admin" && as !== "nobody" && (status === 401 || status === 403))
    throw new CredentialsRefused({ cause: detailOf(body) });
  if (status === 429 || status === 503) {
    const asked = readRetryAfter(response.headers.get("retry-after")) ?? 0;
    const wait = asked > 0 ? Math.min(asked, MAX_WAIT_MS) : COME_BACK_MS;
    throw new Unavailable(
      "provider_busy",
      "The flow provider is overloaded. Try again in a moment.",
      wait,
    );
  }
  if (status === 413)
    throw new TooLarge(
      "file_too_large",
      "The flow provider does not take a file of this size. Send a smaller one.",
    );
  if (status >= 500)
    throw new BadGateway(
      "provider_failed",
      "The flow provider failed. Try again; if this repeats, ask an administrator.",
      {
        cause: detailOf(body),
      },
    );
  if (status >= 300 && status < 400)
    throw new BadGateway(
      "provider_invalid",
      "The flow provider redirects to another address. The operator must set FLOWENGINE_BASE_URL to the final one.",
    );
}

async function bodyOfAnswer(response: Response): Promise<unknown> {
  try {
    return await readJson(response, MAX_ANSWER);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (!response.ok) return undefined;
    const why =
      error instanceof JsonLimitExceeded
        ? "The answer of the flow provider is too large."
        : "What answers at FLOWENGINE_BASE_URL is not Langflow: its answer is not JSON.";
    throw new BadGateway("provider_invalid", why);
  }
}

/** Returns the sentence of an error of FastAPI, if the answer is one. */
export function detailOf(body: unknown): string {
  return typeof body === "object" &&
    body !== null &&
    "detail" in body &&
    typeof body.detail === "string"
    ? body.detail
    : "";
}

function credential(as: As, adminKey: string): Record<string, string> {
  if (as === "nobody") return {};
  if (as === "admin") return { "x-api-key": adminKey };
  if ("key" in as) return { "x-api-key": as.key };
  if ("token" in as) return { authorization: `Bearer ${as.token}` };
  return { cookie: `refresh_token_lf=${as.refreshToken}` };
}

const BOUNDARY = "parlance-7d1f0c2e9b";

function contentType({ json, form, file }: LangflowRequest): Record<string, string> {
  if (json !== undefined) return { "content-type": "application/json" };
  if (form) return { "content-type": "application/x-www-form-urlencoded" };
  return file
    ? { "content-type": `multipart/form-data; boundary=${boundaryOf(file.bytes)}` }
    : {};
}

function bodyOf({ json, form, file }: LangflowRequest): {
  body?: string | Uint8Array<ArrayBuffer>;
} {
  if (json !== undefined) return { body: JSON.stringify(json) };
  if (form) return { body: new URLSearchParams(form).toString() };
  if (!file) return {};
  const boundary = boundaryOf(file.bytes);
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: ${file.mimeType}\r\n\r\n`;
  return {
    body: new Uint8Array(
      Buffer.concat([
        Buffer.from(head),
        file.bytes,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    ),
  };
}

/** Returns a boundary that does not occur in the bytes. */
function boundaryOf(bytes: Uint8Array): string {
  const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let boundary = BOUNDARY;
  while (haystack.includes(boundary)) boundary += "x";
  return boundary;
}
