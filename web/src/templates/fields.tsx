import { Checkbox } from "../ui/checkbox.tsx";
import { Section } from "../ui/section.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { TextField } from "../ui/text-field.tsx";
import { findGaps, isWrongName, variablesOf } from "./find-gaps.ts";
import { useTemplateTexts } from "./texts.ts";
import type { Template, Variable } from "./queries.ts";

/** The fields of a template that a user edits. */
export type Fields = Pick<
  Template,
  "name" | "description" | "content" | "variables" | "language" | "enabled" | "scope"
>;

interface TemplateFieldsProps {
  fields: Fields;
  change: (changes: Partial<Fields>) => void;
  /** The owner can be chosen once, by users who may choose. */
  choosesScope: boolean;
}

/** Everything of a template, with its gaps found as they are written. */
export function TemplateFields({ fields, change, choosesScope }: TemplateFieldsProps) {
  const texts = useTemplateTexts();
  const { description, content, enabled } = fields;
  const wrong = findGaps(content).filter(isWrongName);
  const variables = variablesOf(content, fields.variables);
  return (
    <>
      <NameFields fields={fields} change={change} choosesScope={choosesScope} />
      <TextField
        label={texts.description}
        value={description}
        maxLength={2_000}
        dir="auto"
        onChange={(event) => change({ description: event.target.value })}
      />
      <TextArea
        label={texts.content}
        hint={texts.contentHint}
        error={wrong.length > 0 ? texts.wrongNames(wrong) : undefined}
        value={content}
        maxLength={50_000}
        rows={8}
        required
        dir="auto"
        onChange={(event) => change({ content: event.target.value })}
      />
      {variables.length > 0 && (
        <Section title={texts.variables} hint={texts.variablesHint}>
          <VariableFields
            variables={variables}
            onChange={(next) => change({ variables: merged(fields.variables, next) })}
          />
        </Section>
      )}
      {content.trim() !== "" && (
        <Section title={texts.preview} hint={texts.previewHint}>
          <Preview content={content} variables={variables} />
        </Section>
      )}
      <Checkbox
        label={texts.enabled}
        hint={texts.enabledHint}
        checked={enabled}
        onChange={(event) => change({ enabled: event.target.checked })}
      />
    </>
  );
}

/** Name, language and whose it is. */
function NameFields({ fields, change, choosesScope }: TemplateFieldsProps) {
  const texts = useTemplateTexts();
  const { name, language, scope } = fields;
  return (
    <div className="flex flex-wrap gap-3">
      <TextField
        label={texts.name}
        value={name}
        maxLength={200}
        required
        dir="auto"
        className="min-w-0 flex-1 basis-56 max-sm:basis-full"
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label={texts.language}
        value={language}
        maxLength={6}
        pattern="[a-z]{2,3}(-[A-Z]{2})?"
        title={texts.languageHint}
        required
        className="w-28"
        onChange={(event) => change({ language: event.target.value })}
      />
      {choosesScope && (
        <SelectField
          label={texts.scope}
          value={scope}
          onChange={(event) =>
            change({
              scope: event.target.value === "organization" ? "organization" : "personal",
            })
          }
        >
          <option value="personal">{texts.scopes.personal}</option>
          <option value="organization">{texts.scopes.organization}</option>
        </SelectField>
      )}
    </div>
  );
}

/** Variables whose gap is not in the text now are kept, in case it comes back. */
function merged(
  known: Fields["variables"],
  next: Fields["variables"],
): Fields["variables"] {
  const names = new Set(next.map(({ name }) => name));
  return [...next, ...known.filter(({ name }) => !names.has(name))];
}

interface VariableFieldsProps {
  variables: readonly Variable[];
  onChange: (variables: Variable[]) => void;
}

/** The question for each gap, and its default. */
function VariableFields({ variables, onChange }: VariableFieldsProps) {
  const texts = useTemplateTexts();
  const change = (name: string, more: Partial<Variable>) =>
    onChange(variables.map((one) => (one.name === name ? { ...one, ...more } : one)));
  return (
    <ul className="grid gap-3">
      {variables.map((variable) => {
        const { name, label, required } = variable;
        return (
          <li key={name} className="grid gap-3 rounded-lg border border-hairline p-3">
            <code className="font-mono text-xs wrap-anywhere">{`{{${name}}}`}</code>
            <div className="flex flex-wrap items-end gap-3">
              <TextField
                label={texts.label}
                value={label}
                maxLength={200}
                required
                className="min-w-0 flex-1 basis-40"
                onChange={(event) => change(name, { label: event.target.value })}
              />
              <TextField
                label={texts.usual}
                value={variable.default ?? ""}
                maxLength={10_000}
                className="min-w-0 flex-1 basis-40"
                onChange={(event) => change(name, { default: event.target.value || null })}
              />
              <Checkbox
                label={texts.required}
                checked={required}
                onChange={(event) => change(name, { required: event.target.checked })}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

interface PreviewProps {
  content: string;
  variables: readonly Variable[];
}

const GAP = /(\{\{\s*[a-zA-Z0-9]+\s*\}\})/;

/** The text with its gaps marked: with what usually stands there, or with what is asked for. */
export function Preview({ content, variables }: PreviewProps) {
  return (
    <div
      dir="auto"
      className="rounded-lg border border-hairline bg-raised p-4 whitespace-pre-wrap wrap-anywhere"
    >
      {content.split(GAP).map((piece, at) => {
        const name = /^\{\{\s*([a-zA-Z0-9]+)\s*\}\}$/.exec(piece)?.[1];
        const variable = variables.find((one) => one.name === name);
        if (!variable) return <span key={at}>{piece}</span>;
        return <mark key={at}>{variable.default ?? variable.label}</mark>;
      })}
    </div>
  );
}
