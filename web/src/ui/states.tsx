import { Link } from "@tanstack/react-router";
import { CircleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { type Failure, toFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "./button.tsx";
import { join } from "./join.ts";
import { useUiTexts } from "./texts.ts";
import { useLate } from "./use-late.ts";

interface EmptyProps {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  /** The one thing to do next. */
  action?: ReactNode;
}

/** An empty list: explains its purpose and offers one action. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-14 text-center">
      {Icon && (
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

/** Grey lines while something loads, shown and announced after a moment. */
export function Loading({ lines = 4, className }: { lines?: number; className?: string }) {
  const texts = useUiTexts();
  const isLate = useLate(true);
  // screen readers announce what comes into a region that is already there
  return (
    <div role="status" className={join("animate-late grid gap-3 p-4", className)}>
      <span className="sr-only">{isLate && texts.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="h-4 animate-pulse rounded-md bg-sunken" aria-hidden />
      ))}
    </div>
  );
}

/** What went wrong, a way to try again, and the request id for the administrator. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useUiTexts();
  const failure = toFailure(error);
  const text = useProblemText(failure);
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

function useProblemText(failure: Failure): string {
  const texts = useUiTexts();
  const text = useErrorText(failure);
  const permission = failure.params["permission"];
  if (failure.status === 403 && typeof permission === "string")
    return texts.forbidden(permission);
  return text;
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
