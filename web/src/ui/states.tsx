import { Link } from "@tanstack/react-router";
import { CircleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { toFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "./button.tsx";
import { firstSentence } from "./first-sentence.ts";
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
  const mayRetry = onRetry && ![403, 404].includes(failure.status);
  return (
    <ProblemCard text={text} onRetry={mayRetry ? onRetry : undefined}>
      {failure.requestId && failure.status >= 500 && texts.requestId(failure.requestId)}
    </ProblemCard>
  );
}

/** The look of a button in a card. */
export const SMALL = "min-h-7! px-2.5! text-sm pointer-coarse:min-h-11!";

interface ProblemCardProps {
  icon?: LucideIcon;
  /** What happened, and after its first sentence what that means. */
  text: string;
  /** What else is to be known. */
  children?: ReactNode;
  onRetry?: (() => void) | undefined;
  /** Beside the way to try again. */
  action?: ReactNode;
}

/** What happened, what that means, and the one next step. */
export function ProblemCard(props: ProblemCardProps) {
  const { icon: Icon = CircleAlert, text, children, onRetry, action } = props;
  const texts = useUiTexts();
  const { first, rest } = firstSentence(text);
  // the button says it
  const more = onRetry && rest === texts.tryAgain ? "" : rest;
  return (
    <div
      role="alert"
      className={
        "flex flex-wrap items-start gap-x-3 gap-y-2 rounded-r-md border-l-3 border-danger " +
        "bg-danger-soft py-3 pr-3.5 pl-4"
      }
    >
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 basis-52 wrap-anywhere">
        <p className="font-semibold">{first}</p>
        {(more || children) && (
          <p className="text-sm text-muted">
            {more} {children}
          </p>
        )}
      </div>
      {onRetry && (
        <Button onClick={onRetry} className={SMALL}>
          {texts.retry}
        </Button>
      )}
      {action}
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
