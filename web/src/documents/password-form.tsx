import type { FormEvent } from "react";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/text-field.tsx";
import { reprocessDocument, type StoredDocument } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { useProcessing } from "./use-processing.ts";

const PROTECTED = ["file_encrypted", "password_required", "wrong_password"];
const MAX_CHARACTERS = 255;

/** Asks for the password of a document that failed without it, and processes it again. */
export function PasswordForm({
  document: { id, status, error },
}: {
  document: StoredDocument;
}) {
  const texts = useDocumentTexts();
  const processing = useProcessing();
  const mayUpdate = usePermission("document:update");
  if (status !== "FAILED" || !mayUpdate || !PROTECTED.includes(error?.code ?? ""))
    return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get("password");
    if (typeof password === "string")
      processing.mutate(() => reprocessDocument(id, password));
  };
  return (
    <form onSubmit={submit} className="mt-1 flex flex-wrap items-end gap-2">
      <TextField
        label={texts.password}
        hint={texts.passwordHint}
        name="password"
        type="password"
        autoComplete="off"
        maxLength={MAX_CHARACTERS}
        required
      />
      <Button type="submit">{texts.openWithPassword}</Button>
    </form>
  );
}
