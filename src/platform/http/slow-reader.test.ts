import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { oneAnswerAtATime } from "./answer-line.ts";

const ANSWER = Buffer.alloc(32 * 1024 * 1024);
const PIECE = Buffer.alloc(1024 * 1024);

/** Writes as long as the client reads. */
async function stream(outgoing: ServerResponse): Promise<void> {
  for (let n = 0; n < 32 && !outgoing.destroyed; n += 1)
    if (!outgoing.write(PIECE))
      await new Promise((resolve) =>
        outgoing.once("drain", resolve).once("close", resolve),
      );
  outgoing.end();
}

/**
 * Whether the server closes the connection of a client that reads so much every few ms, or with
 * Infinity at once.
 */
async function isClosedOn(
  bytesEach: number,
  write: (outgoing: ServerResponse) => unknown,
  idleMs = 200,
): Promise<boolean> {
  let isWhole = false;
  const respond = oneAnswerAtATime(
    (_, outgoing) => {
      outgoing.once("finish", () => (isWhole = true));
      void write(outgoing);
    },
    { idleMs, bytesPerSecond: 1024 ** 3 },
  );
  const server = createServer(respond);
  const closed = new Promise<void>((resolve) =>
    server.once("connection", (socket) => socket.once("close", () => resolve())),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const client = connect(port, "127.0.0.1").pause();
  client.on("error", () => {});
  client.write("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
  const isSlow = bytesEach > 0 && bytesEach < Infinity;
  const reading = setInterval(() => isSlow && client.read(bytesEach), 5);
  if (bytesEach === Infinity) client.resume();
  await closed;
  clearInterval(reading);
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
  return !isWhole;
}

const ANSWERS = {
  "a complete answer": (outgoing: ServerResponse) => outgoing.end(ANSWER),
  "a stream": stream,
};
for (const [kind, write] of Object.entries(ANSWERS)) {
  test(`a client that reads nothing of ${kind} is disconnected`, async () => {
    expect(await isClosedOn(0, write)).toBe(true);
  });

  test(`so is one that reads ${kind} byte by byte`, async () => {
    expect(await isClosedOn(1, write)).toBe(true);
  });

  test(`one that reads ${kind} gets all of it`, async () => {
    expect(await isClosedOn(Infinity, write, 60_000)).toBe(false);
  });
}

test("a stream that has nothing to write for a long time stays", async () => {
  const write = async (outgoing: ServerResponse) => {
    outgoing.write("first");
    await sleep(800);
    outgoing.end("last");
  };
  expect(await isClosedOn(Infinity, write)).toBe(false);
});
