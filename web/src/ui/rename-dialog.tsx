import { FormDialog, textOf } from "./form-dialog.tsx";
import { TextField } from "./text-field.tsx";

const MAX_CHARACTERS = 300;

interface RenameDialogProps {
  title: string;
  action: string;
  label: string;
  /** The name so far. */
  name: string;
  renaming: { isPending: boolean; error: unknown };
  onRename: (name: string) => void;
  onClose: () => void;
}

/** Asks for another name of a thing. */
export function RenameDialog(props: RenameDialogProps) {
  const { title, action, label, name, renaming, onRename, onClose } = props;
  return (
    <FormDialog
      title={title}
      action={action}
      busy={renaming.isPending}
      error={renaming.error}
      onSubmit={(fields) => onRename(textOf(fields, "title"))}
      onClose={onClose}
    >
      <TextField
        label={label}
        name="title"
        defaultValue={name}
        maxLength={MAX_CHARACTERS}
        required
        autoFocus
      />
    </FormDialog>
  );
}
