import { z } from "zod";
import { limitKeys } from "../../../platform/http/bounds.ts";
import { ReportedError } from "../../../platform/http/reported-error.ts";
import { MAX_BODY_BYTES, route } from "../../../platform/http/route.ts";

/** Changes several agents. Each has a result of its own. */

const Results = z.object({
  results: z.array(
    ReportedError.partial().extend({ id: z.string(), success: z.boolean() }),
  ),
});
const Items = z.object({
  items: z
    .array(limitKeys(z.looseObject({ id: z.uuid() }), 100))
    .min(1)
    .max(100),
});
export const Ids = z.array(z.uuid()).min(1).max(100);

const base = "/api/v1/agent";

export const agentsBulkContract = {
  deleteAgents: route({
    method: "delete",
    path: `${base}/bulk`,
    access: "jwt",
    permission: "agent:delete",
    changes: "agent",
    summary: "Delete several, each with its own result",
    body: z.object({ ids: Ids }),
    ok: Results,
  }),
  putAgents: route({
    method: "put",
    path: `${base}/bulk`,
    access: "jwt",
    permission: "agent:update",
    changes: "agent",
    summary: "Replace several, each with its own result",
    body: Items,
    maxBody: MAX_BODY_BYTES,
    ok: Results,
  }),
  patchAgents: route({
    method: "patch",
    path: `${base}/bulk`,
    access: "jwt",
    permission: "agent:update",
    changes: "agent",
    summary: "Change several, each with its own result",
    body: Items,
    maxBody: MAX_BODY_BYTES,
    ok: Results,
  }),
};
