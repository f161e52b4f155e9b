import type { ComponentProps, ReactNode } from "react";
import { Field, INPUT_LOOK } from "./field.tsx";
import { join } from "./join.ts";

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "id"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Text that machines read. */
  isCode?: boolean;
}

/** Several lines of text with their label; grows with what is written, from `rows` lines. */
export function TextArea(props: TextAreaProps) {
  const { label, hint, error, isCode, className, rows, ...area } = props;
  return (
    <Field label={label} hint={hint} error={error} className={className ?? ""}>
      {(control) => (
        <textarea
          rows={rows ?? 4}
          {...control}
          {...area}
          // else it would be as low as what is written
          style={
            rows === undefined ? undefined : { minHeight: `calc(${rows} * 1lh + 1rem)` }
          }
          className={join(
            INPUT_LOOK,
            // where it grows by itself nobody needs its corner
            "field-sizing-content max-h-[60dvh] supports-[field-sizing:content]:resize-none",
            isCode && "font-mono text-xs",
          )}
        />
      )}
    </Field>
  );
}
