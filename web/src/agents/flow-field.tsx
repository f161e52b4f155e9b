import { toFailure } from "../api/failure.ts";
import { useList } from "../shell/use-list.ts";
import { More } from "../ui/more.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { Problem } from "../ui/states.tsx";
import type { FieldsProps } from "./agent-form.tsx";
import { flowsQuery } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

/** Chooses the flow that answers, among those that the user may run. */
export function FlowField({ fields: { flowId }, change }: FieldsProps) {
  const texts = useAgentTexts();
  const list = useList(flowsQuery);
  if (list.error) {
    // without a flow provider there is no such route
    const isAbsent = toFailure(list.error).status === 404;
    if (isAbsent) return <p className="rounded-lg bg-sunken p-3">{texts.noFlows}</p>;
    return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  }
  const flows = list.data?.items ?? [];
  const isOffered = flowId === null || flows.some(({ id }) => id === flowId);
  return (
    <div className="grid gap-2">
      <SelectField
        label={texts.fields.flowId}
        hint={flows.length === 0 && !list.isPending ? texts.noFlowsYet : texts.flowHint}
        value={flowId ?? ""}
        required
        onChange={(event) => change({ flowId: event.target.value || null })}
      >
        <option value="">{texts.chooseFlow}</option>
        {!isOffered && <option value={flowId}>{texts.notOffered(flowId)}</option>}
        {flows.map(({ id, name, owned }) => (
          <option key={id} value={id}>
            {owned ? name : texts.granted(name)}
          </option>
        ))}
      </SelectField>
      <More list={list} />
    </div>
  );
}
