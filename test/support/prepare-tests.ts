import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Before all tests: their servers start on copies of it, also after a migration was added. */
export default async function makeTemplate(): Promise<void> {
  const root = new URL("../../", import.meta.url);
  await promisify(execFile)("bin/parlance", ["prepare"], { cwd: root });
}
