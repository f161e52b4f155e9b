import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { Id, text } from "./contract-subjects.ts";

/**
 * A person's account at the flow provider. Source: requirements 3, "Other records", "Account ensure
 * rules".
 */

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
    summary: "One's account at the flow provider; with the service secret, that of `userId`",
    query: z.object({ userId: Id.optional() }),
    ok: FlowAccount,
  }),
  createFlowAccount: route({
    method: "post",
    path: "/api/v1/langflow-users",
    access: "user-secret",
    summary: "Keep a new account; a user has one",
    body: NewFlowAccount,
    status: 201,
    ok: FlowAccount,
  }),
  changeFlowAccount: route({
    method: "patch",
    path: "/api/v1/langflow-users/:userId",
    access: "user-secret",
    summary: "Change what is kept of an account",
    params: byUser,
    body: FlowAccountChange,
    ok: FlowAccount,
  }),
  deleteFlowAccount: route({
    method: "delete",
    path: "/api/v1/langflow-users/:userId",
    access: "user-secret",
    summary: "Forget an account",
    params: byUser,
  }),
};
