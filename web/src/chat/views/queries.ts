import { queryOptions } from "@tanstack/react-query";
import type { ToolView } from "../../../../src/services/agent-loop/contract-events.ts";
import { viewContextsContract } from "../../../../src/services/core/conversations/contract-view-contexts.ts";
import { viewsContract } from "../../../../src/services/tool-gateway/contract-views.ts";
import { call } from "../../api/call.ts";

/** The page in which a tool server shows its results. */
export function viewQuery({ server, uri }: Pick<ToolView, "server" | "uri">, tool: string) {
  return queryOptions({
    queryKey: ["tool-view", server, uri, tool],
    queryFn: ({ signal }) =>
      call(viewsContract.readView, { body: { server, uri, tool } }, { signal }),
    staleTime: Infinity,
  });
}

interface Call {
  server: string;
  tool: string;
  values: Record<string, unknown>;
  approved: boolean;
}

/** Calls a tool as a view asks for it. */
export function callFromView({ values, ...asked }: Call) {
  return call(viewsContract.callFromView, { body: { ...asked, arguments: values } });
}

/** Reads a resource of the view's own server. */
export function readViewResource(server: string, uri: string) {
  return call(viewsContract.readViewResource, { body: { server, uri } });
}

export async function listViewResources(server: string, kind: "resources" | "templates") {
  return (await call(viewsContract.listViewResources, { body: { server, kind } })).items;
}

/** What views of a conversation add to what the model reads next. */
export function viewContextsQuery(conversationId: string) {
  return queryOptions({
    queryKey: ["view-contexts", conversationId],
    queryFn: async ({ signal }) => {
      const params = { conversationId };
      return (await call(viewContextsContract.listViewContexts, { params }, { signal }))
        .items;
    },
  });
}

interface Added {
  conversationId: string;
  toolCallId: string;
  server: string;
  /** Empty: it is taken back. */
  content: string;
}

export async function setViewContext({ server, content, ...params }: Added): Promise<void> {
  if (content === "") await call(viewContextsContract.deleteViewContext, { params });
  else
    await call(viewContextsContract.setViewContext, { params, body: { server, content } });
}
