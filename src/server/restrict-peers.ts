import type { Fetch } from "../platform/http/call.ts";
import type { Environment, ServiceDefinition, ServiceName } from "../platform/service.ts";
import { neededBy } from "./missing-settings.ts";

/**
 * Lets a service call only the services that it declares: the start validates the settings of
 * declared services alone.
 */
export function restrictPeers(
  definition: ServiceDefinition,
  env: Environment,
  peer: (name: ServiceName) => Fetch,
): (name: ServiceName) => Fetch {
  const declared = new Set([...neededBy(definition, env), ...(definition.uses ?? [])]);
  return (name) => {
    if (!declared.has(name))
      throw new Error(
        `the ${definition.name} service does not declare that it calls ${name}`,
      );
    return peer(name);
  };
}
