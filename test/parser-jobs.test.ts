import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  named,
  type ParserAnswer,
  type ParserServer,
  startParserServer,
} from "./support/parser-server.ts";
import { pdfWithImage } from "./support/pdf-with-image.ts";
import { uploadFile } from "./support/upload-file.ts";

let parser: ParserServer;
beforeAll(async () => {
  parser = await startParserServer();
});
afterAll(() => parser[Symbol.asyncDispose]());
beforeEach(() => parser.reset());

test("a job that names a document keeps its own result, and does not change the document", async () => {
  const { id } = (
    await uploadFile(parser.parlance, "of the document", "document.txt", {
      token: parser.token(),
    })
  ).body;
  const { body } = await parser.send(
    `/api/v1/parser/parse-async?document_id=${id}&parser_method=local`,
    "of the job",
    named("job.txt"),
  );
  expect(await parser.settled(body.job_id)).toMatchObject({
    status: "completed",
    document_id: id,
    result: { markdown: "of the job" },
  });
  const document = () =>
    parser.parlance
      .request(`/api/v1/documents/${id}`, { token: parser.token() })
      .then((response) => response.json());
  await vi.waitFor(
    async () => expect(await document()).toMatchObject({ status: "PROCESSED" }),
    {
      timeout: 90_000,
    },
  );
  expect((await parser.settled(body.job_id)).result.markdown).toBe("of the job");
});

test("a job runs in the background; its state, result and Markdown can be read", async () => {
  const { status, body } = await parser.submit("# Later\n");
  expect([status, body]).toEqual([202, { job_id: expect.any(String), status: "queued" }]);
  const job = await parser.settled(body.job_id);
  expect(job).toMatchObject({
    job_id: body.job_id,
    status: "completed",
    progress: 1,
    file_name: "a.md",
  });
  expect(job.result.markdown.trim()).toBe("# Later");
  const download = await parser.parlance.request(
    `/api/v1/parser/parse-result/${body.job_id}`,
    {
      token: parser.token(),
    },
  );
  expect([
    download.headers.get("content-disposition"),
    (await download.text()).trim(),
  ]).toEqual([expect.stringContaining('filename="a.md.md"'), "# Later"]);
  expect(await parser.countFiles("files/parser-uploads")).toBe(0);
  const gone = await parser.parlance.request(`/api/v1/parser/parse-status/${body.job_id}`, {
    method: "DELETE",
    token: parser.token(),
  });
  expect(gone.status).toBe(204);
  expect(((await parser.statusOf(body.job_id)) as ParserAnswer).code).toBe("job_not_found");
});

test("a repeated key with the same bytes returns the same job, with other bytes a conflict, and keys are separate for each user", async () => {
  const key = { "idempotency-key": "once" };
  const all = await Promise.all([
    parser.submit("same", "a.md", key),
    parser.submit("same", "a.md", key),
    parser.submit("same", "b.md", key),
  ]);
  const { job_id } = all[0]?.body ?? {};
  expect(all.map(({ status, body }) => [status, body.job_id])).toEqual(
    [202, 202, 202].map((status) => [status, job_id]),
  );
  const other = await parser.submit("other bytes", "a.md", key);
  expect([other.status, other.body.code]).toEqual([409, "idempotency_key_reused"]);
  await parser.settled(job_id ?? "");
  await parser.changePerson();
  expect((await parser.submit("other bytes", "a.md", key)).status).toBe(202);
});

test("a failed job says why", async () => {
  const job = await parser.settled((await parser.submit("\x7fELF\0\0\0\0")).body.job_id);
  expect([job.status, job.error.code]).toEqual(["failed", "file_type_unsupported"]);
  parser.cloud.script.result = { content: "", pages: [{ pageNumber: 1, spans: [] }] };
  const empty = await parser.settled(
    (
      await parser.submit(
        pdfWithImage("").replace("/Kids[3 0 R 6 0 R]/Count 2", "/Kids[3 0 R]/Count 1"),
        "a.pdf",
      )
    ).body.job_id,
  );
  expect(empty.error).toMatchObject({
    code: "no_text_found",
    trace: expect.arrayContaining([
      expect.objectContaining({ backend: "pdf_fallback", outcome: "skipped" }),
    ]),
  });
});

test("a stopped job is not parsed further", async () => {
  parser.cloud.script.running = 1_000_000;
  const { job_id } = (await parser.submit(pdfWithImage("x"), "a.pdf")).body;
  await vi.waitFor(() => expect(parser.cloud.requests.length).toBeGreaterThan(2), 90_000);
  expect(
    (
      await parser.parlance.request(`/api/v1/parser/parse-status/${job_id}`, {
        method: "DELETE",
        token: parser.token(),
      })
    ).status,
  ).toBe(204);
  expect((await parser.statusOf(job_id)).error.code).toBe("cancelled");
  await vi.waitFor(
    () => expect(parser.cloud.requests.at(-1)?.method).toBe("DELETE"),
    90_000,
  );
});

test("a document is parsed on its way to the index, and a stopped one is not parsed further", async () => {
  const upload = async (content: string, name: string) => {
    const form = new FormData();
    form.append("file", new Blob([content]), name);
    const response = await fetch(`${parser.parlance.url}/api/v1/documents`, {
      method: "POST",
      headers: { authorization: `Bearer ${parser.token()}` },
      body: form,
    });
    return ((await response.json()) as { id: string }).id;
  };
  const read = async (id: string) =>
    (await (
      await parser.parlance.request(`/api/v1/documents/${id}`, { token: parser.token() })
    ).json()) as {
      parsing: unknown;
      status: string;
    };
  const id = await upload("on,way\n1,2\n", "way.csv");
  await vi.waitFor(
    async () => expect((await read(id)).parsing).toMatchObject({ parserMethod: "local" }),
    90_000,
  );
  const markdown = await parser.parlance.request(`/api/v1/documents/${id}/markdown`, {
    token: parser.token(),
  });
  expect((await markdown.text()).trim()).toBe("| on | way |\n| --- | --- |\n| 1 | 2 |");

  parser.cloud.script.running = 1_000_000;
  const slow = await upload(pdfWithImage("slow"), "slow.pdf");
  await vi.waitFor(() => expect(parser.cloud.requests.length).toBeGreaterThan(2), 90_000);
  expect((await read(slow)).status).toBe("PARSING");
  await parser.parlance.request(`/api/v1/documents/${slow}/stop`, {
    method: "POST",
    token: parser.token(),
  });
  await vi.waitFor(
    () => expect(parser.cloud.requests.at(-1)?.method).toBe("DELETE"),
    90_000,
  );
});
