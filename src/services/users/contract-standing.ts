import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { Id } from "./contract-subjects.ts";

/** What a service asks that acts in somebody's name while he is away. Source: security 7.4 (a disabled user's sessions end). */
export const standingContract = {
  standing: route({
    method: "get",
    path: "/api/v1/users/:userId/standing",
    access: "user-secret",
    summary:
      "Whether things may still be done in a user's name, and with which roles; one of another issuer is not known here and may",
    params: z.object({ userId: Id }),
    ok: z.object({ active: z.boolean(), roles: z.array(z.string()) }),
  }),
};
