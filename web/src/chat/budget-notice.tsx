import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ownBudgetsQuery } from "../shell/budget-queries.ts";
import { usePermission } from "../shell/queries.ts";
import { formatDate, formatNumber } from "../texts/format.ts";
import { useChatTexts } from "./texts.ts";

const MINUTE_MS = 60_000;

/**
 * Says above the composer when a budget of the writer runs low; nothing before. It asks only once
 * there is a message to send.
 */
export function BudgetNotice({ isWriting }: { isWriting: boolean }) {
  const { lowBudget: texts } = useChatTexts();
  const enabled = usePermission("usage:read") && isWriting;
  const { data } = useQuery({ ...ownBudgetsQuery, enabled, staleTime: MINUTE_MS });
  const low = data?.budgets.find(({ exceeded }) => exceeded) ?? data?.budgets.find(isLow);
  if (!low) return null;
  const percent = formatNumber(Math.min(1, low.spent / low.amount), { style: "percent" });
  const until = low.resetsAt === null ? null : formatDate(low.resetsAt);
  return (
    <p role="status" className="mx-auto w-full max-w-measure px-4 pb-1 text-xs text-warn">
      {low.exceeded ? texts.usedUp(low.name, until) : texts.low(low.name, percent, until)}{" "}
      <Link to="/usage" className="underline">
        {texts.show}
      </Link>
    </p>
  );
}

function isLow({ warn }: { warn: boolean }): boolean {
  return warn;
}
