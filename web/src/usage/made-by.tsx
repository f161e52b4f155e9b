import { formatAgo, formatTime } from "../texts/format.ts";
import type { Budget } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

/** Who set a budget, and when. */
export function MadeBy({ budget }: { budget: Pick<Budget, "creatorName" | "createdAt"> }) {
  const texts = useUsageTexts();
  const { creatorName, createdAt } = budget;
  if (creatorName === null) return null;
  return (
    <p className="text-xs wrap-anywhere text-muted" title={formatTime(createdAt)}>
      {texts.setBy(creatorName, formatAgo(createdAt))}
    </p>
  );
}
