import { formatNumber } from "../texts/format.ts";
import { join } from "../ui/join.ts";
import type { ThreadMessage } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

interface ReplyUsageProps {
  usage: ThreadMessage["usage"];
  /** Whether it is shown also without the pointer over the answer. */
  isVisible: boolean;
}

/** What an answer used; its parts in the tooltip. */
export function ReplyUsage({ usage, isVisible }: ReplyUsageProps) {
  const texts = useChatTexts();
  if (!usage) return null;
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
  const total = inputTokens + outputTokens;
  if (total === 0) return null;
  const parts = [
    texts.askedTokens(formatNumber(inputTokens)),
    cachedInputTokens > 0 && texts.cachedTokens(formatNumber(cachedInputTokens)),
    texts.answeredTokens(formatNumber(outputTokens)),
  ];
  return (
    <span
      title={parts.filter(Boolean).join(" · ")}
      className={join(
        "ml-auto shrink-0 pl-2 text-xs text-muted tabular-nums print:hidden",
        !isVisible &&
          "opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 " +
            "pointer-coarse:opacity-100",
      )}
    >
      {texts.usedTokens(formatNumber(total))}
    </span>
  );
}
