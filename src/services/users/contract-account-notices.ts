import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";

/** What others did to the caller's own account, from the audit log. */

export const AccountNotice = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  action: z.string().describe("As in the audit log: user.exported, user.changed …"),
  actorName: z.string().nullable().describe("null: a user who was deleted since"),
  fields: z.array(z.string()).describe("What was changed, such as password"),
  isRead: z.boolean(),
});
export type AccountNotice = z.output<typeof AccountNotice>;

export const accountNoticesContract = {
  listNotices: route({
    method: "get",
    path: "/api/v1/auth/me/notices",
    access: "jwt",
    permission: "signed-in",
    summary: "List what administrators did to the caller's account, newest first",
    query: pageQuery,
    ok: pageOf(AccountNotice),
  }),
  readNotices: route({
    method: "post",
    path: "/api/v1/auth/me/notices/read",
    access: "session",
    permission: "signed-in",
    changes: "session",
    summary: "Mark the notices about the caller's account as read",
  }),
};
