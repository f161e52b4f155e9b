import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { RoleName } from "./contract-roles.ts";
import { Id, text } from "./contract-subjects.ts";

/** How many users one request asks for. */
export const MAX_STANDINGS = 100;
/** More than the headers of a request can hold. */
const MAX_TOKEN_ROLES = 10_000;

const SeenUser = z.object({
  active: z.boolean().describe("false for unknown, disabled and deleted users"),
  clientId: z.string().nullable().describe("The tenant; null for a user who is not known"),
  email: z.string(),
  name: z.string(),
  roles: z
    .array(z.string())
    .describe(
      "Those of groups too; for users of another issuer, those of their last token",
    ),
});
export type SeenUser = z.output<typeof SeenUser>;

const Standing = SeenUser.extend({
  absent: z
    .boolean()
    .describe(
      "Whether a user of another issuer sent no token of it for EXTERNAL_USER_MAX_ABSENCE: " +
        "nothing runs for them without one",
    ),
  isOfOperator: z.boolean().describe("Whether the user's tenant runs the installation"),
});

/**
 * Known users: users of this service, and users of the organisation's own issuer from their first
 * token on.
 */
export const knownUsersContract = {
  standing: route({
    method: "get",
    path: "/api/v1/users/:userId/standing",
    access: "user-secret",
    summary: "Read who a user is, and whether a service may still act for them",
    params: z.object({ userId: Id }),
    ok: Standing,
  }),
  standings: route({
    method: "post",
    path: "/api/v1/users/standings",
    access: "user-secret",
    changes: "none",
    summary: "Read the same of many users at once, in the order of their ids",
    body: z.object({ userIds: z.array(Id).min(1).max(MAX_STANDINGS) }),
    ok: z.object({ standings: z.array(Standing) }),
  }),
  seeUser: route({
    method: "post",
    path: "/api/v1/users/seen",
    access: "user-secret",
    changes: "none",
    summary: "Record the user that a valid token of another issuer names",
    body: z.object({
      userId: Id,
      clientId: Id,
      email: text(320),
      name: text(200),
      roles: z.array(RoleName).max(MAX_TOKEN_ROLES).optional(),
    }),
    ok: SeenUser,
  }),
};
