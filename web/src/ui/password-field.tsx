import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Field, INPUT_LOOK } from "./field.tsx";
import { IconButton } from "./icon-button.tsx";
import type { TextFieldProps } from "./text-field.tsx";
import { useUiTexts } from "./texts.ts";

/** A password, which can be shown while it is typed. */
export function PasswordField(props: Omit<TextFieldProps, "type">) {
  const { label, hidesLabel, hint, error, className = "", ...input } = props;
  const texts = useUiTexts();
  const [isShown, setShown] = useState(false);
  return (
    <Field
      label={label}
      hidesLabel={hidesLabel}
      hint={hint}
      error={error}
      className={className}
    >
      {(control) => (
        <div className="relative">
          <input
            {...control}
            {...input}
            type={isShown ? "text" : "password"}
            autoCapitalize="none"
            spellCheck={false}
            className={`${INPUT_LOOK} pr-11 pointer-coarse:pr-12`}
          />
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? texts.hideTyped : texts.showTyped}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0.5 my-auto"
          />
        </div>
      )}
    </Field>
  );
}
