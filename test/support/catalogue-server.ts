import { expect } from "vitest";
import { type TestServer, startTestServer } from "./server.ts";
import { type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";
import { settingsOf } from "./scripted-server.ts";

/** A provider's key, which no answer may show. */
export const KEY = "planted-secret-provider-key";

type Body = Record<string, unknown> & { items: Record<string, unknown>[]; code?: string };

/** A server with a provider. The administrator asks where no other token is given. */
export interface CatalogueServer extends AsyncDisposable {
  parlance: TestServer;
  provider: ScriptedProvider;
  /** The token of a user who is not an administrator. */
  user: string;
  /** Calls a route below `/api/v1`, and checks that its answer does not show `KEY`. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<{ status: number; body: Body }>;
  items(path: string, token?: string): Promise<Record<string, unknown>[]>;
  /** Sends a message to a model. */
  send(model: string): Promise<{ status: number; code: string | undefined }>;
  /** Makes a provider. @returns its name. */
  newProvider(config?: object): Promise<string>;
}

export async function startCatalogueServer(): Promise<CatalogueServer> {
  const provider = await startScriptedProvider();
  const parlance = await startTestServer(settingsOf(provider));
  const ask: CatalogueServer["ask"] = async (
    method,
    path,
    body,
    token = parlance.token,
  ) => {
    const options = { method, token, ...(body !== undefined && { body }) };
    const response = await parlance.request(`/api/v1${path}`, options);
    const text = await response.text();
    expect(text).not.toContain(KEY);
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as Body }; // as the test expects it
  };
  let names = 0;
  return {
    parlance,
    provider,
    user: await signUp(parlance),
    ask,
    async items(path, token) {
      return (await ask("GET", path, undefined, token)).body.items;
    },
    async send(model) {
      const body = { content: "hello", model, stream: false };
      const { status, body: answer } = await ask("POST", "/conversation", body);
      return { status, code: answer.code };
    },
    async newProvider(config = { baseUrl: provider.url, apiKey: KEY }) {
      const name = `made-${(names += 1)}`;
      const body = { name, kind: "openai-compatible", config };
      expect((await ask("POST", "/model-providers", body)).status).toBe(201);
      return name;
    },
    async [Symbol.asyncDispose]() {
      await parlance[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

async function signUp(parlance: TestServer): Promise<string> {
  const email = "user@test.example";
  const password = "a long enough password";
  await parlance.request("/api/v1/users", { body: { email, name: "User", password } });
  return parlance.signIn(email, password);
}
