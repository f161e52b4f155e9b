import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Exchange, Langflow, Route } from "./exchange.ts";
import { type RunBody, streamRun } from "./run.ts";
import type { FakeFlow, FakeUser } from "./state.ts";

/** Flows, their files and their runs. */
export const flowRoutes: Route[] = [
  [/^GET \/api\/v1\/flows\/$/, listFlows],
  [/^\w+ \/api\/v1\/flows\/$/, createFlow],
  [/^GET \/api\/v1\/flows\/([^/]+)$/, showFlow],
  [/^\w+ \/api\/v1\/files\/upload\/([^/]+)$/, uploadFile],
  [/^DELETE \/api\/v1\/files\/delete\/([^/]+)\/([^/]+)$/, deleteFile],
  [/^\w+ \/api\/v1\/run\/([^/]+)$/, runFlow],
];

function findFlow({ state }: Langflow, owner: FakeUser, id: string): FakeFlow | undefined {
  return state.flows.find((flow) => flow.id === id && flow.userId === owner.id);
}

function listFlows({ langflow: { state }, user, response }: Exchange): void {
  const owner = user();
  if (!owner) return;
  const heads = state.flows
    .filter((flow) => flow.userId === owner.id)
    .map((flow) => ({ ...toFlow(flow), data: null, updated_at: undefined }));
  response.writeHead(200, {
    "content-type": "application/json",
    "content-encoding": "gzip",
  });
  response.end(gzipSync(JSON.stringify(heads)));
}

function createFlow({
  langflow: { state },
  user,
  json,
  change,
  send,
  fail,
}: Exchange): void {
  const owner = user();
  if (!owner) return;
  const given = json() as {
    name?: string;
    description?: string;
    data?: FakeFlow["data"];
    access_type?: string;
  };
  if (!given.name)
    return fail(422, [{ loc: ["body", "name"], msg: "Field required", type: "missing" }]);
  const isTaken = (name: string) =>
    state.flows.some((flow) => flow.userId === owner.id && flow.name === name);
  let name = given.name;
  for (let n = 1; isTaken(name); n += 1) name = `${given.name} (${n})`;
  const flow: FakeFlow = {
    id: randomUUID(),
    userId: owner.id,
    name,
    description: given.description ?? "",
    data: given.data ?? { nodes: [] },
    accessType: given.access_type ?? "PRIVATE",
    updatedAt: new Date().toISOString(),
  };
  change(() => state.flows.push(flow));
  send(201, toFlow(flow));
}

function showFlow({ langflow, user, send, fail }: Exchange, id: string): void {
  const owner = user();
  if (!owner) return;
  const flow = findFlow(langflow, owner, id);
  if (flow) send(200, toFlow(flow));
  else fail(404, "Flow not found");
}

function uploadFile({ langflow, user, body, send, fail }: Exchange, flowId: string): void {
  const owner = user();
  if (!owner) return;
  if (!findFlow(langflow, owner, flowId)) return fail(404, "Flow not found");
  const { name, content } = fileOf(body);
  const path = `${flowId}/2026-01-01_00-00-00_${name}`;
  langflow.state.files.set(path, content);
  send(201, { flowId, file_path: path });
}

function deleteFile(
  { langflow: { state }, user, send }: Exchange,
  flowId: string,
  name: string,
): void {
  if (!user()) return;
  state.files.delete(`${flowId}/${decodeURIComponent(name)}`);
  send(200, { message: `File ${name} deleted successfully` });
}

async function runFlow(exchange: Exchange, id: string): Promise<void> {
  const { langflow, key, json, response, fail } = exchange;
  if (key === undefined) return fail(403, "An API key must be passed as query or header");
  // it does not check whether the user is active
  const owner = langflow.state.userOfKey(key);
  if (!owner) return fail(403, "Invalid or missing API key");
  const flow = findFlow(langflow, owner, id);
  if (!flow) return fail(404, `Flow identifier ${id} not found`);
  const run = json() as RunBody;
  langflow.runs.push(run);
  langflow.counts.runs += 1;
  if ((await streamRun(flow, run, response)) === "left") langflow.counts.runsLeft += 1;
}

function toFlow({
  id,
  userId,
  name,
  description,
  data,
  accessType,
  updatedAt,
}: FakeFlow): object {
  return {
    id,
    user_id: userId,
    name,
    description,
    data,
    is_component: false,
    updated_at: updatedAt,
    endpoint_name: null,
    access_type: accessType,
    folder_id: null,
    tags: null,
    mcp_enabled: false,
    action_name: null,
    action_description: null,
  };
}

function fileOf(body: Buffer): { name: string; content: string } {
  const [head = "", ...rest] = body.toString("latin1").split("\r\n\r\n");
  const content = rest.join("\r\n\r\n");
  return {
    name: /filename="([^"]*)"/.exec(head)?.[1] ?? "",
    content: content.slice(0, content.lastIndexOf("\r\n--")),
  };
}
