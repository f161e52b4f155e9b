import type { Hint, HintType } from "../../platform/hints/contract-hints.ts";
import type { AnyRoute } from "../../platform/http/route.ts";

/** What a request that changes something is about, by its path; the first that fits. */
const TYPES: readonly (readonly [string, HintType | undefined])[] = [
  ["/api/v1/conversation/:conversationId/approve", "approval"],
  ["/api/v1/conversation", "conversation"],
  ["/api/v1/approvals", "approval"],
  ["/api/v1/documents", "document"],
  ["/api/v1/agent", "agent"],
  ["/api/v1/canvas", "canvas"],
  ["/api/v1/templates", "template"],
  ["/api/v1/conversion", "conversion"],
  ["/api/v1/sharing/locks", "lock"],
  ["/api/v1/sharing", "share"],
  ["/api/v1/auth", "session"],
  // these change nothing
  ["/api/automations/match", undefined],
  ["/api/automations/preview", undefined],
  ["/api/automations/media/inspect", undefined],
  ["/api/automations/schedules/preview", undefined],
  ["/api/automations/runs", "run"],
  ["/api/automations/media", "run"],
  ["/api/automations", "automation"],
];
const ID_PARAMETERS = ["conversationId", "resourceId", "canvasId", "id"];

/** The hint of a successful request; undefined where nothing changed that pages show. */
export function hintOfRequest(
  { method, path }: Pick<AnyRoute, "method" | "path">,
  params: Record<string, string>,
): Hint | undefined {
  if (method === "get") return undefined;
  const [, type] =
    TYPES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`)) ?? [];
  if (type === undefined) return undefined;
  const name = ID_PARAMETERS.find((parameter) => parameter in params);
  return { type, id: name && params[name] };
}
