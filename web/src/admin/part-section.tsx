import { createContext, type ReactNode, use, useLayoutEffect } from "react";
import { createPortal } from "react-dom";

/** Where the buttons of the open part stand: at the right of its title. */
export const PartActions = createContext<HTMLElement | null>(null);

/** One thing of a part of administration: the page has its title, and leads back to all of them. */
export interface PartThing {
  /** Absent until it is known. */
  title: string | undefined;
  back: { to: string; label: string };
}

export const PartThingContext = createContext<(thing: PartThing | undefined) => void>(
  () => undefined,
);

/** Gives the page the title of the thing that it shows. */
export function usePartThing(title: string | undefined, to: string, label: string): void {
  const show = use(PartThingContext);
  useLayoutEffect(() => {
    show({ title, back: { to, label } });
    return () => show(undefined);
  }, [show, title, to, label]);
}

interface AtTitleProps {
  /** A menu, which a phone shows at the end of the title, too. */
  isMenu?: boolean;
  children: ReactNode;
}

/** Stands at the right of the title of the page; buttons on a phone below it. */
export function AtTitle({ isMenu, children }: AtTitleProps) {
  const place = use(PartActions);
  const shown = isMenu ? (
    <span className="max-md:absolute max-md:top-1 max-md:-right-2">{children}</span>
  ) : (
    children
  );
  return place && createPortal(shown, place);
}

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
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-3">
      {hint && <p className="max-w-measure text-muted">{hint}</p>}
      {actions && <AtTitle>{actions}</AtTitle>}
      {children}
    </section>
  );
}
