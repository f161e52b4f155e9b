import type { Environment, Secrets, ServiceDefinition, ServiceName } from "../platform/service.ts";
import { DIRECTORY, isReachable, missingPeer, SECRET_VARIABLES } from "./peers.ts";

/** Siblings that a service cannot do without. */
export function neededBy({ needs = [] }: ServiceDefinition, env: Environment) {
  return typeof needs === "function" ? needs(env) : needs;
}

/**
 * Sentences about addresses and secrets that some services alone need and the environment lacks.
 * Made by one process, a secret would be unknown to the others.
 */
export function missingSettings(
  definitions: readonly ServiceDefinition[],
  env: Environment,
): string[] {
  const here = definitions.map(({ name }) => name);
  const needed = definitions.flatMap((definition) => neededBy(definition, env));
  const addresses = [...new Set(needed)]
    .filter((name) => !isReachable(name, here, env))
    .map(missingPeer);
  const secrets = new Set(definitions.flatMap((definition) => secretsOf(definition, here, env)));
  const unset = [...secrets].filter((name) => !env[name]);
  return [...addresses, ...unset.map(missingSecret)];
}

/** What its callers send, what the siblings ask that it calls, and what it encrypts with. */
function secretsOf(
  definition: ServiceDefinition,
  here: readonly ServiceName[],
  env: Environment,
): (keyof Secrets)[] {
  const { contract, encrypts, uses = [] } = definition;
  // every service asks the users service about credentials and roles where it has an address
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

function missingSecret(name: string): string {
  return `${name}: set it, to the same value for every service. openssl rand -base64 32 makes one.`;
}
