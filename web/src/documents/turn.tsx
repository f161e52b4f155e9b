import type { LucideIcon } from "lucide-react";
import { IconButton } from "../ui/icon-button.tsx";

interface TurnProps {
  icon: LucideIcon;
  label: string;
  /** Whether there is nothing further. */
  isEnd: boolean;
  onTurn: () => void;
}

/** It keeps the focus at the end, so that Escape still closes the panel. */
export function Turn({ icon, label, isEnd, onTurn }: TurnProps) {
  return (
    <IconButton
      icon={icon}
      label={label}
      aria-disabled={isEnd}
      onClick={isEnd ? undefined : onTurn}
    />
  );
}
