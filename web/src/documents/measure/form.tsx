import { FileUp } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { useFormDraft } from "../../shell/use-form-draft.ts";
import { formatNumber } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { useTryTexts } from "../try-texts.ts";
import {
  type Engine,
  ENGINES,
  MAX_EVALUATED_QUESTIONS,
  type Measurement,
} from "./queries.ts";
import { readQuestions, toLines } from "./read-questions.ts";
import { useMeasureTexts } from "./texts.ts";

const MAX_FILE_BYTES = 2 ** 20;

interface MeasureFormProps {
  busy: boolean;
  onMeasure: (body: Measurement) => void;
}

interface Typed {
  text: string;
  engines: readonly Engine[];
}

/** Questions with the documents that answer them, and the ways of searching to compare. */
export function MeasureForm({ busy, onMeasure }: MeasureFormProps) {
  const texts = useMeasureTexts();
  const form = useFormDraft<Typed>("measure", { text: "", engines: ENGINES });
  const [problem, setProblem] = useState<string>();
  const { text, engines } = form.values;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const { questions, wrongLines } = readQuestions(text);
    const wrong =
      (wrongLines[0] !== undefined && texts.wrongLine(wrongLines[0])) ||
      (questions.length === 0 && texts.noQuestion) ||
      (questions.length > MAX_EVALUATED_QUESTIONS &&
        texts.tooMany(formatNumber(MAX_EVALUATED_QUESTIONS))) ||
      (engines.length === 0 && texts.noEngine);
    setProblem(wrong || undefined);
    if (wrong) return;
    const variants = engines.map((engineName) => ({ name: engineName, engineName }));
    onMeasure({ questions, variants });
  };
  return (
    <form className="grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={submit}>
      <TextArea
        label={texts.questions}
        hint={texts.questionsHint}
        rows={8}
        value={text}
        error={problem}
        placeholder={texts.example}
        onChange={({ target }) => form.change({ text: target.value })}
      />
      <Upload
        onRead={(lines) => {
          setProblem(lines === undefined ? texts.fileUnknown : undefined);
          if (lines !== undefined) form.change({ text: lines });
        }}
      />
      <Engines chosen={engines} onChoose={(chosen) => form.change({ engines: chosen })} />
      <div>
        <Button type="submit" look="primary" busy={busy}>
          {texts.measure}
        </Button>
      </div>
    </form>
  );
}

function Upload({ onRead }: { onRead: (lines: string | undefined) => void }) {
  const texts = useMeasureTexts();
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (file) onRead(file.size > MAX_FILE_BYTES ? undefined : toLines(await file.text()));
  };
  return (
    <div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.upload}
        accept=".txt,.tsv,.json"
        onChange={({ target }) => {
          void read(target.files?.[0]);
          target.value = "";
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <FileUp aria-hidden size={16} />
        {texts.upload}
      </Button>
    </div>
  );
}

interface EnginesProps {
  chosen: readonly Engine[];
  onChoose: (engines: readonly Engine[]) => void;
}

function Engines({ chosen, onChoose }: EnginesProps) {
  const texts = useMeasureTexts();
  const { engines } = useTryTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="font-medium">{texts.ways}</legend>
      {ENGINES.map((engine) => (
        <Checkbox
          key={engine}
          label={engines[engine].name}
          hint={engines[engine].hint}
          checked={chosen.includes(engine)}
          onChange={({ target }) =>
            onChoose(
              ENGINES.filter((one) =>
                one === engine ? target.checked : chosen.includes(one),
              ),
            )
          }
        />
      ))}
    </fieldset>
  );
}
