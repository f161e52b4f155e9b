import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chooseIsolation, works } from "./choose-isolation.ts";

const ROOT = join(import.meta.dirname, "../../..");

test("an isolation that works over one folder is tried again over another, which may hide our code", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-isolation-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const mountPoint of [folder, ROOT])
    expect(await works(await chooseIsolation("auto", mountPoint))).toBe(true);
});
