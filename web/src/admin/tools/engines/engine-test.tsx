import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { toReportedFailure } from "../../../api/failure.ts";
import { formatNumber } from "../../../texts/format.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { type Engine, type EngineTest, testEngine } from "./queries.ts";
import { useEngineTexts } from "./texts.ts";

interface EngineTestDialogProps {
  engine: Engine;
  onClose: () => void;
}

/** Searches by an engine, and shows what came. */
export function EngineTestDialog({ engine, onClose }: EngineTestDialogProps) {
  const texts = useEngineTexts();
  const [query, setQuery] = useState(texts.defaultQuery);
  const test = useMutation({ mutationFn: () => testEngine(engine.id, query) });
  const refusal = test.data?.error && toReportedFailure(test.data.error);
  return (
    <FormDialog
      title={texts.testTitle(engine.name)}
      action={texts.test}
      busy={test.isPending}
      error={test.error ?? refusal}
      onSubmit={() => test.mutate()}
      onClose={onClose}
    >
      <TextField
        label={texts.query}
        value={query}
        maxLength={400}
        required
        onChange={({ target }) => setQuery(target.value)}
      />
      {test.data?.ok && <Found test={test.data} />}
    </FormDialog>
  );
}

function Found({ test: { results, latencyMs } }: { test: EngineTest }) {
  const texts = useEngineTexts();
  const ms = formatNumber(latencyMs);
  if (results.length === 0)
    return (
      <p role="status" className="text-warn">
        {texts.testNothing(ms)}
      </p>
    );
  return (
    <div className="grid gap-2">
      <p role="status" className="flex items-center gap-2 text-ok">
        <CircleCheck aria-hidden size={18} className="shrink-0" />
        {texts.testFound(formatNumber(results.length), ms)}
      </p>
      <ul aria-label={texts.testResults} className="grid gap-2">
        {results.map(({ title, url, snippet }) => (
          <li key={url} className="min-w-0">
            <p className="truncate font-medium">
              <bdi>{title}</bdi>
            </p>
            <p className="truncate text-xs text-muted">
              <bdi>{url}</bdi>
            </p>
            <p className="line-clamp-2 text-xs">
              <bdi>{snippet}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
