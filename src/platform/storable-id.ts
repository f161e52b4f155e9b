import { z } from "zod";

/**
 * An identifier that a database keeps as it is. Two others can be the same there, as it stores
 * neither NUL nor half of a surrogate pair: they would name one user.
 */
export const StorableId = z
  .string()
  .min(1)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f\ud800-\udfff]+$/u, "no control characters");
