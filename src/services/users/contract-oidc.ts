import { z } from "zod";
import { limitKeys } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Tokens } from "./contract-tokens.ts";

/**
 * Sign-in at an organisation's own identity provider. Source: design "Identity"; OpenID Connect
 * Core 1.0, authorization code flow with PKCE.
 */

const byProvider = z.object({ provider: z.string().max(64) });

export const oidcContract = {
  listProviders: route({
    method: "get",
    path: "/api/v1/auth/oidc",
    access: "public",
    summary: "Identity providers that one may sign in with",
    query: pageQuery,
    ok: pageOf(
      z.object({
        name: z.string(),
        displayName: z.string(),
        url: z.string().describe("Where the sign-in begins"),
      }),
    ),
  }),
  startSignIn: route({
    method: "get",
    path: "/api/v1/auth/oidc/:provider",
    access: "public",
    summary: "Begin to sign in: redirects to the identity provider",
    description:
      "With `returnTo`, a path of this server, the browser comes back there with `#code=…` for the exchange, or `#error=…`.",
    params: byProvider,
    query: z.object({ returnTo: z.string().max(2_000).optional() }),
    status: 302,
  }),
  finishSignIn: route({
    method: "get",
    path: "/api/v1/auth/oidc/:provider/callback",
    access: "public",
    summary: "Where the identity provider sends the browser back to",
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
  exchange: route({
    method: "post",
    path: "/api/v1/auth/oidc/exchange",
    access: "public",
    summary: "Tokens for the code that came with the way back; it works once, for a minute",
    body: z.object({ code: z.string().min(1).max(200) }),
    ok: Tokens,
  }),
};
