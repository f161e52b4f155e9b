import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { effectOf, ownRules, type Rule, withEffect } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";
import { isRecord } from "../../api/is-record.ts";

interface ConditionFieldProps {
  name: string;
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
}

/** The conditions of a rule: the requests to which it applies, as JSON. */
export function ConditionField({ name, rules, onChange }: ConditionFieldProps) {
  const texts = useRoleTexts();
  const conditions = ownRules(rules, name)[0]?.conditions;
  const [text, setText] = useState(() => (conditions ? JSON.stringify(conditions) : ""));
  const [isOpen, setOpen] = useState(conditions !== undefined);
  if (!isOpen) {
    return (
      <Button
        look="quiet"
        className="justify-self-start text-xs text-muted"
        aria-label={`${texts.addCondition}: ${name}`}
        onClick={() => setOpen(true)}
      >
        {texts.addCondition}
      </Button>
    );
  }
  const parsed = parse(text);
  const change = (next: string) => {
    setText(next);
    const read = parse(next);
    if (read !== "invalid") onChange(withEffect(rules, name, effectOf(rules, name), read));
  };
  return (
    <TextArea
      label={texts.condition}
      hint={texts.conditionHint}
      error={parsed === "invalid" ? texts.conditionInvalid : undefined}
      isCode
      rows={2}
      value={text}
      maxLength={20_000}
      // an invalid condition keeps the form from being sent
      ref={(area) =>
        area?.setCustomValidity(parsed === "invalid" ? texts.conditionInvalid : "")
      }
      onChange={({ target }) => change(target.value)}
    />
  );
}

function parse(text: string): Rule["conditions"] | "invalid" {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as NonNullable<Rule["conditions"]>) : "invalid"; // the server checks it
  } catch {
    return "invalid";
  }
}
