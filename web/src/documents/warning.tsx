import { type StoredFailure, toStoredFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";

/** What failed in a search without preventing its answer. */
export function Warning({ warning }: { warning: StoredFailure }) {
  return useErrorText(toStoredFailure(warning));
}
