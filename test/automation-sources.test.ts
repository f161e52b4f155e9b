import { createHmac } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RunSummary } from "../src/services/automations/contract-runs.ts";
import { type Automations, automationsOf } from "./support/automations.ts";
import { clientServer } from "./support/client-server.ts";
import { BUCKET, type FakeS3, S3_KEYS, startFakeS3 } from "./support/fake-s3.ts";
import type { TestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";

let parlance: TestServer;
let provider: ScriptedProvider;
let bucket: FakeS3;
let watched: string;
let admin: Automations;
let user: Automations;
let stranger: Automations;

beforeAll(async () => {
  provider = await startScriptedProvider(() => ({ text: ["An answer."] }));
  bucket = await startFakeS3();
  watched = await mkdtemp(join(tmpdir(), "parlance-watched-"));
  const made = await clientServer({
    OPERATOR_CLIENT_ID: "north",
    ...settingsOf(provider),
    AUTOMATION_FOLDERS: watched,
    AUTOMATION_HOOK_MAX_BYTES: "1000",
  });
  parlance = made.parlance;
  admin = automationsOf(parlance, await made.tokenOf("ann", "north", ["admin"]));
  user = automationsOf(parlance, await made.tokenOf("uwe", "north"));
  stranger = automationsOf(parlance, await made.tokenOf("stan", "south"));
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
  await rm(watched, { recursive: true, force: true });
});
const sources = "/api/automations/sources";
const runsOf = async (who: Automations, id: unknown) =>
  (
    await who.get<{ items: RunSummary[] }>(
      `/api/automations/runs?limit=100&sourceId=${String(id)}`,
    )
  ).items;
const pathsOf = async (who: Automations, id: unknown) =>
  (await runsOf(who, id)).map(({ medium }) => medium?.path).sort();

test("a folder's files are submitted once for each content, when they stop growing, without links and hidden files", async () => {
  const folder = join(watched, "inbox");
  await mkdir(join(folder, "deep"), { recursive: true });
  const secret = await mkdtemp(join(tmpdir(), "parlance-secret-"));
  await writeFile(join(secret, "key.txt"), "secret");
  await writeFile(join(folder, "a.txt"), "one");
  await writeFile(join(folder, "deep", "b.md"), "# two");
  await writeFile(join(folder, ".hidden"), "no");
  await symlink(join(secret, "key.txt"), join(folder, "link.txt"));
  await symlink(secret, join(folder, "linked"));
  const agent = await admin.agent("watcher");
  const rule = await admin.rule({
    type: "text/markdown",
    origin: "deep/*",
    agents: [agent],
  });
  const made = await admin.ask("POST", sources, {
    kind: "folder",
    name: "Inbox",
    settings: { path: folder, every: 1 },
  });
  expect(made).toMatchObject({
    status: 201,
    body: { kind: "folder", origin: "folder/Inbox", isActive: true, error: null },
  });
  const { id } = made.body;
  await vi.waitFor(
    async () => expect(await pathsOf(admin, id)).toEqual(["a.txt", "deep/b.md"]),
    {
      timeout: 90_000,
      interval: 200,
    },
  );
  const taken = (await runsOf(admin, id)).find(
    ({ medium }) => medium?.path === "deep/b.md",
  );
  expect(taken?.ruleId).toBe(rule);
  await admin.ended(taken?.id ?? "");
  await writeFile(join(folder, "a.txt"), "one and a half");
  await vi.waitFor(
    async () => expect(await pathsOf(admin, id)).toEqual(["a.txt", "a.txt", "deep/b.md"]),
    {
      timeout: 90_000,
      interval: 200,
    },
  );
  // an unreadable file says why, and does not delay the others
  await writeFile(join(folder, "b.bin"), Buffer.from([0, 1, 2, 3]));
  const refused = () =>
    admin.get<{ items: object[]; total: number }>(
      `${sources}/${String(id)}/items?state=refused`,
    );
  await vi.waitFor(
    async () =>
      expect(await refused()).toMatchObject({
        total: 1,
        items: [{ key: "b.bin", error: { code: "file_type_unsupported" } }],
      }),
    { timeout: 90_000, interval: 200 },
  );
  // an inactive source is not checked
  expect(
    (await admin.ask("PATCH", `${sources}/${String(id)}`, { isActive: false })).body,
  ).toMatchObject({ isActive: false });
  expect((await admin.ask("DELETE", `${sources}/${String(id)}`)).status).toBe(204);
  expect((await admin.ask("GET", `${sources}/${String(id)}`)).body.code).toBe(
    "source_not_found",
  );
  await rm(secret, { recursive: true });
});

test("a file with the exact text of an agent's answer does not match that agent's rule again", async () => {
  const folder = join(watched, "circle");
  await mkdir(folder);
  const agent = await admin.agent("circle");
  const rule = await admin.rule({ type: "circle", agents: [agent] });
  const made = await admin.ask("POST", sources, {
    kind: "folder",
    name: "Circle",
    type: "circle",
    settings: { path: folder, every: 1 },
  });
  await writeFile(join(folder, "in.txt"), "begin");
  await vi.waitFor(
    async () => expect((await runsOf(admin, made.body["id"]))[0]?.status).toBe("completed"),
    { timeout: 90_000 },
  );
  await writeFile(join(folder, "out.txt"), "An answer.\n");
  await vi.waitFor(
    async () => expect((await runsOf(admin, made.body["id"])).length).toBe(2),
    {
      timeout: 90_000,
    },
  );
  expect(
    (await runsOf(admin, made.body["id"])).map(({ ruleId, status }) => [ruleId, status]),
  ).toEqual([
    [null, "unmatched"],
    [rule, "completed"],
  ]);
  await admin.ask("DELETE", `${sources}/${String(made.body["id"])}`);
});

test("only administrators watch folders, and only those that the operator allows", async () => {
  const ask = (who: Automations, path: string) =>
    who.ask("POST", sources, { kind: "folder", name: "F", settings: { path } });
  expect((await ask(user, watched)).body.code).toBe("admin_required");
  await symlink("/etc", join(watched, "escape"));
  for (const path of [
    "/etc",
    join(watched, ".."),
    join(watched, "escape"),
    join(watched, "absent"),
    `${watched}-other`,
  ])
    expect([path, (await ask(admin, path)).body.code]).toEqual([
      path,
      "folder_not_allowed",
    ]);
});

test("a bucket's objects under a prefix are submitted once for each content, its key is never shown, and a wrong key is reported", async () => {
  const settings = {
    endpoint: bucket.url,
    bucket: BUCKET,
    prefix: "in/",
    ...S3_KEYS,
    every: 1,
  };
  bucket.objects.set("in/", Buffer.from(""));
  bucket.objects.set("in/a b&c.txt", Buffer.from("one"));
  bucket.objects.set("out/b.txt", Buffer.from("two"));
  const made = await user.ask("POST", sources, { kind: "s3", name: "Bucket", settings });
  expect(made).toMatchObject({
    status: 201,
    body: { settings: { secretAccessKey: "•••", prefix: "in/" } },
  });
  expect(JSON.stringify(made.body)).not.toContain(S3_KEYS.secretAccessKey);
  const { id } = made.body;
  await vi.waitFor(async () => expect(await pathsOf(user, id)).toEqual(["in/a b&c.txt"]), {
    timeout: 90_000,
    interval: 200,
  });
  bucket.objects.set("in/a b&c.txt", Buffer.from("changed"));
  bucket.objects.set("in/sub/d.txt", Buffer.from("three"));
  await vi.waitFor(async () => expect((await pathsOf(user, id)).length).toBe(3), {
    timeout: 90_000,
    interval: 200,
  });

  const wrong = await user.ask("POST", sources, {
    kind: "s3",
    name: "Wrong",
    settings: { ...settings, secretAccessKey: "wrong" },
  });
  await vi.waitFor(
    async () =>
      expect(
        (await user.ask("GET", `${sources}/${String(wrong.body["id"])}`)).body,
      ).toMatchObject({
        error: { code: "source_refused" },
      }),
    { timeout: 90_000, interval: 200 },
  );
  const refused = await user.ask("POST", sources, {
    kind: "s3",
    name: "X",
    settings: { ...settings, endpoint: "http://169.254.169.254" },
  });
  expect(refused.body.code).toBe("address_not_allowed");
  const misspelt = await user.ask("POST", sources, {
    kind: "s3",
    name: "X",
    settings: { ...settings, prefx: "in/" },
  });
  expect(misspelt.body.code).toBe("validation_failed");
  expect(JSON.stringify(misspelt.body)).toContain("prefx");
});

test("sources belong to their owner only", async () => {
  const { id, secret } = (
    await user.ask("POST", sources, { kind: "webhook", name: "Mine" })
  ).body;
  expect(String(secret)).toMatch(/^whsec_/);
  const path = `${sources}/${String(id)}`;
  const dropped = await user.ask("PATCH", path, { name: "New", settings: { every: 5 } });
  expect([dropped.status, dropped.body.code]).toEqual([400, "validation_failed"]);
  expect(JSON.stringify(dropped.body)).toContain("settings");
  expect((await user.ask("GET", path)).body["name"]).toBe("Mine");
  expect((await user.ask("GET", path)).body["secret"]).toBeUndefined();
  for (const [method, more, body] of [
    ["GET", ""],
    ["PATCH", "", { name: "x" }],
    ["GET", "/items"],
    ["POST", "/secret"],
    ["DELETE", ""],
  ] as const)
    for (const who of [admin, stranger])
      expect([method, (await who.ask(method, path + more, body)).body.code]).toEqual([
        method,
        "source_not_found",
      ]);
});

interface Sending {
  id?: string;
  timestamp?: number;
  body?: string;
  signed?: string;
  secret: string;
  version?: string;
}
const now = () => Math.floor(Date.now() / 1_000);
const sign = (secret: string, text: string) =>
  createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(text)
    .digest("base64");
const deliver = async (
  url: string,
  {
    id = "msg_1",
    timestamp = now(),
    body = '{"a": 1}',
    signed,
    secret,
    version = "v1",
  }: Sending,
) => {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `${version},${sign(secret, signed ?? `${id}.${timestamp}.${body}`)}`,
    },
    body,
  });
  return {
    status: response.status,
    body: (await response.json()) as {
      runId: string;
      ruleId: number | null;
      code?: string;
    },
  };
};

