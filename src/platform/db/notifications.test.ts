import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { silentLog } from "../telemetry/log.ts";
import { serverNotifications } from "./notifications.ts";

const LONG_MS = 3_600_000;

/** A server that speaks as much of PostgreSQL's protocol as a connection that listens needs. */
async function startServer(answers: (connection: number, query: string) => boolean) {
  const sockets: Socket[] = [];
  const queries: string[] = [];
  const server = createServer((socket) => {
    const number = sockets.push(socket);
    socket.on("error", () => {}); // the client ends it
    let received = Buffer.alloc(0);
    let hasStarted = false;
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (!hasStarted) {
        const length = received.length < 4 ? Infinity : received.readInt32BE();
        if (received.length < length) return;
        received = received.subarray(length);
        hasStarted = true;
        socket.write(Buffer.concat([packet("R", Buffer.alloc(4)), READY]));
      }
      while (received.length >= 5 && received.length > received.readInt32BE(1)) {
        const end = 1 + received.readInt32BE(1);
        const kind = String.fromCharCode(received[0] ?? 0);
        const text = received.subarray(5, end - 1).toString();
        received = received.subarray(end);
        if (kind !== "Q") continue;
        queries.push(text);
        if (answers(number, text))
          socket.write(Buffer.concat([packet("C", Buffer.from("SELECT 1\0")), READY]));
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of TCP
  return {
    url: `postgres://ann:secret@127.0.0.1:${port}/things`,
    sockets,
    queries,
    notify(channel: string, payload: string) {
      const body = Buffer.from(`\0\0\0\0${channel}\0${payload}\0`);
      for (const socket of sockets) if (socket.writable) socket.write(packet("A", body));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function packet(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
}
const READY = packet("Z", Buffer.from("I"));

test("a connection that no longer answers is replaced, and listeners know of the gap", async () => {
  await using server = await startServer(
    (connection, query) => connection > 1 || query.startsWith("listen"),
  );
  const probes = { everyMs: 20, timeoutMs: 200 };
  await using notifications = serverNotifications(server.url, silentLog(), probes);
  const heard: string[] = [];
  const onGap = vi.fn();
  await notifications.listen("birds", (payload) => heard.push(payload), onGap);
  const gaps = onGap.mock.calls.length;
  await vi.waitFor(() => expect(onGap.mock.calls.length).toBeGreaterThan(gaps), 90_000);
  await vi.waitFor(() => expect(server.sockets[0]?.destroyed).toBe(true), 90_000);
  await vi.waitFor(() => {
    server.notify("birds", "wren");
    expect(heard).toContain("wren");
  }, 90_000);
});

test("a connection that answers is kept", async () => {
  await using server = await startServer(() => true);
  const probes = { everyMs: 5, timeoutMs: LONG_MS };
  await using notifications = serverNotifications(server.url, silentLog(), probes);
  await notifications.listen("birds", () => {});
  await vi.waitFor(
    () =>
      expect(server.queries.filter((text) => text === "select 1").length).toBeGreaterThan(
        5,
      ),
    90_000,
  );
  expect(server.sockets).toHaveLength(1);
});
