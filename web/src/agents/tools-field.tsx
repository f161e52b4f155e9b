import { Plus } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { useList } from "../shell/use-list.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import type { FieldsProps } from "./fields.ts";
import { Chips } from "./chips.tsx";
import { Chooser } from "../ui/chooser.tsx";
import { Loading } from "../ui/loading.tsx";
import { type Toolset, flowsQuery, toolsetsQuery, toolsQuery } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { toReportedFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";

const MAX_TOOLS = 512;
const FLOW = /^flow_/;

type Open = "tools" | "flows" | undefined;

/** The tools that the model may call: of tool servers, flows, and abilities of the platform. */
export function ToolsField({ fields: { tools }, change, isReadOnly }: FieldsProps) {
  const texts = useAgentTexts();
  const [open, setOpen] = useState<Open>();
  const flows = useList({
    ...flowsQuery,
    enabled: tools.some((one) => FLOW.test(one)),
  });
  const known = useQuery(toolsetsQuery);
  const { data: toolsets = [] } = known;
  const ofSets = new Set(toolsets.flatMap((one) => [setName(one), ...toolNames(one)]));
  const chosen = tools.filter((name) => !ofSets.has(name));
  const nameOf = (tool: string) =>
    flows.data?.items.find(({ id }) => tool === `flow_${id}`)?.name ?? tool;
  // the tools of a set are no chips
  if (awaitsFirst(known)) return <Loading lines={4} className="px-0" />;
  return (
    <div className="grid gap-3">
      <Chips
        label={texts.fields.tools}
        chips={chosen.map((key) => ({ key, label: nameOf(key) }))}
        removeLabel={texts.removeTool}
        onRemove={
          isReadOnly
            ? undefined
            : (key) => change({ tools: tools.filter((one) => one !== key) })
        }
      />
      {!isReadOnly && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen("tools")}>
            <Plus aria-hidden size={16} />
            {texts.addTools}
          </Button>
          <Button onClick={() => setOpen("flows")}>
            <Plus aria-hidden size={16} />
            {texts.addFlows}
          </Button>
        </div>
      )}
      {toolsets.map((toolset) => (
        <ToolsetBox key={toolset.name} {...{ toolset, tools, change, isReadOnly }} />
      ))}
      {open === "tools" && (
        <ToolChooser tools={tools} change={change} onClose={() => setOpen(undefined)} />
      )}
      {open === "flows" && (
        <FlowChooser tools={tools} change={change} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}

function setName({ name }: Toolset): string {
  return `toolset:${name}`;
}

function toolNames({ tools }: Toolset): string[] {
  return tools.map(({ name }) => name);
}

interface ToolsetProps extends Pick<FieldsProps, "change" | "isReadOnly"> {
  toolset: Toolset;
  tools: string[];
}

/** Gives the model an ability of the platform, with all of its tools. */
function ToolsetBox({ toolset, tools, change, isReadOnly }: ToolsetProps) {
  const texts = useAgentTexts();
  const problem = useErrorText(toolset.missing && toReportedFailure(toolset.missing));
  const names = toolNames(toolset);
  const others = tools.filter((name) => name !== setName(toolset) && !names.includes(name));
  const isChosen =
    tools.includes(setName(toolset)) || names.every((name) => tools.includes(name));
  const isPermitted = toolset.tools.some(({ permitted }) => permitted);
  const own = Object.entries(texts.toolsets).find(([name]) => name === toolset.name)?.[1];
  const { title, hint } = own ?? { title: toolset.title, hint: toolset.description };
  const reason = problem || (isPermitted ? "" : texts.notPermitted);
  return (
    <Checkbox
      label={title}
      hint={reason ? `${hint} ${reason}` : hint}
      checked={isChosen}
      disabled={isReadOnly || (!isChosen && !isPermitted)}
      onChange={() => change({ tools: isChosen ? others : [...others, setName(toolset)] })}
    />
  );
}

interface ChooserProps extends Pick<FieldsProps, "change"> {
  tools: string[];
  onClose: () => void;
}

function ToolChooser({ tools, change, onClose }: ChooserProps) {
  const texts = useAgentTexts();
  return (
    <Chooser
      title={texts.addTools}
      useList={useTools}
      keyOf={({ name }) => name}
      labelOf={({ name, title }) => (
        <>
          <bdi>{title ?? name}</bdi>{" "}
          {title && <code className="text-xs text-muted">{name}</code>}
        </>
      )}
      hintOf={({ server, description, destructive, permitted }) => (
        <>
          {[server, destructive && texts.asks, !permitted && texts.notPermitted]
            .filter(Boolean)
            .join(" · ")}
          <span dir="auto" className="line-clamp-2">
            {description}
          </span>
        </>
      )}
      isDisabled={({ permitted }) => !permitted}
      chosen={tools}
      max={MAX_TOOLS}
      onChange={(next) => change({ tools: next })}
      onClose={onClose}
    />
  );
}

function FlowChooser({ tools, change, onClose }: ChooserProps) {
  const texts = useAgentTexts();
  return (
    <Chooser
      title={texts.addFlows}
      useList={useFlows}
      keyOf={({ id }) => `flow_${id}`}
      labelOf={({ name }) => <bdi>{name}</bdi>}
      hintOf={({ description }) => (
        <span dir="auto" className="line-clamp-2">
          {description}
        </span>
      )}
      chosen={tools}
      max={MAX_TOOLS}
      onChange={(next) => change({ tools: next })}
      onClose={onClose}
    />
  );
}

function useTools(words: string | undefined) {
  return useList(toolsQuery(words));
}

/** The provider cannot search its flows: what is loaded is narrowed here. */
function useFlows(words = "") {
  const fitting = words.toLowerCase();
  return useList({
    ...flowsQuery,
    select(data) {
      const { items, total } = flowsQuery.select?.(data) ?? { items: [], total: 0 };
      return {
        items: items.filter(({ name }) => name.toLowerCase().includes(fitting)),
        total,
      };
    },
  });
}
