import type { QueryKey } from "@tanstack/react-query";
import { Confirm } from "../ui/confirm.tsx";
import { notify } from "../ui/notices.tsx";
import { useChange } from "./use-change.ts";

interface ConfirmChangeProps<Output> {
  title: string;
  /** What will happen, and whether it can be undone. */
  text: string;
  /** The text of the button says what happens. */
  action: string;
  run: () => Promise<Output>;
  /** Beginnings of the keys of what is read again afterwards. */
  keys: readonly QueryKey[];
  /** Shown as a notice once it is done. */
  done?: string | ((output: Output) => string);
  onDone?: ((output: Output) => void) | undefined;
  onClose: () => void;
}

/**
 * Asks for confirmation, changes something, says that it is done and closes; a failure stays in the
 * dialog.
 */
export function ConfirmChange<Output>(props: ConfirmChangeProps<Output>) {
  const { title, text, action, run, keys, done, onDone, onClose } = props;
  const change = useChange({
    run,
    keys,
    onDone(output) {
      onClose();
      if (done !== undefined) notify(typeof done === "string" ? done : done(output));
      onDone?.(output);
    },
  });
  return (
    <Confirm
      title={title}
      text={text}
      action={action}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}
