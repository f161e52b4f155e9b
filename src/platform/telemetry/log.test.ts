import { expect, test } from "vitest";
import { createLog } from "./log.ts";

test("the log masks fields that hold secrets at any depth and keeps the others", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", name: "test", write: (line) => lines.push(line) });
  log.info(
    {
      user: "ada",
      headers: { Authorization: "planted-1", "X-API-Key": "planted-2" },
      providers: [
        {
          name: "openai",
          config: { apiKey: "planted-3", deep: { client_secret: "planted-4" } },
        },
      ],
      accessToken: "planted-5",
      usage: { inputTokens: 7 },
    },
    "hello",
  );
  const child = log.child({ service: "core" });
  child.info({ password: "planted-6" }, "again");
  expect(lines.join("")).not.toContain("planted");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    user: "ada",
    usage: { inputTokens: 7 },
    msg: "hello",
  });
});
