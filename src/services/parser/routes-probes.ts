import type { Caller } from "../../platform/http/caller.ts";
import { json } from "../../platform/http/respond.ts";
import type { Routes } from "../../platform/http/routes.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { briefly, checkHealth } from "../../platform/telemetry/health.ts";
import { parserContract as contract } from "./contract.ts";
import { describeParser, type ParserParts } from "./describe-parser.ts";
import { backendHealth, readinessChecks } from "./parser-health.ts";

export interface ProbeDeps extends ParserParts {
  queue: Queue;
  /** The folder of files while they are read. */
  folder: string;
}

const isStranger = ({ kind }: Caller) => kind === "anonymous";

/** What the parser can read, and whether it is ready to. */
export function probeRoutes(routes: Routes, deps: ProbeDeps): Routes {
  const { backends, limits } = deps;
  const checks = readinessChecks({ ...deps, ...limits });
  const alive = () => ({ status: "ok" as const });
  const readiness = async ({ caller }: { caller: Caller }) => {
    const health = await checkHealth(checks);
    const seen = isStranger(caller) ? { status: briefly(health.status) } : health;
    return health.status === "down" ? json(seen, 503, { "retry-after": "5" }) : seen;
  };
  return routes
    .on(contract.parserHealth, ({ signal }) => backendHealth(backends, signal))
    .on(contract.parserInfo, () => describeParser(deps))
    .on(contract.probeHealth, alive)
    .on(contract.probeHealthz, alive)
    .on(contract.probeLiveness, alive)
    .on(contract.probeReadiness, readiness)
    .on(contract.probeReadyz, readiness)
    .on(contract.probeDetailed, async ({ caller, signal }) => {
      if (isStranger(caller))
        return { status: briefly((await checkHealth(checks)).status) };
      const [health, { backends: states }] = await Promise.all([
        checkHealth(checks),
        backendHealth(backends, signal),
      ]);
      const { workers: started, running: busy, waiting } = limits.pool.state();
      return {
        ...health,
        backends: states,
        processes: { most: limits.processes, started, busy, waiting },
      };
    });
}
