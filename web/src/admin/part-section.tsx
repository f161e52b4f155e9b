import { createContext, type ReactNode, use } from "react";
import { createPortal } from "react-dom";

/** Where the buttons of the open part stand: at the right of its title. */
export const PartActions = createContext<HTMLElement | null>(null);

interface PartSectionProps {
  /** Read to those who cannot see that the title of the page, or the open tab, says it. */
  title: string;
  /** The purpose of the part, in a sentence. */
  hint?: ReactNode;
  /** Buttons at the right of the title of the page. */
  actions?: ReactNode;
  children: ReactNode;
}

/** What a part of administration begins with: it has the title of the page, and none of its own. */
export function PartSection({ title, hint, actions, children }: PartSectionProps) {
  const place = use(PartActions);
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-3">
      {hint && <p className="max-w-measure text-muted">{hint}</p>}
      {place && actions && createPortal(actions, place)}
      {children}
    </section>
  );
}
