import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useAutomationChange } from "../use-automation-change.ts";
import { createSource, type CreatedSource, type NewSource } from "./queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { useSourceTexts } from "./texts.ts";

/** Makes a source; the secret of a webhook is shown afterwards, once. */
export function NewSourceDialog({ onClose }: { onClose: () => void }) {
  const texts = useSourceTexts();
  const shared = useAutomationTexts();
  const [kind, setKind] = useState<SourceKind>("webhook");
  const [made, setMade] = useState<CreatedSource>();
  const mayWatchFolders = usePermission("user:administer");
  const create = useAutomationChange(
    (fields: FormData) => createSource(readNewSource(kind, fields)),
    (source) => (source.kind === "webhook" ? setMade(source) : onClose()),
  );
  if (made?.kind === "webhook")
    return <SecretDialog url={made.url} secret={made.secret ?? ""} onClose={onClose} />;
  const kinds = (["webhook", "s3", "folder"] as const).filter(
    (one) => one !== "folder" || mayWatchFolders,
  );
  return (
    <FormDialog
      title={texts.new}
      action={texts.create}
      size="medium"
      busy={create.isPending}
      error={create.error}
      onSubmit={(fields) => create.mutate(fields)}
      onClose={onClose}
    >
      <TextField label={shared.name} name="name" maxLength={200} required autoFocus />
      <SelectField
        label={texts.kind}
        hint={texts.kindHints[kind]}
        value={kind}
        onChange={({ target }) =>
          setKind(kinds.find((one) => one === target.value) ?? "webhook")
        }
      >
        {kinds.map((one) => (
          <option key={one} value={one}>
            {texts.kinds[one]}
          </option>
        ))}
      </SelectField>
      {kind !== "webhook" && <WatchedFields kind={kind} />}
      <TextField
        label={texts.origin}
        hint={texts.originHint}
        name="origin"
        maxLength={2_000}
      />
    </FormDialog>
  );
}

/** The place that is looked at, and how often. */
function WatchedFields({ kind }: { kind: "s3" | "folder" }) {
  const texts = useSourceTexts();
  return (
    <>
      {kind === "s3" && <BucketFields />}
      {kind === "folder" && (
        <TextField label={texts.path} name="path" maxLength={1_000} required />
      )}
      <TextField
        label={texts.every}
        name="every"
        type="number"
        min={1}
        max={86_400}
        defaultValue={30}
        required
      />
    </>
  );
}

function BucketFields() {
  const texts = useSourceTexts();
  const secrets = { autoComplete: "off", spellCheck: false, required: true } as const;
  return (
    <>
      <TextField
        label={texts.endpoint}
        name="endpoint"
        type="url"
        placeholder="https://s3.eu-central-1.amazonaws.com"
        maxLength={500}
        required
      />
      <TextField label={texts.region} name="region" defaultValue="us-east-1" required />
      <TextField label={texts.bucket} name="bucket" maxLength={255} required />
      <TextField label={texts.prefix} name="prefix" maxLength={1_000} />
      <TextField
        label={texts.accessKeyId}
        name="accessKeyId"
        maxLength={200}
        {...secrets}
      />
      <PasswordField
        label={texts.secretAccessKey}
        name="secretAccessKey"
        maxLength={500}
        {...secrets}
      />
    </>
  );
}

type SourceKind = NewSource["kind"];

/** Reads the fields of a new source. */
function readNewSource(kind: SourceKind, fields: FormData): NewSource {
  const text = (name: string) => textOf(fields, name);
  const common = { name: text("name"), origin: text("origin") || undefined };
  const every = Number(fields.get("every"));
  if (kind === "webhook") return { ...common, kind };
  if (kind === "folder")
    return { ...common, kind, settings: { path: text("path"), every } };
  const settings = {
    endpoint: text("endpoint"),
    region: text("region"),
    bucket: text("bucket"),
    prefix: text("prefix"),
    accessKeyId: text("accessKeyId"),
    secretAccessKey: text("secretAccessKey"),
    every,
  };
  return { ...common, kind, settings };
}
