import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./support/server.ts";

const SENT_AT_ONCE = 80;
const MAX_SLOW = 64;

let parlance: TestServer;
let token: string;
beforeAll(async () => {
  parlance = await startTestServer();
  const [email, password] = ["slow@test.example", "a long enough password"];
  await parlance.request("/api/v1/users", { body: { email, name: "Slow", password } });
  token = await parlance.signIn(email, password);
});
afterAll(() => parlance[Symbol.asyncDispose]());

const HEAD =
  '--part\r\ncontent-disposition: form-data; name="file"; filename="slow.txt"\r\n\r\n';
const END = "\r\n--part--\r\n";

/** Sends the first bytes of a file. */
function beginUpload(bearer: string, text: string): ClientRequest {
  const sending = request(`${parlance.url}/api/v1/documents`, {
    method: "POST",
    agent: false,
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "multipart/form-data; boundary=part",
    },
  });
  sending.on("error", () => {}); // it is ended below
  sending.write(`${HEAD}${text}`);
  return sending;
}

async function answerTo(upload: ClientRequest): Promise<{ status: number; text: string }> {
  const [answer] = (await once(upload, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}

function uploadAtOnce(bearer: string, text: string) {
  const upload = beginUpload(bearer, text);
  upload.end(END);
  return answerTo(upload);
}

test("one member holds few slow uploads, and another's file arrives beside them", async () => {
  const uploads = Array.from({ length: SENT_AT_ONCE }, () => beginUpload(token, "Words"));
  const refused: string[] = [];
  const beyond = Promise.withResolvers<void>();
  for (const upload of uploads)
    void answerTo(upload).then(
      ({ text }) => {
        refused.push((JSON.parse(text) as { code: string }).code);
        if (refused.length === SENT_AT_ONCE - MAX_SLOW) beyond.resolve();
      },
      () => {}, // it is ended below
    );
  await beyond.promise;
  expect(new Set(refused)).toEqual(new Set(["too_many_slow_requests"]));
  expect(await uploadAtOnce(parlance.token, "Another text.")).toMatchObject({
    status: 201,
  });
  expect(await uploadAtOnce(token, "A quick text.")).toMatchObject({ status: 201 });
  for (const upload of uploads) upload.destroy();
}, 60_000);
