import { expect, test } from "vitest";
import agent from "../src/services/agent-loop/service.ts";
import completion from "../src/services/completion/service.ts";

/** Times that the requirements state, and those that must end before them. */

const agentDefaults = agent.config.parse({});
const completionDefaults = completion.config.parse({});

test("callers wait as long as the requirements say for a model and for a tool", () => {
  expect(agentDefaults).toMatchObject({
    COMPLETION_SERVICE_TIMEOUT: 60_000,
    MCP_SERVICE_TIMEOUT: 60_000,
  });
});

test("models that are asked in turn begin, or fail, before their caller gives up", () => {
  const { COMPLETION_FALLBACKS_TIMEOUT: chain, COMPLETION_FALLBACK_AFTER: first } =
    completionDefaults;
  expect(chain).toBe(50_000);
  // the catalogue is read, and fallbacks are found, within the rest
  expect(chain + 5_000).toBeLessThan(agentDefaults.COMPLETION_SERVICE_TIMEOUT);
  expect(first).toBeLessThan(chain);
});
