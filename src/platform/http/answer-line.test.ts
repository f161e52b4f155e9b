import { connect } from "node:net";
import { expect, test } from "vitest";
import { json } from "./respond.ts";
import { listen } from "./server.ts";

test("answers pipelined requests one after another, and closes a connection with too many", async () => {
  let begun = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  await using server = await listen(
    {
      fetch: async () => {
        begun += 1;
        await gate;
        return json({ said: "yes" });
      },
    },
    { port: 0, host: "127.0.0.1", listener: "public" },
  );
  const ask = (times: number) => {
    const socket = connect(server.port, "127.0.0.1").on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n".repeat(times));
    return socket;
  };
  const flood = ask(200).resume();
  await new Promise((resolve) => flood.once("close", resolve));
  expect(begun).toBeLessThanOrEqual(1);
  begun = 0;
  let text = "";
  const some = ask(10).on("data", (data) => (text += String(data)));
  await expect.poll(() => begun).toBe(1);
  release();
  await expect.poll(() => text.split("HTTP/1.1 200").length - 1).toBe(10);
  some.destroy();
});
