import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./states.tsx";
import { useUiTexts } from "./texts.ts";

interface ConfirmProps {
  title: string;
  /** What will happen, and that it cannot be undone. */
  text: string;
  /** The text of the button says what happens. */
  action: string;
  busy?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before something that cannot be undone. */
export function Confirm({
  title,
  text,
  action,
  busy,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const texts = useUiTexts();
  return (
    <Dialog title={title} size="small" onClose={onClose}>
      <div className="grid gap-4">
        <p className="wrap-anywhere">{text}</p>
        {error !== undefined && error !== null && <Problem error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="danger" busy={busy ?? false} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
