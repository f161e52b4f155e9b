import { newPerson } from "./ask.ts";
import { type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";
import { type TestServer, startTestServer } from "./server.ts";

/** A server whose only models are scripted, and Bob, who is no administrator. */
export interface ScriptedServer extends AsyncDisposable {
  parlance: TestServer;
  provider: ScriptedProvider;
  /** The token of Bob. */
  bob: string;
}

export async function startScriptedServer(
  env: Record<string, string> = {},
): Promise<ScriptedServer> {
  const provider = await startScriptedProvider();
  const parlance = await startTestServer({ ...settingsOf(provider), ...env });
  const { token: bob } = await newPerson(parlance, "bob");
  return {
    parlance,
    provider,
    bob,
    async [Symbol.asyncDispose]() {
      await parlance[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** The settings of a server that gets its models from the provider. */
export const settingsOf = (
  { url }: Pick<ScriptedProvider, "url">,
  models = "gpt-test",
): Record<string, string> => ({
  OPENAI_API_KEY: "key",
  OPENAI_BASE_URL: url,
  OPENAI_MODELS: models,
});
