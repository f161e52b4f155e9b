import { useQuery, useMutation } from "@tanstack/react-query";
import { type RefObject, useEffect, useId, useState } from "react";
import type { Template } from "../../../src/services/core/templates/contract.ts";
import { useLanguage } from "../texts/language.ts";
import { join } from "../ui/join.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { Problem } from "../ui/states.tsx";
import { templateQuery } from "../shell/template-queries.ts";
import { fillTemplate, templatesQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";
import { isInUpperHalf, scrollTo, useFieldState } from "./field-list.ts";
import { MENTION_BOX } from "./mentions/mentions-loading.tsx";
import { useListKeys } from "./use-list-keys.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/text-field.tsx";

interface TemplateListProps {
  /** Part of the name. */
  query: string;
  /** The text in which it is typed; the focus stays there. */
  input: RefObject<HTMLTextAreaElement | null>;
  onInsert: (text: string) => void;
  onClose: () => void;
}

const MAX_SHOWN = 8;

/** The templates whose names fit what is typed after `/`. The arrow keys choose, Enter inserts. */
export function TemplateList({ query, input, onInsert, onClose }: TemplateListProps) {
  const texts = useChatTexts();
  const { found, isRead, error } = useFound(query);
  const id = useId();
  const [at, setAt] = useState(0);
  const current = Math.min(at, found.length - 1);
  const [isBelow] = useState(() => isInUpperHalf(input.current));
  useEffect(() => setAt(0), [query]);
  useFieldState(
    input,
    found.length > 0 ? { list: id, option: `${id}-${current}` } : undefined,
  );
  const [chosen, setChosen] = useState<Template>();
  const choose = async (template: Template | undefined) => {
    if (!template) return;
    if (template.variables.length > 0) setChosen(template);
    else onInsert((await fillTemplate(template.id, {})).text);
  };
  useListKeys({
    ArrowDown: () => setAt(Math.max(0, Math.min(current + 1, found.length - 1))),
    ArrowUp: () => setAt(Math.max(current - 1, 0)),
    Enter: () => void choose(found[current]),
    Escape: onClose,
  });
  return (
    <div className={join(MENTION_BOX, isBelow ? "top-full mt-1" : "bottom-full mb-1")}>
      {error && <Problem error={error} />}
      {isRead && found.length === 0 && (
        <p className="p-2 text-muted">{texts.noTemplates}</p>
      )}
      <ul id={id} role="listbox" aria-label={texts.templates}>
        {found.map((template, place) => (
          <li
            key={template.id}
            id={`${id}-${place}`}
            ref={place === current ? scrollTo : undefined}
            role="option"
            aria-selected={place === current}
            onClick={() => void choose(template)}
            onMouseMove={() => setAt(place)}
            className={join(
              "min-h-9 rounded-md px-2 py-1 pointer-coarse:min-h-11",
              place === current && "bg-accent-soft",
            )}
          >
            <span className="block font-medium">{template.name}</span>
            <span className="block truncate text-xs text-muted">
              {template.description}
            </span>
          </li>
        ))}
      </ul>
      {chosen && (
        <TemplateForm
          template={chosen}
          onClose={() => setChosen(undefined)}
          onInsert={onInsert}
        />
      )}
    </div>
  );
}

interface TemplateOfAddressProps {
  id: string;
  onInsert: (text: string) => void;
  onClose: () => void;
}

/** Inserts one template, after its gaps were filled. */
export function TemplateOfAddress({ id, onInsert, onClose }: TemplateOfAddressProps) {
  const insert = (text: string) => {
    onInsert(text);
    onClose();
  };
  const fail = (error: unknown) => {
    notifyFailure(error);
    onClose();
  };
  const { data, error } = useQuery(templateQuery(id));
  const isWhole = data?.variables.length === 0;
  useEffect(() => {
    if (error) fail(error);
    else if (isWhole) fillTemplate(id, {}).then(({ text }) => insert(text), fail);
    // once, when it is known
  }, [error, isWhole]);
  if (!data || isWhole) return null;
  return <TemplateForm template={data} onClose={onClose} onInsert={insert} />;
}

/** The templates of that name, those of the user's language first. */
function useFound(query: string) {
  const language = useLanguage();
  const { data, error } = useQuery(templatesQuery);
  const words = query.trim().toLowerCase();
  const found = (data?.items ?? [])
    .filter(({ name }) => name.toLowerCase().includes(words))
    .toSorted((one, other) => rank(one, language) - rank(other, language))
    .slice(0, MAX_SHOWN);
  return { found, isRead: data !== undefined, error };
}

function rank(template: Template, language: string): number {
  return template.language.startsWith(language) ? 0 : 1;
}

interface TemplateFormProps {
  template: Template;
  onInsert: (text: string) => void;
  onClose: () => void;
}

/** Asks for the gaps of a template. */
function TemplateForm({ template, onInsert, onClose }: TemplateFormProps) {
  const texts = useChatTexts();
  const filling = useMutation({
    mutationFn: (values: Record<string, string>) => fillTemplate(template.id, values),
    onSuccess: ({ text }) => onInsert(text),
  });
  return (
    <Dialog title={template.name} size="small" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          const form = new FormData(event.currentTarget);
          const values = [...form].map(([name, value]) => [name, String(value)]);
          filling.mutate(Object.fromEntries(values));
        }}
      >
        {template.variables.map((variable) => (
          <TextField
            key={variable.name}
            name={variable.name}
            label={variable.label}
            defaultValue={variable.default ?? ""}
            required={variable.required}
          />
        ))}
        {filling.error && <Problem error={filling.error} />}
        <Button type="submit" look="primary" busy={filling.isPending}>
          {texts.fill}
        </Button>
      </form>
    </Dialog>
  );
}
