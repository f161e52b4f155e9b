import { BadGateway } from "../../../platform/http/errors.ts";
import { askJson, MAX_ADDRESS, textIn, textsIn } from "./ask-json.ts";
import type { Challenge } from "./challenge.ts";
import { type Asking, checkEncrypted } from "./reach.ts";

// Source: RFC 9728 (protected resource metadata), RFC 8414 and OpenID Connect Discovery 1.0
// (metadata of the authorization server), Model Context Protocol, authorization.

/** A tool server as what it protects. */
export interface Resource {
  /** Its identifier, for which tokens are asked. */
  resource: string;
  issuer: string;
  scopes: string[] | undefined;
}

/** Who signs users in for a tool server. */
export interface AuthorizationServer {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  registrationEndpoint?: string | undefined;
  revocationEndpoint?: string | undefined;
  scopes: string[] | undefined;
  /** How clients may prove who they are; undefined where it does not say. */
  authMethods: string[] | undefined;
  takesMetadataDocuments: boolean;
  /** Whether its answers name it (RFC 9207). */
  sendsIssuer: boolean;
}

/**
 * Reads who signs users in for a server. One of 2025-03-26 has no such metadata: it does that
 * itself, at its own origin.
 * @throws BadGateway `tool_sign_in_mismatch` for the metadata of another resource.
 */
export async function discoverResource(
  asking: Asking,
  { resourceMetadata }: Challenge,
): Promise<Resource> {
  const { serverUrl } = asking;
  const found = await findResource(asking, resourceMetadata);
  if (!found) {
    const { origin } = new URL(serverUrl);
    return { resource: withoutHash(serverUrl), issuer: origin, scopes: undefined };
  }
  const resource = textIn(found, "resource", MAX_ADDRESS) ?? serverUrl;
  if (!covers(resource, serverUrl)) throw mismatch(serverUrl, resource);
  const [issuer] = textsIn(found, "authorization_servers") ?? [];
  return {
    resource,
    issuer: issuer ?? new URL(serverUrl).origin,
    scopes: textsIn(found, "scopes_supported"),
  };
}

/** Whether a server says at the usual places who signs its users in. */
export async function hasResourceMetadata(asking: Asking): Promise<boolean> {
  return (await findResource(asking, undefined)) !== undefined;
}

async function findResource(
  asking: Asking,
  named: string | undefined,
): Promise<Record<string, unknown> | undefined> {
  const { origin, pathname, search } = new URL(asking.serverUrl);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const places = named ? [named] : [`${wellKnown}${path}${search}`, wellKnown];
  for (const place of new Set(places)) {
    if (!URL.canParse(place)) continue;
    const { status, body } = await askJson(asking, place, JSON_ONLY);
    if (status === 200 && (body["resource"] || body["authorization_servers"])) return body;
  }
  return undefined;
}

const JSON_ONLY = { headers: { accept: "application/json" } };

/** Whether a resource is that of the address: its own, or one above it at the same origin. */
function covers(resource: string, serverUrl: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [wide, narrow] = [new URL(resource), new URL(serverUrl)];
  if (wide.origin !== narrow.origin) return false;
  const above = wide.pathname.endsWith("/") ? wide.pathname : `${wide.pathname}/`;
  const path = narrow.pathname.endsWith("/") ? narrow.pathname : `${narrow.pathname}/`;
  return path.startsWith(above);
}

function withoutHash(url: string): string {
  const plain = new URL(url);
  plain.hash = "";
  return plain.href;
}

/**
 * Reads the metadata of an authorization server, at the places and in the order that the protocol
 * names.
 * @throws BadGateway `tool_sign_in_mismatch`, `tool_sign_in_unknown`, `tool_sign_in_without_pkce`,
 * `tool_sign_in_unencrypted`.
 */
