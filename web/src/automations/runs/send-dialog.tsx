import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Field, INPUT_LOOK } from "../../ui/field.tsx";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { Progress } from "../../ui/progress.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAutomationChange } from "../use-automation-change.ts";
import { sendMedium } from "./queries.ts";
import { useRunTexts } from "./texts.ts";

/** Sends a file as a medium, then shows its run. */
export function SendDialog({ onClose }: { onClose: () => void }) {
  const texts = useRunTexts();
  const navigate = useNavigate();
  const [sent, setSent] = useState(0);
  const send = useAutomationChange(
    (fields: FormData) =>
      sendMedium(fields.get("file") as File, {
        // the value of a file input
        fields: { origin: textOf(fields, "origin"), tags: textOf(fields, "tags") },
        onProgress: setSent,
      }),
    ({ runId }) => void navigate({ to: "/automations/runs/$id", params: { id: runId } }),
  );
  return (
    <FormDialog
      title={texts.send}
      action={texts.send}
      busy={send.isPending}
      error={send.error}
      onSubmit={(fields) => send.mutate(fields)}
      onClose={onClose}
    >
      <p className="text-muted">{texts.sendHint}</p>
      <Field label={texts.file}>
        {(control) => (
          <input {...control} type="file" name="file" required className={INPUT_LOOK} />
        )}
      </Field>
      <TextField
        label={texts.origin}
        hint={texts.originHint}
        name="origin"
        defaultValue="upload"
        maxLength={2_000}
        required
      />
      <TextField label={texts.tags} hint={texts.tagsHint} name="tags" maxLength={2_000} />
      {send.isPending && <Progress label={texts.sending} value={sent} />}
    </FormDialog>
  );
}
