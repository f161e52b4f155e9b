import type { z } from "zod";
import { readConfig } from "../platform/config/read-config.ts";
import type {
  Environment,
  ServiceDefinition,
  Secrets,
  ServiceName,
} from "../platform/service.ts";
import { serverConfig } from "./config.ts";
import { SERVICES, type ServedName } from "./services.ts";
import { DIRECTORY, isReachable, describeMissingPeer, SECRET_VARIABLES } from "./peers.ts";

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

/** The services that a service requires. */
export function neededBy({ needs = [] }: ServiceDefinition, env: Environment) {
  return typeof needs === "function" ? needs(env) : needs;
}

/**
 * One sentence for each address and secret that the environment lacks, when a process runs only
 * some services. It generates no secrets, since the other processes would not know them.
 */
function missingSettings(
  definitions: readonly ServiceDefinition[],
  env: Environment,
): string[] {
  const here = definitions.map(({ name }) => name);
  const needed = definitions.flatMap((definition) => neededBy(definition, env));
  const addresses = [...new Set(needed)]
    .filter((name) => !isReachable(name, here, env))
    .map(describeMissingPeer);
  const secrets = new Set(
    definitions.flatMap((definition) => secretsOf(definition, here, env)),
  );
  // signs what is sent over them
  if (env["AMQP_URL"] || env["REDIS_URL"]) secrets.add("SERVICE_SECRET");
  const unset = [...secrets].filter((name) => !env[name]);
  return [...addresses, ...unset.map(describeMissingSecret)];
}

/** The secrets that its callers send, that it sends to peers, and that it encrypts with. */
function secretsOf(
  definition: ServiceDefinition,
  here: readonly ServiceName[],
  env: Environment,
): (keyof Secrets)[] {
  const { contract, encrypts, uses = [] } = definition;
  // every process calls the users service for credentials and roles where it has an address
  const optional = [...uses, "users" as const].filter((name) => isReachable(name, [], env));
  const called = [...neededBy(definition, env), ...optional]
    .filter((name) => !here.includes(name))
    .flatMap((name) => DIRECTORY[name]?.secret ?? []);
  const accepted = Object.values(contract)
    .flatMap(({ access }) => access)
    .filter((way) => way in SECRET_VARIABLES) as (keyof typeof SECRET_VARIABLES)[]; // just checked
  const names = [...accepted, ...called].map((name) => SECRET_VARIABLES[name]);
  return encrypts ? [...names, "ENCRYPTION_KEY"] : names;
}

function describeMissingSecret(name: string): string {
  return `${name}: set it to the same value for every service. Generate one: openssl rand -base64 32.`;
}