export async function discoverAuthorizationServer(
  asking: Asking,
  issuer: string,
): Promise<AuthorizationServer> {
  const { serverUrl } = asking;
  for (const place of metadataPlaces(issuer)) {
    const { status, body } = await askJson(asking, place, JSON_ONLY);
    if (status !== 200 || textIn(body, "token_endpoint", MAX_ADDRESS) === undefined)
      continue;
    const server = toAuthorizationServer(issuer, body);
    checkEndpoints(server, serverUrl);
    return server;
  }
  // 2025-03-26: a server without metadata has these
  if (withoutSlash(issuer) !== new URL(serverUrl).origin) throw withoutMetadata(issuer);
  const server = toDefault(issuer);
  checkEndpoints(server, serverUrl);
  return server;
}

function metadataPlaces(issuer: string): string[] {
  if (!URL.canParse(issuer)) throw withoutMetadata(issuer);
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  return path === ""
    ? places
    : [...places, `${origin}${path}/.well-known/openid-configuration`];
}

function toAuthorizationServer(
  issuer: string,
  body: Record<string, unknown>,
): AuthorizationServer {
  // RFC 8414, section 3.3: identical; but some write an origin with a slash at one place
  const named = textIn(body, "issuer", MAX_ADDRESS);
  if (named === undefined || withoutSlash(named) !== withoutSlash(issuer))
    throw mismatch(issuer, named ?? "");
  const methods = textsIn(body, "code_challenge_methods_supported");
  if (!methods?.includes("S256")) throw withoutPkce(issuer);
  return {
    issuer: named,
    authorizationEndpoint: textIn(body, "authorization_endpoint", MAX_ADDRESS) ?? "",
    tokenEndpoint: textIn(body, "token_endpoint", MAX_ADDRESS) ?? "",
    registrationEndpoint: textIn(body, "registration_endpoint", MAX_ADDRESS),
    revocationEndpoint: textIn(body, "revocation_endpoint", MAX_ADDRESS),
    scopes: textsIn(body, "scopes_supported"),
    authMethods: textsIn(body, "token_endpoint_auth_methods_supported"),
    takesMetadataDocuments: body["client_id_metadata_document_supported"] === true,
    sendsIssuer: body["authorization_response_iss_parameter_supported"] === true,
  };
}

function withoutSlash(issuer: string): string {
  const isOrigin = URL.canParse(issuer) && issuer === `${new URL(issuer).origin}/`;
  return isOrigin ? issuer.slice(0, -1) : issuer;
}

function toDefault(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    registrationEndpoint: `${origin}/register`,
    scopes: undefined,
    authMethods: undefined,
    takesMetadataDocuments: false,
    sendsIssuer: false,
  };
}

/** @throws BadGateway `tool_sign_in_unencrypted`, also for one that the browser visits. */
function checkEndpoints(server: AuthorizationServer, serverUrl: string): void {
  const { authorizationEndpoint, tokenEndpoint } = server;
  const { registrationEndpoint, revocationEndpoint } = server;
  const optional = [registrationEndpoint, revocationEndpoint].filter(
    (one) => one !== undefined,
  );
  for (const address of [authorizationEndpoint, tokenEndpoint, ...optional])
    checkEncrypted(address, serverUrl);
}

function mismatch(expectedIs: string, foundIs: string): BadGateway {
  const [expected, found] = [expectedIs.slice(0, 300), foundIs.slice(0, 300)];
  return new BadGateway(
    "tool_sign_in_mismatch",
    `The sign-in of the tool server is not its own: ${found} stands where ${expected} must. Ask ` +
      "its operator.",
    { params: { expected, found } },
  );
}

function withoutMetadata(at: string): BadGateway {
  const host = hostOf(at);
  return new BadGateway(
    "tool_sign_in_unknown",
    `The sign-in of the tool server at ${host} says nothing about its addresses (RFC 8414). Ask ` +
      "its operator, or enter a key in the server's headers.",
    { params: { host } },
  );
}

function withoutPkce(at: string): BadGateway {
  const host = hostOf(at);
  return new BadGateway(
    "tool_sign_in_without_pkce",
    `The sign-in of the tool server at ${host} does not say that it knows PKCE (S256). Ask its ` +
      "operator, or enter a key in the server's headers.",
    { params: { host } },
  );
}

function hostOf(text: string): string {
  return URL.canParse(text) ? new URL(text).host : text.slice(0, 300);
}
