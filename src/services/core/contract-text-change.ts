import { z } from "zod";

/** A piece of a text that is compared with another. */
export const TextChange = z.object({
  kind: z.enum(["same", "added", "removed"]),
  text: z.string(),
});
export type TextChange = z.output<typeof TextChange>;
