import { Link } from "@tanstack/react-router";
import { TextArea } from "../ui/text-area.tsx";
import { Section } from "../ui/section.tsx";
import { DocumentsField } from "./documents-field.tsx";
import { flowsQuery } from "./queries.ts";
import { RetrievalFields } from "./retrieval-fields.tsx";
import { useAgentTexts } from "./texts.ts";
import { ToolsField } from "./tools-field.tsx";
import { toFailure } from "../api/failure.ts";
import { useList } from "../shell/use-list.ts";
import { More } from "../ui/more.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { Problem } from "../ui/states.tsx";
import { Plus, X } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { TextField } from "../ui/text-field.tsx";
import { usePermission } from "../shell/queries.ts";
import { type FieldsProps, withType } from "./fields.ts";
import { IconField } from "./icon-field.tsx";
import { ParameterFields } from "../shell/parameter-fields.tsx";
import { useModels } from "../shell/use-models.ts";

/** Everything that can be set of an agent. */
export function AgentForm({ storedId, ...props }: FieldsProps & { storedId?: string }) {
  const texts = useAgentTexts();
  const { fields, change } = props;
  const isFlow = fields.type === "workflow";
  const searches = fields.type === "cortex" || fields.type === "organization";
  return (
    <>
      <IdentityFields {...props} />
      {isFlow ? (
        <FlowField {...props} />
      ) : (
        <>
          <TextArea
            label={texts.fields.instructions}
            hint={texts.instructionsHint}
            value={fields.instructions}
            maxLength={100_000}
            rows={8}
            dir="auto"
            onChange={(event) => change({ instructions: event.target.value })}
          />
          <AnswerFields {...props} />
          <ParameterFields
            title={texts.fields.parameters}
            hint={texts.parametersHint}
            parameters={props.fields.parameters}
            onChange={(parameters) => props.change({ parameters })}
          />
          <Section title={texts.fields.tools} hint={texts.toolsHint}>
            <ToolsField {...props} />
          </Section>
        </>
      )}
      <Section title={texts.documents} hint={texts.documentsHint[fields.type]}>
        <DocumentsField {...props} {...(storedId !== undefined && { storedId })} />
        {searches && <RetrievalFields {...props} />}
      </Section>
      <Section title={texts.fields.starters} hint={texts.startersHint}>
        <StartersField {...props} />
      </Section>
    </>
  );
}

/** Whom to ask for flows; who would be asked is led to where it says what is missing. */
function NoFlows() {
  const texts = useAgentTexts();
  const administers = usePermission("flow:administer");
  return (
    <p className="rounded-lg bg-sunken p-3">
      {administers ? (
        <>
          {texts.flowsOff}{" "}
          <Link to="/admin/flows" className="text-accent underline">
            {texts.connectFlows}
          </Link>
        </>
      ) : (
        texts.noFlows
      )}
    </p>
  );
}

