import { z } from "zod";
import { Branding } from "./contract-branding.ts";
import { route } from "../../platform/http/route.ts";

const AppInfo = z.object({
  name: z.string(),
  branding: Branding,
  version: z.string(),
  setup: z
    .boolean()
    .describe(
      "Whether the first administrator still has the password printed at the start",
    ),
  signedIn: z
    .boolean()
    .describe("Whether the request has the cookie of a session, which may have ended"),
  signUp: z.boolean().describe("Whether anybody may create an account"),
  providers: z
    .array(z.object({ name: z.string(), displayName: z.string(), url: z.string() }))
    .describe("Identity providers to sign in with; `url` starts the sign-in"),
  features: z
    .object({
      documents: z.boolean(),
      retrieval: z.boolean(),
      flows: z.boolean(),
      automations: z.boolean(),
    })
    .describe("What this installation runs"),
  limits: z.object({
    uploadBytes: z.number().int(),
    messageCharacters: z.number().int(),
    messageFiles: z.number().int(),
    passwordCharacters: z.number().int().describe("Length of the shortest password"),
  }),
});
export type AppInfo = z.output<typeof AppInfo>;

export const MIN_PASSWORD_CHARACTERS = 12;

/** Routes that a page needs before anyone has signed in. */
export const appContract = {
  app: route({
    method: "get",
    path: "/api/v1/app",
    access: "public",
    summary: "Read what this installation offers, for the first page",
    ok: AppInfo,
  }),
  setUp: route({
    method: "post",
    path: "/api/v1/auth/setup",
    access: "public",
    changes: "none",
    summary: "Replace the printed password of the first administrator, once",
    description:
      "`code` is the password that the first start printed. Answers with the email to sign in with. " +
      "409 `already_set_up` when the administrator has another password.",
    body: z.object({
      code: z.string().min(1).max(1_000),
      password: z.string().min(MIN_PASSWORD_CHARACTERS).max(1_000),
      email: z
        .email()
        .max(320)
        .transform((email) => email.toLowerCase())
        .optional(),
      name: z.string().trim().min(1).max(200).optional(),
    }),
    ok: z.object({ email: z.string() }),
  }),
};
