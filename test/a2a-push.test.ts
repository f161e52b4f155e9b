import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** Push notifications of A2A, with a receiver of another system. */

interface Told {
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}
const told: Told[] = [];
/** How the receiver answers at a path; usually 200. */
const answers = new Map<string, (response: ServerResponse) => void>();
const receiver = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", () => {
    const path = request.url ?? "";
    told.push({ path, headers: request.headers, body: JSON.parse(text) as Told["body"] });
    const answer = answers.get(path) ?? ((one) => one.writeHead(200).end());
    answer(response);
  });
});
const toldAt = (path: string) => told.filter((one) => one.path === path);

let parlance: TestServer;
let provider: ScriptedProvider;
let token: string;
let agentId: string;
let base: string;
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`; // it listens on a port
  provider = await startScriptedProvider(() => ({ text: ["Noon."] }));
  parlance = await startTestServer(settingsOf(provider));
  ({ token } = await newPerson(parlance, "ann"));
  const made = await parlance.request("/api/v1/agent", { token, body: { name: "Helper" } });
  ({ id: agentId } = (await made.json()) as { id: string });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  told.length = 0;
  answers.clear();
});

interface Answer {
  result: Record<string, unknown> & {
    id?: string;
    task?: { id: string };
    configs?: object[];
  };
  error?: { code: number; message: string };
}
async function rpc(method: string, params: object, version = "1.0"): Promise<Answer> {
  const response = await parlance.request(`/a2a/${agentId}`, {
    token,
    body: { jsonrpc: "2.0", id: 1, method, params },
    headers: { "a2a-version": version },
  });
  return (await response.json()) as Answer;
}
const message = (more: object = {}) => ({
  messageId: crypto.randomUUID(),
  role: "ROLE_USER",
  parts: [{ text: "When?" }],
  ...more,
});
/** Sends a message whose end a receiver gets. @returns the id of its task. */
async function send(path: string, more: object = {}): Promise<string> {
  const taskPushNotificationConfig = { url: base + path, ...more };
  const configuration = { returnImmediately: true, taskPushNotificationConfig };
  const { result, error } = await rpc("SendMessage", { message: message(), configuration });
  expect(error).toBeUndefined();
  return result.task?.id ?? "";
}

test("the card offers them, and whoever a message names hears of its end with its token", async () => {
  const card = await parlance.request(`/a2a/${agentId}/.well-known/agent-card.json`, {
    token,
  });
  expect(await card.json()).toMatchObject({ capabilities: { pushNotifications: true } });
  const authentication = { scheme: "Bearer", credentials: "secret" };
  const id = await send("/named", { token: "mine", authentication });
  await expect.poll(() => toldAt("/named")).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: {} }] = toldAt("/named");
  expect(headers).toMatchObject({
    "content-type": "application/a2a+json",
    authorization: "Bearer secret",
    "x-a2a-notification-token": "mine",
  });
  expect(body).toMatchObject({
    task: {
      id,
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts: [{ text: "Noon." }] }],
    },
  });
  await expect
    .poll(async () => (await rpc("ListTaskPushNotificationConfigs", { taskId: id })).result)
    .not.toHaveProperty("configs.0");
});

test("they are set, read without secrets, listed and deleted while a task runs", async () => {
  provider.answer(() => ({ text: ["a", "b"], fault: "stall", faultAfter: 2 }));
  const configuration = { returnImmediately: true };
  const { result } = await rpc("SendMessage", { message: message(), configuration });
  const taskId = result.task?.id ?? "";
  const set = (id: string) =>
    rpc("CreateTaskPushNotificationConfig", {
      taskId,
      id,
      url: `${base}/${id || "none"}`,
      token: "mine",
      authentication: { scheme: "Bearer", credentials: "secret" },
    });
  const first = await set("one");
  expect(first.result).toMatchObject({ id: "one", taskId, url: `${base}/one` });
  expect(JSON.stringify(first)).not.toMatch(/mine|secret/);
  const named = (await set("")).result.id ?? "";
  expect(named).toMatch(/^[0-9a-f-]{36}$/);
  const { result: listed } = await rpc("ListTaskPushNotificationConfigs", { taskId });
  expect(listed.configs).toMatchObject([{ id: "one" }, { id: named }]);
  const got = await rpc("GetTaskPushNotificationConfig", { taskId, id: "one" });
  expect(got.result).toMatchObject({ id: "one", url: `${base}/one` });
  await rpc("DeleteTaskPushNotificationConfig", { taskId, id: "one" });
  const gone = await rpc("GetTaskPushNotificationConfig", { taskId, id: "one" });
  expect(gone.error?.code).toBe(-32_001);

  await rpc("CancelTask", { id: taskId });
  await expect.poll(() => toldAt("/none")).toHaveLength(1);
  expect(toldAt("/none")[0]?.body).toMatchObject({
    task: { id: taskId, status: { state: "TASK_STATE_CANCELED" } },
  });
  expect(toldAt("/one")).toEqual([]);
  provider.answer(() => ({ text: ["Noon."] }));
});

test("a client of 0.3 sets them in its words, and its receiver gets a task of 0.3", async () => {
  const said = { messageId: crypto.randomUUID(), role: "user", kind: "message" };
  const parts = [{ kind: "text", text: "When?" }];
  const { result } = await rpc(
    "message/send",
    {
      message: { ...said, parts },
      configuration: { blocking: false, pushNotificationConfig: { url: `${base}/older` } },
    },
    "0.3",
  );
  await expect.poll(() => toldAt("/older")).toHaveLength(1);
  expect(toldAt("/older")[0]?.body).toMatchObject({
    kind: "task",
    id: result.id,
    status: { state: "completed" },
  });
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "http://10.0.0.1/hook",
  "file:///etc/passwd",
  "https://user:password@receiver.example/",
  "nonsense",
])("%s is refused before anything begins", async (url) => {
  const asked = provider.requests.length;
  const configuration = { taskPushNotificationConfig: { url } };
  const { error } = await rpc("SendMessage", { message: message(), configuration });
  expect(error?.code).toBeLessThan(0);
  expect(provider.requests.length).toBe(asked);
});

test("a header cannot be broken out of", async () => {
  const configuration = { taskPushNotificationConfig: { url: base, token: "a\r\nx: y" } };
  const { error } = await rpc("SendMessage", { message: message(), configuration });
  expect(error?.code).toBeLessThan(0);
});

test("who answers 500 is asked again, who redirects leads nowhere, and who hangs holds up nobody", async () => {
  answers.set("/hangs", () => {}); // its connection stays open
  answers.set("/away", (response) => {
    response.writeHead(307, { location: `${base}/elsewhere` }).end();
  });
  let failures = 1;
  answers.set("/fails", (response) => {
    failures -= 1;
    response.writeHead(failures >= 0 ? 500 : 200).end();
  });
  await send("/hangs");
  await send("/away");
  await send("/fails");
  await expect.poll(() => toldAt("/fails").length).toBe(2);
  await send("/after");
  await expect.poll(() => toldAt("/after").length).toBe(1);
  await expect.poll(() => toldAt("/away").length).toBeGreaterThan(1);
  expect(toldAt("/elsewhere")).toEqual([]);
  await expect.poll(() => toldAt("/hangs").length).toBeGreaterThan(1);
});

test("nobody sets or reads those of another person's task", async () => {
  provider.answer(() => ({ text: ["a", "b"], fault: "stall", faultAfter: 2 }));
  const taskId = await send("/mine");
  const { token: others } = await newPerson(parlance, "ben");
  const mine = token;
  token = others;
  const own = await parlance.request("/api/v1/agent", { token, body: { name: "Own" } });
  const { id } = (await own.json()) as { id: string };
  const before = agentId;
  agentId = id;
  const spied = await rpc("CreateTaskPushNotificationConfig", {
    taskId,
    url: `${base}/spy`,
  });
  const read = await rpc("ListTaskPushNotificationConfigs", { taskId });
  [token, agentId] = [mine, before];
  expect([spied.error?.code, read.error?.code]).toEqual([-32_001, -32_001]);
  await rpc("CancelTask", { id: taskId });
  await expect.poll(() => toldAt("/mine")).toHaveLength(1);
  expect(toldAt("/spy")).toEqual([]);
});
