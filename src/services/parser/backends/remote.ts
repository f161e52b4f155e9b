import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import {
  ApiError,
  BadGateway,
  GatewayTimeout,
  Unavailable,
} from "../../../platform/http/errors.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import { readRetryAfter } from "../../../platform/http/retry-after.ts";

/** A parser that is called over HTTP. */
export interface Remote {
  fetch: typeof globalThis.fetch;
  /** The name in sentences. */
  name: string;
  signal: AbortSignal;
}

/** A parsed file, with its tables. */
const MAX_ANSWER = { maxBytes: 32 * 1024 * 1024, maxValues: 100_000 };
const REQUEST_MS = 120_000;
const MAX_WAIT_MS = 30_000;

/**
 * Sends one request with a time limit, and returns an answer of any status.
 * @throws Unavailable or GatewayTimeout when no answer arrives.
 */
export async function ask(
  { fetch, name, signal }: Remote,
  url: string,
  init: RequestInit = {},
  timeoutMs = REQUEST_MS,
): Promise<Response> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(url, { ...init, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    if (late.aborted)
      throw new GatewayTimeout("parser_timeout", `${name} does not answer in time.`, {
        cause: error,
      });
    throw new Unavailable("parser_unreachable", `${name} cannot be reached.`, 10_000, {
      cause: error,
    });
  }
}

/** Parses an answer. @throws BadGateway when it does not match the protocol. */
export async function read<Schema extends z.ZodType>(
  { name }: Remote,
  response: Response,
  schema: Schema,
): Promise<z.output<Schema>> {
  // what is no JSON is refused by the schema
  const body: unknown = await readJson(response, MAX_ANSWER).catch(() => undefined);
  const parsed = schema.safeParse(body);
  if (!parsed.success)
    throw new BadGateway("parser_answer_invalid", `${name} answered in an unknown form.`, {
      cause: parsed.error,
    });
  return parsed.data;
}

/** Returns why a request was refused, without its raw body. */
export async function refusal({ name }: Remote, response: Response): Promise<ApiError> {
  // what the answer says is not passed on
  await response.body?.cancel().catch(() => {});
  const { status } = response;
  if (status === 401 || status === 403)
    return new BadGateway(
      "parser_refused",
      `${name} refuses its key. An administrator must check its settings.`,
    );
  if (status === 413)
    return new ApiError(
      422,
      "file_too_large",
      `This file is too large for ${name}. Send a smaller one.`,
    );
  if (status === 429 || status === 503)
    return new Unavailable(
      "parser_busy",
      `${name} is too busy.`,
      retryAfter(response, 10_000),
    );
  if (status === 400 || status === 415 || status === 422)
    return new ApiError(422, "file_refused", `${name} cannot read this file.`);
  return new BadGateway("parser_failed", `${name} failed (${status}).`);
}

/** The delay that a response asks for, in ms. */
export function retryAfter(response: Response, usualMs: number): number {
  const asked = readRetryAfter(response.headers.get("retry-after"));
  return asked === undefined ? usualMs : Math.min(asked, MAX_WAIT_MS);
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}
