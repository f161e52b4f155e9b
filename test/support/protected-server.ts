import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";

interface Options {
  /** The address of the tool server behind it. */
  target: string;
  /** Seconds that a token is good for. */
  lifetime?: number;
}

/**
 * A tool server that signs its users in, with an authorization server of its own at the same
 * address, whose user agrees at once. What it does wrong is changed in the middle of a test.
 */
export interface ProtectedServer extends AsyncDisposable {
  url: string;
  issuer: string;
  /** The tokens of requests that reached the tool server, in order. */
  used: string[];
  /** The tokens of all requests, good or not. */
  sent: string[];
  /** By grant type: how many tokens were asked for. */
  grants: Record<string, number>;
  revoked: string[];
  /** The scopes of each sign-in. */
  asked: string[];
  registrations: number;
  /** The scope that a call of a tool needs. */
  needs: string | undefined;
  /** Replaces the `iss` that it sends back; null: none. */
  iss: string | null | undefined;
  /** Whether it says that it sends `iss`. */
  sendsIssuer: boolean;
  /** The authorization server that it names, in place of its own. */
  authorizationServer: string | undefined;
  /** Called before it gives tokens. */
  onToken: () => Promise<void>;
  /** The paths of all requests but those to the tool server. */
  paths: string[];
  /** Replaces the resource in its metadata. */
  resource: string | undefined;
  /** Accepts no token that was given so far. */
  revokeAll(): void;
}

export async function startProtectedServer({
  target,
  lifetime = 3_600,
}: Options): Promise<ProtectedServer> {
  const tokens = new Map<string, string>();
  const codes = new Map<string, { challenge: string; scope: string }>();
  const refreshable = new Map<string, string>();
  let count = 0;
  const give = (scope: string) => {
    count += 1;
    const [access, refresh] = [`access-${count}`, `refresh-${count}`];
    tokens.set(access, scope);
    refreshable.set(refresh, scope);
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: "Bearer",
      expires_in: lifetime,
      scope,
    };
  };
  const exchange = (form: URLSearchParams) => {
    const type = form.get("grant_type") ?? "";
    shared.grants[type] = (shared.grants[type] ?? 0) + 1;
    if (type === "refresh_token") {
      const scope = refreshable.get(form.get("refresh_token") ?? "");
      // a token that renews is good once
      refreshable.delete(form.get("refresh_token") ?? "");
      return scope === undefined ? undefined : give(scope);
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const hash = createHash("sha256").update(form.get("code_verifier") ?? "");
    return code && hash.digest("base64url") === code.challenge
      ? give(code.scope)
      : undefined;
  };
  const http = createServer((incoming, answer) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", shared.issuer);
    const reply = (status: number, body: object, headers: Record<string, string> = {}) => {
      answer.writeHead(status, { "content-type": "application/json", ...headers });
      answer.end(JSON.stringify(body));
    };
    if (pathname !== "/mcp") shared.paths.push(pathname);
    if (pathname === "/.well-known/oauth-protected-resource/mcp")
      return reply(200, {
        resource: shared.resource ?? shared.url,
        authorization_servers: [shared.authorizationServer ?? shared.issuer],
        scopes_supported: ["read"],
      });
    if (pathname === "/.well-known/oauth-authorization-server")
      return reply(200, {
        issuer: shared.issuer,
        authorization_endpoint: `${shared.issuer}/authorize`,
        token_endpoint: `${shared.issuer}/token`,
        registration_endpoint: `${shared.issuer}/register`,
        revocation_endpoint: `${shared.issuer}/revoke`,
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: shared.sendsIssuer,
      });
    if (pathname === "/authorize") {
      count += 1;
      const code = `code-${count}`;
      const scope = searchParams.get("scope") ?? "";
      shared.asked.push(scope);
      codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", scope });
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("state", searchParams.get("state") ?? "");
      back.searchParams.set("code", code);
      const iss = shared.iss === undefined ? shared.issuer : shared.iss;
      if (iss !== null) back.searchParams.set("iss", iss);
      answer.writeHead(302, { location: back.href });
      return answer.end();
    }
    if (pathname !== "/mcp") {
      void readText(incoming).then(async (body) => {
        if (pathname === "/register") {
          shared.registrations += 1;
          return reply(201, { client_id: `client-${shared.registrations}` });
        }
        const form = new URLSearchParams(body);
        if (pathname === "/revoke") {
          shared.revoked.push(form.get("token") ?? "");
          return reply(200, {});
        }
        await shared.onToken();
        const given = exchange(form);
        return given ? reply(200, given) : reply(400, { error: "invalid_grant" });
      });
      return undefined;
    }
    const token = incoming.headers.authorization?.replace("Bearer ", "") ?? "";
    if (token !== "") shared.sent.push(token);
    const scope = tokens.get(token);
    const metadata = `resource_metadata="${shared.issuer}/.well-known/oauth-protected-resource/mcp"`;
    if (scope === undefined)
      return reply(401, {}, { "www-authenticate": `Bearer ${metadata}` });
    void readText(incoming).then((body) => {
      const isCall = body.includes('"tools/call"');
      if (isCall && shared.needs && !scope.split(" ").includes(shared.needs)) {
        const wants = `error="insufficient_scope", scope="${shared.needs}"`;
        return reply(403, {}, { "www-authenticate": `Bearer ${wants}, ${metadata}` });
      }
      if (isCall) shared.used.push(token);
      return pass(incoming, body, target, answer);
    });
    return undefined;
  });
  const shared: ProtectedServer = {
    url: "",
    issuer: "",
    used: [],
    sent: [],
    grants: {},
    revoked: [],
    asked: [],
    registrations: 0,
    needs: undefined,
    iss: undefined,
    sendsIssuer: true,
    authorizationServer: undefined,
    onToken: async () => {},
    paths: [],
    resource: undefined,
    revokeAll: () => tokens.clear(),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo; // a TCP server has a port
  shared.issuer = `http://127.0.0.1:${port}`;
  shared.url = `${shared.issuer}/mcp`;
  return shared;
}

function pass(
  { method, headers }: IncomingMessage,
  body: string,
  target: string,
  answer: import("node:http").ServerResponse,
): void {
  const { authorization: _, host: _host, ...kept } = headers;
  const onward = forward(target, { method, headers: kept }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  onward.end(body);
}
