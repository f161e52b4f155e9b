import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Request {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface FakeDocumentIntelligence extends AsyncDisposable {
  url: string;
  requests: Request[];
  /** The outcome of the files sent from now on. */
  script: {
    /** The number of next requests that get a 429. */
    busy: number;
    /** How many polls answer that an operation is still running. */
    running: number;
    status: "succeeded" | "failed";
    result?: object;
    error?: { code: string; message: string };
    /** The address of the operation. Default: here. */
    location?: string;
  };
}

export const CLOUD_KEY = "a-key-of-the-cloud-0123456789";

/** A fake of Azure AI Document Intelligence, after its REST documentation (API 2024-11-30). */
export async function startFakeDocumentIntelligence(): Promise<FakeDocumentIntelligence> {
  const requests: Request[] = [];
  const operations = new Map<string, number>();
  const script: FakeDocumentIntelligence["script"] = {
    busy: 0,
    running: 1,
    status: "succeeded",
    result: ANALYSIS,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://cloud");
    const { method = "" } = request;
    const query = Object.fromEntries(url.searchParams);
    requests.push({
      method,
      path: url.pathname,
      query,
      headers: request.headers,
      body: Buffer.concat(chunks),
    });
    const send = (status: number, body?: object, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(body && JSON.stringify(body));
    const refuse = (status: number, code: string, headers?: Record<string, string>) =>
      send(status, { error: { code, message: "planted-upstream-words" } }, headers);

    if (request.headers["ocp-apim-subscription-key"] !== CLOUD_KEY)
      return refuse(401, "401");
    if (query["api-version"] !== "2024-11-30") return refuse(404, "NotFound");
    if (script.busy > 0) {
      script.busy -= 1;
      return refuse(429, "429", { "retry-after": "0" });
    }
    if (url.pathname === "/documentintelligence/info")
      return send(200, { customDocumentModels: { count: 0, limit: 100 } });
    if (
      method === "POST" &&
      url.pathname === "/documentintelligence/documentModels/prebuilt-layout:analyze"
    ) {
      if (chunks.length === 0) return refuse(400, "InvalidRequest");
      const id = randomUUID();
      operations.set(id, script.running);
      const { port } = server.address() as AddressInfo; // a TCP server has one
      const own = `http://127.0.0.1:${port}/documentintelligence/documentModels/prebuilt-layout/analyzeResults/${id}?api-version=2024-11-30`;
      return send(202, undefined, {
        "operation-location": script.location ?? own,
        "apim-request-id": id,
        "retry-after": "0",
      });
    }
    const id =
      /^\/documentintelligence\/documentModels\/prebuilt-layout\/analyzeResults\/([\w-]+)$/.exec(
        url.pathname,
      )?.[1] ?? "";
    const left = operations.get(id);
    if (left === undefined) return refuse(404, "NotFound");
    if (method === "DELETE") {
      operations.delete(id);
      return send(204);
    }
    const times = {
      createdDateTime: "2026-01-01T00:00:00Z",
      lastUpdatedDateTime: "2026-01-01T00:00:01Z",
    };
    if (left > 0) {
      operations.set(id, left - 1);
      return send(
        200,
        { status: left % 2 === 0 ? "notStarted" : "running", ...times },
        { "retry-after": "0" },
      );
    }
    const { status, result, error } = script;
    return send(200, {
      status,
      ...times,
      ...(status === "succeeded" ? { analyzeResult: result } : { error }),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    script,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const FIRST = '<!-- PageHeader="ACME" -->\n\n# Contract\n\nBetween us and you.\n\n';
const TABLE =
  "<table>\n<tr>\n<th>Item</th>\n<th>Price</th>\n</tr>\n<tr>\n<td>Desk | oak</td>\n<td>12 €</td>\n</tr>\n</table>";
const REST = '\n\n<!-- PageNumber="1" -->\n<!-- PageBreak -->\n\n';
const SECOND = "## Terms\n\nWithin 30 days.\n";

/** Two pages, the first with a table, as the layout model returns them. */
export const ANALYSIS = {
  apiVersion: "2024-11-30",
  modelId: "prebuilt-layout",
  stringIndexType: "utf16CodeUnit",
  contentFormat: "markdown",
  content: FIRST + TABLE + REST + SECOND,
  pages: [
    {
      pageNumber: 1,
      unit: "inch",
      width: 8,
      height: 11,
      spans: [{ offset: 0, length: (FIRST + TABLE + REST).length }],
      words: [],
    },
    {
      pageNumber: 2,
      spans: [{ offset: (FIRST + TABLE + REST).length, length: SECOND.length }],
    },
  ],
  tables: [
    {
      rowCount: 2,
      columnCount: 2,
      cells: [
        { kind: "columnHeader", rowIndex: 0, columnIndex: 0, content: "Item" },
        { kind: "columnHeader", rowIndex: 0, columnIndex: 1, content: "Price" },
        { rowIndex: 1, columnIndex: 0, content: "Desk | oak" },
        { rowIndex: 1, columnIndex: 1, content: "12 €" },
      ],
      boundingRegions: [{ pageNumber: 1, polygon: [0, 0, 1, 0, 1, 1, 0, 1] }],
      spans: [{ offset: FIRST.length, length: TABLE.length }],
    },
  ],
  figures: [{ id: "2.1", boundingRegions: [{ pageNumber: 2, polygon: [] }], spans: [] }],
  languages: [{ locale: "en-US", confidence: 0.8, spans: [] }],
};
