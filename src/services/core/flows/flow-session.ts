import { createHash } from "node:crypto";

/**
 * The memory that the flows of a reply share: that of its conversation. A run without a
 * conversation has a memory that only the same request shares.
 */
export function flowSessionOf(
  conversationId: string | undefined,
  messages: unknown,
): string {
  if (conversationId !== undefined) return conversationId;
  return createHash("sha256").update(JSON.stringify(messages)).digest("base64url");
}
