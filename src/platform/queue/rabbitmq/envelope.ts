import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { TooLarge } from "../../http/errors.ts";
import { isDeeper } from "../../json/json-limits.ts";
import { type Body, decodeMessage, encodeMessage } from "../message.ts";
import { reportError, SentenceCode } from "../../http/reported-error.ts";
import { workerEnded } from "../finish-work.ts";
import { type AttemptFailure, type DeadLetter, Poison } from "../queue.ts";
import { DELIVERY_LIMIT } from "./topology.ts";

const MAX_ERROR_CHARACTERS = 500;
/** The end of the year 9999. Some systems send milliseconds, where AMQP has seconds. */
const LAST_TIMESTAMP = 253_402_300_799;

export const SIGNATURE_HEADER = "x-signature";

/** The parts of a message that the broker delivers. */
export interface BrokerMessage {
  messageId?: string;
  headers?: Record<string, unknown>;
  body?: unknown;
  /** In seconds. */
  timestamp?: number;
}

export interface Outgoing {
  id: string;
  /** Attempts so far. */
  tries: number;
  delayMs: number;
  /** Of the publisher. A message that is sent again keeps what it had. */
  signature?: string | undefined;
  /** Why the last attempt failed. */
  failure?: AttemptFailure;
}

/** @throws TooLarge `message_too_large`. */
export function toBrokerMessage(
  routingKey: string,
  body: Body,
  { id, tries, signature, failure }: Outgoing,
) {
  const headers = {
    "x-tries": tries,
    ...(signature !== undefined && { [SIGNATURE_HEADER]: signature }),
    ...(failure && toHeaders(failure)),
  };
  const contentType = "application/json";
  const envelope = { contentType, routingKey, messageId: id, durable: true, headers };
  return { envelope, bytes: encodeMessage(body) };
}

function toHeaders({ error, code, params }: AttemptFailure): Record<string, string> {
  return {
    "x-error": error.slice(0, MAX_ERROR_CHARACTERS),
    ...(code !== undefined && { "x-error-code": JSON.stringify({ code, params }) }),
  };
}

/** The signature that a message came with, right or wrong. */
export function signatureOf({ headers = {} }: BrokerMessage): string | undefined {
  const given = headers[SIGNATURE_HEADER];
  return typeof given === "string" ? given : undefined;
}

export function idOf({ messageId }: BrokerMessage): string {
  return messageId ?? uuidv7();
}

/**
 * Names the dead letters of one reading, in the order of the queue. Messages of other systems may
 * have no id: the hash of what they say is theirs. Equal ones are counted, so that one of them can
 * be taken alone; which one makes no difference.
 */
export function nameDeadLetters(): (message: BrokerMessage) => string {
  const counts = new Map<string, number>();
  return (message) => {
    if (message.messageId !== undefined) return message.messageId;
    const hash = hashOf(message);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return `${hash}-${count}`;
  };
}

/** Without the other headers: the broker counts deliveries there, so they change. */
function hashOf({ body, timestamp, headers = {} }: BrokerMessage): string {
  const { "x-tries": tries, "x-error": error, "x-error-code": code } = headers;
  // other systems may put anything there, and a table of any depth is no text
  const facts = [timestamp, tries, error, code].map((fact) =>
    typeof fact === "object" ? "" : String(fact),
  );
  return createHash("sha256")
    .update(JSON.stringify(facts))
    .update(bytesOf(body))
    .digest("base64url");
}

function bytesOf(body: unknown): Uint8Array | string {
  if (body instanceof Uint8Array) return body;
  // what is nested too deep cannot be written as JSON
  return isDeeper(body) ? "" : (JSON.stringify(body) ?? "");
}

/** Attempts with this one: those that failed, and those that ended without an answer. */
export function attemptOf({ headers = {} }: BrokerMessage): number {
  return countIn(headers, "x-tries") + countIn(headers, "x-delivery-count") + 1;
}

/**
 * Reads `{pattern, data}`. The client has parsed a body that is marked as JSON: for it,
 * `max_message_size` of the broker is the only limit before this.
 * @throws Poison for anything else, and for a message over the limits.
 */
export function readBody({ body }: BrokerMessage): Body {
  const value = body instanceof Uint8Array ? decodeMessage(body) : body;
  if (typeof value !== "object" || value === null || !("data" in value))
    throw new Poison("message_invalid", "The body is not {pattern, data}.");
  if (value === body && isDeeper(value))
    throw new Poison("message_invalid", "The body is nested too deep.");
  const pattern =
    "pattern" in value && typeof value.pattern === "string" ? value.pattern : "";
  const read = { pattern, data: value.data };
  if (value === body) refuseLargerThanOwn(read);
  return read;
}

/** What cannot be published again can neither be retried nor become a dead letter. */
function refuseLargerThanOwn(body: Body): void {
  try {
    encodeMessage(body);
  } catch (error) {
    if (error instanceof TooLarge) throw new Poison("message_too_large", error.message);
    throw error;
  }
}

/** Reads a dead letter, also one whose body cannot be read. */
export function toDeadLetter(message: BrokerMessage, id: string): DeadLetter {
  const { headers = {}, timestamp = Infinity } = message;
  const isDated = timestamp <= LAST_TIMESTAMP;
  return {
    id,
    data: dataOf(message),
    ...failureOf(headers),
    tries: "x-tries" in headers ? countIn(headers, "x-tries") : DELIVERY_LIMIT,
    diedAt: new Date(isDated ? timestamp * 1_000 : Date.now()).toISOString(),
  };
}

/** The broker itself moves a message that too many workers left unanswered. */
function failureOf(headers: Record<string, unknown>): AttemptFailure {
  if (headers["x-error"] === undefined) return reportError(workerEnded());
  const error = String(headers["x-error"]);
  try {
    const given: unknown = JSON.parse(String(headers["x-error-code"]));
    return { error, ...SentenceCode.parse(given) };
  } catch {
    return { error }; // of an earlier version, or a failure without a code
  }
}

function dataOf(message: BrokerMessage): unknown {
  try {
    return readBody(message).data;
  } catch {
    return null;
  }
}

/** Other systems may send anything: by a number below zero, a message would be retried for ever. */
function countIn(headers: Record<string, unknown>, name: string): number {
  const count = headers[name];
  return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : 0;
}
