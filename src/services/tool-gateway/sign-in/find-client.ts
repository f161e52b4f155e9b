import { createHash } from "node:crypto";
import { BadGateway } from "../../../platform/http/errors.ts";
import type { ToolServer } from "../contract.ts";
import { askJson, MAX_ADDRESS, textIn } from "./ask-json.ts";
import type { AuthorizationServer } from "./discover.ts";
import type { Asking } from "./reach.ts";
import type { RegisteredClient, SignInStore } from "./store.ts";
import { methodFor, type OAuthClient } from "./token-requests.ts";

/** Where people come back to, and what we say about ourselves. */
export interface OwnAddresses {
  publicUrl: string;
  /**
   * Each issuer has its own, so that the answer of one is never taken for that of another. Source:
   * RFC 9700, section 4.4.
   */
  at(issuer: string): ClientAddresses;
}

interface ClientAddresses {
  /** The address of our client ID metadata document. */
  metadataUrl: string;
  redirectUri: string;
}

export function ownAddresses(publicUrl: string): OwnAddresses {
  return { publicUrl, at: (issuer) => addressesOf(publicUrl, keyOf(issuer)) };
}

function addressesOf(publicUrl: string, key: string): ClientAddresses {
  return {
    metadataUrl: `${publicUrl}/mcp/oauth/client/${key}`,
    redirectUri: `${publicUrl}/connections/callback/${key}`,
  };
}

/** An issuer in an address. */
function keyOf(issuer: string): string {
  return createHash("sha256").update(issuer).digest("hex").slice(0, 32);
}

/** What we say about ourselves. Source: RFC 7591, section 2. */
function clientMetadata(publicUrl: string, redirectUri: string) {
  return {
    client_name: "Parlance",
    client_uri: publicUrl,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "web",
  };
}

/**
 * The document for the issuer of a key; without one, that of accounts that were connected before
 * issuers had their own. Source: OAuth Client ID Metadata Document.
 */
export function metadataDocument(publicUrl: string, key?: string) {
  const { metadataUrl, redirectUri } =
    key === undefined
      ? {
          metadataUrl: `${publicUrl}/mcp/oauth/client.json`,
          redirectUri: `${publicUrl}/connections/callback`,
        }
      : addressesOf(publicUrl, key);
  return {
    client_id: metadataUrl,
    ...clientMetadata(publicUrl, redirectUri),
    token_endpoint_auth_method: "none",
  };
}

interface Deps {
  asking: Asking;
  store: SignInStore;
  own: OwnAddresses;
}

/**
 * As what we are known at an authorization server: what an administrator entered, else our metadata
 * document, else by a registration, which is kept.
 * @throws BadGateway `tool_sign_in_needs_client`, `tool_sign_in_registration`.
 */
export async function findClient(
  deps: Deps,
  { name, url, oauth = {} }: Pick<ToolServer, "name" | "url" | "oauth">,
  server: AuthorizationServer,
): Promise<OAuthClient> {
  const { clientId, clientSecret, useMetadataDocument = true, issuer } = oauth;
  if (issuer !== undefined && issuer !== server.issuer) throw otherIssuer(name, issuer);
  if (clientId !== undefined) {
    const of = { server: name, url, clientId };
    const pinned = issuer ?? (await deps.store.pinIssuer(of, server.issuer));
    if (pinned !== server.issuer) throw otherIssuer(name, pinned);
    const method = methodFor(server, clientSecret !== undefined);
    return { id: clientId, ...(clientSecret && { secret: clientSecret }), method };
  }
  const { metadataUrl, redirectUri } = deps.own.at(server.issuer);
  // the document must be readable from outside, which an address without https is not
  const hasDocument = metadataUrl.startsWith("https://") && useMetadataDocument;
  if (server.takesMetadataDocuments && hasDocument)
    return { id: metadataUrl, method: "none" };
  const known = await deps.store.findClient(name, server.issuer, redirectUri);
  if (known) return known;
  if (server.registrationEndpoint === undefined) throw needsClient(name, redirectUri);
  const registered = await register(deps, server, server.registrationEndpoint);
  await deps.store.saveClient(name, server.issuer, redirectUri, registered);
  return registered.client;
}

/** Source: RFC 7591, section 3. */
async function register(
  { asking, own }: Deps,
  server: AuthorizationServer,
  endpoint: string,
): Promise<RegisteredClient> {
  const { redirectUri } = own.at(server.issuer);
  const known = ["client_secret_basic", "client_secret_post", "none"];
  const method = known.find((one) => server.authMethods?.includes(one) ?? true);
  const asked = {
    ...clientMetadata(own.publicUrl, redirectUri),
    token_endpoint_auth_method: method ?? "none",
  };
  const { status, body } = await askJson(asking, endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(asked),
  });
  const id = textIn(body, "client_id", MAX_ADDRESS);
  if (status < 200 || status >= 300 || id === undefined)
    throw notRegistered(endpoint, redirectUri);
  const secret = textIn(body, "client_secret");
  const named = textIn(body, "token_endpoint_auth_method");
  const hasSecret = secret !== undefined && named !== "none";
  const expiresAt = Number(body["client_secret_expires_at"] ?? 0);
  return {
    client: {
      id,
      ...(hasSecret && { secret }),
      method: methodFor(server, hasSecret, named),
    },
    expiresAt: expiresAt > 0 ? new Date(expiresAt * 1_000) : undefined,
  };
}

function needsClient(server: string, redirectUri: string): BadGateway {
  return new BadGateway(
    "tool_sign_in_needs_client",
    `The sign-in of "${server}" knows Parlance only once it is registered there by hand, with the ` +
      `redirect address ${redirectUri}. Enter the client ID it gives you at the tool server.`,
    { params: { server, address: redirectUri } },
  );
}

function notRegistered(endpoint: string, redirectUri: string): BadGateway {
  const { host } = new URL(endpoint);
  return new BadGateway(
    "tool_sign_in_registration",
    `The sign-in at ${host} refuses to register Parlance. Register it there by hand with the ` +
      `redirect address ${redirectUri}, and enter the client ID at the tool server.`,
    { params: { host, address: redirectUri } },
  );
}

function otherIssuer(server: string, issuer: string): BadGateway {
  return new BadGateway(
    "tool_sign_in_other_issuer",
    `"${server}" names another sign-in than ${issuer}, where its client ID is used. Ask its ` +
      "operator; an administrator enters another issuer at the tool server.",
    { params: { server, issuer } },
  );
}
