import type { RouteOk } from "../../../src/platform/http/route.ts";
import { approvalsContract } from "../../../src/services/core/approvals/contract.ts";
import { call } from "../api/call.ts";
import { pagedQuery } from "../shell/paged.ts";

const PAGE = 50;

export type AllowedTool = RouteOk<
  typeof approvalsContract.listAllowedTools
>["items"][number];

export const allowedToolsQuery = pagedQuery({
  queryKey: ["settings", "tools"],
  load: (page, signal) =>
    call(approvalsContract.listAllowedTools, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ server, name }) => `${server} ${name}`,
});

export function askAgain({ server, name }: AllowedTool) {
  return call(approvalsContract.revokeTool, { params: { server, name } });
}
