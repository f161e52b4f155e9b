import {
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "../../../../test/support/fake-langflow/start-fake-langflow.ts";
import { graphOf } from "../../../../test/support/flow-server.ts";
import { type FilledIds, type PageAddress, pagesOf } from "../../pages.ts";
import { type App, startApp } from "../app.ts";
import { type Asks, asksOf } from "./asks.ts";
import { fillAdmin } from "./fill-admin.ts";
import { fillAutomations } from "./fill-automations.ts";
import { fillShares } from "./fill-shares.ts";
import { fillTools, startFilledTools } from "./fill-tools.ts";
import { fillWork } from "./fill-work.ts";
import type { Words } from "./words.ts";

/** An app with something of every kind, and the addresses of all its pages. */
export interface FilledApp extends AsyncDisposable {
  app: App;
  pages: readonly PageAddress[];
  /** The address of a conversation. */
  conversation: string;
}

/** Stores names and texts of `words` in every field that takes them. */
export async function fillApp(
  words: Words,
  env: Record<string, string> = {},
): Promise<FilledApp> {
  const langflow = await startFakeLangflow();
  const tools = await startFilledTools(words);
  const app = await startApp({
    env: {
      FLOWENGINE_BASE_URL: langflow.url,
      FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY,
      ...env,
    },
  });
  const asks = asksOf(app);
  const work = await fillWork(app, asks, words);
  await fillShares(app, words, work);
  const ids: FilledIds = {
    ...work,
    ...(await fillTools(app, asks, words, tools)),
    ...(await fillAutomations(asks, words)),
    flow: await fillFlows(asks, words),
    ...(await fillAdmin(app, asks, words)),
  };
  return {
    app,
    pages: pagesOf(ids),
    conversation: `/c/${ids.conversation}`,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await tools[Symbol.asyncDispose]();
      await langflow[Symbol.asyncDispose]();
    },
  };
}

async function fillFlows(asks: Asks, words: Words): Promise<string> {
  const { id: userId } = await asks.get<{ id: string }>("/api/v1/auth/me");
  let flow = "";
  for (const name of words.names()) {
    const more = { description: words.name(), data: graphOf("echo") };
    ({ id: flow } = await asks.post("/api/v1/flowengine/flows", { name, ...more }));
  }
  await asks.post("/api/v1/flowengine/admin/permissions/grant", { userId, flowId: flow });
  return flow;
}
