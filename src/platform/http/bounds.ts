import { z } from "zod";

/** The largest value of PostgreSQL's `integer`. */
export const MAX_INT4 = 2_147_483_647;

/** A whole number that fits a column of the type `integer`. */
export function int4(min = 0) {
  return z.number().int().min(min).max(MAX_INT4);
}

/** The same from a path or a query. */
export function int4Text(min = 0) {
  return z.coerce.number().int().min(min).max(MAX_INT4);
}

/** An hour more is no offset of any place, and PostgreSQL refuses 16. There is no year 0 either. */
const STORABLE = /^(?!0000)[^+]*(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/;

/** A time with its offset that fits a column of the type `timestamptz`. */
export function storableTime() {
  return z.iso
    .datetime({ offset: true })
    .max(40)
    .regex(STORABLE, "from the year 1, with an offset of at most 15:59");
}
