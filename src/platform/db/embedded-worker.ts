import { once } from "node:events";
import { rm } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { serveProtocol } from "./serve-protocol.ts";

// `startEmbedded` passes exactly these
const { folder, socket, program } = workerData as {
  folder: string;
  socket: string;
  program: WebAssembly.Module;
};

// the system caches the files as well; the default of 128 MB would be most of the memory of an idle
// server
const SETTINGS = ["shared_buffers=16MB"];

await rm(socket, { force: true });
const database = await PGlite.create({
  dataDir: folder,
  pgliteWasmModule: program,
  extensions: { vector },
  startParams: [
    ...PGlite.defaultStartParams,
    ...SETTINGS.flatMap((setting) => ["-c", setting]),
  ],
});
// another worker takes the place of one that ended
const server = serveProtocol(database, () => process.exit(1));
server.listen(socket);
await once(server, "listening");

parentPort?.on("message", async () => {
  server.close();
  await database.close();
  process.exit(0);
});
parentPort?.postMessage("ready");
