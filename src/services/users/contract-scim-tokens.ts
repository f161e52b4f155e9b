import { z } from "zod";
import { storableTime } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";

/** The tokens by which an organisation's identity provider manages users and groups. */

const ScimToken = z.object({
  id: z.uuid(),
  name: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string().describe("The id of the administrator who made it"),
  createdByName: z.string().nullable().describe("null once the account is deleted"),
  counts: z
    .boolean()
    .describe(
      "false while who made it may not do all that the role `admin` permits: it is refused then",
    ),
});

export const scimTokensContract = {
  listScimTokens: route({
    method: "get",
    path: "/api/v1/scim-tokens",
    access: "admin",
    permission: "user:administer",
    summary: "List the SCIM tokens of the caller's organisation, newest first",
    query: pageQuery,
    ok: pageOf(ScimToken).extend({
      baseUrl: z.string().describe("The address that the identity provider asks for"),
    }),
  }),
  createScimToken: route({
    method: "post",
    path: "/api/v1/scim-tokens",
    access: "admin",
    permission: "user:administer",
    changes: "user",
    summary: "Create a SCIM token; only this response contains it",
    description:
      "Whoever has the token may create, change, disable and delete every user of the " +
      "organisation, and put users into groups that give roles. So only administrators who may " +
      "do all that the role `admin` permits make one, and prove who they are.",
    body: z.object({
      name: z.string().trim().min(1).max(200),
      expiresAt: storableTime().optional(),
    }),
    status: 201,
    ok: ScimToken.extend({ token: z.string() }),
  }),
  revokeScimToken: route({
    method: "delete",
    path: "/api/v1/scim-tokens/:id",
    access: "admin",
    permission: "user:administer",
    changes: "user",
    summary:
      "Revoke a SCIM token: its identity provider is refused from the next request on",
    params: z.object({ id: z.uuid() }),
  }),
  verifyScimToken: route({
    method: "post",
    path: "/api/v1/scim-tokens/verify",
    access: "user-secret",
    changes: "none",
    summary: "Read the organisation of a SCIM token",
    body: z.object({ token: z.string().max(200) }),
    ok: z.object({ tokenId: z.uuid(), clientId: z.string() }),
  }),
};
