import { userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { PermittedUse } from "../permitted-use.ts";
import { toolSessionsContract, toolsetsContract } from "./contract.ts";
import { listToolsets } from "./list-toolsets.ts";
import { callPlatformTool } from "./platform-tools.ts";
import type { ToolDeps } from "./toolset.ts";

export function toolRoutes(routes: Routes, deps: ToolDeps & { use: PermittedUse }): Routes {
  return routes
    .on(toolSessionsContract.callPlatformTool, ({ params, body, signal }) =>
      callPlatformTool(deps, params.sessionId, body, signal),
    )
    .on(toolsetsContract.listToolsets, ({ caller, query, signal }) =>
      listToolsets(deps, userOf(caller), query, signal),
    );
}
