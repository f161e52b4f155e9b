import type { LucideIcon } from "lucide-react";
import { type ReactNode, useId } from "react";

interface AskCardProps {
  icon: LucideIcon;
  title: ReactNode;
  /** What it means to say yes. */
  hint: ReactNode;
  /** The buttons: what happens at the start, what is refused at the end. */
  foot: ReactNode;
  children: ReactNode;
}

/** A card in an answer that waits for a decision. */
export function AskCard({ icon: Icon, title, hint, foot, children }: AskCardProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="mt-1 overflow-hidden rounded-lg border border-hairline-strong bg-raised shadow-1"
    >
      <div className="grid gap-3 p-4">
        <header className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3">
          <span
            aria-hidden
            className="tint-2 inline-flex size-8 items-center justify-center rounded-full"
          >
            <Icon size={16} strokeWidth={1.75} />
          </span>
          <div className="min-w-0">
            <h3 id={titleId} className="text-lg wrap-anywhere">
              {title}
            </h3>
            <div className="text-sm text-muted wrap-anywhere">{hint}</div>
          </div>
        </header>
        {children}
      </div>
      <div
        className={
          "grid grid-cols-2 gap-2 border-t border-hairline bg-rail px-4 py-3 " +
          "sm:flex sm:flex-wrap sm:[&>:last-child]:ml-auto"
        }
      >
        {foot}
      </div>
    </section>
  );
}
