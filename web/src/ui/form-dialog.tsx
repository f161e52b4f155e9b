import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { Problem } from "./states.tsx";

interface FormDialogProps extends Pick<DialogProps, "title" | "size" | "onClose"> {
  /** The text of the button says what happens. */
  action: string;
  busy: boolean;
  error?: unknown;
  /** In place of the error, where something can be done about it. */
  problem?: ReactNode;
  onSubmit: (fields: FormData) => void;
  children: ReactNode;
}

/** A dialog of fields and one button. Give each field a `name`; `onSubmit` gets their values. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    size = "small",
    action,
    busy,
    error,
    problem,
    onSubmit,
    onClose,
    children,
  } = props;
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onSubmit(new FormData(event.currentTarget));
        }}
      >
        {children}
        {problem}
        {!problem && error !== null && error !== undefined && <Problem error={error} />}
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
      </form>
    </Dialog>
  );
}

/** The text of a field, without spaces around it. */
export function textOf(fields: FormData, name: string): string {
  return String(fields.get(name) ?? "").trim();
}
