import { toReportedFailure } from "../api/failure.ts";
import { readErrorText } from "../texts/errors.ts";
import { notify } from "../ui/notices.tsx";
import type { BulkResults } from "./queries.ts";

interface Texts {
  notAll: (count: number, reason: string) => string;
}

/**
 * Reports how many agents were not changed, and why the first one was not.
 * @returns whether there are any.
 */
export function notifyUnchanged(results: BulkResults["results"], texts: Texts): boolean {
  const failed = results.filter(({ success }) => !success);
  const [first] = failed;
  if (!first) return false;
  const { code = "internal_error", error = "", params } = first;
  void readErrorText(toReportedFailure({ code, error, params })).then((reason) =>
    notify(texts.notAll(failed.length, reason)),
  );
  return true;
}
