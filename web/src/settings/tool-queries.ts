import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { approvalsContract } from "../../../src/services/core/approvals/contract.ts";
import { toolGatewayContract } from "../../../src/services/tool-gateway/contract.ts";
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

const MAX_TO_CHOOSE = 100;

/** Servers with those of their tools that the person may use, by a part of a name. */
export function toolsToChooseQuery(words: string) {
  const query = words.trim();
  return queryOptions({
    queryKey: ["tools", "to-choose", query],
    async queryFn({ signal }) {
      const { listOfferedTools } = toolGatewayContract;
      const asked = { page: 1, limit: MAX_TO_CHOOSE, ...(query !== "" && { query }) };
      const { items } = await call(listOfferedTools, { query: asked }, { signal });
      const servers = Map.groupBy(
        items.filter(({ permitted }) => permitted),
        ({ server }) => server,
      );
      return [...servers].map(([server, tools]) => ({
        server,
        tools: tools.map(({ name, title }) => ({
          key: `${server}/${name}`,
          title: title ?? name,
        })),
      }));
    },
    placeholderData: keepPreviousData,
  });
}
