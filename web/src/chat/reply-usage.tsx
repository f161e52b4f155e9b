import { useModels } from "../shell/use-models.ts";
import { formatNumber } from "../texts/format.ts";
import { formatCost } from "../texts/format-price.ts";
import { join } from "../ui/join.ts";
import type { ThreadMessage } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

interface ReplyUsageProps {
  message: Pick<ThreadMessage, "usage" | "model" | "answeredBy">;
  /** Whether it is shown also without the pointer over the answer. */
  isVisible: boolean;
}

/**
 * What an answer used, and what that costs at the prices of its model, which those know who may use
 * it; the parts in the tooltip.
 */
export function ReplyUsage({ message, isVisible }: ReplyUsageProps) {
  const texts = useChatTexts();
  const { usage, model, answeredBy } = message;
  const answered = answeredBy?.model ?? model;
  const pricing = useModels()?.find(({ id }) => id === answered)?.pricing;
  if (!usage) return null;
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
  const { cacheWriteInputTokens = 0 } = usage;
  const total = inputTokens + outputTokens;
  if (total === 0) return null;
  const parts = [
    texts.askedTokens(formatNumber(inputTokens)),
    cachedInputTokens > 0 && texts.cachedTokens(formatNumber(cachedInputTokens)),
    cacheWriteInputTokens > 0 &&
      texts.cacheWriteTokens(formatNumber(cacheWriteInputTokens)),
    texts.answeredTokens(formatNumber(outputTokens)),
    pricing && texts.atPrices,
  ];
  const cost = pricing && formatCost(usage, pricing);
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
      {cost && ` · ${texts.about(cost)}`}
    </span>
  );
}
