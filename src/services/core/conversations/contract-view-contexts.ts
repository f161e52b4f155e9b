import { z } from "zod";
import { route } from "../../../platform/http/route.ts";

/** What views of tools' results (MCP Apps) add to what the model reads next. */

const MAX_VIEW_CONTEXT_CHARACTERS = 8_000;
/** Of a conversation; the oldest goes when another view adds something. */
export const MAX_VIEW_CONTEXTS = 5;

const ViewContext = z.object({
  toolCallId: z.string().describe("The call whose result the view shows"),
  server: z.string().describe("Whose view it is"),
  content: z.string(),
  updatedAt: z.iso.datetime(),
});
const byConversation = z.object({ conversationId: z.uuid() });
const byView = byConversation.extend({ toolCallId: z.string().min(1).max(200) });
const path = "/api/v1/conversation/:conversationId/view-contexts";

export const viewContextsContract = {
  listViewContexts: route({
    method: "get",
    path,
    access: "jwt",
    permission: "conversation:read",
    summary: "List what views of results add to what the model reads next",
    params: byConversation,
    ok: z.object({ items: z.array(ViewContext) }),
  }),
  setViewContext: route({
    method: "put",
    path: `${path}/:toolCallId`,
    access: "jwt",
    permission: "conversation:update",
    changes: "conversation/:conversationId",
    summary:
      "Say what a view adds to what the model reads next, in the place of what it said",
    params: byView,
    body: z.object({
      server: z.string().min(1).max(64),
      content: z
        .string()
        .min(1)
        .max(MAX_VIEW_CONTEXT_CHARACTERS)
        .describe("The model reads it as data that somebody else wrote"),
    }),
    ok: ViewContext,
  }),
  deleteViewContext: route({
    method: "delete",
    path: `${path}/:toolCallId`,
    access: "jwt",
    permission: "conversation:update",
    changes: "conversation/:conversationId",
    summary: "Take back what a view added",
    params: byView,
  }),
};
