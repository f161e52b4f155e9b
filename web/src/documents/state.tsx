import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { toStoredFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Progress } from "../ui/progress.tsx";
import { isBeingProcessed, type StoredDocument } from "./queries.ts";
import { PasswordForm } from "./password-form.tsx";
import { useDocumentTexts } from "./texts.ts";

/** The overall progress at which each step begins, from 0 to 1. */
const STEP_START = { UPLOADED: 0.02, PARSING: 0.05, PARSED: 0.5, EMBEDDING: 0.5 } as const;
const STEP_SHARE = 0.45;

/** The progress of a document, or why it failed. */
export function State({ document }: { document: StoredDocument }) {
  const texts = useDocumentTexts();
  const { status, progress, skipped, error } = document;
  const problem = useErrorText(error && toStoredFailure(error));
  const name = skipped ? texts.skipped : texts.statuses[status];
  if (status === "FAILED") {
    return (
      <div className="text-xs text-danger">
        <p className="flex items-center gap-1">
          <CircleAlert aria-hidden size={14} />
          {name}
        </p>
        {problem && <p className="wrap-anywhere">{problem}</p>}
        <PasswordForm document={document} />
      </div>
    );
  }
  const value = isBeingProcessed(document)
    ? STEP_START[status as keyof typeof STEP_START] + progress * STEP_SHARE // not PROCESSED, FAILED
    : 1;
  return (
    <div className="grid gap-1 text-xs text-muted">
      <p className="flex items-center gap-1">
        {value === 1 ? (
          <CircleCheck aria-hidden size={14} className="text-ok" />
        ) : (
          <CircleDashed aria-hidden size={14} />
        )}
        {name}
      </p>
      {value < 1 && <Progress label={`${document.fileName}: ${name}`} value={value} />}
    </div>
  );
}
