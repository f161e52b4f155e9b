import { X } from "lucide-react";
import { IconButton } from "../ui/icon-button.tsx";

interface Chip {
  key: string;
  label: string;
  /** Shown when the pointer rests on it. */
  title?: string | undefined;
  isMuted?: boolean;
}

interface ChipsProps {
  label: string;
  chips: readonly Chip[];
  removeLabel: (name: string) => string;
  /** Absent: nothing can be removed. */
  onRemove: ((key: string) => void) | undefined;
}

/** The chosen items of a list, each with a button to remove it. */
export function Chips({ label, chips, removeLabel, onRemove }: ChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {chips.map((chip) => (
        <li
          key={chip.key}
          title={chip.title ?? chip.label}
          className={
            "flex min-h-8 max-w-full items-center gap-1 rounded-md border border-hairline " +
            "bg-raised pl-2 last:pr-0"
          }
        >
          <bdi className={chip.isMuted ? "truncate py-1 text-muted" : "truncate py-1"}>
            {chip.label}
          </bdi>
          {onRemove ? (
            <IconButton
              icon={X}
              label={removeLabel(chip.label)}
              onClick={() => onRemove(chip.key)}
            />
          ) : (
            <span className="w-2" />
          )}
        </li>
      ))}
    </ul>
  );
}
