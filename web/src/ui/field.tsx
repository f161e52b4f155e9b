import { type ReactNode, useId, type FormEvent, useEffect, useState } from "react";
import { join } from "./join.ts";
import { useUiTexts } from "./texts.ts";
import { formatNumber } from "../texts/format.ts";

export const INPUT_LOOK =
  "w-full rounded-md border border-control bg-raised px-3 py-1.5 min-h-9 pointer-coarse:min-h-11 " +
  "hover:border-muted focus-ring " +
  "[&[readonly]]:border-transparent [&[readonly]]:bg-sunken " +
  "text-ink text-ellipsis placeholder:text-muted aria-invalid:border-danger pointer-coarse:text-base";

/** The same for a `select`. */
export const SELECT_LOOK = `${INPUT_LOOK} select-arrow pr-9`;

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

const CONTROLS = ["input", "textarea", "select"];
const INVALID = CONTROLS.map((name) => `${name}:invalid`).join();

/**
 * Why a form could not be sent because of this control, in the app's language, until its value
 * changes; and what to listen to at an element around it.
 */
function useValidity() {
  const texts = useUiTexts();
  const [refused, setRefused] = useState<Control>();
  // a value also changes from outside, such as from a file that is read
  useEffect(() => {
    if (refused?.validity.valid) setRefused(undefined);
  });
  return {
    problem: refused && !refused.validity.valid ? validityText(refused, texts) : undefined,
    listeners: {
      // `invalid` does not bubble
      onInvalidCapture(event: FormEvent) {
        if (!isControl(event.target)) return;
        event.preventDefault(); // else the browser says it too
        setRefused(event.target);
        if (event.target.form?.querySelector(INVALID) === event.target) show(event.target);
      },
      onInput: () => setRefused(undefined),
    },
  };
}

function isControl(target: EventTarget): target is Control {
  return target instanceof Element && target.matches(CONTROLS.join());
}

/** As the browser does with the first control that is invalid. */
function show(control: Control): void {
  control.closest("details")?.setAttribute("open", ""); // what is hidden takes no focus
  control.focus();
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What is wrong with the value of a control: the browser says it in its own language. */
function validityText(
  control: Control,
  { validity: texts }: ReturnType<typeof useUiTexts>,
): string {
  const { validity, type } = control;
  if (validity.customError) return control.validationMessage;
  if (validity.badInput) return type === "number" ? texts.number : texts.incomplete;
  if (validity.valueMissing) {
    const isChoice = control instanceof HTMLSelectElement || type === "file";
    return isChoice ? texts.choice : texts.missing;
  }
  if (validity.typeMismatch) return type === "email" ? texts.email : texts.address;
  if (validity.tooShort && !(control instanceof HTMLSelectElement))
    return texts.tooShort(formatNumber(control.minLength));
  if (control instanceof HTMLInputElement && type === "number") {
    const { min, max, step } = control;
    if (validity.rangeUnderflow) return texts.atLeast(formatNumber(Number(min)));
    if (validity.rangeOverflow) return texts.atMost(formatNumber(Number(max)));
    if (validity.stepMismatch)
      return Number(step || 1) === 1
        ? texts.whole
        : texts.steps(formatNumber(Number(step)));
  }
  return texts.form;
}
