import { z } from "zod";

/** The result of every sign-in. */
export const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: z.iso.datetime(),
});
export type Tokens = z.output<typeof Tokens>;
