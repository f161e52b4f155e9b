import { z } from "zod";

/** Fields of configs and environment variables that several kinds of providers share. */

export const apiKey = z
  .string()
  .min(1)
  .max(4_000)
  .describe("API key")
  .meta({ secret: true });

/** An address of a provider. Every field made by it is checked before it is saved or called. */
export function address(description: string) {
  return z.url({ protocol: /^https?$/ }).describe(description);
}

export function keyVariable(provider: string) {
  return z
    .string()
    .min(1)
    .optional()
    .describe(`API key of ${provider}; makes it a provider`)
    .meta({ secret: true });
}

export function modelsVariable(provider: string) {
  return z
    .string()
    .optional()
    .describe(`Models of ${provider}, comma-separated, instead of the usual ones`);
}

export function secretVariable(description: string) {
  return z.string().optional().describe(description).meta({ secret: true });
}

export function bearer(key: string | undefined): Record<string, string> {
  return key ? { authorization: `Bearer ${key}` } : {};
}

export function withoutTrailingSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}
