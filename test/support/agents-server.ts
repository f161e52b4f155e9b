import { newPerson } from "./ask.ts";
import { type TestServer, startTestServer } from "./server.ts";
import { type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";
import { settingsOf } from "./scripted-server.ts";
import { uploadFile } from "./upload-file.ts";

export interface AgentBody {
  id: string;
  code: string;
  items: AgentBody[];
  results: { id: string; success: boolean; code?: string }[];
  total: number;
  version: number;
  name: string;
  [field: string]: unknown;
}

type ReplyBody = AgentBody & { conversationId: string; messageId: string };

interface Answer<Body = AgentBody> {
  status: number;
  body: Body;
}

/** A server with a provider and the tokens of two users. Ada asks where no other is named. */
export interface AgentsServer extends AsyncDisposable {
  parlance: TestServer;
  provider: ScriptedProvider;
  ada: string;
  bob: string;
  /** Calls a route below `/api/v1/agent`. */
  ask(
    method: string,
    path: string,
    options?: { token?: string | null; body?: unknown },
  ): Promise<Answer>;
  make(body?: object, token?: string): Promise<AgentBody>;
  upload(words: string, token?: string): Promise<string>;
  /** Sends a message. */
  talk(body: object, token?: string): Promise<Answer<ReplyBody>>;
}

export const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";

export async function startAgentsServer(): Promise<AgentsServer> {
  const provider = await startScriptedProvider();
  const parlance = await startTestServer(settingsOf(provider, "gpt-test,gpt-other"));
  const { token: ada } = await newPerson(parlance, "ada");
  const { token: bob } = await newPerson(parlance, "bob");
  const ask: AgentsServer["ask"] = async (method, path, { token = ada, body } = {}) => {
    const options = { method, token, body };
    const response = await parlance.request(`/api/v1/agent${path}`, options);
    const text = await response.text();
    return {
      status: response.status,
      body: (text ? JSON.parse(text) : {}) as AgentBody,
    };
  };
  return {
    parlance,
    provider,
    ada,
    bob,
    ask,
    async make(body = {}, token = ada) {
      return (await ask("POST", "", { body: { name: "Helper", ...body }, token })).body;
    },
    upload: (words, token = ada) => upload(parlance, words, token),
    async talk(body, token = ada) {
      const response = await parlance.request("/api/v1/conversation", {
        token,
        body: { content: "hello", stream: false, ...body },
      });
      return { status: response.status, body: (await response.json()) as ReplyBody };
    },
    async [Symbol.asyncDispose]() {
      await parlance[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

async function upload(parlance: TestServer, words: string, token: string) {
  return (await uploadFile(parlance, words, "words.txt", { token })).body.id;
}