test("a webhook accepts signed messages once for each id; forged, changed, old, early, foreign and unsigned ones store nothing", async () => {
  const agent = await user.agent("hooked");
  const rule = await user.rule({
    type: "application/json",
    origin: "webhook/Orders",
    agents: [agent],
  });
  const made = (await user.ask("POST", sources, { kind: "webhook", name: "Orders" })).body;
  const secret = String(made["secret"]);
  const url = parlance.url + new URL(String(made["url"])).pathname;
  const first = await deliver(url, { secret });
  expect(first).toMatchObject({ status: 202, body: { ruleId: rule } });
  expect((await deliver(url, { secret })).body.runId).toBe(first.body.runId);
  expect((await deliver(url, { secret, body: '{"a": 2}' })).body.code).toBe(
    "idempotency_key_reused",
  );
  const other = String(
    (await user.ask("POST", sources, { kind: "webhook", name: "Other" })).body["secret"],
  );
  const forged: [string, Sending][] = [
    ["another's secret", { secret: other }],
    [
      "a body that was changed",
      { secret, body: '{"a": 3}', signed: `m.${now()}.{"a": 1}` },
    ],
    ["a body alone signed", { secret, signed: '{"a": 1}' }],
    [
      "a time that was changed",
      { secret, id: "m", timestamp: now(), signed: `m.${now() - 400}.{"a": 1}` },
    ],
    ["an old one, repeated", { secret, timestamp: now() - 310 }],
    ["one from the future", { secret, timestamp: now() + 310 }],
    ["an unknown version", { secret, version: "v2" }],
  ];
  for (const [what, sending] of forged) {
    const { status, body } = await deliver(url, { id: "m", ...sending });
    expect([what, status, body.code]).toEqual([what, 401, "signature_invalid"]);
  }
  const bare = await fetch(url, { method: "POST", body: "{}" });
  expect(bare.status).toBe(401);
  expect(
    (await deliver(url, { secret, id: "big", body: `"${"x".repeat(2_000)}"` })).body.code,
  ).toBe("file_too_large");
  expect((await runsOf(user, made["id"])).length).toBe(1);
  expect(await user.ended(first.body.runId)).toMatchObject({
    status: "completed",
    medium: { mimeType: "application/json", filename: "msg_1.json" },
  });
  expect(await readdir(join(parlance.dataDir, "files", "automations"))).toEqual([]);

  const renewed = String(
    (await user.ask("POST", `${sources}/${String(made["id"])}/secret`)).body["secret"],
  );
  expect((await deliver(url, { secret, id: "m2" })).status).toBe(401);
  expect((await deliver(url, { secret: renewed, id: "m2" })).status).toBe(202);
  await user.ask("PATCH", `${sources}/${String(made["id"])}`, { isActive: false });
  expect((await deliver(url, { secret: renewed, id: "m3" })).body.code).toBe(
    "source_not_found",
  );
});
