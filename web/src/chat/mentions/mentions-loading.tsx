import { useListKeys } from "../use-list-keys.ts";
import { useMentionTexts } from "./texts.ts";

/** As high as whole rows: none is cut through. */
export const MENTION_BOX =
  "absolute inset-x-0 z-20 max-h-[min(21.5rem,40dvh)] overflow-y-auto rounded-lg border " +
  "border-hairline-strong bg-raised p-1 shadow-3";

/** In the place of what fits the words, until it is there. */
export function MentionsLoading() {
  const texts = useMentionTexts();
  return (
    <p aria-hidden className="flex min-h-10 items-center px-2 text-muted">
      {texts.loading} …
    </p>
  );
}

const WAIT = { Enter: () => {}, Tab: () => {} };

/** Before the code of the list is there: Enter sends no half of a name. */
export function MentionsComing() {
  useListKeys(WAIT);
  return (
    <div className={`${MENTION_BOX} bottom-full mb-1`}>
      <MentionsLoading />
    </div>
  );
}
