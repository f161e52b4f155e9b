import { queryOptions } from "@tanstack/react-query";
import type { ToolView } from "../../../../src/services/agent-loop/contract-events.ts";
import { viewsContract } from "../../../../src/services/tool-gateway/contract-views.ts";
import { call } from "../../api/call.ts";

/** The page in which a tool server shows its results. */
export function viewQuery({ server, uri }: Pick<ToolView, "server" | "uri">) {
  return queryOptions({
    queryKey: ["tool-view", server, uri],
    queryFn: ({ signal }) =>
      call(viewsContract.readView, { body: { server, uri } }, { signal }),
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
