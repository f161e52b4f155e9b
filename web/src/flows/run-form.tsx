import { useState } from "react";
import { newId } from "../api/new-id.ts";
import { useFormDraft } from "../shell/use-form-draft.ts";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { Output } from "./output.tsx";
import { useFlowTexts } from "./texts.ts";
import { useFlowRun } from "./use-flow-run.ts";

const MAX_INPUT_CHARACTERS = 400_000;

/** The input of a flow, and below it what the flow puts out. */
export function RunForm({ flowId }: { flowId: string }) {
  const texts = useFlowTexts();
  const mayRun = usePermission("flow:run");
  const { values, change } = useFormDraft(`flow-${flowId}`, { input: "", remembers: true });
  const [sessionId] = useState(newId);
  const { run, start, stop } = useFlowRun(flowId);
  const isRunning = run?.status === "running";
  return (
    <div className="grid max-w-measure grid-cols-1 gap-6">
      <form
        className="grid grid-cols-1 gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning)
            void start(values.input, values.remembers ? sessionId : undefined);
        }}
      >
        <TextArea
          label={texts.input}
          hint={texts.inputHint}
          value={values.input}
          maxLength={MAX_INPUT_CHARACTERS}
          required
          onChange={({ target }) => change({ input: target.value })}
        />
        <Checkbox
          label={texts.remember}
          checked={values.remembers}
          onChange={({ target }) => change({ remembers: target.checked })}
        />
        <div className="flex flex-wrap gap-2">
          {mayRun && (
            <Button type="submit" look="primary" busy={isRunning}>
              {texts.run}
            </Button>
          )}
          {isRunning && <Button onClick={stop}>{texts.stop}</Button>}
        </div>
      </form>
      {run && <Output run={run} />}
    </div>
  );
}
