import type { ApiError } from "../../../platform/http/errors.ts";
import type { FailureMeaning } from "../../../platform/in-turn/candidate.ts";
import type { RestOf } from "../../../platform/in-turn/rests.ts";
import type { CallOutcome } from "../../completion/contract-provider-calls.ts";

interface Meaning extends FailureMeaning {
  /** What the call says of the health of its server. */
  outcome: CallOutcome;
  /** Another key of the same provider may be answered. */
  isOfKey?: true;
}

const recovers = (outcome: CallOutcome): Meaning => ({
  outcome,
  replaced: "always",
  rest: "short",
});

/** What the failure of a call to a model's server means, for all that depends on it. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  embedding_too_large: { outcome: "answered" },
  embedding_rate_limited: { ...recovers("rate_limited"), isOfKey: true },
  embedding_unreachable: recovers("unreachable"),
  embedding_timeout: recovers("timed_out"),
  embedding_failed: recovers("failed"),
  embedding_invalid: recovers("failed"),
  embedding_refused: {
    outcome: "refused",
    replaced: "always",
    rest: "long",
    isOfKey: true,
  },
  // its vectors are not those of the index: only a person mends it
  embedding_dimensions_wrong: { outcome: "failed", replaced: "always", rest: "long" },
  // administrators decide which addresses are called
  address_not_allowed: { outcome: "unreachable" },
};
/** Of what is not foreseen, such as a defect. */
const UNFORESEEN: Meaning = { outcome: "failed" };

export function meaningOf({ code }: Pick<ApiError, "code">): Meaning {
  return MEANINGS[code] ?? UNFORESEEN;
}

/** A server at its limit says when to come back. */
export const restOf: RestOf = (failure) => {
  const { rest } = meaningOf(failure);
  const seconds = Number(failure.headers["retry-after"] ?? 0);
  const isAsked = failure.code === "embedding_rate_limited" && seconds > 1;
  return { ...(rest && { rest }), ...(isAsked && { retryAfterMs: seconds * 1_000 }) };
};
