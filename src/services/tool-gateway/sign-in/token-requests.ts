import { ApiError, BadGateway } from "../../../platform/http/errors.ts";
import { askJson, textIn } from "./ask-json.ts";
import { readScopes } from "./challenge.ts";
import type { AuthorizationServer } from "./discover.ts";
import type { Asking } from "./reach.ts";

/** As what we are known at an authorization server. */
export interface OAuthClient {
  id: string;
  secret?: string;
  /** How it proves who it is. */
  method: "none" | "client_secret_basic" | "client_secret_post";
}

/** What a token is asked with, and what is needed to renew it. */
export interface TokenSource {
  client: OAuthClient;
  tokenEndpoint: string;
  revocationEndpoint?: string;
  resource: string;
  /** That an administrator entered. */
  namedIssuer?: string;
}

export interface Tokens {
  accessToken: string;
  refreshToken?: string;
  /** Seconds from now; undefined where the server does not say. */
  expiresIn?: number;
  scopes?: string[];
}

const REFUSED = "tool_sign_in_failed";

/** The authorization server refused, by a code such as `invalid_grant`. */
function refusedTokens(reason: string, host: string): BadGateway {
  return new BadGateway(
    "tool_sign_in_failed",
    `The sign-in at ${host} was refused (${reason}). Connect again, or ask its operator.`,
    { params: { host, reason } },
  );
}

/** The code by which an authorization server refused; undefined for any other failure. */
export function refusalOf(error: unknown): string | undefined {
  const isOne = error instanceof ApiError && error.code === REFUSED;
  return isOne ? String(error.params?.["reason"]) : undefined;
}

/** @throws BadGateway `tool_sign_in_failed`, and what `askJson` throws. */
export function exchangeCode(
  asking: Asking,
  source: TokenSource,
  code: { code: string; verifier: string; redirectUri: string },
): Promise<Tokens> {
  return requestTokens(asking, source, {
    grant_type: "authorization_code",
    code: code.code,
    code_verifier: code.verifier,
    redirect_uri: code.redirectUri,
  });
}

/** @throws BadGateway `tool_sign_in_failed`, and what `askJson` throws. */
export async function refreshTokens(
  asking: Asking,
  source: TokenSource,
  refreshToken: string,
): Promise<Tokens & { refreshToken: string }> {
  const tokens = await requestTokens(asking, source, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
  });
  // a server that does not rotate it leaves it out
  return { refreshToken, ...tokens };
}

/** Source: RFC 6749, sections 4.1.3, 5 and 6; RFC 8707, section 2.2. */
async function requestTokens(
  asking: Asking,
  { client, tokenEndpoint, resource }: TokenSource,
  grant: Record<string, string>,
): Promise<Tokens> {
  const { headers, fields } = proofOf(client);
  const { status, body } = await askJson(asking, tokenEndpoint, {
    method: "POST",
    headers: { ...FORM, ...headers },
    body: new URLSearchParams({ ...grant, resource, ...fields }).toString(),
  });
  const accessToken = textIn(body, "access_token");
  const type = textIn(body, "token_type") ?? "bearer";
  const isGood = status >= 200 && status < 300 && accessToken !== undefined;
  const { host } = new URL(tokenEndpoint);
  if (!isGood) throw refusedTokens(reasonIn(body, status), host);
  if (type.toLowerCase() !== "bearer") throw refusedTokens("token_type", host);
  return { accessToken, ...restOf(body) };
}

const FORM = {
  "content-type": "application/x-www-form-urlencoded",
  accept: "application/json",
};

function restOf(body: Record<string, unknown>): Omit<Tokens, "accessToken"> {
  const refreshToken = textIn(body, "refresh_token");
  // some write numbers as texts
  const expiresIn = Number(body["expires_in"] ?? Number.NaN);
  const scopes = readScopes(body["scope"]);
  return {
    ...(refreshToken && { refreshToken }),
    ...(Number.isFinite(expiresIn) && expiresIn > 0 && { expiresIn }),
    ...(scopes.length > 0 && { scopes }),
  };
}

/** A code of the protocol, never the server's own words. */
function reasonIn(body: Record<string, unknown>, status: number): string {
  const error = textIn(body, "error") ?? "";
  return /^[a-z_]{1,60}$/.test(error) ? error : `status ${status}`;
}

/** Source: RFC 6749, section 2.3.1. */
function proofOf({ id, secret = "", method }: OAuthClient) {
  if (method === "client_secret_basic") {
    const encoded = [id, secret].map((text) =>
      new URLSearchParams([["", text]]).toString(),
    );
    const pair = encoded.map((text) => text.slice(1)).join(":");
    const basic = Buffer.from(pair).toString("base64");
    // the Python SDK's servers, FastMCP among them, look for the client by this field alone
    return { headers: { authorization: `Basic ${basic}` }, fields: { client_id: id } };
  }
  const withSecret = method === "client_secret_post" && { client_secret: secret };
  return { headers: {}, fields: { client_id: id, ...withSecret } };
}

/** Ends a token at its server, as a courtesy. Source: RFC 7009. */
export async function revokeTokens(
  asking: Asking,
  { client, revocationEndpoint }: Pick<TokenSource, "client" | "revocationEndpoint">,
  token: string,
): Promise<void> {
  if (revocationEndpoint === undefined) return;
  const { headers, fields } = proofOf(client);
  const body = new URLSearchParams({ token, ...fields }).toString();
  const init = { method: "POST", headers: { ...FORM, ...headers }, body };
  await askJson(asking, revocationEndpoint, init);
}

/** How a client of this kind may prove who it is at the server. */
export function methodFor(
  { authMethods }: Pick<AuthorizationServer, "authMethods">,
  hasSecret: boolean,
  named?: string,
): OAuthClient["method"] {
  if (!hasSecret) return "none";
  // RFC 8414: client_secret_basic where nothing is said
  const known = ["client_secret_basic", "client_secret_post"] as const;
  const wanted = known.find((method) => method === named);
  const offered = known.find((method) => authMethods?.includes(method) ?? true);
  return wanted ?? offered ?? "client_secret_post";
}
