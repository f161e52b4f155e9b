import { usePermission } from "../../shell/queries.ts";
import { useFormDraft } from "../../shell/use-form-draft.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { notify } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SaveBar } from "../save-bar.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useAutomationChange } from "../use-automation-change.ts";
import { changeSource, type Source, sourceQuery } from "./queries.ts";
import { useSourceTexts } from "./texts.ts";

interface Fields {
  name: string;
  origin: string;
  type: string;
  /** With commas between them. */
  tags: string;
  isActive: boolean;
}

/** What rules see of the media of a source. */
export function SourceForm({ source }: { source: Source }) {
  const texts = useSourceTexts();
  const mayWrite = usePermission("automation:update");
  const shared = useAutomationTexts();
  const form = useFormDraft<Fields>(`source-${source.id}`, toFields(source));
  const readNewest = useNewest(sourceQuery(source.id));
  const save = useAutomationChange<void>(
    async () => {
      const { origin, type, tags, switchedOn: isActive } = texts;
      const names = { name: shared.name, origin, type, tags, isActive };
      const read = async () => toFields(await readNewest());
      const { changes } = await form.toSave(read, names);
      await changeSource(source.id, toChange(changes));
    },
    () => {
      form.forget();
      notify(texts.saved);
    },
  );
  return (
    <Section title={texts.settings} hint={toWatched(source)}>
      <form
        className="grid max-w-xl grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate();
        }}
      >
        <fieldset disabled={!mayWrite} className="grid min-w-0 grid-cols-1 gap-4">
          <SourceFields values={form.values} change={form.change} />
        </fieldset>
        {mayWrite && (
          <SaveBar
            isChanged={form.isChanged}
            busy={save.isPending}
            error={save.error}
            onDiscard={form.forget}
          />
        )}
      </form>
    </Section>
  );
}

interface SourceFieldsProps {
  values: Fields;
  change: (next: Partial<Fields>) => void;
}

function SourceFields({ values, change }: SourceFieldsProps) {
  const texts = useSourceTexts();
  const shared = useAutomationTexts();
  return (
    <>
      <TextField
        label={shared.name}
        value={values.name}
        maxLength={200}
        required
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextField
        label={texts.origin}
        value={values.origin}
        maxLength={2_000}
        required
        onChange={({ target }) => change({ origin: target.value })}
      />
      <TextField
        label={texts.type}
        hint={texts.typeHint}
        value={values.type}
        maxLength={200}
        onChange={({ target }) => change({ type: target.value })}
      />
      <TextField
        label={texts.tags}
        hint={texts.tagsHint}
        value={values.tags}
        maxLength={2_000}
        onChange={({ target }) => change({ tags: target.value })}
      />
      <Checkbox
        label={texts.switchedOn}
        checked={values.isActive}
        onChange={({ target }) => change({ isActive: target.checked })}
      />
    </>
  );
}

function toFields({ name, origin, type, tags, isActive }: Source): Fields {
  return { name, origin, type: type ?? "", tags: tags.join(", "), isActive };
}

/** The folder or bucket that is watched. */
function toWatched(source: Source): string {
  if (source.kind === "webhook") return "";
  const { settings } = source;
  if ("path" in settings) return settings.path;
  return `${settings.endpoint} · ${settings.bucket}/${settings.prefix}`;
}

function toChange({ type, tags, ...rest }: Partial<Fields>) {
  return {
    ...rest,
    ...(type !== undefined && { type: type.trim() || null }),
    ...(tags !== undefined && {
      tags: tags
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
    }),
  };
}
