import { type StoredFailure, toStoredFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";

/** A failure that did not prevent the answer of a search. */
export function Warning({ warning }: { warning: StoredFailure }) {
  return useErrorText(toStoredFailure(warning));
}
