import { appendFileSync } from "node:fs";
import type { PromiseKey } from "../security/promises.ts";

const report = process.env["SECURITY_REPORT"];

/** Counts verified cases of a promise for `npm run security`. Call it after the assertions. */
export function held(promise: PromiseKey, count = 1): void {
  if (report) appendFileSync(report, `${promise} ${count}\n`);
}
