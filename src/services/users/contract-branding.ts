import { z } from "zod";
import { storableTime } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";
import { text } from "./contract-subjects.ts";

/** How the installation presents itself: its name, colour and logo, and a notice to everybody. */

export const MAX_LOGO_BYTES = 200_000;
const BASE64_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4;
const MAX_BODY_BYTES = 400_000;

const Notice = z.object({
  text: text(500).trim().min(1),
  until: storableTime()
    .nullable()
    .default(null)
    .describe("It disappears then; null: never"),
});

export const Branding = z.object({
  name: text(60).trim().min(1).nullable().describe("null: Parlance"),
  accent: z
    .string()
    .length(7)
    .regex(/^#[0-9a-f]{6}$/)
    .nullable()
    .describe(
      "The colour of buttons and links on a light page, as `#rrggbb`; null: the default",
    ),
  logo: z.string().nullable().describe("Address of the logo"),
  notice: Notice.extend({ until: z.iso.datetime().nullable() })
    .nullable()
    .describe("Shown on every page, also before the sign-in"),
});
export type Branding = z.output<typeof Branding>;

const BrandingChange = z
  .strictObject({
    name: Branding.shape.name,
    accent: Branding.shape.accent,
    notice: Notice.strict().nullable(),
    logo: z
      .string()
      .min(1)
      .max(BASE64_CHARACTERS)
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, "must be base64")
      .nullable()
      .describe(`PNG, JPEG or WebP in base64, at most ${MAX_LOGO_BYTES} bytes; null: none`),
  })
  .partial();
export type BrandingChange = z.output<typeof BrandingChange>;

export const brandingContract = {
  changeBranding: route({
    method: "patch",
    path: "/api/v1/app/branding",
    access: "operator",
    permission: "branding:administer",
    changes: "app",
    summary: "Change the name, colour and logo of the installation, and its notice",
    description: "Fields that are left out stay as they are; null restores the default.",
    body: BrandingChange,
    maxBody: MAX_BODY_BYTES,
    ok: Branding,
  }),
  logo: route({
    method: "get",
    path: "/api/v1/app/logo",
    produces: ["image/png", "image/jpeg", "image/webp"],
    access: "public",
    summary: "Read the logo of the installation",
  }),
};
