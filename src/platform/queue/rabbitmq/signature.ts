import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "../../auth/secrets.ts";
import type { Body } from "../message.ts";
import { type BrokerMessage, signatureOf } from "./envelope.ts";

const VERSION = "v1";

/** Tells the messages of this installation from those of others at the same broker. */
export interface Signer {
  /** The value of the header of a message to a queue. */
  sign(queue: string, id: string, body: Body): string;
  /** Whether a message was signed for this queue, under its id, and was not changed since. */
  isSigned(queue: string, message: BrokerMessage, body: Body): boolean;
}

/**
 * Signs with a key that is derived from the secret of the services. The name of the queue is part
 * of what is signed, so that no message counts in another one.
 */
export function createSigner(serviceSecret: string): Signer {
  const key = deriveKey(serviceSecret, "messages");
  const sign = (queue: string, id: string, { pattern, data }: Body) => {
    const signed = [queue, id, JSON.stringify({ pattern, data })].join("\n");
    return `${VERSION}=${createHmac("sha256", key).update(signed).digest("base64url")}`;
  };
  return {
    sign,
    isSigned(queue, message, body) {
      const { messageId } = message;
      const given = signatureOf(message);
      if (messageId === undefined || given === undefined) return false;
      const expected = Buffer.from(sign(queue, messageId, body));
      const bytes = Buffer.from(given);
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    },
  };
}
