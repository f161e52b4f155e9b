import { BadGateway } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { ToolServer } from "../contract.ts";
import { askJson, textIn } from "./ask-json.ts";
import type { AuthorizationServer } from "./discover.ts";
import type { RegisteredClient, SignInStore } from "./store.ts";
import { methodFor, type OAuthClient } from "./token-requests.ts";

/** Where people come back to, and what we say about ourselves. */
export interface OwnAddresses {
  publicUrl: string;
  /** The address of our client ID metadata document. */
  metadataUrl: string;
  redirectUri: string;
}

export function ownAddresses(publicUrl: string): OwnAddresses {
  return {
    publicUrl,
    metadataUrl: `${publicUrl}/mcp/oauth/client.json`,
    redirectUri: `${publicUrl}/connections/callback`,
  };
}

/** What we say about ourselves. Source: RFC 7591, section 2. */
export function clientMetadata({ publicUrl, redirectUri }: OwnAddresses) {
  return {
    client_name: "Parlance",
    client_uri: publicUrl,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "web",
  };
}

/** The document at `metadataUrl`. Source: OAuth Client ID Metadata Document. */
export function metadataDocument(own: OwnAddresses) {
  return {
    client_id: own.metadataUrl,
    ...clientMetadata(own),
    token_endpoint_auth_method: "none",
  };
}

interface Deps {
  outgoing: Outgoing;
  store: SignInStore;
  own: OwnAddresses;
  signal: AbortSignal;
}

/**
 * As what we are known at an authorization server: what an administrator entered, else our metadata
 * document, else by a registration, which is kept.
 * @throws BadGateway `tool_sign_in_needs_client`, `tool_sign_in_registration`.
 */
export async function findClient(
  deps: Deps,
  { name, oauth = {} }: Pick<ToolServer, "name" | "oauth">,
  server: AuthorizationServer,
): Promise<OAuthClient> {
  const { clientId, clientSecret, useMetadataDocument = true, issuer } = oauth;
  if (issuer !== undefined && issuer !== server.issuer) throw otherIssuer(name, issuer);
  if (clientId !== undefined) {
    const method = methodFor(server, clientSecret !== undefined);
    return { id: clientId, ...(clientSecret && { secret: clientSecret }), method };
  }
  const { metadataUrl, redirectUri } = deps.own;
  // the document must be readable from outside, which an address without https is not
  const hasDocument = metadataUrl.startsWith("https://") && useMetadataDocument;
  if (server.takesMetadataDocuments && hasDocument)
    return { id: metadataUrl, method: "none" };
  const known = await deps.store.findClient(name, server.issuer, redirectUri);
  if (known) return known;
  if (server.registrationEndpoint === undefined) throw needsClient(name, deps.own);
  const registered = await register(deps, server, server.registrationEndpoint);
  await deps.store.saveClient(name, server.issuer, redirectUri, registered);
  return registered.client;
}

/** Source: RFC 7591, section 3. */
async function register(
  { outgoing, own, signal }: Deps,
  server: AuthorizationServer,
  endpoint: string,
): Promise<RegisteredClient> {
  const known = ["client_secret_basic", "client_secret_post", "none"];
  const method = known.find((one) => server.authMethods?.includes(one) ?? true);
  const asked = { ...clientMetadata(own), token_endpoint_auth_method: method ?? "none" };
  const { status, body } = await askJson(
    outgoing,
    endpoint,
    {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(asked),
    },
    signal,
  );
  const id = textIn(body, "client_id");
  if (status < 200 || status >= 300 || id === undefined) throw notRegistered(endpoint, own);
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

function needsClient(server: string, { redirectUri }: OwnAddresses): BadGateway {
  return new BadGateway(
    "tool_sign_in_needs_client",
    `The sign-in of "${server}" knows Parlance only once it is registered there by hand, with the ` +
      `redirect address ${redirectUri}. Enter the client ID it gives you at the tool server.`,
    { params: { server, address: redirectUri } },
  );
}

function notRegistered(endpoint: string, { redirectUri }: OwnAddresses): BadGateway {
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
    `"${server}" names another sign-in than ${issuer}, for which its client ID was entered. Ask ` +
      "its operator, then enter it again.",
    { params: { server, issuer } },
  );
}
