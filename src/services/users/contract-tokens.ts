import { z } from "zod";

/** What every way to sign in ends with. Source: design "Identity". */
export const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: z.iso.datetime(),
});
export type Tokens = z.output<typeof Tokens>;
