import { call, type Fetch } from "../platform/http/call.ts";
import type { Environment, ServiceDefinition, ServiceName } from "../platform/service.ts";
import { Degraded, detailOf } from "../platform/telemetry/health.ts";
import { serverContract } from "./contract.ts";
import { neededBy } from "./missing-settings.ts";

/** Shorter than the timeout of a whole health check. */
const TIMEOUT_MS = 1_500;

interface Deps {
  definitions: readonly ServiceDefinition[];
  env: Environment;
  /** Whether the service runs in another process and has an address. */
  isApart: (name: ServiceName) => boolean;
  peer: (name: ServiceName) => Fetch;
}

/**
 * Checks that each used service in another process is alive. It does not check readiness: services
 * that check each other would keep each other unready. A missing optional service only degrades.
 */
export function createPeerChecks({ definitions, env, isApart, peer }: Deps) {
  // every process calls the users service for credentials and roles
  const needed = new Set<ServiceName>(["users"]);
  for (const definition of definitions)
    for (const name of neededBy(definition, env)) needed.add(name);
  const used = new Set([...needed, ...definitions.flatMap(({ uses = [] }) => uses)]);
  const checks = [...used].filter(isApart).map((name) => {
    const isAlive = () =>
      call(peer(name), serverContract.liveness, {}, { timeoutMs: TIMEOUT_MS }).then(
        () => {},
      );
    return [`service ${name}`, needed.has(name) ? isAlive : optional(isAlive)] as const;
  });
  return Object.fromEntries(checks);
}

function optional(check: () => Promise<void>): () => Promise<void> {
  return () =>
    check().catch((error: unknown) => {
      throw new Degraded(detailOf(error));
    });
}
