import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { useChange } from "../use-change.ts";
import { fillValues } from "./account-queries.ts";
import { useConnectTexts } from "./texts.ts";

interface ValuesDialogProps {
  server: string;
  /** What the server wants of each user, and whether it is filled in. */
  values: readonly { name: string; isSet: boolean }[];
  /** Of an administrator, with whose values the list of tools is read. */
  forAll?: boolean;
  onClose: () => void;
}

/** What a tool server wants of the user in its headers. What was filled in is not shown. */
export function ValuesDialog({ server, values, forAll, onClose }: ValuesDialogProps) {
  const texts = useConnectTexts();
  const fill = useChange({
    run: (filled: Record<string, string>) => fillValues(server, filled, forAll),
    keys: [["tool-servers"]],
    onDone() {
      onClose();
      notify(texts.valuesSaved(server));
    },
  });
  return (
    <FormDialog
      title={texts.valuesTitle(server)}
      action={texts.valuesSave}
      busy={fill.isPending}
      error={fill.error}
      onSubmit={(fields) => fill.mutate(readValues(fields, values))}
      onClose={onClose}
    >
      <p className="text-muted">{texts.valuesHint}</p>
      {values.map(({ name, isSet }) => (
        <PasswordField
          key={name}
          label={name}
          hint={isSet ? texts.valueIsSet : undefined}
          name={name}
          maxLength={4_000}
          autoComplete="off"
          required={!isSet}
        />
      ))}
    </FormDialog>
  );
}

/** What is left empty stays as it was. */
function readValues(fields: FormData, values: ValuesDialogProps["values"]) {
  const filled = values
    .map(({ name }) => [name, textOf(fields, name)] as const)
    .filter(([, value]) => value !== "");
  return Object.fromEntries(filled);
}
