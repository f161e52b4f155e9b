import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { SERVICES, type ServedName } from "../src/server/services.ts";

/** What the files for containers promise. */

interface Container {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  networks?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  pids_limit?: number;
  mem_limit?: string;
  tmpfs?: string[];
  ports?: string[];
  privileged?: boolean;
}
interface Compose {
  services: Record<string, Container>;
  networks?: Record<string, { internal?: boolean } | null>;
}

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");
const composeOf = (path: string) => parse(read(path), { merge: true }) as Compose;
const single = composeOf("compose.yaml");
const cluster = composeOf("deploy/cluster.compose.yaml");
const apart = Object.entries(cluster.services).filter(([name]) => name in SERVICES);
const secretsOf = ({ environment = {} }: Container) => Object.keys(environment);

test("every container has no capability but those it names, a root that it cannot write, and limits", () => {
  const all = [...Object.values(single.services), ...Object.values(cluster.services)];
  expect(all).toHaveLength(18);
  for (const container of all) {
    expect(container).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(container.security_opt).toContain("no-new-privileges:true");
    expect(container.pids_limit).toBeGreaterThan(0);
    expect(container.mem_limit).toMatch(/[mg]\}?$/);
    expect(container.tmpfs).toEqual(expect.arrayContaining(["/tmp"]));
    expect(container.privileged).toBeUndefined();
    for (const port of container.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
  // our own code needs none at all
  for (const container of [
    ...Object.values(single.services),
    ...apart.map(([, one]) => one),
  ])
    expect(container.cap_add).toBeUndefined();
});

test("a service has the secrets and the networks that it uses, and no more", async () => {
  expect(apart).toHaveLength(13);
  for (const [name, container] of apart) {
    expect(container.command).toEqual(["bin/parlance", "serve", name]);
    const definition = (await SERVICES[name as ServedName]()).default;
    const uses = {
      database: definition.migrations !== undefined,
      queue: definition.queue === true,
      cache: true,
      services: true,
    };
    for (const [network, isUsed] of Object.entries(uses))
      expect([name, network, container.networks?.includes(network)]).toEqual([
        name,
        network,
        isUsed,
      ]);
    const secrets = secretsOf(container);
    expect([name, secrets.includes("DATABASE_URL")]).toEqual([name, uses.database]);
    expect([name, secrets.includes("AMQP_URL")]).toEqual([name, uses.queue]);
    expect([name, secrets.includes("ENCRYPTION_KEY")]).toEqual([
      name,
      definition.encrypts === true,
    ]);
  }
});

test("the parser has neither the key of stored secrets nor the password of the database, and no way outside", () => {
  const parser = cluster.services["parser"] ?? {};
  expect(secretsOf(parser)).not.toContain("ENCRYPTION_KEY");
  expect(JSON.stringify(parser)).not.toContain("POSTGRES_PASSWORD");
  expect(parser.environment?.["DATABASE_URL"]).toMatch(/^postgres:\/\/parser:.*\/parser$/);
  expect(parser.networks).not.toContain("outside");
});

test("the stores want a password, and only those who use them reach them", () => {
  const { postgres, rabbitmq, valkey } = cluster.services;
  expect([postgres?.networks, rabbitmq?.networks, valkey?.networks]).toEqual([
    ["database"],
    ["queue"],
    ["cache"],
  ]);
  const needed = ["POSTGRES_PASSWORD", "RABBITMQ_PASSWORD", "REDIS_PASSWORD"];
  for (const [at, store] of [postgres, rabbitmq, valkey].entries())
    expect(JSON.stringify(store?.environment)).toContain(`\${${needed[at]}:?`);
  for (const [, { environment = {} }] of apart)
    for (const url of ["DATABASE_URL", "AMQP_URL", "REDIS_URL"])
      if (environment[url]) expect(environment[url]).toMatch(/:\$\{\w+:\?set it\}@/);
  for (const [name, network] of Object.entries(cluster.networks ?? {}))
    expect([name, network?.internal === true]).toEqual([name, name !== "outside"]);
});

test("the program of an image that builds runs as nobody in particular", () => {
  expect(read("Dockerfile")).toMatch(/^USER node$/m);
});

test("the sandbox has no way outside, no database and no queue", () => {
  const sandbox = cluster.services["sandbox"] ?? {};
  expect(sandbox.networks).toEqual(["services", "cache"]);
  const secrets = secretsOf(sandbox).filter((name) =>
    /DATABASE|AMQP|ENCRYPTION_KEY$/.test(name),
  );
  expect(secrets).toEqual(["FILES_ENCRYPTION_KEY"]);
});
