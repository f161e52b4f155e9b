import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { toStoredFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { join } from "../ui/join.ts";
import { Progress } from "../ui/progress.tsx";
import {
  isBeingProcessed,
  type StoredDocument,
  reprocessDocument,
  useProcessing,
} from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import type { FormEvent } from "react";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { PasswordField } from "../ui/password-field.tsx";
/** The overall progress at which each step begins, from 0 to 1. */
const STEP_START = { UPLOADED: 0.02, PARSING: 0.05, PARSED: 0.5, EMBEDDING: 0.5 } as const;
const STEP_SHARE = 0.45;

/** The progress of a document, or that it failed. */
export function State({ document }: { document: StoredDocument }) {
  const texts = useDocumentTexts();
  const { status, progress, skipped } = document;
  const name = skipped ? texts.skipped : texts.statuses[status];
  if (status === "FAILED") {
    return (
      <p className="flex items-center gap-1.5 text-sm text-danger">
        <CircleAlert aria-hidden size={14} className="shrink-0" />
        {name}
      </p>
    );
  }
  const value = isBeingProcessed(document)
    ? STEP_START[status as keyof typeof STEP_START] + progress * STEP_SHARE // not PROCESSED, FAILED
    : 1;
  return (
    // what is right says nothing loud
    <div className={join("grid gap-1 text-sm", value === 1 ? "text-muted" : "text-accent")}>
      <p className="flex items-center gap-1.5">
        {value === 1 ? (
          <CircleCheck aria-hidden size={14} className="text-faint" />
        ) : (
          <CircleDashed aria-hidden size={14} />
        )}
        {name}
      </p>
      {value < 1 && <Progress label={`${document.fileName}: ${name}`} value={value} />}
    </div>
  );
}

/** Why a document failed, and the form that opens a protected one. */
export function FailureReason({ document }: { document: StoredDocument }) {
  const { status, error } = document;
  const problem = useErrorText(error && toStoredFailure(error));
  if (status !== "FAILED") return null;
  return (
    <div className="max-w-measure text-sm">
      {problem && <p className="wrap-anywhere text-danger">{problem}</p>}
      <PasswordForm document={document} />
    </div>
  );
}

const PROTECTED = ["file_encrypted", "password_required", "wrong_password"];
const MAX_CHARACTERS = 255;

/** Asks for the password of a document that failed without it, and processes it again. */
function PasswordForm({ document: { id, status, error } }: { document: StoredDocument }) {
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
      <PasswordField
        label={texts.password}
        hint={texts.passwordHint}
        name="password"
        autoComplete="off"
        maxLength={MAX_CHARACTERS}
        required
      />
      <Button type="submit">{texts.openWithPassword}</Button>
    </form>
  );
}
