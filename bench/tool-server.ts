import { startToolServer, text } from "../test/support/tool-server.ts";

// a tool server that keeps sessions, as most do, in a process of its own. Usage: node
// bench/tool-server.ts
const { url } = await startToolServer(
  { echo: { run: () => text("hello") } },
  { unknownSession: 404 },
);
process.stdout.write(`${url}\n`);
