import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export interface OidcIssuer extends AsyncDisposable {
  url: string;
  /** The claims of the next ID token: `sub`, `email`… */
  claims: JWTPayload;
  /** What the userinfo endpoint adds. */
  userinfo?: Record<string, unknown> | undefined;
  /** All that the userinfo endpoint says, in place of that; null: it refuses. */
  exactUserinfo?: Record<string, unknown> | null;
  userinfoAsJwt?: boolean;
  /** Added to the discovery document. */
  discovery?: Record<string, unknown>;
  /** The ways in which it says that clients may show their secret. */
  clientAuth?: string[] | undefined;
  /** The error in the next ID token. */
  fault?: "nonce" | "audience" | "issuer" | "expired" | "foreign-key" | undefined;
  /** How the endpoint fails that a sign-in asks after its return. */
  failure?:
    | { at: "token" | "userinfo"; how: "reset" | "challenge" | "status" | "text" }
    | undefined;
  /** A message that a session has ended; the claims and the header replace those of a good one. */
  logoutToken(
    claims: JWTPayload,
    header?: object,
    key?: "own" | "foreign",
  ): Promise<string>;
  /** The requests to the token endpoint. */
  exchanges: URLSearchParams[];
}

export const CLIENT = { id: "parlance-test", secret: "planted-secret-oidc-client" };

/** An identity provider with OpenID Connect's authorization code flow that requires no password. */
export async function startOidcIssuer(path = ""): Promise<OidcIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const foreign = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const codes = new Map<string, URLSearchParams>();
  const issuer: OidcIssuer = {
    url: "",
    claims: { sub: "1", email: "ada@example.org", email_verified: true, name: "Ada" },
    exchanges: [],
    logoutToken(claims, header = {}, key = "own") {
      return new SignJWT({
        iss: issuer.url,
        aud: CLIENT.id,
        iat: Math.floor(Date.now() / 1_000),
        jti: crypto.randomUUID(),
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
        ...claims,
      })
        .setProtectedHeader({ alg: "RS256", kid: "one", typ: "logout+jwt", ...header })
        .sign(key === "own" ? privateKey : foreign.privateKey);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function idToken(nonce: string): Promise<string> {
    const { fault } = issuer;
    const now = Math.floor(Date.now() / 1000) - (fault === "expired" ? 7_200 : 0);
    return new SignJWT({ ...issuer.claims, nonce: fault === "nonce" ? "another" : nonce })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuer(fault === "issuer" ? "https://elsewhere.example" : issuer.url)
      .setAudience(fault === "audience" ? "another" : CLIENT.id)
      .setIssuedAt(now)
      .setExpirationTime(now + 300)
      .sign(fault === "foreign-key" ? foreign.privateKey : privateKey);
  }

  async function token(request: IncomingMessage): Promise<[number, object]> {
    const form = new URLSearchParams(await text(request));
    issuer.exchanges.push(form);
    const asked = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const secret = form.get("client_secret") ?? basicSecret(request);
    if (
      !asked ||
      secret !== CLIENT.secret ||
      asked.get("code_challenge") !== challenge ||
      asked.get("redirect_uri") !== form.get("redirect_uri")
    )
      return [400, { error: "invalid_grant" }];
    return [
      200,
      {
        access_token: "access",
        token_type: "Bearer",
        id_token: await idToken(asked.get("nonce") ?? ""),
      },
    ];
  }

  const server = createServer(async (request, response) => {
    const { pathname: asked, searchParams } = new URL(request.url ?? "", issuer.url);
    const base = path.replace(/\/$/, "");
    const pathname = asked.startsWith(base) ? asked.slice(base.length) : asked;
    const address = issuer.url.replace(/\/$/, "");
    const answer = (status: number, body: object) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(body));
    if (pathname === "/.well-known/openid-configuration")
      return answer(200, {
        issuer: issuer.url,
        authorization_endpoint: `${address}/authorize`,
        token_endpoint: `${address}/token`,
        userinfo_endpoint: `${address}/userinfo`,
        jwks_uri: `${address}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        token_endpoint_auth_methods_supported: issuer.clientAuth,
        id_token_signing_alg_values_supported: ["RS256"],
        ...issuer.discovery,
      });
    if (issuer.failure && pathname === `/${issuer.failure.at}`) {
      const { how } = issuer.failure;
      if (how === "reset") return request.socket.destroy();
      if (how === "text") return response.end("<html>");
      const challenge = how === "challenge" && { "www-authenticate": 'Basic realm="x"' };
      return response.writeHead(401, { ...challenge }).end("{}");
    }
    if (pathname === "/userinfo" && issuer.exactUserinfo !== undefined) {
      const said = issuer.exactUserinfo;
      if (said === null) return answer(403, { error: "insufficient_scope" });
      if (!issuer.userinfoAsJwt) return answer(200, said);
      const jwt = await new SignJWT(said)
        .setProtectedHeader({ alg: "RS256", kid: "one" })
        .setIssuer(issuer.url)
        .setAudience(CLIENT.id)
        .sign(privateKey);
      return response.writeHead(200, { "content-type": "application/jwt" }).end(jwt);
    }
    if (pathname === "/userinfo") {
      const { sub } = issuer.claims;
      const info = { email: `${sub}@example.org`, email_verified: true };
      return answer(200, { sub, ...info, ...issuer.userinfo });
    }
    if (pathname === "/jwks") return answer(200, { keys: [jwk] });
    if (pathname === "/token") return answer(...(await token(request)));
    const redirectUri = searchParams.get("redirect_uri");
    // another test may call the server that had this port before
    if (pathname !== "/authorize" || redirectUri === null)
      return answer(404, { error: "not_found" });
    const code = crypto.randomUUID();
    codes.set(code, searchParams);
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({
      code,
      state: searchParams.get("state") ?? "",
    }).toString();
    response.writeHead(302, { location: back.href }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  issuer.url = `http://127.0.0.1:${port}${path}`;
  return issuer;
}

async function text(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** Form-encoded before base64 (RFC 6749, 2.3.1). */
function basicSecret({ headers }: IncomingMessage): string | undefined {
  const encoded = (headers.authorization ?? "").slice("Basic ".length);
  const secret = Buffer.from(encoded, "base64").toString().split(":")[1];
  return secret && decodeURIComponent(secret.replaceAll("+", " "));
}
