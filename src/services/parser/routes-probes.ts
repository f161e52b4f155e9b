import { json } from "../../platform/http/respond.ts";
import type { Routes } from "../../platform/http/routes.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { checkHealth } from "../../platform/telemetry/health.ts";
import { parserContract as contract } from "./contract.ts";
import { describeParser, type ParserParts } from "./describe-parser.ts";
import { backendHealth, readinessChecks } from "./parser-health.ts";

export interface ProbeDeps extends ParserParts {
  queue: Queue;
  /** The folder of files while they are read. */
  folder: string;
}

/** What the parser can read, and whether it is ready to. */
export function probeRoutes(routes: Routes, deps: ProbeDeps): Routes {
  const { backends, limits } = deps;
  const checks = readinessChecks({ ...deps, ...limits });
  const alive = () => ({ status: "ok" as const });
  const readiness = async () => {
    const health = await checkHealth(checks);
    return health.status === "down" ? json(health, 503, { "retry-after": "5" }) : health;
  };
  return routes
    .on(contract.parserHealth, ({ signal }) => backendHealth(backends, signal))
    .on(contract.parserInfo, () => describeParser(deps))
    .on(contract.probeHealth, alive)
    .on(contract.probeHealthz, alive)
    .on(contract.probeLiveness, alive)
    .on(contract.probeReadiness, readiness)
    .on(contract.probeReadyz, readiness)
    .on(contract.probeDetailed, async ({ signal }) => {
      const [health, { backends: states }] = await Promise.all([
        checkHealth(checks),
        backendHealth(backends, signal),
      ]);
      const { children: started, ...rest } = limits.children.state();
      return {
        ...health,
        backends: states,
        processes: { most: limits.processes, started, ...rest },
      };
    });
}
