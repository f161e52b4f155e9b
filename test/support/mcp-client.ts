import { createHash, randomBytes } from "node:crypto";
import type { TestServer } from "./server.ts";

type Server = Pick<TestServer, "url" | "request">;

export const CALLBACK = "http://127.0.0.1:9/callback";

/** What a client of MCP does when its user signs in, step by step. */
export interface McpClient {
  id: string;
  verifier: string;
  /** What it sends the browser with. */
  request: Record<string, string>;
}

export async function registerMcpClient(
  { request, url }: Server,
  redirectUris = [CALLBACK],
  name = "Editor",
): Promise<McpClient> {
  const answer = await request("/api/v1/oauth/register", {
    token: null,
    body: { client_name: name, redirect_uris: redirectUris },
  });
  const { client_id: id } = (await answer.json()) as { client_id: string };
  const verifier = randomBytes(32).toString("base64url");
  return {
    id,
    verifier,
    request: {
      response_type: "code",
      client_id: id,
      redirect_uri: CALLBACK,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: "state",
      resource: `${url}/mcp`,
    },
  };
}

/** The user agrees. @returns what comes back in the address. */
export async function agreeTo(
  { request }: Server,
  token: string,
  { request: asked }: McpClient,
  scopes = ["tool:use"],
  tools?: string[],
): Promise<URLSearchParams> {
  const body = { request: { ...asked, scope: scopes.join(" ") }, scopes, tools };
  const answer = await request("/api/v1/oauth/authorization", { token, body });
  const { url } = (await answer.json()) as { url: string };
  return new URL(url).searchParams;
}

export interface McpTokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

export function askToken({ url }: Server, form: Record<string, string>): Promise<Response> {
  return fetch(`${url}/api/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
}

export const codeForm = (client: McpClient, code: string | null) => ({
  grant_type: "authorization_code",
  code: code ?? "",
  client_id: client.id,
  redirect_uri: CALLBACK,
  code_verifier: client.verifier,
});

/** Registers a client, to which the user of a token grants tools. */
export async function connectMcpClient(
  server: Server,
  token: string,
  scopes?: string[],
  name?: string,
  tools?: string[],
): Promise<McpTokens & { client: McpClient }> {
  const client = await registerMcpClient(server, [CALLBACK], name);
  const back = await agreeTo(server, token, client, scopes, tools);
  const answer = await askToken(server, codeForm(client, back.get("code")));
  return { ...((await answer.json()) as McpTokens), client };
}
