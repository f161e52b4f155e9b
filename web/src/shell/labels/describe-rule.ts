import type { Label } from "./queries.ts";
import type { useLabelTexts } from "./texts.ts";

/** The rule of a label in sentences. */
export function describeRule(
  { providers, openWorld, sharing }: Label,
  texts: ReturnType<typeof useLabelTexts>,
): string[] {
  const read =
    providers === null
      ? texts.providersAll
      : providers.length === 0
        ? texts.noProviders
        : texts.providers(providers.join(", "));
  const shared =
    sharing === null
      ? texts.sharingAll
      : sharing.length === 0
        ? texts.sharingNobody
        : texts.sharingGroups(sharing.length);
  return [read, texts.openWorld[openWorld], shared];
}
