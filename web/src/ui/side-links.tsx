import { useRouterState } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { join } from "./join.ts";

interface SideLinksProps {
  /** What the links are the parts of. */
  label: string;
  /** The name of the open part, or of what it shows. */
  current: string;
  className?: string;
  children: ReactNode;
}

/**
 * Links beside what they open. Where the screen is narrow the title is a button that shows
 * the links below itself until one is chosen.
 */
export function SideLinks({ label, current, className, children }: SideLinksProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const links = useRef<HTMLElement>(null);
  const id = useId();
  const address = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => {
    // the link that was chosen goes out of sight, and with it the focus
    if (links.current?.contains(document.activeElement) && isShown(button.current))
      button.current?.focus();
    setOpen(false);
  }, [address]);
  return (
    <div className="min-w-0 md:sticky md:top-13 md:self-start">
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={({ key }) => key === "Escape" && setOpen(false)}
        className={
          "-mx-2 flex min-h-11 max-w-[calc(100%-1.75rem)] items-center gap-2 rounded-md px-2 " +
          "text-left font-serif text-2xl font-semibold hover:bg-hover md:hidden"
        }
      >
        <span className="sr-only">{label}: </span>
        <bdi className="min-w-0 truncate" title={current}>
          {current}
        </bdi>
        <ChevronDown
          aria-hidden
          size={16}
          className={join("shrink-0 text-muted", isOpen && "rotate-180")}
        />
      </button>
      <nav
        ref={links}
        id={id}
        aria-label={label}
        className={join(
          "overflow-y-auto max-md:mt-1 max-md:max-h-[65dvh] max-md:rounded-lg max-md:border " +
            "max-md:border-hairline max-md:bg-raised max-md:p-1 max-md:shadow-2 " +
            "md:max-h-[calc(100dvh-3.25rem)]",
          !isOpen && "max-md:hidden",
          className,
        )}
      >
        {children}
      </nav>
    </div>
  );
}

function isShown(element: HTMLElement | null): boolean {
  return element?.checkVisibility() ?? false;
}
