import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { openOutgoing } from "../../../platform/outgoing/open-outgoing.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import {
  providersFromEnvironment,
  providersToList,
} from "../../completion/contract-environment.ts";
import { changeAvailableModel } from "./available-models.ts";
import { changeModel } from "./models.ts";
import { changeProvider } from "./providers.ts";
import { listSelections, readCatalogue, seedCatalogue } from "./store.ts";

const KEY = randomSecret();
const outgoing = openOutgoing({ allow: [], own: () => [] });
let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "core",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await outgoing[Symbol.asyncDispose]();
});

const start = (env: object) =>
  seedCatalogue(db, providersFromEnvironment(env), KEY, providersToList(env));
const usable = async () => (await listSelections(db, 100, 0)).items.map(({ id }) => id);
const keyOf = async (name: string) =>
  (await readCatalogue(db, KEY)).providers.find((provider) => provider.name === name)
    ?.config["apiKey"];

test("over restarts the environment's keys are renewed, and what an administrator decided stays", async () => {
  const deps = { db, endpoints: outgoing, encryptionKey: KEY };
  await start({
    OPENAI_API_KEY: "one",
    OPENAI_MODELS: "a,b",
    MISTRAL_API_KEY: "one",
    MISTRAL_MODELS: "m",
  });
  expect(await usable()).toEqual([
    "openai/a",
    "openai/b",
    "mistral/m",
    "offline/parlance-offline",
  ]);

  await changeProvider(deps, "mistral", { enabled: false });
  await changeAvailableModel(db, "openai/b", { enabled: false });
  await start({
    OPENAI_API_KEY: "two",
    OPENAI_MODELS: "a,b",
    MISTRAL_API_KEY: "two",
    MISTRAL_MODELS: "m",
  });
  expect(await usable()).toEqual(["openai/a", "offline/parlance-offline"]);
  expect(await keyOf("openai")).toBe("two");

  // a key that is gone leaves a server of one's own, and one that comes makes it OpenAI again
  const openai = async () =>
    (await readCatalogue(db, KEY)).providers.find(({ name }) => name === "openai");
  await start({ OPENAI_BASE_URL: "http://127.0.0.1:8000/v1", OPENAI_MODELS: "a" });
  expect(await openai()).toMatchObject({
    kind: "openai-compatible",
    config: { baseUrl: "http://127.0.0.1:8000/v1" },
  });
  await start({ OPENAI_API_KEY: "two", OPENAI_MODELS: "a,b" });
  expect(await openai()).toMatchObject({ kind: "openai", config: { apiKey: "two" } });

  await start({ MISTRAL_API_KEY: "two", MISTRAL_MODELS: "m" });
  expect(await usable()).toEqual(["offline/parlance-offline"]);
  await changeProvider(deps, "openai", { config: { apiKey: "given by hand" } });
  await start({ OPENAI_API_KEY: "three", OPENAI_MODELS: "a,b" });
  expect(await keyOf("openai")).toBe("given by hand");
  expect(await usable()).toEqual(["openai/a", "offline/parlance-offline"]);
});

test("a model that the environment names no more is offered no more, unless the server lists it", async () => {
  const listed = { OPENAI_BASE_URL: "http://127.0.0.1:8000/v1" };
  const openai = async () => (await usable()).filter((id) => id.startsWith("openai/"));
  await start({ ...listed, OPENAI_MODELS: "c,d,BAAI/bge-m3" });
  expect(await openai()).toEqual(["openai/c", "openai/d"]);
  await start({ ...listed, OPENAI_MODELS: "c" });
  expect(await openai()).toEqual(["openai/c"]);
  await start({ ...listed, OPENAI_MODELS: "c,d" });
  expect(await openai()).toEqual(["openai/c", "openai/d"]);
  // the last list of a server stays until it answers again
  await start(listed);
  expect(await openai()).toEqual(["openai/c", "openai/d"]);
});

test("a field that became secret since it was stored is sealed at the next start, and is read as it was", async () => {
  const config = {
    region: "eu-central-1",
    accessKeyId: "AKIAINCLEAR",
    secretAccessKey: sealSecret("secret", KEY),
  };
  await db.query(
    sql`insert into core.model_providers (name, display_name, kind, config) values ('bed', 'Bed', 'bedrock', ${jsonb(config)})`,
  );
  await start({});
  await start({});
  const [row] = await db.query<{ config: string }>(
    sql`select config::text from core.model_providers where name = 'bed'`,
  );
  expect(row?.config).not.toContain("AKIAINCLEAR");
  const bed = (await readCatalogue(db, KEY)).providers.find(({ name }) => name === "bed");
  expect(bed?.config).toEqual({
    region: "eu-central-1",
    accessKeyId: "AKIAINCLEAR",
    secretAccessKey: "secret",
  });
});

test("what is assumed of a model's images is known once an administrator says it", async () => {
  const seen = async (id: string) =>
    (await readCatalogue(db, KEY)).models.find((model) => model.id === id)?.capabilities;
  await start({ OPENAI_API_KEY: "one", OPENAI_MODELS: "sees" });
  expect(await seen("openai/sees")).toMatchObject({ vision: true, visionAssumed: true });
  expect(await seen("offline/parlance-offline")).not.toHaveProperty("visionAssumed");
  await changeModel(db, "openai/sees", { capabilities: { tools: true } });
  expect(await seen("openai/sees")).toMatchObject({ visionAssumed: true });
  await changeModel(db, "openai/sees", { capabilities: { vision: true } });
  await start({ OPENAI_API_KEY: "one", OPENAI_MODELS: "sees" });
  expect(await seen("openai/sees")).toMatchObject({ vision: true, visionAssumed: false });
  await changeModel(db, "openai/sees", { capabilities: { vision: false } });
  expect(await seen("openai/sees")).toMatchObject({ vision: false, visionAssumed: false });
  await changeModel(db, "openai/sees", { capabilities: { vision: null } });
  expect(await seen("openai/sees")).toMatchObject({ vision: true, visionAssumed: true });
});
