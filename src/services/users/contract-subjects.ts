import { z } from "zod";
import { StorableId } from "../../platform/http/bounds.ts";

/** The email of an account: in ASCII, so that no two emails are the same in lower case. */
export const Email = z
  .email()
  .max(320)
  .transform((email) => email.toLowerCase());

/** An identifier from a service or an issuer. */
export const Id = StorableId.max(200);

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
