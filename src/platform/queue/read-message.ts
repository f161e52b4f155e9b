import type { z } from "zod";
import { type Delivery, Poison } from "./queue.ts";

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
