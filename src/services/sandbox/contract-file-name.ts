import { z } from "zod";

/** A path below the folder of a session: nothing that leads out of it or hides what it is. */
export const FileName = z
  .string()
  .min(1)
  .max(300)
  // no pattern: in the OpenAPI document many would read it without Unicode
  .refine((name) =>
    /^[^\p{Cc}\p{Cf}\p{Cs}\\/]+(?:\/[^\p{Cc}\p{Cf}\p{Cs}\\/]+)*$/u.test(name),
  )
  .refine((name) => name.split("/").every((part) => part !== "." && part !== ".."));
