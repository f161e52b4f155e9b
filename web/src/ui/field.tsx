import { type ReactNode, useId } from "react";
import { join } from "./join.ts";

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
  /** Explains the field; always visible. */
  hint?: ReactNode;
  /** What is wrong with the value, and what to do. */
  error?: string | undefined;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** A label, a control, and what to know about it. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={join("grid gap-1", className)}>
      <label htmlFor={id} className="font-medium">
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
