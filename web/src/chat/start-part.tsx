import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";

interface StartPartProps {
  title: string;
  /** Where the rest is. */
  to?: string;
  more?: string;
  /** Beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of the start page, with the way to the rest of it. */
export function StartPart({ title, to, more, actions, children }: StartPartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <header className="flex min-h-8 items-center gap-2 pb-2">
        <h2 id={id} className="flex-1 font-sans text-md tracking-normal">
          {title}
        </h2>
        {to !== undefined && (
          <Link
            to={to}
            className="inline-flex min-h-6 items-center text-sm text-muted hover:text-accent pointer-coarse:min-h-11"
          >
            {more}
          </Link>
        )}
        {actions}
      </header>
      {children}
    </section>
  );
}

/** How a row of a section looks, which leads to a thing. */
export const START_ROW =
  "-mx-2 flex min-h-14 items-center gap-3 rounded-md px-2 hover:bg-hover";

interface RowTextProps {
  name: string;
  /** The second line. */
  children: ReactNode;
  /** What follows whole, in as many lines as it takes. */
  more?: string | false;
}

/** The name of a thing, a line about it, and more. */
export function RowText({ name, children, more }: RowTextProps) {
  return (
    <span className="min-w-0 flex-1">
      <bdi className="block truncate font-medium">{name}</bdi>
      <span className="block truncate text-sm text-muted">{children}</span>
      {more && (
        <span dir="auto" className="block text-sm whitespace-pre-wrap wrap-anywhere">
          {more}
        </span>
      )}
    </span>
  );
}
