import { z } from "zod";
import { FileName } from "./contract-file-name.ts";
import { MAX_OUTPUT_CHARACTERS } from "./contract-limits.ts";

/** What the service says to a process of the sandbox. The bytes of a file follow its message. */
export type Command =
  | { type: "put"; name: string; size: number }
  | { type: "run"; code: string };

/** What a process says. It may have been taken over by the code that it runs. */
export const Report = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), version: z.string().max(200) }),
  z.object({
    type: z.literal("output"),
    stream: z.enum(["stdout", "stderr"]),
    text: z.string().max(MAX_OUTPUT_CHARACTERS),
  }),
  z.object({ type: z.literal("file"), name: FileName, size: z.number().int().min(0) }),
  z.object({
    type: z.literal("left"),
    name: z.string().max(1_000),
    reason: z.enum(["link", "name", "number", "size", "special"]),
  }),
  z.object({
    type: z.literal("done"),
    /** What went wrong in the code, as the interpreter says it. */
    error: z.string().max(50_000).optional(),
    isOverOutput: z.boolean().default(false),
  }),
]);
export type Report = z.output<typeof Report>;
