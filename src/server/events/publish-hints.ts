import type { Cache } from "../../platform/cache/cache.ts";
import { publishHint, publishSharedHint } from "../../platform/hints/hints.ts";
import type { OnSuccess } from "../../platform/http/dispatch.ts";
import { waysInto } from "../../platform/http/route.ts";
import { AUDIENCES } from "./audiences.ts";
import { hintOfRequest } from "./hint-of-request.ts";

/** The users whom a request names besides the caller: those who receive a share. */
interface SharesBody {
  shares?: { subjectType: string; subjectId: string }[];
}

/**
 * Publishes a hint of each change by a user, for that user and those named in the request, or for
 * everybody who may see what no single user owns.
 */
export function createHintPublisher(cache: Cache): OnSuccess {
  return ({ route, params, caller, input }) => {
    const hint = hintOfRequest(route, params);
    if (!hint) return;
    const { shares = [] } = hint.type === "share" ? toShares(input.body) : {};
    const named = shares.filter(({ subjectType }) => subjectType === "user");
    const others = named.map(({ subjectId }) => subjectId);
    publishHint(cache, [caller.userId, ...others], hint);
    if (!AUDIENCES[hint.type]) return;
    // what only an operator changes belongs to all tenants
    const isOfAll = waysInto(route).includes("operator");
    publishSharedHint(cache, { ...hint, ...(!isOfAll && { clientId: caller.clientId }) });
  };
}

/** The body was validated by the contract of its route. */
function toShares(body: unknown): SharesBody {
  return typeof body === "object" && body !== null ? body : {};
}
