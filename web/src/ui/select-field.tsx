import type { ComponentProps, ReactNode } from "react";
import { Field, SELECT_LOOK } from "./field.tsx";

export interface SelectFieldProps extends Omit<ComponentProps<"select">, "id"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A choice among a few options: the browser's own control, which phones show best. */
export function SelectField({
  label,
  hint,
  error,
  className,
  ...select
}: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className ?? ""}>
      {(control) => <select {...control} {...select} className={SELECT_LOOK} />}
    </Field>
  );
}
