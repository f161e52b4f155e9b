import { z } from "zod";
import type { AnyRoute } from "./route.ts";

const CREDENTIAL_FIELD = /"(?:\w*(?:token|password|secret|cookie)|(?:api)?key)":/i;
const known = new WeakMap<AnyRoute, boolean>();

/**
 * Whether an answer of this route may hold a credential, by the names of its fields. Such answers
 * are not compressed, because their size would reveal their content (BREACH).
 */
export function mayHoldCredential(route: AnyRoute): boolean {
  const before = known.get(route);
  if (before !== undefined) return before;
  const { ok } = route;
  const fields = ok === undefined ? "" : JSON.stringify(jsonSchemaOf(ok));
  const mayHold = CREDENTIAL_FIELD.test(fields);
  known.set(route, mayHold);
  return mayHold;
}

/** With the marks of secrets, which count as names of fields. */
function jsonSchemaOf(ok: z.ZodType): object {
  return z.toJSONSchema(ok, { io: "output", unrepresentable: "any" });
}
