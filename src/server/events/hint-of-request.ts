import type { Hint, HintType } from "../../platform/hints/contract-hints.ts";
import type { AnyRoute } from "../../platform/http/route.ts";

/**
 * What a request that changes something is about, by its path; the first that fits. Requests
 * without a type change nothing: pages make them to read, and would make them again at a hint.
 */
const TYPES: readonly (readonly [string, HintType | undefined])[] = [
  ["/api/v1/conversation/:conversationId/approve", "approval"],
  ["/api/v1/conversation", "conversation"],
  ["/api/v1/approvals", "approval"],
  ["/api/v1/documents/:id/preview-chunks", undefined],
  ["/api/v1/documents", "document"],
  ["/api/v1/agent/run", undefined],
  ["/api/v1/agent", "agent"],
  ["/api/v1/canvas", "canvas"],
  ["/api/v1/templates/by-ids", undefined],
  ["/api/v1/templates/:id/fill", undefined],
  ["/api/v1/templates", "template"],
  ["/api/v1/conversion", "conversion"],
  ["/api/v1/sharing/locks", "lock"],
  ["/api/v1/sharing/check-access", undefined],
  ["/api/v1/sharing", "share"],
  ["/api/v1/auth", "session"],
  ["/api/v1/features", "lock"],
  ["/api/v1/users", "user"],
  ["/api/v1/groups", "group"],
  ["/api/v1/roles", "role"],
  ["/api/v1/app", "app"],
  ["/api/v1/model-providers/test", undefined],
  ["/api/v1/model-providers/:name/test", undefined],
  ["/api/v1/model-providers", "provider"],
  ["/api/v1/available-models/validate", undefined],
  ["/api/v1/available-models/by-ids", undefined],
  ["/api/v1/available-models", "model"],
  ["/api/v1/models", "model"],
  ["/api/v1/mcp-servers", "tool-server"],
  ["/mcp/v1/servers/test", undefined],
  ["/mcp/v1", "tool-server"],
  ["/api/v1/budgets", "budget"],
  ["/api/v1/flowengine/admin", "flow"],
  ["/api/v1/flowengine/flows", "flow"],
  ["/api/v1/embed/model/test", undefined],
  ["/api/v1/embed/model", "embedding-model"],
  ["/api/v1/queues", "queue"],
  ["/api/automations/match", undefined],
  ["/api/automations/preview", undefined],
  ["/api/automations/media/inspect", undefined],
  ["/api/automations/schedules/preview", undefined],
  ["/api/automations/runs", "run"],
  ["/api/automations/media", "run"],
  ["/api/automations", "automation"],
];
const ID_PARAMETERS = ["conversationId", "resourceId", "canvasId", "id", "name", "userId"];

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
