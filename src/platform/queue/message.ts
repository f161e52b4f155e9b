import { TooLarge } from "../http/errors.ts";
import { checkJson, JsonLimitExceeded, parseJson } from "../json/json-limits.ts";
import { Poison, type Delivery } from "./queue.ts";
import type { z } from "zod";

/**
 * The largest message, as JSON. Messages name files and rows; they do not hold their content. A
 * worker holds several at once, and parsing one must not occupy the event loop.
 */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The body of a message. */
export interface Body {
  /** The name of the queue, by which NestJS consumers choose a handler. */
  pattern: string;
  data: unknown;
}

/** Serializes a message within the limits. @throws TooLarge `message_too_large`. */
export function encodeMessage(body: Body): Buffer {
  const text = JSON.stringify(body);
  if (text.length > MAX_MESSAGE_BYTES || Buffer.byteLength(text) > MAX_MESSAGE_BYTES)
    throw tooLarge(`A message holds at most ${MAX_MESSAGE_BYTES} bytes.`);
  try {
    checkJson(text);
  } catch (error) {
    if (error instanceof JsonLimitExceeded) throw tooLarge(error.message);
    throw error;
  }
  return Buffer.from(text);
}

/** Parses a message within the limits. @throws Poison. */
export function decodeMessage(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_MESSAGE_BYTES)
    throw new Poison(
      "message_too_large",
      `The message is larger than ${MAX_MESSAGE_BYTES} bytes. Send less in it.`,
    );
  try {
    return parseJson(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(),
    );
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Poison("message_invalid", `The message is not JSON: ${error.message}`);
    throw error;
  }
}

function tooLarge(reason: string): TooLarge {
  const advice = "Store the content as a file and send its key.";
  return new TooLarge("message_too_large", `${reason} ${advice}`);
}

/**
 * What a message says, by its schema.
 * @throws Poison for a message that does not match.
 */
export function readMessage<Schema extends z.ZodType>(
  schema: Schema,
  { data }: Pick<Delivery, "data">,
): z.output<Schema> {
  const message = schema.safeParse(data);
  if (message.success) return message.data;
  const path = message.error.issues[0]?.path.join(".") ?? "";
  throw new Poison("message_invalid", `invalid message: ${path}`, { params: { path } });
}
