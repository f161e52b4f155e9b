import { type ReactNode, useId } from "react";
import { join } from "./join.ts";

export interface CardOption<Value extends string> {
  value: Value;
  name: string;
  /** Of which language the name is, where it is not that of the app. */
  lang?: string;
  /** How the page looks with it; not read aloud, as the name says it. */
  picture?: ReactNode;
}

interface ChoiceCardsProps<Value extends string> {
  label: string;
  /** Below the label. */
  hint?: ReactNode;
  options: readonly CardOption<Value>[];
  value: Value;
  onChoose: (value: Value) => void;
}

/** One of a few looks, each with a small picture of it; by keyboard the arrows choose. */
export function ChoiceCards<Value extends string>(props: ChoiceCardsProps<Value>) {
  const { label, hint, options, value, onChoose } = props;
  const id = useId();
  return (
    <fieldset aria-describedby={hint ? `${id}-hint` : undefined} className="min-w-0">
      <legend className="font-serif text-lg font-semibold tracking-[-0.008em]">
        {label}
      </legend>
      {hint && (
        <p id={`${id}-hint`} className="text-muted">
          {hint}
        </p>
      )}
      <div className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(min(6.5rem,100%),1fr))] gap-3">
        {options.map((option) => (
          <label
            key={option.value}
            className={join(
              "flex flex-col overflow-hidden rounded-lg border border-hairline-strong",
              "cursor-pointer hover:border-control hover:shadow-2",
              "has-checked:border-accent has-checked:bg-accent-soft",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2",
              "has-focus-visible:outline-accent",
            )}
          >
            {option.picture && <span aria-hidden>{option.picture}</span>}
            <span className="flex min-h-10 items-center gap-2 px-3 pointer-coarse:min-h-11">
              <input
                type="radio"
                name={id}
                value={option.value}
                checked={option.value === value}
                onChange={() => onChoose(option.value)}
                className="outline-none"
              />
              <span lang={option.lang}>{option.name}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
