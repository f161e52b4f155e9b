import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { held } from "../support/held.ts";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
}

test("every package is locked with its checksum, and none is below its safe version", async () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, Locked>;
  }; // npm's own form, lockfileVersion 3
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && !link,
  );
  const unlocked = installed.filter(
    ([, { integrity }]) => !integrity?.startsWith("sha512-"),
  );
  expect(unlocked.map(([path]) => path)).toEqual([]);
  const checked = await promisify(execFile)(process.execPath, ["scripts/check-floors.ts"]);
  expect(checked.stdout).toContain(" 0 wrong");
  held("dependencies", installed.length);
});
