import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

interface Form {
  fields: Record<string, string>;
  file: { name: string; type: string; text: string };
  key: string | undefined;
}

export interface FakeDocling extends AsyncDisposable {
  url: string;
  /** The submitted forms. */
  forms: Form[];
  script: {
    markdown: string;
    status: string;
    task: "success" | "failure";
    pending: number;
  };
}

/**
 * docling-serve's API, v1: `POST /v1/convert/file/async`, `GET /v1/status/poll/{id}`, `GET
 * /v1/result/{id}`.
 */
export async function startFakeDocling(): Promise<FakeDocling> {
  const forms: Form[] = [];
  const script: FakeDocling["script"] = {
    markdown: "",
    status: "success",
    task: "success",
    pending: 1,
  };
  const answer = createAnswers(script, forms);
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    forms,
    script,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  status: number;
  body: object;
}

function createAnswers(script: FakeDocling["script"], forms: Form[]) {
  let left = 0;
  return async (request: IncomingMessage): Promise<Answer> => {
    const { pathname } = new URL(request.url ?? "/", "http://docling");
    switch (pathname) {
      case "/health":
        return { status: 200, body: { status: "ok" } };
      case "/v1/convert/file/async": {
        const form = await readForm(request);
        if (!form) return { status: 422, body: { detail: "planted-upstream-words" } };
        forms.push(form);
        left = script.pending;
        return toTask("pending");
      }
      case "/v1/status/poll/task-1":
        return toTask((left -= 1) >= 0 ? "started" : script.task);
      case "/v1/result/task-1":
        // with the requested placeholder, as the server writes it
        return toResult(script, forms.at(-1)?.fields["md_page_break_placeholder"] ?? "");
      default:
        return { status: 404, body: { detail: "Not Found" } };
    }
  };
}

/** @returns undefined for a form without a file. */
async function readForm(request: IncomingMessage): Promise<Form | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData();
  const file = form.get("files");
  if (!(file instanceof File)) return undefined;
  form.delete("files");
  return {
    fields: Object.fromEntries(
      [...form.entries()].map(([name, value]) => [name, String(value)]),
    ),
    file: { name: file.name, type: file.type, text: await file.text() },
    key: request.headers["x-api-key"]?.toString(),
  };
}

function toTask(status: string): Answer {
  const body = {
    task_id: "task-1",
    task_type: "convert",
    task_status: status,
    task_position: 1,
  };
  return { status: 200, body };
}

function toResult({ markdown, status }: FakeDocling["script"], pageBreak: string): Answer {
  const errors =
    status === "partial_success"
      ? [{ component_type: "x", module_name: "y", error_message: "planted" }]
      : [];
  const document = {
    filename: "a",
    md_content: markdown.replaceAll("[[break]]", pageBreak),
    json_content: null,
  };
  const body = { document, status, errors, processing_time: 0.1, timings: {} };
  return { status: 200, body };
}
