import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button.tsx";

const COPIED_MS = 2_000;

interface CopyButtonProps {
  label: string;
  /** The label for a moment after it was copied. */
  copied: string;
  copy: (button: HTMLButtonElement) => Promise<void>;
}

/** Copies something, and says for a moment that it did. */
export function CopyButton({ label, copied, copy }: CopyButtonProps) {
  const [copiedAt, setCopiedAt] = useState<number>();
  useEffect(() => {
    if (copiedAt === undefined) return;
    const timer = setTimeout(() => setCopiedAt(undefined), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  return (
    <IconButton
      icon={copiedAt === undefined ? Copy : Check}
      label={copiedAt === undefined ? label : copied}
      onClick={({ currentTarget }) => {
        void copy(currentTarget).then(() => setCopiedAt(performance.now()));
      }}
    />
  );
}
