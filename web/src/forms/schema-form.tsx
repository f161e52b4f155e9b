import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { nameField, useFieldTexts } from "./texts.ts";
import { type FieldSchema, fieldsOf, type FormValues } from "./schema-fields.ts";

interface SchemaFormProps {
  /** JSON Schema of an object, as zod writes it. */
  schema: Record<string, unknown>;
  values: FormValues;
  onChange: (values: FormValues) => void;
  /** Errors by the name of their field. */
  errors?: Record<string, string>;
}

/** The fields of a JSON Schema. The server validates their values. */
export function SchemaForm({ schema, values, onChange, errors = {} }: SchemaFormProps) {
  const set = (name: string, value: FormValues[string]) =>
    onChange({ ...values, [name]: value });
  return fieldsOf(schema).map((field) => (
    <SchemaField
      key={field.name}
      field={field}
      value={values[field.name]}
      error={errors[field.name]}
      onChange={(value) => set(field.name, value)}
    />
  ));
}

interface SchemaFieldProps {
  field: FieldSchema;
  value: FormValues[string];
  error: string | undefined;
  onChange: (value: FormValues[string]) => void;
}

function SchemaField({ field, value, error, onChange }: SchemaFieldProps) {
  const { kind, isRequired, options } = field;
  const { label, hint } = nameField(field, useFieldTexts());
  if (kind === "yes-no") {
    return (
      <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 accent-accent"
        />
        {label}
      </label>
    );
  }
  if (kind === "choice") {
    return (
      <SelectField
        label={label}
        hint={hint}
        error={error}
        required={isRequired}
        value={String(value ?? "")}
        onChange={(event) => onChange(event.target.value)}
      >
        {!isRequired && <option value="" />}
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
    );
  }
  const type = { secret: "password", address: "url", number: "number", text: "text" }[kind];
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      type={type}
      autoComplete="off"
      required={isRequired}
      value={typeof value === "boolean" ? "" : (value ?? "")}
      onChange={({ target }) =>
        onChange(
          kind === "number" && target.value !== "" ? Number(target.value) : target.value,
        )
      }
    />
  );
}
