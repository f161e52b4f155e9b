import { uuidv7 } from "uuidv7";
import { isDeeper } from "../../json/json-limits.ts";
import { type Body, decodeMessage, encodeMessage } from "../message.ts";
import { type DeadLetter, Poison } from "../queue.ts";
import { DELIVERY_LIMIT } from "./topology.ts";

const MAX_ERROR_CHARACTERS = 500;

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
  /** Why the last attempt failed. */
  error?: string;
}

/** @throws TooLarge `message_too_large`. */
export function toBrokerMessage(
  routingKey: string,
  body: Body,
  { id, tries, error }: Outgoing,
) {
  const headers: Record<string, unknown> = { "x-tries": tries };
  if (error) headers["x-error"] = error.slice(0, MAX_ERROR_CHARACTERS);
  const contentType = "application/json";
  const envelope = { contentType, routingKey, messageId: id, durable: true, headers };
  return { envelope, bytes: encodeMessage(body) };
}

export function idOf({ messageId }: BrokerMessage): string {
  return messageId ?? uuidv7();
}

/** Attempts with this one: those that failed, and those that ended without an answer. */
export function attemptOf({ headers = {} }: BrokerMessage): number {
  return countIn(headers, "x-tries") + countIn(headers, "x-delivery-count") + 1;
}

/**
 * Reads `{pattern, data}`. The client has parsed a body that is marked as JSON: ours were measured
 * when they were published, and `max_message_size` of the broker bounds those of other systems.
 * @throws Poison for anything else, and for a message over the limits.
 */
export function readBody({ body }: BrokerMessage): Body {
  const value = body instanceof Uint8Array ? decodeMessage(body) : body;
  if (typeof value !== "object" || value === null || !("data" in value))
    throw new Poison("The body is not {pattern, data}.");
  if (value === body && isDeeper(value)) throw new Poison("The body is nested too deep.");
  const pattern =
    "pattern" in value && typeof value.pattern === "string" ? value.pattern : "";
  return { pattern, data: value.data };
}

/** Reads a dead letter, also one whose body cannot be read. */
export function toDeadLetter(message: BrokerMessage): DeadLetter {
  const { headers = {}, timestamp = Date.now() / 1_000 } = message;
  return {
    id: idOf(message),
    data: dataOf(message),
    error: String(headers["x-error"] ?? "The workers ended without an answer."),
    tries: Number(headers["x-tries"] ?? DELIVERY_LIMIT),
    diedAt: new Date(timestamp * 1_000).toISOString(),
  };
}

function dataOf(message: BrokerMessage): unknown {
  try {
    return readBody(message).data;
  } catch {
    return null;
  }
}

function countIn(headers: Record<string, unknown>, name: string): number {
  const count = headers[name];
  return typeof count === "number" ? count : 0;
}
