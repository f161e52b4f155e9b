import { rm } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

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
// there is one client, but its former connection may still be closing
const server = new PGLiteSocketServer({ db: database, path: socket, maxConnections: 10 });
await server.start();

parentPort?.on("message", async () => {
  await server.stop();
  await database.close();
  process.exit(0);
});
parentPort?.postMessage("ready");
