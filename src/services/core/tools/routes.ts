import type { Routes } from "../../../platform/http/routes.ts";
import { toolSessionsContract as contract } from "./contract.ts";
import type { ToolDeps } from "./platform-tool.ts";
import { callPlatformTool } from "./platform-tools.ts";

export function toolSessionRoutes(routes: Routes, deps: ToolDeps): Routes {
  return routes.on(contract.callPlatformTool, ({ params, body, signal }) =>
    callPlatformTool(deps, params.sessionId, body, signal),
  );
}
