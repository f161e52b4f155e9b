import { appendFileSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a server before its program (`--import`), it appends a line to the file TURNS_FILE
 * for each long turn of its event loop: when it ended, and its milliseconds. The time in which the
 * thread could run and other processes had the processors does not count, where Linux tells it.
 */
const RECORDED_FROM_MS = 50;
const INTERVAL_MS = 10;

function waitedMs(): number {
  try {
    const path = `/proc/self/task/${process.pid}/schedstat`;
    const [, nanoseconds] = readFileSync(path, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0; // not Linux
  }
}

const file = process.env["TURNS_FILE"];
if (file && isMainThread && process.argv[2] === "serve") {
  let at = performance.now();
  let waited = waitedMs();
  const record = () => {
    const [nowAt, nowWaited] = [performance.now(), waitedMs()];
    const ms = nowAt - at - (nowWaited - waited) - INTERVAL_MS;
    [at, waited] = [nowAt, nowWaited];
    if (ms >= RECORDED_FROM_MS) appendFileSync(file, `${Date.now()} ${ms.toFixed()}\n`);
  };
  setInterval(record, INTERVAL_MS).unref();
}
