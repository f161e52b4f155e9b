import type { Cache } from "../../platform/cache/cache.ts";
import { type Change, changedBy } from "../../platform/changes/contract-changes.ts";
import {
  publishChange,
  publishSharedChange,
} from "../../platform/changes/publish-changes.ts";
import type { OnSuccess } from "../../platform/http/dispatch.ts";
import { type AnyRoute, waysInto } from "../../platform/http/route.ts";
import { AUDIENCES } from "./audiences.ts";

/** The users whom a request names besides the caller: those who receive a share. */
interface SharesBody {
  shares?: { subjectType: string; subjectId: string }[];
}

/**
 * Publishes what a request changed, as its route declares it: to the user who asked and those named
 * in the request, or to everybody who may see what no single user owns.
 */
export function createChangePublisher(cache: Cache): OnSuccess {
  return ({ route, params, caller, input }) => {
    for (const change of changesOf(route, params)) {
      const { shares = [] } = change.type === "share" ? toShares(input.body) : {};
      const named = shares.filter(({ subjectType }) => subjectType === "user");
      const others = named.map(({ subjectId }) => subjectId);
      const own = caller.kind === "user" ? [caller.userId] : [];
      publishChange(cache, [...own, ...others], change);
      if (!AUDIENCES[change.type]) continue;
      // what only an operator changes belongs to all tenants
      const isOfAll = waysInto(route).includes("operator");
      const clientId = isOfAll ? undefined : caller.clientId;
      publishSharedChange(cache, {
        ...change,
        ...(clientId !== undefined && { clientId }),
      });
    }
  };
}

/** What a successful request to this route changes. */
export function changesOf(
  { changes = "none" }: Pick<AnyRoute, "changes">,
  params: Record<string, string>,
): Change[] {
  return changedBy(changes).map(({ type, parameter }) => ({
    type,
    ...(parameter && { id: params[parameter] }),
  }));
}

/** The body was validated by the contract of its route. */
function toShares(body: unknown): SharesBody {
  return typeof body === "object" && body !== null ? body : {};
}
