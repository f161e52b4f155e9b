import { Link } from "@tanstack/react-router";
import { CircleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { toFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "./button.tsx";
import { join } from "./join.ts";
import { useUiTexts } from "./texts.ts";

interface EmptyProps {
  icon?: LucideIcon;
  /** Draws what will be there: rows of a list, or cards. */
  picture?: "rows" | "cards";
  title: string;
  children?: ReactNode;
  /** The one thing to do next. */
  action?: ReactNode;
}

/** An empty list: explains its purpose and offers one action. */
export function Empty({ icon: Icon, picture, title, children, action }: EmptyProps) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-14 text-center">
      {Icon && picture && <Picture icon={Icon} of={picture} />}
      {Icon && !picture && (
        <span
          aria-hidden
          className="mb-2 grid size-14 place-items-center rounded-2xl bg-accent-soft text-accent"
        >
          <Icon size={26} />
        </span>
      )}
      <h2 className="text-xl">{title}</h2>
      {children && <div className="text-muted text-pretty">{children}</div>}
      {action && <div className="pt-2">{action}</div>}
    </div>
  );
}

/** Three things as they will look, the middle one with its icon. */
function Picture({ icon: Icon, of }: { icon: LucideIcon; of: "rows" | "cards" }) {
  const isRows = of === "rows";
  return (
    <div
      aria-hidden
      className={join(
        "mb-4 grid w-full gap-2",
        isRows ? "max-w-72" : "max-w-96 grid-cols-3 items-center",
      )}
    >
      {[false, true, false].map((isMiddle, at) => (
        <div
          key={at}
          className={join(
            "flex gap-3 rounded-lg border border-hairline bg-raised p-2.5",
            isRows ? "items-center" : "flex-col p-3",
            isMiddle ? "shadow-2" : "opacity-45",
            isMiddle && isRows && "-mx-4",
          )}
        >
          <span
            className={join(
              "grid size-8 shrink-0 place-items-center rounded-md",
              isMiddle ? "bg-accent-soft text-accent" : "bg-sunken",
            )}
          >
            {isMiddle && <Icon size={18} />}
          </span>
          <span className="grid flex-1 gap-1.5">
            <span className={join("h-2 rounded bg-pressed", WIDTHS[at])} />
            <span className={join("h-1.5 rounded bg-sunken", WIDTHS[2 - at])} />
          </span>
        </div>
      ))}
    </div>
  );
}

const WIDTHS = ["w-2/5", "w-3/5", "w-4/5"];

/** What went wrong, a way to try again, and the request id for the administrator. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useUiTexts();
  const failure = toFailure(error);
  const text = useErrorText(failure);
  return (
    <div
      role="alert"
      className={
        "grid justify-items-start gap-2 rounded-r-md border-l-3 border-danger bg-danger-soft p-4"
      }
    >
      <p className="flex gap-2">
        <CircleAlert aria-hidden size={18} className="mt-px shrink-0 text-danger" />
        <span className="min-w-0 wrap-anywhere">{text}</span>
      </p>
      {failure.requestId && failure.status >= 500 && (
        <p className="text-xs text-muted">{texts.requestId(failure.requestId)}</p>
      )}
      {onRetry && ![403, 404].includes(failure.status) && (
        <Button onClick={onRetry}>{texts.retry}</Button>
      )}
    </div>
  );
}

interface AbsentProps {
  error: unknown;
  onRetry: () => void;
  icon?: LucideIcon;
  /** That it does not exist, and why that may be. */
  title: string;
  hint: string;
  /** The way on. */
  link: { to: string; label: string };
}

/** In place of one thing: that it does not exist, or else why it cannot be shown. */
export function Absent({ error, onRetry, icon, title, hint, link }: AbsentProps) {
  // an address that cannot be one of a thing is 400
  if (![400, 404].includes(toFailure(error).status))
    return (
      <div className="mx-auto w-full max-w-measure p-4 pt-16">
        <Problem error={error} onRetry={onRetry} />
      </div>
    );
  return (
    <Empty
      {...(icon && { icon })}
      title={title}
      action={
        <Link to={link.to} className="font-medium text-accent underline">
          {link.label}
        </Link>
      }
    >
      {hint}
    </Empty>
  );
}
