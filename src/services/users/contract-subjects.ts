import { z } from "zod";

/**
 * An identifier from a service or an issuer, without control characters, which databases refuse.
 */
export const Id = z
  .string()
  .min(1)
  .max(200)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f]+$/, "no control characters");

/** Text of one or more lines, without NUL, which databases refuse. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0"), "no NUL characters");

export const ResourceType = z.enum([
  "conversation",
  "folder",
  "document",
  "agent",
  "template",
]);
export type ResourceType = z.output<typeof ResourceType>;
