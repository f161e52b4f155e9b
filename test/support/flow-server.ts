import { randomUUID } from "node:crypto";
import { askBelow } from "./ask.ts";
import { COMPONENTS } from "./fake-langflow/run.ts";
import {
  type FakeLangflow,
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "./fake-langflow/start-fake-langflow.ts";
import { type TestServer, startTestServer } from "./server.ts";

/**
 * A whole server with a fake Langflow that is configured before the server starts, and functions to
 * call both.
 */
export async function flowServer(
  env: Record<string, string> = {},
  settings: Partial<FakeLangflow["settings"]> = {},
) {
  const langflow = await startFakeLangflow();
  Object.assign(langflow.settings, settings);
  const parlance = await startTestServer({
    FLOWENGINE_BASE_URL: langflow.url,
    FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY,
    FLOWENGINE_TIMEOUT: "2000",
    ...env,
  });
  return {
    parlance,
    langflow,
    ...flowAsks(() => parlance),
    async [Symbol.asyncDispose]() {
      await parlance[Symbol.asyncDispose]();
      await langflow[Symbol.asyncDispose]();
    },
  };
}

export function flowAsks(parlance: () => TestServer) {
  const flows = askBelow(parlance, "/api/v1/flowengine");
  const integrations = askBelow(parlance, "/api/v1/integrations");
  return {
    flows,
    integrations,
    /** Creates a flow with the component's behaviour, in the account of the token's user. */
    async newFlow(
      token: string,
      component: keyof typeof COMPONENTS = "echo",
    ): Promise<string> {
      const made = await flows("POST", "/flows", {
        token,
        body: { name: `Flow ${randomUUID()}`, data: graphOf(component) },
      });
      return made.body.id;
    },
    grant: (userId: string, flowId: string) =>
      flows("POST", "/admin/permissions/grant", { body: { userId, flowId } }),
    revoke: (body: object) => flows("POST", "/admin/permissions/revoke-group", { body }),
    run: (token: string, flowId: string, body: object = { input: "hello" }) =>
      flows("POST", `/${flowId}/run`, { token, body }),
  };
}

export function graphOf(component: keyof typeof COMPONENTS): object {
  const types = ["ChatInput", "ChatOutput", COMPONENTS[component]];
  return {
    nodes: types.map((type, n) => ({
      id: `${type}-${n}`,
      type: "genericNode",
      data: { type },
    })),
    edges: [],
  };
}

/** Provides an unused part of the fake's state. */
export function accountOf(langflow: FakeLangflow, userId: string) {
  return langflow.state.users.find(({ username }) => username === `parlance-${userId}`);
}
