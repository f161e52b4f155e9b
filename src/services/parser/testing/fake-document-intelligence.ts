import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { ANALYSIS } from "./layout-analysis.ts";

interface ReceivedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

interface Answer {
  status: number;
  body?: object;
  headers?: Record<string, string>;
}

export interface FakeDocumentIntelligence extends AsyncDisposable {
  url: string;
  requests: ReceivedRequest[];
  /** The outcome of the files sent from now on. */
  script: Script;
}

interface Script {
  /** The number of next requests that get a 429. */
  busy: number;
  /** How many polls answer that an operation is still running. */
  running: number;
  status: "succeeded" | "failed";
  result?: object;
  error?: { code: string; message: string };
  /** The address of the operation. Default: here. */
  location?: string;
}

export const CLOUD_KEY = "a-key-of-the-cloud-0123456789";
const MODEL = "/documentintelligence/documentModels/prebuilt-layout";
const SOON = { "retry-after": "0" };

/** A fake of Azure AI Document Intelligence, after its REST documentation (API 2024-11-30). */
export async function startFakeDocumentIntelligence(): Promise<FakeDocumentIntelligence> {
  const requests: ReceivedRequest[] = [];
  const script: Script = { busy: 0, running: 1, status: "succeeded", result: ANALYSIS };
  const answer = createAnswers(script, () => url);
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    const { status, body, headers } = answer(request);
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(body && JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    script,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "", headers } = incoming;
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://cloud");
  const query = Object.fromEntries(searchParams);
  return { method, path: pathname, query, headers, body: Buffer.concat(chunks) };
}

function createAnswers(
  script: Script,
  own: () => string,
): (request: ReceivedRequest) => Answer {
  /** How many more polls each operation answers that it is running. */
  const operations = new Map<string, number>();

  function analyze(body: Buffer): Answer {
    if (body.length === 0) return refusal(400, "InvalidRequest");
    const id = randomUUID();
    operations.set(id, script.running);
    const result = `${own()}${MODEL}/analyzeResults/${id}?api-version=2024-11-30`;
    const location = script.location ?? result;
    const headers = { "operation-location": location, "apim-request-id": id, ...SOON };
    return { status: 202, headers };
  }

  function poll(id: string, left: number): Answer {
    const times = {
      createdDateTime: "2026-01-01T00:00:00Z",
      lastUpdatedDateTime: "2026-01-01T00:00:01Z",
    };
    if (left > 0) {
      operations.set(id, left - 1);
      const status = left % 2 === 0 ? "notStarted" : "running";
      return { status: 200, body: { status, ...times }, headers: SOON };
    }
    const { status, result, error } = script;
    const outcome = status === "succeeded" ? { analyzeResult: result } : { error };
    return { status: 200, body: { status, ...times, ...outcome } };
  }

  return ({ method, path, query, headers, body }) => {
    if (headers["ocp-apim-subscription-key"] !== CLOUD_KEY) return refusal(401, "401");
    if (query["api-version"] !== "2024-11-30") return refusal(404, "NotFound");
    if (script.busy > 0) {
      script.busy -= 1;
      return refusal(429, "429", SOON);
    }
    if (path === "/documentintelligence/info")
      return { status: 200, body: { customDocumentModels: { count: 0, limit: 100 } } };
    if (method === "POST" && path === `${MODEL}:analyze`) return analyze(body);
    const [, id = ""] = /\/prebuilt-layout\/analyzeResults\/([\w-]+)$/.exec(path) ?? [];
    const left = operations.get(id);
    if (left === undefined) return refusal(404, "NotFound");
    if (method !== "DELETE") return poll(id, left);
    operations.delete(id);
    return { status: 204 };
  };
}

function refusal(status: number, code: string, headers?: Record<string, string>): Answer {
  const body = { error: { code, message: "planted-upstream-words" } };
  return { status, body, ...(headers && { headers }) };
}
