import { z } from "zod";
import { route } from "../../platform/http/route.ts";

/** Routes about agents for other services. */
export const resolveAgents = route({
  method: "post",
  path: "/api/v1/agent/resolve",
  access: "service-secret",
  changes: "none",
  summary: "Find out which of these agents a user may use; for other services",
  body: z.object({
    userId: z.string().min(1).max(200),
    clientId: z.string().min(1).max(200),
    ids: z.array(z.uuid()).min(1).max(100),
    runnable: z
      .boolean()
      .default(false)
      .describe("Leave out agents with a flow that the user may not run"),
  }),
  ok: z.array(z.object({ id: z.uuid(), name: z.string(), version: z.number().int() })),
});

/** The built-in agent that answers from all documents that the user may see. */
export const DOCUMENTS_AGENT = "00000000-0000-7000-8000-000000000004";
/** The built-in agent that does research. It is there where the web can be searched. */
export const RESEARCH_AGENT = "00000000-0000-7000-8000-000000000005";
