import type { RouteOk, RouteTaken } from "../../../platform/http/route.ts";
import type { viewsContract } from "../contract-views.ts";
import { type Gateway, toolNotFound } from "../gateway.ts";
import { isHarmless, type PermittedTools } from "../permitted-tools.ts";
import { withVisits } from "../visits.ts";
import { viewMetaOf } from "./view-meta.ts";

type Route = typeof viewsContract.callFromView;

/**
 * Calls a tool as a view asks for it: of its own server alone, and one that is for views. What may
 * destroy something waits for its user each time, whatever they always allow: anybody may have
 * written what the view shows.
 * @throws NotFound `tool_not_found`, Forbidden, and what `Gateway.call` throws.
 */
export async function callFromView(
  gateway: Gateway,
  tools: PermittedTools,
  { server, tool: theirName, arguments: args, approved }: RouteTaken<Route>["body"],
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<RouteOk<Route>> {
  const entry = gateway
    .entries()
    .find(({ listed, tool }) => listed.server === server && tool.name === theirName);
  if (!entry || !viewMetaOf(entry.tool).isForView) throw toolNotFound(theirName);
  const { name } = entry.listed;
  await tools.check(name, gateway.list());
  if (!isHarmless(entry.listed) && !approved) return { state: "asks", tool: name };
  const result = await withVisits(server, (questions) =>
    gateway.call(name, args, { userId, signal, questions }),
  );
  return { state: "answered", result };
}
