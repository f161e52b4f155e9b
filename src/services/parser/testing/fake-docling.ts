import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeDocling extends AsyncDisposable {
  url: string;
  /** The submitted forms. */
  forms: {
    fields: Record<string, string>;
    file: { name: string; type: string; text: string };
    key: string | undefined;
  }[];
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
  const forms: FakeDocling["forms"] = [];
  const script: FakeDocling["script"] = {
    markdown: "",
    status: "success",
    task: "success",
    pending: 1,
  };
  let left = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? "/", "http://docling");
    const send = (status: number, body: object) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(body));
    if (pathname === "/health") return send(200, { status: "ok" });
    const task = (status: string) =>
      send(200, {
        task_id: "task-1",
        task_type: "convert",
        task_status: status,
        task_position: 1,
      });
    if (pathname === "/v1/convert/file/async") {
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const form = await new Response(Buffer.concat(chunks), { headers }).formData();
      const file = form.get("files");
      if (!(file instanceof File)) return send(422, { detail: "planted-upstream-words" });
      form.delete("files");
      forms.push({
        fields: Object.fromEntries(
          [...form.entries()].map(([name, value]) => [name, String(value)]),
        ),
        file: { name: file.name, type: file.type, text: await file.text() },
        key: request.headers["x-api-key"]?.toString(),
      });
      left = script.pending;
      return task("pending");
    }
    if (pathname === "/v1/status/poll/task-1")
      return task((left -= 1) >= 0 ? "started" : script.task);
    if (pathname === "/v1/result/task-1") {
      // with the requested placeholder, as the server writes it
      const pageBreak = forms.at(-1)?.fields["md_page_break_placeholder"] ?? "";
      const { status } = script;
      const errors =
        status === "partial_success"
          ? [{ component_type: "x", module_name: "y", error_message: "planted" }]
          : [];
      const document = {
        filename: "a",
        md_content: script.markdown.replaceAll("[[break]]", pageBreak),
        json_content: null,
      };
      return send(200, { document, status, errors, processing_time: 0.1, timings: {} });
    }
    return send(404, { detail: "Not Found" });
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
