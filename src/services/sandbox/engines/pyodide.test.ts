import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notIsolated } from "../../../platform/isolation/isolation.ts";
import { preparePyodide, pyodideEngine } from "./pyodide.ts";

test("a session starts from the picture that was prepared, and none is made beside it", async () => {
  const [prepared, folder] = [await aFolder("prepared-"), await aFolder("own-")];
  await writeFile(join(prepared, "pyodide-1.0.snapshot"), "of an earlier version");
  await preparePyodide(prepared);
  const [picture, ...others] = await readdir(prepared);
  expect(others).toEqual([]);
  const { environment } = await pyodideEngine({ folder, prepared }).start(notIsolated);
  expect(environment["SNAPSHOT"]).toBe(join(prepared, String(picture)));
  expect(await readdir(folder)).toEqual([]);
});

const aFolder = (prefix: string) => mkdtemp(join(tmpdir(), prefix));
