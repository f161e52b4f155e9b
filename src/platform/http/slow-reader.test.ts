import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { oneAnswerAtATime } from "./answer-line.ts";

const ANSWER = Buffer.alloc(32 * 1024 * 1024);

/** Whether the server closes the connection of a client that reads so much every few ms. */
async function isClosedOn(bytesEach: number): Promise<boolean> {
  let isWhole = false;
  const respond = oneAnswerAtATime(
    (_, outgoing) => {
      outgoing.once("finish", () => (isWhole = true));
      outgoing.end(ANSWER);
    },
    { idleMs: 200, bytesPerSecond: 1024 ** 3 },
  );
  const server = createServer(respond);
  const closed = new Promise<void>((resolve) =>
    server.once("connection", (socket) => socket.once("close", () => resolve())),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const client = connect(port, "127.0.0.1").pause();
  client.on("error", () => {});
  client.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
  const reading = bytesEach > 0 ? setInterval(() => client.read(bytesEach), 5) : undefined;
  await closed;
  clearInterval(reading);
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
  return !isWhole;
}

test("a client that reads nothing of its answer is disconnected", async () => {
  expect(await isClosedOn(0)).toBe(true);
});

test("so is one that reads it byte by byte", async () => {
  expect(await isClosedOn(1)).toBe(true);
});
