import { BadGateway } from "../../../platform/http/errors.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { byteLimit, jsonLimit, watched } from "../../../platform/outgoing/bounded-body.ts";
import { type Asking, checkEncrypted } from "./reach.ts";

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;

/** The answer of an authorization server, or of a server that describes one. */
export interface JsonAnswer {
  status: number;
  headers: Headers;
  /** Empty where the body is no object. */
  body: Record<string, unknown>;
}

/**
 * Asks an address for a JSON object, with limits on time and size. No redirect is followed: the
 * request may hold a secret.
 * @throws BadGateway `tool_sign_in_unreachable`, `tool_sign_in_unencrypted`, BadRequest
 * `address_not_allowed`.
 */
export async function askJson(
  { outgoing, serverUrl, signal }: Asking,
  url: string,
  init: RequestInit,
): Promise<JsonAnswer> {
  checkEncrypted(url, serverUrl);
  outgoing.check(url);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await outgoing.fetch(url, { ...init, signal: limit });
    const tooLarge = () => new Error("the answer is too large");
    const isJson = /json/i.test(response.headers.get("content-type") ?? "");
    const watch = isJson ? jsonLimit(MAX_BYTES, tooLarge) : byteLimit(MAX_BYTES, tooLarge);
    const text = await watched(response, watch).text();
    return { status: response.status, headers: response.headers, body: objectIn(text) };
  } catch (error) {
    signal.throwIfAborted();
    throw unreachable(new URL(url).host, error);
  }
}

function unreachable(host: string, cause: unknown): BadGateway {
  return new BadGateway(
    "tool_sign_in_unreachable",
    `The sign-in of the tool server at ${host} does not answer. Try again, or ask its operator.`,
    { params: { host }, cause },
  );
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {}; // a page of a proxy, or nothing
  }
}

/** Characters of an address or an identifier. */
export const MAX_ADDRESS = 2_000;
/** Longer than any address, name or token that there is; what is longer counts as absent. */
const MAX_TEXT = 16_384;

export function textIn(
  body: Record<string, unknown>,
  name: string,
  max = MAX_TEXT,
): string | undefined {
  const value = body[name];
  const isGood = typeof value === "string" && value !== "" && value.length <= max;
  return isGood ? value : undefined;
}

export function textsIn(body: Record<string, unknown>, name: string): string[] | undefined {
  const value = body[name];
  if (!Array.isArray(value)) return undefined;
  return value
    .filter((one) => typeof one === "string")
    .filter(({ length }) => length <= MAX_ADDRESS)
    .slice(0, 100);
}
