import { Button } from "./button.tsx";
import { Problem } from "./states.tsx";
import { useUiTexts } from "./texts.ts";

interface SaveBarProps {
  /** The text of the button says what happens. */
  action: string;
  busy: boolean;
  error: unknown;
  hasChanges: boolean;
  onDiscard: () => void;
}

/** The end of a long form, which stays in sight: saves it, or discards what was typed. */
export function SaveBar({ action, busy, error, hasChanges, onDiscard }: SaveBarProps) {
  const texts = useUiTexts();
  return (
    // below it the page has as much room
    <div className="sticky -bottom-20 z-10 grid gap-2 border-t border-hairline bg-page py-3">
      {error !== null && <Problem error={error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" busy={busy} disabled={!hasChanges}>
          {action}
        </Button>
        {hasChanges && (
          <>
            <Button look="quiet" onClick={onDiscard}>
              {texts.discard}
            </Button>
            <span className="text-xs text-muted">{texts.unsaved}</span>
          </>
        )}
      </div>
    </div>
  );
}
