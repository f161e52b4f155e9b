import { z } from "zod";
import { jsonOf } from "../../../platform/config/schemas.ts";

const MIB = 1024 * 1024;
const Path = z
  .string()
  .max(4_096)
  .regex(/^\/[^\0]*$/, "must be an absolute path");

/** A program that speaks the tool protocol on its standard input and output. */
export const Command = z.strictObject({
  command: z.string().min(1).max(4_096).describe("Found in PATH, or an absolute path"),
  args: z.array(z.string().max(10_000)).max(100).default([]),
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(64 * 1024))
    .default({})
    .describe("All that it gets beside PATH, HOME, TMPDIR and LANG"),
  read: z.array(Path).max(50).default([]).describe("Files and folders that it may read"),
  write: z.array(Path).max(50).default([]).describe("Folders that it may write"),
  network: z.boolean().default(true).describe("Whether it reaches the network"),
  memoryMb: z.number().int().min(32).max(65_536).default(512),
});
export type Command = z.output<typeof Command>;

export const Commands = jsonOf(
  z.record(
    z
      .string()
      .regex(/^[a-z\d][a-z\d_.-]{0,63}$/, "lower-case letters, digits, dots and dashes"),
    Command,
  ),
);

export const memoryOf = ({ memoryMb }: Command): number => memoryMb * MIB;

const PREFIX = "stdio:";

/** The name of the command that an address means; `undefined` for an address of the network. */
export function commandIn(url: string): string | undefined {
  return url.startsWith(PREFIX) ? url.slice(PREFIX.length).replace(/^\/+/, "") : undefined;
}
