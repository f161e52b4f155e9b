import type { ComponentProps, ReactNode } from "react";
import { Field, INPUT_LOOK } from "./field.tsx";

export interface TextFieldProps extends Omit<ComponentProps<"input">, "id"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** One line of text with its label. */
export function TextField({ label, hint, error, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className ?? ""}>
      {(control) => <input {...control} {...input} className={INPUT_LOOK} />}
    </Field>
  );
}
