import { type ReactNode, useId } from "react";
import { join } from "./join.ts";
import { useValidity } from "./use-validity.ts";

export const INPUT_LOOK =
  "w-full rounded-md border border-control bg-raised px-3 py-1.5 min-h-9 pointer-coarse:min-h-11 " +
  "[&[readonly]]:border-transparent [&[readonly]]:bg-sunken " +
  "text-ink text-ellipsis placeholder:text-muted aria-invalid:border-danger pointer-coarse:text-base";

export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

interface FieldProps {
  label: string;
  /** The label is only for those who hear it. */
  hidesLabel?: boolean | undefined;
  /** Explains the field; always visible. */
  hint?: ReactNode;
  /** What is wrong with the value, and what to do. */
  error?: string | undefined;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** A label, a control, and what to know about it: what is wrong is said in the app's language. */
export function Field(props: FieldProps) {
  const { label, hidesLabel, hint, className, children } = props;
  const id = useId();
  const { problem, listeners } = useValidity();
  const error = problem ?? props.error;
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={join("grid gap-1", className)} {...listeners}>
      <label htmlFor={id} className={hidesLabel ? "sr-only" : "font-medium"}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": about || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
