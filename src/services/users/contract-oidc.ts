import { z } from "zod";
import { flagText, limitKeys } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Tokens } from "./contract-tokens.ts";

/**
 * Sign-in at an organisation's own identity provider: OpenID Connect Core 1.0, authorization code
 * flow with PKCE (RFC 7636).
 */

const byProvider = z.object({ provider: z.string().max(64) });

export const oidcContract = {
  listProviders: route({
    method: "get",
    path: "/api/v1/auth/oidc",
    access: "public",
    summary: "List the identity providers for signing in",
    query: pageQuery,
    ok: pageOf(
      z.object({
        name: z.string(),
        displayName: z.string(),
        url: z.string().describe("Open this to start the sign-in"),
      }),
    ),
  }),
  startSignIn: route({
    method: "get",
    path: "/api/v1/auth/oidc/:provider",
    access: "public",
    summary: "Start a sign-in: redirect to the identity provider",
    description:
      "With `returnTo`, a path of this server, the browser returns to that path with `#code=…` " +
      "for the exchange, with `#link=…` where an account with a password has the email, or with " +
      "`#error=…`.",
    params: byProvider,
    query: z.object({
      returnTo: z.string().max(2_000).optional(),
      fresh: flagText()
        .default(false)
        .describe("Have the provider ask the person to prove who they are again"),
    }),
    status: 302,
  }),
  finishSignIn: route({
    method: "get",
    path: "/api/v1/auth/oidc/:provider/callback",
    access: "public",
    summary: "Callback of the identity provider",
    params: byProvider,
    query: limitKeys(
      z.looseObject({
        state: z.string().max(200).optional(),
        code: z.string().max(4_000).optional(),
      }),
      100,
    ),
    ok: Tokens,
  }),
  endProviderSession: route({
    method: "post",
    path: "/api/v1/auth/oidc/:provider/backchannel-logout",
    access: "public",
    changes: "none",
    summary:
      "End the sessions that came from one of the identity provider, which has ended",
    description:
      "OpenID Connect Back-Channel Logout 1.0: the provider sends `logout_token` as a form.",
    params: byProvider,
    raw: true,
    failures: { 400: "It is no valid logout token of this provider for this client." },
  }),
  link: route({
    method: "post",
    path: "/api/v1/auth/oidc/link",
    access: "public",
    changes: "none",
    summary:
      "Link the account with the same email, by its password; answers the code to exchange",
    body: z.object({
      code: z
        .string()
        .min(1)
        .max(200)
        .describe("The `link` with which the browser returned"),
      password: z.string().min(1).max(1_000),
    }),
    ok: z.object({ code: z.string() }),
  }),
  exchange: route({
    method: "post",
    path: "/api/v1/auth/oidc/exchange",
    access: "public",
    changes: "none",
    summary: "Exchange the code of a sign-in for tokens; valid once, for one minute",
    body: z.object({ code: z.string().min(1).max(200) }),
    ok: Tokens,
  }),
};
