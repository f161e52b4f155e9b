import { z } from "zod";
import { int8Text } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";

const Revocation = z.object({
  kind: z.enum(["session", "user", "roles"]),
  id: z.string(),
  revoked: z.boolean().describe("false: lifted, for example when a user is enabled again"),
  expiresAt: z.iso.datetime().nullable().describe("null: never expires"),
});
export type Revocation = z.output<typeof Revocation>;

export const RevocationPage = z.object({
  entries: z.array(Revocation),
  cursor: z.number().int().describe("Pass it as `after` to read the next page"),
  isComplete: z.boolean().describe("Whether this is the last page for now"),
  isRestart: z.boolean().describe("true: these entries replace all that were read before"),
});
export type RevocationPage = z.output<typeof RevocationPage>;

/** Every process reads these entries to keep its own copy of what is revoked. */
export const revocationsContract = {
  listRevocations: route({
    method: "get",
    path: "/api/v1/auth/revocations",
    access: "user-secret",
    summary:
      "Sessions, users and roles that were revoked or changed after a position, in order",
    query: z.object({
      after: int8Text().default(0),
    }),
    ok: RevocationPage,
  }),
};
