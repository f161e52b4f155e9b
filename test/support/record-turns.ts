import { appendFileSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a server before its program (`--import`), it appends a line to the file TURNS_FILE
 * for each long turn of its event loop: when it ended, and its milliseconds. Where Linux tells it,
 * only the time counts in which the thread had a processor: on a busy machine it waits for one, and
 * so do the threads of the garbage collector that it waits for.
 */
const RECORDED_FROM_MS = 50;
const INTERVAL_MS = 10;

function busyMs(): number {
  try {
    const path = `/proc/self/task/${process.pid}/schedstat`;
    const [nanoseconds] = readFileSync(path, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now(); // not Linux
  }
}

const file = process.env["TURNS_FILE"];
if (file && isMainThread && process.argv[2] === "serve") {
  let at = busyMs();
  const record = () => {
    const now = busyMs();
    const ms = now - at;
    at = now;
    if (ms >= RECORDED_FROM_MS) appendFileSync(file, `${Date.now()} ${ms.toFixed()}\n`);
  };
  setInterval(record, INTERVAL_MS).unref();
}
