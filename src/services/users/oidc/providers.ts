import * as oidc from "openid-client";
import { z } from "zod";
import { BadGateway, NotFound } from "../../../platform/http/errors.ts";
import { jsonLimit, watched } from "../../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";

export const OidcProvider = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, "lower-case letters, digits and dashes"),
  displayName: z.string().min(1).max(100).optional(),
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional().meta({ secret: true }),
  scopes: z.array(z.string()).default(["openid", "email", "profile"]),
  /** Whoever the provider knows may use Parlance; otherwise only users that exist. */
  signUp: z.boolean().default(true),
  /** Only emails of these domains. */
  emailDomains: z.array(z.string().toLowerCase()).optional(),
  /** For providers that verify every email and do not say so (`email_verified`). */
  trustEmail: z.boolean().default(false),
  groupsClaim: z.string().default("groups"),
  /** Members of these groups are administrators, others are not; absent: roles are kept here. */
  adminGroups: z.array(z.string()).optional(),
});
export type OidcProvider = z.output<typeof OidcProvider>;

export const OidcProviders = z
  .array(OidcProvider)
  .max(50)
  .refine(
    (providers) => new Set(providers.map(({ name }) => name)).size === providers.length,
    "two providers have one name",
  );

/** A provider with what its discovery document says. */
export interface DiscoveredProvider {
  settings: OidcProvider;
  discovered: oidc.Configuration;
}

const TIMEOUT_SECONDS = 10;
const KEPT_MS = 3_600_000;

/** Metadata, keys and claims are far smaller. */
const MAX_ANSWER_BYTES = 1024 * 1024;

function bounded(response: Response): Response {
  const refuse = () => new BadGateway("oidc_answer_invalid", "The provider's answer is too large.");
  return watched(response, jsonLimit(MAX_ANSWER_BYTES, refuse));
}

/** The configured providers; each is discovered when it is first needed, and again each hour. */
export function createProviders(settings: readonly OidcProvider[], outgoing: Outgoing) {
  const known = new Map<string, { at: number; found: Promise<oidc.Configuration> }>();

  const discover = (provider: OidcProvider) => {
    const before = known.get(provider.name);
    if (before && performance.now() - before.at < KEPT_MS) return before.found;
    const found = oidc.discovery(
      new URL(provider.issuer),
      provider.clientId,
      provider.clientSecret,
      undefined,
      {
        timeout: TIMEOUT_SECONDS,
        // the library hands over the same as to `fetch`, with a narrower type
        [oidc.customFetch]: async (url, options) =>
          bounded(await outgoing.fetch(url, options as RequestInit)),
        // without the first the signature of an ID token is not looked at: TLS is held to be enough
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(provider.issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );
    known.set(provider.name, { at: performance.now(), found });
    found.catch(() => known.delete(provider.name));
    return found;
  };

  return {
    all: settings,
    /** @throws NotFound `oidc_provider_unknown`, BadGateway `oidc_provider_unreachable`. */
    async find(name: string): Promise<DiscoveredProvider> {
      const provider = settings.find((one) => one.name === name);
      if (!provider)
        throw new NotFound(
          "oidc_provider_unknown",
          `There is no identity provider "${name}". GET /api/v1/auth/oidc lists them.`,
        );
      try {
        return { settings: provider, discovered: await discover(provider) };
      } catch (error) {
        throw new BadGateway(
          "oidc_provider_unreachable",
          `The identity provider "${name}" does not answer as one. Try again, or ask your administrator to check its issuer address.`,
          { cause: error },
        );
      }
    },
  };
}
export type Providers = ReturnType<typeof createProviders>;
