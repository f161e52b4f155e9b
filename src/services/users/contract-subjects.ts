import { z } from "zod";

/**
 * Two texts with other characters can be the same in a database, which stores neither NUL nor half
 * of a surrogate pair: they would name one subject.
 */
export const STORABLE = z
  .string()
  .min(1)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f\ud800-\udfff]+$/u, "no control characters");

/** The email of an account: in ASCII, so that no two emails are the same in lower case. */
export const Email = z
  .email()
  .max(320)
  .transform((email) => email.toLowerCase());

/** An identifier from a service or an issuer. */
export const Id = STORABLE.max(200);

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
