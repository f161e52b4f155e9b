import type { ComponentProps, ReactNode } from "react";
import { Field, INPUT_LOOK } from "./field.tsx";

export interface TextFieldProps extends Omit<ComponentProps<"input">, "id"> {
  label: string;
  hidesLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
}

/** One line of text with its label. */
export function TextField(props: TextFieldProps) {
  const { label, hidesLabel, hint, error, className = "", ...input } = props;
  const about = { label, hidesLabel, hint, error, className };
  return (
    <Field {...about}>
      {(control) => <input {...control} {...input} className={INPUT_LOOK} />}
    </Field>
  );
}
