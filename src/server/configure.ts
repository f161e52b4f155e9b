import type { z } from "zod";
import { readConfig } from "../platform/config/read-config.ts";
import type { Environment, ServiceDefinition } from "../platform/service.ts";
import { serverConfig } from "./config.ts";
import { missingSettings } from "./missing-settings.ts";
import { SERVICES, type ServedName } from "./services.ts";

export type Setup = Awaited<ReturnType<typeof configure>>;

/**
 * Loads the definitions of services and reads their configuration.
 * @throws ConfigError that names every wrong or missing variable.
 */
export async function configure(services: readonly ServedName[], env: Environment) {
  const allServices = services.length === Object.keys(SERVICES).length;
  const definitions = await Promise.all(
    services.map(async (name) => (await SERVICES[name]()).default as ServiceDefinition),
  ); // defineService makes each
  const schemas: Record<string, z.ZodObject> = Object.fromEntries(
    definitions.map(({ name, config }) => [name, config]),
  );
  const { parlance: config, ...serviceConfigs } = readConfig(
    { parlance: serverConfig, ...schemas } as {
      parlance: typeof serverConfig;
    } & typeof schemas,
    env,
    allServices ? [] : missingSettings(definitions, env),
  );
  return { services, env, allServices, definitions, config, serviceConfigs };
}
