import type { Cache } from "../../platform/cache/cache.ts";
import { publishHint } from "../../platform/hints/hints.ts";
import type { OnSuccess } from "../../platform/http/dispatch.ts";
import { hintOfRequest } from "./hint-of-request.ts";

/** Returns the users whom a request names besides the caller, such as those who receive a share. */
interface SharesBody {
  shares?: { subjectType: string; subjectId: string }[];
}

/** Publishes a hint of each change by a user, for that user and those named in the request. */
export function createHintPublisher(cache: Cache): OnSuccess {
  return ({ route, params, caller, input }) => {
    const hint = hintOfRequest(route, params);
    if (!hint) return;
    const { shares = [] } = hint.type === "share" ? toShares(input.body) : {};
    const named = shares.filter(({ subjectType }) => subjectType === "user");
    const others = named.map(({ subjectId }) => subjectId);
    publishHint(cache, [caller.userId, ...others], hint);
  };
}

/** The body was validated by the contract of its route. */
function toShares(body: unknown): SharesBody {
  return typeof body === "object" && body !== null ? body : {};
}
