import type { ReactNode } from "react";
import { Button } from "./button.tsx";

interface ChosenBarProps {
  /** How many are chosen. */
  label: string;
  allLabel: string;
  noneLabel: string;
  onAll: () => void;
  onNone: () => void;
  /** What can be done with them. */
  children: ReactNode;
}

/** Actions on what is chosen in a list. */
export function ChosenBar(props: ChosenBarProps) {
  const { label, allLabel, noneLabel, onAll, onNone, children } = props;
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-1.5"
    >
      <span role="status" className="flex-1 basis-24">
        {label}
      </span>
      <Button look="quiet" onClick={onAll}>
        {allLabel}
      </Button>
      <Button look="quiet" onClick={onNone}>
        {noneLabel}
      </Button>
      {children}
    </div>
  );
}
