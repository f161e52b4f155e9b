import { useMutation } from "@tanstack/react-query";
import type { Template } from "../../../src/services/core/templates/contract.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { fillTemplate } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

interface TemplateFormProps {
  template: Template;
  onInsert: (text: string) => void;
  onClose: () => void;
}

/** Asks for the gaps of a template. */
export function TemplateForm({ template, onInsert, onClose }: TemplateFormProps) {
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
