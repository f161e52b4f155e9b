import { ApiError } from "../../platform/http/errors.ts";
import type { FailureMeaning } from "../../platform/in-turn/candidate.ts";
import type { CallOutcome } from "./contract-provider-calls.ts";

/** What the failure of a call to a provider means. All that depends on it reads this table. */
interface Meaning extends FailureMeaning {
  /** What the call says of the health of its provider: `answered` where that is not to blame. */
  outcome: CallOutcome;
  /** The provider says it of one key, while others may work. */
  isOfKey?: true;
}

/** The provider fails, whatever is asked. */
const recovers = (outcome: CallOutcome) =>
  ({ outcome, replaced: "always", rest: "short" }) as const;
const isMended = (outcome: CallOutcome) =>
  ({ outcome, replaced: "always", rest: "long" }) as const;
/** The model cannot take the request. */
const UNSUITED = { outcome: "answered", replaced: "after a fallback" } as const;
/** The request was refused, or its answer is not wanted: no other model would do better. */
const ANSWERED = { outcome: "answered" } as const;

const MEANINGS = {
  provider_unreachable: recovers("unreachable"),
  provider_failed: recovers("failed"),
  provider_timeout: recovers("timed_out"),
  provider_cut: recovers("failed"),
  provider_invalid: recovers("failed"),
  provider_rate_limited: { ...recovers("rate_limited"), isOfKey: true },
  provider_no_credit: { ...isMended("refused"), isOfKey: true },
  provider_refused_key: { ...isMended("refused"), isOfKey: true },
  provider_model_unknown: isMended("refused"),
  provider_misconfigured: isMended("failed"),
  provider_redirects: isMended("unreachable"),

  provider_input_too_long: UNSUITED,
  provider_output_limit: UNSUITED,
  provider_without_tools: UNSUITED,
  provider_without_images: UNSUITED,
  provider_without_files: UNSUITED,
  model_task_unsupported: UNSUITED,
  // of our own checks, for a provider that is not asked then
  option_unsupported: UNSUITED,
  image_unusable: UNSUITED,
  too_many_images: UNSUITED,

  provider_refused_request: ANSWERED,
  provider_filtered: ANSWERED,
  provider_reply_too_long: ANSWERED,
  reply_not_in_format: ANSWERED,

  // the user has waited for as long as a reply may take
  reply_timeout: { outcome: "timed_out" },
  // administrators decide which addresses are called
  address_not_allowed: { outcome: "unreachable" },
} as const satisfies Record<string, Meaning>;

/** The code of a failure that says what it means. */
export type FailureCode = keyof typeof MEANINGS;

const OF_CODE: ReadonlyMap<string, Meaning> = new Map(Object.entries(MEANINGS));
/** Of what is not foreseen, such as a defect. */
const UNFORESEEN: Meaning = { outcome: "failed" };

export function meaningOf({ code }: Pick<ApiError, "code">): Meaning {
  return OF_CODE.get(code) ?? UNFORESEEN;
}
