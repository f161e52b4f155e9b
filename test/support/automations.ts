import { vi } from "vitest";
import type { Run, AcceptedMedium } from "../../src/services/automations/contract-runs.ts";
import type { TestServer } from "./server.ts";

/** Functions that tests call on automations as one user. */
export function automationsOf(
  parlance: Pick<TestServer, "url" | "request">,
  token: string,
) {
  const get = async <Answer>(path: string) =>
    (await (await parlance.request(path, { token })).json()) as Answer;
  return {
    token,
    async agent(name: string, more: object = {}): Promise<string> {
      const made = await parlance.request("/api/v1/agent", {
        token,
        body: { name, instructions: `I am ${name}.`, ...more },
      });
      return ((await made.json()) as { id: string }).id;
    },
    async rule(body: object): Promise<number> {
      const made = await parlance.request("/api/automations", {
        token,
        body: { name: "Rule", type: "*", ...body },
      });
      const { id, ...rest } = (await made.json()) as { id: number };
      if (made.status !== 201) throw new Error(JSON.stringify(rest));
      return id;
    },
    async send(
      file: Uint8Array | string,
      filename: string,
      fields: Record<string, string> = {},
      headers: Record<string, string> = {},
    ): Promise<{ status: number; body: AcceptedMedium & { code?: string } }> {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set(
        "file",
        new File([typeof file === "string" ? file : new Uint8Array(file)], filename),
      );
      const response = await fetch(`${parlance.url}/api/automations/media`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, ...headers },
        body: form,
      });
      return { status: response.status, body: (await response.json()) as AcceptedMedium };
    },
    run: (id: string) => get<Run>(`/api/automations/runs/${id}`),
    /** Returns the run when it has ended. */
    ended: (id: string, timeout = 30_000) =>
      vi.waitFor(
        async () => {
          const run = await get<Run>(`/api/automations/runs/${id}`);
          if (run.endedAt === null)
            throw new Error(
              `the run is still ${run.status}: ${JSON.stringify(run.agents)}`,
            );
          return run;
        },
        { timeout, interval: 100 },
      ),
    get,
    ask: async (method: string, path: string, body?: unknown) => {
      const response = await parlance.request(path, { token, method, body });
      const text = await response.text();
      return {
        status: response.status,
        body: (text ? JSON.parse(text) : {}) as Record<string, unknown> & { code?: string },
      };
    },
  };
}

export type Automations = ReturnType<typeof automationsOf>;

/** Returns an agent's input, from the request to its provider. */
export function inputOf(messages: readonly { role: string; content: unknown }[]): {
  conversation: { id: string; transcript: string; metadata: Record<string, unknown> };
  automation: Record<string, unknown>;
  previous?: { agent_id: string; output: string }[];
} {
  return JSON.parse(String(messages.at(-1)?.content)) as ReturnType<typeof inputOf>;
}

/**
 * Returns the name of the agent in a request to the provider, from `I am <name>.` in its
 * instructions.
 */
export function agentNameOf(
  messages: readonly { role: string; content: unknown }[],
): string {
  return /I am (.*?)\./.exec(String(messages[0]?.content))?.[1] ?? "";
}
