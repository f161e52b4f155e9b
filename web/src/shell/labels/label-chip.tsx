import { Tag } from "lucide-react";
import type { LabelColor } from "./queries.ts";
import { useLabelTexts } from "./texts.ts";

const LOOKS: Record<LabelColor, string> = {
  plain: "bg-sunken text-muted",
  blue: "bg-accent-soft text-accent",
  green: "bg-ok-soft text-ok",
  amber: "bg-warn-soft text-warn",
  red: "bg-danger-soft text-danger",
  violet: "tint-6",
};

interface Named {
  id: string;
  name: string;
  color: LabelColor;
}

/** A label by its name, in its colour. */
export function LabelChip({ label: { name, color } }: { label: Named }) {
  return (
    <span
      className={
        "inline-flex max-w-48 items-center gap-1 rounded-sm px-1.75 text-xs leading-5 " +
        `font-medium ${LOOKS[color]}`
      }
    >
      <Tag aria-hidden size={12} className="shrink-0" />
      <bdi className="truncate">{name}</bdi>
    </span>
  );
}

/** What a reply carries on. */
export function ReplyLabels({ labels }: { labels: readonly Named[] }) {
  const texts = useLabelTexts();
  const names = labels.map(({ name }) => name).join(", ");
  return (
    <ul
      aria-label={texts.carries(names)}
      title={texts.carries(names)}
      className="flex flex-wrap gap-1"
    >
      {labels.map((label) => (
        <li key={label.id}>
          <LabelChip label={label} />
        </li>
      ))}
    </ul>
  );
}

/** Why a call waits though its tool was allowed. */
export function AsksForLabel({ name }: { name: string }) {
  const texts = useLabelTexts();
  return <>{texts.asks(name)}</>;
}
