import { z } from "zod";
import { flagText } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Id, text } from "./contract-subjects.ts";
import { TransferQuery } from "./contract-user-deletion.ts";

const ExternalUser = z.object({
  userId: z.string().describe("The `sub` of the issuer's tokens"),
  email: z.string(),
  name: z.string(),
  disabled: z.boolean(),
  createdAt: z.iso.datetime().describe("When the first request came"),
});
export type ExternalUser = z.output<typeof ExternalUser>;

export const ExternalUserQuery = pageQuery.extend({
  query: text(200).optional().describe("Part of the name or email"),
  disabled: flagText().optional(),
});

/** Users of the organisation's own token issuer, known here from their first request on. */
export const externalUsersContract = {
  listExternalUsers: route({
    method: "get",
    path: "/api/v1/users/external",
    access: "admin",
    permission: "user:administer",
    summary: "List the organisation's users of another issuer",
    query: ExternalUserQuery,
    ok: pageOf(ExternalUser),
  }),
  changeExternalUser: route({
    method: "patch",
    path: "/api/v1/users/external/:userId",
    access: "admin",
    permission: "user:administer",
    changes: "user/:userId",
    summary:
      "Disable a user of another issuer: tokens, keys, grants and open streams end at once",
    params: z.object({ userId: Id }),
    body: z.object({ disabled: z.boolean() }),
    ok: ExternalUser,
  }),
  deleteExternalUser: route({
    method: "delete",
    path: "/api/v1/users/external/:userId",
    access: "admin",
    permission: "user:administer",
    changes: "user/:userId",
    summary: "Delete a user of another issuer, and delete or transfer their data",
    params: z.object({ userId: Id }),
    query: TransferQuery,
  }),
};
