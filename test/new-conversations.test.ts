import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { eventsOf, type TestServer, startTestServer } from "./support/server.ts";
import { settingsOf } from "./support/scripted-server.ts";

let provider: ScriptedProvider;
let parlance: TestServer;
let other: string;

beforeAll(async () => {
  provider = await startScriptedProvider();
  provider.answer(() => ({ text: ["Hello"] }));
  parlance = await startTestServer(settingsOf(provider));
  const body = { email: "other@test.example", name: "Other", password: "a long password" };
  const made = await parlance.request("/api/v1/users", { body });
  ({ id: other } = (await made.json()) as { id: string });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const share = async (resourceId: string) => {
  const shares = [{ subjectType: "user", subjectId: other, accessRole: "viewer" }];
  const body = { resourceType: "conversation", resourceId, shares };
  return (await parlance.request("/api/v1/sharing/share", { body })).status;
};

test.each([false, true])(
  "conversations can be shared as soon as their first answers have ended, streamed: %s",
  async (stream) => {
    const begin = async () => {
      const body = { content: "Hello", stream };
      const answer = await parlance.request("/api/v1/conversation", { body });
      const { conversationId } = stream
        ? ((await eventsOf(answer))[0]?.data ?? {})
        : ((await answer.json()) as Record<string, unknown>);
      return share(String(conversationId));
    };
    for (let repeat = 0; repeat < 5; repeat += 1)
      expect([await begin(), await begin(), await begin()]).toEqual([201, 201, 201]);
  },
);