/** Chooses the flow that answers, among those that the user may run. */
function FlowField({ fields: { flowId }, change }: FieldsProps) {
  const texts = useAgentTexts();
  const list = useList(flowsQuery);
  const administers = usePermission("flow:administer");
  if (list.error) {
    // without a flow provider there is no such route
    const isAbsent = toFailure(list.error).status === 404;
    if (isAbsent) return <NoFlows />;
    return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  }
  const flows = list.data?.items ?? [];
  const none = administers ? texts.noFlowsToGrant : texts.noFlowsYet;
  const isOffered = flowId === null || flows.some(({ id }) => id === flowId);
  return (
    <div className="grid gap-2">
      <SelectField
        label={texts.fields.flowId}
        hint={flows.length === 0 && !list.isPending ? none : texts.flowHint}
        value={flowId ?? ""}
        required
        onChange={(event) => change({ flowId: event.target.value || null })}
      >
        <option value="">{texts.chooseFlow}</option>
        {!isOffered && (
          <option value={flowId}>{list.data ? texts.notOffered(flowId) : "…"}</option>
        )}
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

const MAX_STARTERS = 20;

/** Questions that a conversation with the agent offers to begin with. */
function StartersField({ fields: { starters }, change, isReadOnly }: FieldsProps) {
  const texts = useAgentTexts();
  const set = (at: number, text: string) =>
    change({ starters: starters.map((one, index) => (index === at ? text : one)) });
  return (
    <div className="grid gap-2">
      {starters.map((starter, at) => (
        // a starter is identified only by its index
        <div key={at} className="flex gap-1">
          <TextField
            label={texts.starter(at + 1)}
            hidesLabel
            className="min-w-0 flex-1"
            value={starter}
            maxLength={500}
            required
            dir="auto"
            onChange={(event) => set(at, event.target.value)}
          />
          {!isReadOnly && (
            <IconButton
              icon={X}
              label={texts.removeStarter(at + 1)}
              onClick={() =>
                change({ starters: starters.filter((_, index) => index !== at) })
              }
            />
          )}
        </div>
      ))}
      {!isReadOnly && starters.length < MAX_STARTERS && (
        <Button
          className="justify-self-start"
          onClick={() => change({ starters: [...starters, ""] })}
        >
          <Plus aria-hidden size={16} />
          {texts.addStarter}
        </Button>
      )}
    </div>
  );
}

/** Which model answers and how freely, and which tool calls wait for a decision. */
function AnswerFields({ fields, change }: FieldsProps) {
  const texts = useAgentTexts();
  const known = useModels();
  const models = known ?? [];
  const { model, temperature, approval } = fields;
  const isOffered = model === null || models.some(({ id }) => id === model);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <SelectField
        label={texts.fields.model}
        value={model ?? ""}
        onChange={(event) => change({ model: event.target.value || null })}
      >
        <option value="">{texts.defaultModel}</option>
        {!isOffered && (
          <option value={model}>{known ? texts.notOffered(model) : model}</option>
        )}
        {models.map(({ id, displayName, providerName }) => (
          <option key={id} value={id}>
            {`${displayName} (${providerName})`}
          </option>
        ))}
      </SelectField>
      <TextField
        label={texts.fields.temperature}
        hint={texts.temperatureHint}
        type="number"
        min={0}
        max={2}
        step={0.1}
        value={temperature ?? ""}
        placeholder={texts.ofModel}
        onChange={({ target }) =>
          change({ temperature: target.value === "" ? null : target.valueAsNumber })
        }
      />
      <SelectField
        label={texts.fields.approval}
        hint={texts.approvalHint}
        value={approval}
        onChange={(event) =>
          change({ approval: event.target.value === "always" ? "always" : "destructive" })
        }
      >
        <option value="destructive">{texts.approvals.destructive}</option>
        <option value="always">{texts.approvals.always}</option>
      </SelectField>
    </div>
  );
}

const TYPES = ["simple", "cortex", "workflow", "organization"] as const;

/** The identity of an agent: name, icon, purpose and type. */
function IdentityFields({ fields, change, isReadOnly }: FieldsProps) {
  const texts = useAgentTexts();
  const administers = usePermission("agent:administer");
  const { type } = fields;
  const types = TYPES.filter(
    (one) => one !== "organization" || administers || one === type,
  );
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <IconField value={fields.icon} isReadOnly={isReadOnly} onChange={change} />
        <TextField
          label={texts.fields.name}
          value={fields.name}
          maxLength={200}
          required
          dir="auto"
          className="min-w-0 flex-1 basis-56 max-sm:basis-full"
          onChange={(event) => change({ name: event.target.value })}
        />
        <SelectField
          label={texts.fields.type}
          value={type}
          className="min-w-0 flex-1 basis-56 sm:flex-none"
          onChange={(event) => {
            const chosen = types.find((one) => one === event.target.value);
            if (chosen) change(withType(chosen, fields));
          }}
        >
          {type === "system" && <option value="system">{texts.types.system}</option>}
          {types.map((one) => (
            <option key={one} value={one}>
              {texts.types[one]}
            </option>
          ))}
        </SelectField>
      </div>
      <p className="-mt-2 text-xs text-muted">{texts.typeHints[type]}</p>
      <TextArea
        label={texts.fields.description}
        hint={texts.descriptionHint}
        value={fields.description}
        maxLength={4_000}
        rows={2}
        dir="auto"
        onChange={(event) => change({ description: event.target.value })}
      />
    </div>
  );
}
