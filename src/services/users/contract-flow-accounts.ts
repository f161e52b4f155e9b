import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { Id, text } from "./contract-subjects.ts";

/** A user's account at the flow provider. See docs/flows.md. */

const Secret = text(2_000).min(1);
const Fields = z.object({
  username: text(300).min(1),
  password: Secret,
  apiKey: Secret.nullable(),
});

export const FlowAccount = Fields.extend({
  userId: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type FlowAccount = z.output<typeof FlowAccount>;
export const NewFlowAccount = Fields.partial({ apiKey: true }).extend({ userId: Id });
export const FlowAccountChange = Fields.partial();

const byUser = z.object({ userId: Id });

export const accountsContract = {
  getFlowAccount: route({
    method: "get",
    path: "/api/v1/langflow-users/me",
    access: ["user-secret", "session"],
    permission: "flow:run",
    summary:
      "The caller's account at the flow provider; for services, the account of `userId`",
    failures: { 404: "The user has no account at the flow provider yet." },
    query: z.object({ userId: Id.optional() }),
    ok: FlowAccount,
  }),
  createFlowAccount: route({
    method: "post",
    path: "/api/v1/langflow-users",
    access: "user-secret",
    changes: "none",
    summary: "Store the account of a user who has none yet",
    body: NewFlowAccount,
    status: 201,
    ok: FlowAccount,
  }),
  changeFlowAccount: route({
    method: "patch",
    path: "/api/v1/langflow-users/:userId",
    access: "user-secret",
    changes: "none",
    summary: "Change a stored account",
    params: byUser,
    body: FlowAccountChange,
    ok: FlowAccount,
  }),
  deleteFlowAccount: route({
    method: "delete",
    path: "/api/v1/langflow-users/:userId",
    access: "user-secret",
    changes: "none",
    summary: "Delete a stored account",
    params: byUser,
  }),
};
