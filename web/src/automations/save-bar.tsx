import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { useAutomationTexts } from "./texts.ts";

interface SaveBarProps {
  isChanged: boolean;
  busy: boolean;
  error: unknown;
  onDiscard: () => void;
}

/** Saves a form, or discards its changes. */
export function SaveBar({ isChanged, busy, error, onDiscard }: SaveBarProps) {
  const texts = useAutomationTexts();
  return (
    <div className="grid grid-cols-1 gap-3">
      {error !== null && error !== undefined && <Problem error={error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" busy={busy} disabled={!isChanged}>
          {texts.save}
        </Button>
        {isChanged && (
          <>
            <Button look="quiet" onClick={onDiscard}>
              {texts.discard}
            </Button>
            <span className="text-xs text-muted">{texts.kept}</span>
          </>
        )}
      </div>
    </div>
  );
}
