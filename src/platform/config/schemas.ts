import { isIP } from "node:net";
import { z } from "zod";

/** Schemas for environment variables, which are all strings. */

const wholeNumber = (message: string, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.number().max(max, message));

/** A whole number of milliseconds. */
export const duration = () =>
  wholeNumber("must be a whole number of milliseconds", 2_147_483_647);

/** How many of something there may be. */
export const maximum = (defaultCount: number, max = 1_000_000) =>
  wholeNumber(`must be a whole number of at most ${max}`, max).default(defaultCount);

/** A whole number of days, as milliseconds. */
export const days = (defaultDays: number) =>
  wholeNumber("must be a whole number of days", 36_500)
    .default(defaultDays)
    .transform((count) => count * 86_400_000);

export const bytes = () =>
  wholeNumber("must be a whole number of bytes", Number.MAX_SAFE_INTEGER);

export const port = () => wholeNumber("must be a port number, 0 to 65535", 65_535);

/** An absolute URL with one of the schemes; trailing slashes are removed. */
export const url = (...schemes: string[]) =>
  z
    .url({
      protocol: new RegExp(`^(${schemes.join("|")})$`),
      error: `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    })
    .transform((value) => value.replace(/(?<!\/)\/+$/, ""));

export const httpUrl = () => url("http", "https");

export const flag = () =>
  z
    .enum(["true", "false", "1", "0", "yes", "no"], "must be true or false")
    .transform((value) => ["true", "1", "yes"].includes(value));

/** A comma-separated list. */
export const list = () =>
  z.string().transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

const MAX_PROXIES = 10;

/** How many proxies there are, or their addresses and CIDR ranges. */
export const proxies = () =>
  z.union(
    [
      z
        .string()
        .trim()
        .regex(/^\d+$/)
        .transform(Number)
        .pipe(z.number().min(1).max(MAX_PROXIES)),
      list().pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).min(1)),
    ],
    `must be the addresses or CIDR ranges of proxies, comma-separated, or their number, 1 to ${MAX_PROXIES}`,
  );

/** Origins, comma-separated: scheme, host and port of sites. */
export const origins = () =>
  list().pipe(
    z.array(
      z
        .string()
        .refine(
          isOrigin,
          "must be origins such as https://chat.example.org, without a path",
        )
        .transform((text) => new URL(text).origin),
    ),
  );

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash, username } = new URL(text);
  return /^https?:$/.test(protocol) && pathname + search + hash + username === "/";
}

/** At least 16 characters; its value never appears in a message. */
export const secret = () =>
  z.string().min(16, "must have at least 16 characters").meta({ secret: true });

/** A secret that is sent in a header. */
export const headerSecret = () =>
  secret().regex(
    /^[\x21-\x7e]*$/,
    "must have only printable ASCII characters and no spaces",
  );

/** An IP address or a host name. */
export const host = () =>
  z
    .string()
    .refine(
      (value) => isIP(value) > 0 || /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(value),
      "must be an IP address or a host name",
    );

/** A JSON text, parsed and validated by a schema. */
export const jsonOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);
