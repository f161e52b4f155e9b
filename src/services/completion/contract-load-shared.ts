import type { AnsweredBy } from "./contract.ts";

/** The code of `answered_by` where the same model answers at another endpoint. */
export const LOAD_SHARED = "load_shared";

/** Whether another model answers than the one that was asked. */
export function isReplaced({ code }: Pick<AnsweredBy, "code">): boolean {
  return code !== LOAD_SHARED;
}
