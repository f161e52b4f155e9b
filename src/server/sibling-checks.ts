import { call, type Fetch } from "../platform/http/call.ts";
import type { Environment, ServiceDefinition, ServiceName } from "../platform/service.ts";
import { Degraded, messageOf } from "../platform/telemetry/health.ts";
import { serverContract } from "./contract.ts";
import { neededBy } from "./missing-settings.ts";

/** Shorter than a whole check may take. */
const TIMEOUT_MS = 1_500;

interface Deps {
  definitions: readonly ServiceDefinition[];
  env: Environment;
  /** Siblings in other processes that have an address. */
  isApart: (name: ServiceName) => boolean;
  peer: (name: ServiceName) => Fetch;
}

/**
 * A check of each sibling in another process: whether it is alive. Not whether it is ready, for
 * siblings that ask each other would keep each other unready. One that is optional degrades.
 */
export function siblingChecks({ definitions, env, isApart, peer }: Deps) {
  // every service asks the users service about credentials and roles where it has an address
  const needed = new Set<ServiceName>(["users"]);
  for (const definition of definitions)
    for (const name of neededBy(definition, env)) needed.add(name);
  const used = new Set([...needed, ...definitions.flatMap(({ uses = [] }) => uses)]);
  const checks = [...used].filter(isApart).map((name) => {
    const isAlive = () =>
      call(peer(name), serverContract.liveness, {}, { timeoutMs: TIMEOUT_MS }).then(() => {});
    return [`service ${name}`, needed.has(name) ? isAlive : optional(isAlive)] as const;
  });
  return Object.fromEntries(checks);
}

function optional(check: () => Promise<void>): () => Promise<void> {
  return () =>
    check().catch((error: unknown) => {
      throw new Degraded(messageOf(error));
    });
}
