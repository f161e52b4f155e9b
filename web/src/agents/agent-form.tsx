import { TextArea } from "../ui/text-area.tsx";
import { Section } from "../ui/section.tsx";
import { AnswerFields } from "./answer-fields.tsx";
import { DocumentsField } from "./documents-field.tsx";
import { FlowField } from "./flow-field.tsx";
import { IdentityFields } from "./identity-fields.tsx";
import type { AgentFields } from "./queries.ts";
import { RetrievalFields } from "./retrieval-fields.tsx";
import { StartersField } from "./starters-field.tsx";
import { useAgentTexts } from "./texts.ts";
import { ToolsField } from "./tools-field.tsx";

export interface FieldsProps {
  fields: AgentFields;
  change: (changes: Partial<AgentFields>) => void;
  isReadOnly: boolean;
}

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
