// A tool server on standard input and output, as people write them by hand: it logs to both streams, and
// says what it can see. Run as: command-server.mjs [--fail | --silent-exit]
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

if (process.argv.includes("--fail")) {
  console.error("KEY is missing");
  process.exit(3);
}
console.log("listening on stdio …");
console.log('{"level":"info"');
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value) => ({ content: [{ type: "text", text: String(value) }] });
let calls = 0;

const TOOLS = {
  count: () => text((calls += 1)),
  environment: () => text(JSON.stringify(process.env)),
  read: ({ path }) => text(readFileSync(path, "utf8")),
  write: ({ path }) => text(writeFileSync(path, "written") ?? "written"),
  processes: () => text(readFileSync("/proc/1/cmdline", "utf8")),
  reach: ({ port }) =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(text("reached")) && socket.destroy());
      socket.once("error", ({ code }) => resolve(text(code)));
    }),
  leave: () => process.exit(7),
  flood: () => process.stdout.write("x".repeat(64 * 1024 * 1024)) && new Promise(() => {}),
  memory: () => {
    const kept = [];
    for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
  },
  slow: async (_, progress) => {
    for (let done = 1; done <= 3; done += 1) {
      progress(done);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return text("done");
  },
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "command", version: "1" };
    return send({
      id,
      result: {
        protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo,
      },
    });
  }
  if (method === "tools/list") {
    const tools = Object.keys(TOOLS).map((name) => ({
      name,
      inputSchema: { type: "object" },
    }));
    return send({ id, result: { tools } });
  }
  if (method !== "tools/call")
    return id === undefined ? undefined : send({ id, result: {} });
  const token = params._meta?.progressToken;
  const progress = (done) =>
    send({
      method: "notifications/progress",
      params: { progressToken: token, progress: done },
    });
  try {
    send({ id, result: await TOOLS[params.name](params.arguments ?? {}, progress) });
  } catch (error) {
    send({ id, result: { ...text(error.code ?? error.message), isError: true } });
  }
});
process.stdin.once("end", () => process.exit(0));
