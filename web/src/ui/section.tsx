import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  /** Whether the open tab above it says the title already, which is then only read out. */
  isNamedAbove?: boolean;
  /** The purpose of the section, in a sentence. */
  hint?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with its heading. */
export function Section({ title, isNamedAbove, hint, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section
      {...(isNamedAbove ? { "aria-label": title } : { "aria-labelledby": id })}
      className="grid grid-cols-1 gap-3"
    >
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          {!isNamedAbove && (
            <h2 id={id} className="text-lg">
              {title}
            </h2>
          )}
          {hint && <p className="max-w-measure text-muted">{hint}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
