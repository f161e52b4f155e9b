import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";

export const MAX_USER_AGENT_CHARACTERS = 300;

export const Session = z.object({
  id: z.uuid(),
  kind: z
    .enum(["browser", "token"])
    .describe("browser: by cookie; token: by access tokens"),
  userAgent: z.string().describe("What signed in, as it names itself. May be empty"),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().describe("To the minute; for tokens, the last refresh"),
  expiresAt: z.iso.datetime().describe("When the session ends if it is not used again"),
});
export type Session = z.output<typeof Session>;

const Credentials = z.strictObject({
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(1_000),
});
const Code = z.strictObject({
  code: z.string().min(1).max(200).describe("From the sign-in at an identity provider"),
});

/** Sessions of browsers, and the list of all sessions of a user. */
export const sessionsContract = {
  startBrowserSession: route({
    method: "post",
    path: "/api/v1/auth/session",
    access: "public",
    changes: "none",
    summary: "Sign in a browser: sets the session cookie",
    description:
      "The cookie is HttpOnly, so pages never hold a token. Send `X-Parlance: 1` here and with " +
      "every later request that changes something; such requests are accepted from pages of this " +
      "server alone (403 `cross_site_refused`). A session that the browser had before ends.",
    headers: { "X-Parlance": "Any value. Forms of other sites cannot send it." },
    body: z.union([Credentials, Code]),
    status: 201,
    ok: Session,
  }),
  confirm: route({
    method: "post",
    path: "/api/v1/auth/confirm",
    access: "session",
    permission: "signed-in",
    changes: "session",
    summary: "Prove by the password that it is you, before you get at data of others",
    description:
      "For the session of this request, as a sign-in does. Without a password, sign in at the " +
      "identity provider with `fresh=true`. Wrong passwords count as at sign-in.",
    body: z.object({ password: z.string().min(1).max(1_000) }),
  }),
  exchangeCookie: route({
    method: "post",
    path: "/api/v1/auth/session/token",
    access: "user-secret",
    changes: "none",
    summary: "Exchange a session cookie for an access token, for other services",
    body: z.object({ cookie: z.string().min(1).max(200) }),
    ok: z.object({ accessToken: z.string(), expiresAt: z.iso.datetime() }),
  }),
  listSessions: route({
    method: "get",
    path: "/api/v1/auth/sessions",
    access: "session",
    permission: "signed-in",
    summary: "List the caller's open sessions, last used first",
    query: pageQuery,
    ok: pageOf(
      Session.extend({ current: z.boolean().describe("The session of this request") }),
    ),
  }),
  endOtherSessions: route({
    method: "delete",
    path: "/api/v1/auth/sessions",
    access: "session",
    permission: "signed-in",
    changes: "session",
    summary:
      "End all of the caller's sessions except this one, and what was granted to clients of MCP",
    ok: z.object({ ended: z.number().int() }),
  }),
  endOneSession: route({
    method: "delete",
    path: "/api/v1/auth/sessions/:id",
    access: "session",
    permission: "signed-in",
    changes: "session/:id",
    summary: "End one of the caller's sessions",
    params: z.object({ id: z.uuid() }),
  }),
};
