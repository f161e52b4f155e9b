import { expect, test } from "vitest";
import { limitExports } from "./limit-exports.ts";

const BYTES = new Uint8Array(300_000).map((_, at) => at % 251);
const answer = async () =>
  new Response(BYTES, { status: 200, headers: { "content-type": "x/y" } });
const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => "no failure",
    (error: { code?: string }) => error.code,
  );

test("counts a file until it is read to its end", async () => {
  const exports = limitExports({ maxPerUser: 1, max: 2 });
  const response = await exports.during("ann", answer);
  expect(response.headers.get("content-type")).toBe("x/y");
  expect(await codeOf(exports.during("ann", answer))).toBe("too_many_exports");
  expect(Buffer.from(await response.arrayBuffer()).equals(BYTES)).toBe(true);
  expect(await codeOf(exports.during("ann", answer))).toBe("no failure");
});

test("whoever has the last byte may ask again at once", async () => {
  const exports = limitExports({ maxPerUser: 1, max: 2 });
  const reader = (await exports.during("ann", answer)).body?.getReader();
  for (let received = 0; received < BYTES.length;) {
    const refused = await codeOf(exports.during("ann", answer));
    expect(refused).toBe("too_many_exports");
    received += (await reader?.read())?.value?.length ?? 0;
  }
  expect(await codeOf(exports.during("ann", answer))).toBe("no failure");
});

test("an answer without a body, or with an empty one, is not counted after it", async () => {
  const exports = limitExports({ maxPerUser: 1, max: 2 });
  await exports.during("ann", async () => new Response(null, { status: 304 }));
  const empty = await exports.during("ann", async () => new Response(""));
  expect(await empty.text()).toBe("");
  expect(await codeOf(exports.during("ann", answer))).toBe("no failure");
});

test("stops counting a file when its reader leaves or its export fails", async () => {
  const exports = limitExports({ maxPerUser: 1, max: 2 });
  await (await exports.during("ann", answer)).body?.cancel();
  const failing = () => Promise.reject(new Error("not made"));
  await expect(exports.during("ann", failing)).rejects.toThrow("not made");
  const broken = new ReadableStream({ pull: () => Promise.reject(new Error("broke off")) });
  const cut = await exports.during("ann", async () => new Response(broken));
  await expect(cut.text()).rejects.toThrow("broke off");
  expect(await codeOf(exports.during("ann", answer))).toBe("no failure");
});

test("limits the exports of one user, and of all users", async () => {
  const exports = limitExports({ maxPerUser: 1, max: 2 });
  await exports.during("ann", answer);
  expect(await codeOf(exports.during("ben", answer))).toBe("no failure");
  expect(await codeOf(exports.during("cem", answer))).toBe("exports_busy");
});
