import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { askProcess } from "./ask-process.ts";

test("a process that ended before the question answers with its end", async () => {
  // the wrapped process outlives its wrapper for a moment, and keeps the channel open
  const wrapper = spawn("sh", ["-c", "sleep 60 & echo $! >&2; exit 3"], {
    stdio: ["pipe", "ignore", "pipe", "ipc"],
  });
  const [wrapped] = (await once(wrapper.stderr as NodeJS.ReadableStream, "data")) as [
    Buffer,
  ];
  await once(wrapper, "exit");
  expect(wrapper.connected).toBe(true);
  try {
    const asked = askProcess(
      wrapper,
      {
        id: 1,
        file: import.meta.url,
        exported: "default",
        input: null,
        path: import.meta.filename,
      },
      (code) => new Error(`ended with ${code}`),
    );
    await expect(asked).rejects.toThrow("ended with 3");
  } finally {
    process.kill(Number(wrapped));
  }
});
