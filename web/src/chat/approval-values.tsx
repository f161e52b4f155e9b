import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { INPUT_LOOK } from "../ui/field.tsx";
import { useChatTexts } from "./texts.ts";

interface ApprovalValuesProps {
  /** As JSON. */
  text: string;
  /** The same, as the model wrote them. */
  values: Record<string, unknown>;
  isInvalid: boolean;
  onChange: (text: string) => void;
}

/** What a tool is called with: to read, and to change as JSON. */
export function ApprovalValues(props: ApprovalValuesProps) {
  const { text, values, isInvalid, onChange } = props;
  const texts = useChatTexts();
  const [isEditing, setEditing] = useState(false);
  if (isEditing)
    return (
      <textarea
        autoFocus
        aria-label={texts.showArguments}
        aria-invalid={isInvalid}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        spellCheck={false}
        className={`${INPUT_LOOK} field-sizing-content max-h-64 font-mono text-xs`}
      />
    );
  return (
    <>
      <dl
        tabIndex={0}
        aria-label={texts.showArguments}
        className="grid max-h-64 gap-2 overflow-y-auto"
      >
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted">
              <bdi>{name}</bdi>
            </dt>
            <dd dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              {typeof value === "string" ? value : JSON.stringify(value)}
            </dd>
          </div>
        ))}
      </dl>
      <Button
        look="quiet"
        className="-ml-3 justify-self-start text-accent"
        onClick={() => setEditing(true)}
      >
        {texts.changeValues}
      </Button>
    </>
  );
}
