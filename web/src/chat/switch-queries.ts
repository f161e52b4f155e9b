import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { toolsetsContract } from "../../../src/services/core/tools/contract.ts";
import { toolGatewayContract } from "../../../src/services/tool-gateway/contract.ts";
import { call } from "../api/call.ts";
import type { ToolsOfServer } from "../shell/known-switches.ts";

export type Toolset = RouteOk<typeof toolsetsContract.listToolsets>["items"][number];

const LIST = { limit: 100 };
const MINUTE_MS = 60_000;

/** The abilities that can be switched on here: nothing that they need is missing. */
export const toolsetsQuery = queryOptions({
  queryKey: ["toolsets", "usable"],
  async queryFn({ signal }) {
    const { listToolsets } = toolsetsContract;
    const { items } = await call(listToolsets, { query: LIST }, { signal });
    return items.filter(
      ({ missing, tools }) => !missing && tools.some(({ permitted }) => permitted),
    );
  },
  staleTime: MINUTE_MS,
});

/** Tool servers with those of their tools that the user may use, of the first 100 tools. */
export const toolServersQuery = queryOptions({
  queryKey: ["tools", "servers"],
  async queryFn({ signal }): Promise<ToolsOfServer[]> {
    const { listOfferedTools } = toolGatewayContract;
    const { items } = await call(listOfferedTools, { query: LIST }, { signal });
    const servers = Map.groupBy(
      items.filter(({ permitted }) => permitted),
      ({ server }) => server,
    );
    return [...servers].map(([name, offered]) => ({
      name,
      tools: offered.map((tool) => tool.name),
      titles: offered.map((tool) => tool.title ?? tool.name),
    }));
  },
  staleTime: MINUTE_MS,
});
