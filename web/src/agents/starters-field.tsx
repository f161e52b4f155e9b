import { Plus, X } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { FieldsProps } from "./agent-form.tsx";
import { useAgentTexts } from "./texts.ts";

const MAX_STARTERS = 20;

/** Questions that a conversation with the agent offers to begin with. */
export function StartersField({ fields: { starters }, change, isReadOnly }: FieldsProps) {
  const texts = useAgentTexts();
  const set = (at: number, text: string) =>
    change({ starters: starters.map((one, index) => (index === at ? text : one)) });
  return (
    <div className="grid gap-2">
      {starters.map((starter, at) => (
        // a starter is identified only by its index
        <div key={at} className="flex gap-1">
          <TextField
            label={texts.starter(at + 1)}
            hidesLabel
            className="min-w-0 flex-1"
            value={starter}
            maxLength={500}
            required
            dir="auto"
            onChange={(event) => set(at, event.target.value)}
          />
          {!isReadOnly && (
            <IconButton
              icon={X}
              label={texts.removeStarter(at + 1)}
              onClick={() =>
                change({ starters: starters.filter((_, index) => index !== at) })
              }
            />
          )}
        </div>
      ))}
      {!isReadOnly && starters.length < MAX_STARTERS && (
        <Button
          className="justify-self-start"
          onClick={() => change({ starters: [...starters, ""] })}
        >
          <Plus aria-hidden size={16} />
          {texts.addStarter}
        </Button>
      )}
    </div>
  );
}
