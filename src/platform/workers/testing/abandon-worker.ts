import { isolationOfKind } from "../../isolation/testing/working-isolations.ts";
import { startTestWorker } from "./test-worker.ts";

/**
 * A service that is killed while a task keeps its worker busy. Prints the worker's process id.
 * Usage: abandon-worker.ts KIND FOLDER
 */
const [, , kind = "none", folder = ""] = process.argv;
const worker = await startTestWorker(await isolationOfKind(kind, folder));
console.log(worker.pid);
await worker.try("loop");
