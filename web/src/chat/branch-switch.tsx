import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "../ui/icon-button.tsx";
import { useChatTexts } from "./texts.ts";
import type { ThreadMessage } from "./queries.ts";

interface BranchSwitchProps {
  message: ThreadMessage;
  onBranch: (messageId: string) => void;
}

/** Switches between the versions of a message: `‹ 2/3 ›`. */
export function BranchSwitch({ message, onBranch }: BranchSwitchProps) {
  const texts = useChatTexts();
  const { siblings, id, position, siblingCount } = message;
  if (siblingCount < 2) return null;
  const at = siblings.indexOf(id);
  const go = (step: number) => {
    const next = siblings[at + step];
    if (next) onBranch(next);
  };
  return (
    <div className="flex items-center text-xs text-muted">
      <IconButton
        icon={ChevronLeft}
        label={texts.previousVersion}
        disabled={at <= 0}
        onClick={() => go(-1)}
      />
      <span aria-label={texts.version(position + 1, siblingCount)} role="img">
        {position + 1}/{siblingCount}
      </span>
      <IconButton
        icon={ChevronRight}
        label={texts.nextVersion}
        disabled={at === siblings.length - 1}
        onClick={() => go(1)}
      />
    </div>
  );
}
