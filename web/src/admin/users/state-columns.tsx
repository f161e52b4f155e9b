import { formatAgo, formatTime } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { useUserTexts } from "./texts.ts";

interface Listed {
  disabled: boolean;
  createdAt: string;
}

/** The columns that all lists of users have: the state, and since when the user is known. */
export function useStateColumns(since: string): Column<Listed>[] {
  const texts = useUserTexts();
  return [
    {
      key: "state",
      label: texts.state,
      cell: ({ disabled }) => (
        <Badge look={disabled ? "warn" : "ok"}>
          {disabled ? texts.disabled : texts.active}
        </Badge>
      ),
    },
    {
      key: "since",
      label: since,
      cell: ({ createdAt }) => (
        <span title={formatTime(createdAt)} className="text-muted">
          {formatAgo(createdAt)}
        </span>
      ),
    },
  ];
}
