import { z } from "zod";
import { int8Text } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";

const Revocation = z.object({
  kind: z.enum(["session", "user", "roles"]),
  id: z.string(),
  revoked: z.boolean().describe("false: lifted, as when a user is enabled again"),
  expiresAt: z.iso.datetime().nullable().describe("null: holds for good"),
});
export type Revocation = z.output<typeof Revocation>;

export const RevocationPage = z.object({
  entries: z.array(Revocation),
  cursor: z.number().int().describe("Give it as `after` for what comes next"),
  isComplete: z.boolean().describe("Whether nothing newer is left to read"),
  isRestart: z.boolean().describe("Whether the entries begin anew: drop what was read before"),
});
export type RevocationPage = z.output<typeof RevocationPage>;

/** How each process keeps its copy of what was revoked. */
export const revocationsContract = {
  listRevocations: route({
    method: "get",
    path: "/api/v1/auth/revocations",
    access: "user-secret",
    summary: "Sessions, users and roles revoked or changed since a position, in order",
    query: z.object({
      after: int8Text().default(0),
    }),
    ok: RevocationPage,
  }),
};
