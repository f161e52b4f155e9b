import type { Fetch } from "../platform/http/call.ts";
import type { Environment, ServiceDefinition, ServiceName } from "../platform/service.ts";
import { neededBy } from "./missing-settings.ts";

/**
 * The siblings that a service declares. What it does not declare, the start would not ask settings
 * for.
 */
export function declaredPeers(
  definition: ServiceDefinition,
  env: Environment,
  peer: (name: ServiceName) => Fetch,
): (name: ServiceName) => Fetch {
  const declared = new Set([...neededBy(definition, env), ...(definition.uses ?? [])]);
  return (name) => {
    if (!declared.has(name)) throw new Error(`${definition.name} does not declare ${name}`);
    return peer(name);
  };
}
