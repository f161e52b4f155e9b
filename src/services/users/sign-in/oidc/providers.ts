import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import * as oidc from "openid-client";
import { z } from "zod";
import { BadGateway, NotFound } from "../../../../platform/http/errors.ts";
import { jsonLimit, watched } from "../../../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../../../platform/outgoing/outgoing.ts";

/** A misspelt field could let in whom the right one keeps out. */
export const OidcProvider = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, "lower-case letters, digits and dashes"),
  displayName: z.string().min(1).max(100).optional(),
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional().meta({ secret: true }),
  scopes: z.array(z.string()).default(["openid", "email", "profile"]),
  /**
   * The tenant of the accounts that sign in with it; `*`: accounts of any tenant, and new ones in
   * `default`.
   */
  tenant: z.string().min(1).max(200).default("default"),
  /** Whether unknown users get an account; otherwise only existing users sign in. */
  signUp: z.boolean().default(true),
  /** If set, only emails of these domains may sign in. */
  emailDomains: z.array(z.string().toLowerCase()).optional(),
  /** For providers that verify every email but do not send `email_verified`. */
  trustEmail: z.boolean().default(false),
  /** Whether a verified email links an account that is used with a password, unasked. */
  linkByEmail: z.boolean().default(false),
  groupsClaim: z.string().default("groups"),
  /** If set, exactly the members of these groups are administrators. */
  adminGroups: z.array(z.string()).optional(),
});
export type OidcProvider = z.output<typeof OidcProvider>;

export const OidcProviders = z
  .array(OidcProvider)
  .max(50)
  .refine(
    (providers) => new Set(providers.map(({ name }) => name)).size === providers.length,
    "two providers have the same name",
  );

/** A provider with its discovery document. */
export interface DiscoveredProvider {
  settings: OidcProvider;
  discovered: oidc.Configuration;
  /** Its public keys, which are asked for when they are needed. */
  keys: JWTVerifyGetKey;
}

/**
 * The way that the provider announces; none announced means basic (OpenID Connect Discovery 1.0,
 * section 3).
 */
function authenticateClient(secret: string | undefined): oidc.ClientAuth | undefined {
  if (secret === undefined) return undefined;
  const post = oidc.ClientSecretPost(secret);
  const basic = oidc.ClientSecretBasic(secret);
  return (server, ...rest) => {
    const announced = server.token_endpoint_auth_methods_supported;
    const takesPost = announced?.includes("client_secret_post") ?? false;
    return (takesPost ? post : basic)(server, ...rest);
  };
}

const TIMEOUT_SECONDS = 10;
const DISCOVERY_LIFETIME_MS = 3_600_000;

/** Far above the size of metadata, keys and claims. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

function limitResponse(response: Response): Response {
  const refuse = () =>
    new BadGateway(
      "oidc_answer_invalid",
      "The provider's response is too large. Ask your administrator to check its " +
        "issuer address.",
    );
  return watched(response, jsonLimit(MAX_RESPONSE_BYTES, refuse));
}

export function unreachable({ name }: OidcProvider, cause: unknown): BadGateway {
  return new BadGateway(
    "oidc_provider_unreachable",
    `The identity provider "${name}" sent no valid response. Try again, or ask your ` +
      "administrator to check its issuer address.",
    { params: { name }, cause },
  );
}

type Discovered = Omit<DiscoveredProvider, "settings">;

/** Asked for at most every 30 s, whatever keys are named. */
function keysOf(
  discovered: oidc.Configuration,
  ask: (url: string, options: object) => Promise<Response>,
): JWTVerifyGetKey {
  const { jwks_uri: address } = discovered.serverMetadata();
  if (address === undefined) return () => Promise.reject(new Error("it names no keys"));
  const timeoutDuration = TIMEOUT_SECONDS * 1_000;
  return createRemoteJWKSet(new URL(address), { timeoutDuration, [customFetch]: ask });
}

/** The configured providers. Each is discovered on first use and again every hour. */
export function createProviders(settings: readonly OidcProvider[], outgoing: Outgoing) {
  const discoveries = new Map<string, { at: number; found: Promise<Discovered> }>();
  // libraries pass the arguments of `fetch`, with narrower types
  const ask = async (url: string, options: object) =>
    limitResponse(await outgoing.fetch(url, options as RequestInit));

  const discover = (provider: OidcProvider) => {
    const cached = discoveries.get(provider.name);
    if (cached && performance.now() - cached.at < DISCOVERY_LIFETIME_MS)
      return cached.found;
    const configuration = oidc.discovery(
      new URL(provider.issuer),
      provider.clientId,
      provider.clientSecret,
      authenticateClient(provider.clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        [oidc.customFetch]: ask,
        // without this check the library trusts TLS and does not verify ID token signatures
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(provider.issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );
    const discovery = configuration.then((discovered) => ({
      discovered,
      keys: keysOf(discovered, ask),
    }));
    discoveries.set(provider.name, { at: performance.now(), found: discovery });
    discovery.catch(() => discoveries.delete(provider.name));
    return discovery;
  };

  return {
    all: settings,
    /** @throws NotFound `oidc_provider_unknown`, BadGateway `oidc_provider_unreachable`. */
    async find(name: string): Promise<DiscoveredProvider> {
      const provider = settings.find((candidate) => candidate.name === name);
      if (!provider)
        throw new NotFound(
          "oidc_provider_unknown",
          `There is no identity provider "${name}". GET /api/v1/auth/oidc lists the providers.`,
        );
      try {
        return { settings: provider, ...(await discover(provider)) };
      } catch (error) {
        throw unreachable(provider, error);
      }
    },
  };
}
export type Providers = ReturnType<typeof createProviders>;
