import { connect, Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { TextResponse } from "./lazy-response.ts";
import { json } from "./respond.ts";
import { listen } from "./server.ts";
import { encodedEventStream, StreamResponse } from "./stream.ts";

const serve = (answer: () => Response) =>
  listen(
    { fetch: async () => answer() },
    { port: 0, host: "127.0.0.1", listener: "public" },
  );

test("writes repeated headers, and a length in bytes", async () => {
  await using server = await serve(() => {
    const response = json({ said: "☂" });
    for (const cookie of ["a=1", "b=2"]) response.headers.append("set-cookie", cookie);
    return response;
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(answer.headers.get("content-length")).toBe(
    String(Buffer.byteLength('{"said":"☂"}')),
  );
  expect(await answer.json()).toEqual({ said: "☂" });
});

test("sends a stream whole, and closes the connection of one that fails", async () => {
  let breaks = false;
  await using server = await serve(() =>
    encodedEventStream(
      (async function* () {
        yield ["data: one\n\n"];
        if (breaks) throw new Error("broken");
        yield ["data: two\n\n"];
      })(),
    ),
  );
  const read = async () => (await fetch(`http://127.0.0.1:${server.port}/`)).text();
  expect(await read()).toBe("data: one\n\ndata: two\n\n");
  breaks = true;
  await expect(read()).rejects.toThrow();
});

test("hands each piece of a stream to the socket in one buffer, in the client's framing", async () => {
  const told = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writes: { isHeld: boolean }[] = [];
  const counted = new WeakSet<object>();
  await using server = await serve(() =>
    encodedEventStream(
      (async function* () {
        yield ["data: ☂\n\n"];
        await told[0]?.promise;
        yield ["data: two\n\n"];
        await told[1]?.promise;
        yield ["data: three\n\n"];
      })(),
    ),
  );
  const write = Socket.prototype.write;
  const spied = vi.spyOn(Socket.prototype, "write").mockImplementation(function (
    this: Socket,
    ...given
  ) {
    if (this.localPort === server.port) counted.add(this);
    if (counted.has(this)) writes.push({ isHeld: this.writableCorked > 0 });
    return write.apply(this, given as Parameters<typeof write>);
  });
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    const reader = answer.body?.getReader();
    await reader?.read();
    const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
    const before = writes.length;
    told[0]?.resolve();
    expect(await next()).toBe("data: two\n\n");
    // a word does not wait for the end of the tick
    expect(writes.slice(before)).toEqual([{ isHeld: false }]);
    told[1]?.resolve();
    expect(await next()).toBe("data: three\n\n");
    expect((await reader?.read())?.done).toBe(true);
    // the last piece goes with the end
    expect(writes.slice(before + 1)).toEqual([{ isHeld: true }, { isHeld: true }]);
  } finally {
    spied.mockRestore();
  }
  const old = connect(server.port, "127.0.0.1");
  old.write("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
  const text = (await Array.fromAsync(old)).join("");
  expect(text.split("\r\n\r\n")[1]).toBe("data: ☂\n\ndata: two\n\ndata: three\n\n");
});

test("goes on after a piece without text, such as the beginning of a character", async () => {
  await using server = await serve(() => {
    const pieces = ["one", "", "two"];
    const source = { next: async () => pieces.shift(), cancel() {} };
    return new StreamResponse(source, {});
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  expect(await answer.text()).toBe("onetwo");
});

test("cancels the source once when the client leaves", async () => {
  let left = 0;
  let ended = 0;
  let source = "running";
  await using server = await serve(() => {
    const stop = new AbortController();
    const response = encodedEventStream(
      (async function* () {
        try {
          yield ["data: one\n\n"];
          await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
          yield ["data: two\n\n"];
        } finally {
          source = "ended";
        }
      })(),
    );
    response.onCancel = () => {
      left += 1;
      stop.abort();
    };
    response.onEnd = () => void (ended += 1);
    return response;
  });
  const client = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { signal: client.signal });
  await answer.body?.getReader().read();
  client.abort();
  await expect
    .poll(() => ({ left, ended, source }))
    .toEqual({ left: 1, ended: 1, source: "ended" });
});

const whole = '{"said":"☂"}';
const bytes = Buffer.from(whole);
const ways: Record<string, (response: Response) => Promise<unknown>> = {
  text: (response) => response.text(),
  json: async (response) => JSON.stringify(await response.json()),
  bytes: async (response) => Buffer.from(await response.bytes()).toString(),
  arrayBuffer: async (response) => Buffer.from(await response.arrayBuffer()).toString(),
  blob: async (response) => (await response.blob()).text(),
  body: async (response) =>
    Buffer.concat(await Array.fromAsync(response.body ?? [])).toString(),
  clone: async (response) =>
    [await response.clone().text(), await response.text()]
      .filter((text) => text !== whole)
      .join() || whole,
};
test.each(Object.keys(ways))(
  "what is asked of a response by %s is what it is made of",
  async (way) => {
    const headers = {
      "content-type": "application/json",
      "content-length": String(bytes.byteLength),
    };
    expect(await ways[way]?.(new TextResponse(whole, { status: 201, headers }))).toBe(
      whole,
    );
    const stream = encodedEventStream(
      (async function* () {
        yield [whole.slice(0, 5)];
        yield [whole.slice(5)];
      })(),
    );
    expect(stream).toBeInstanceOf(Response);
    expect(await ways[way]?.(stream)).toBe(whole);
  },
);

test("compresses long JSON if the client accepts it, and nothing else", async () => {
  let body: unknown = { text: "word ".repeat(1_000) };
  let isCompressible = true;
  await using server = await serve(() => Object.assign(json(body), { isCompressible }));
  const encodingFor = async (accepted: string) => {
    const headers = { "accept-encoding": accepted };
    const answer = await fetch(`http://127.0.0.1:${server.port}/`, { headers });
    expect(await answer.json()).toEqual(body);
    expect(answer.headers.get("vary")).toBe(isCompressible ? "accept-encoding" : null);
    return answer.headers.get("content-encoding");
  };
  expect(await encodingFor("gzip, br")).toBe("br");
  expect(await encodingFor("gzip")).toBe("gzip");
  expect(await encodingFor("br;q=0, gzip;q=0")).toBeNull();
  isCompressible = false;
  expect(await encodingFor("gzip, br")).toBeNull();
  body = { text: "short" };
  expect(await encodingFor("gzip, br")).toBeNull();
});
