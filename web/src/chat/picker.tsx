import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { Menu, type MenuGroup } from "../ui/menu.tsx";
import { agentsQuery, modelsQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

/** The model or agent that answers. `undefined`: as before, or the default. */
export interface Choice {
  model?: string | undefined;
  /** `null`: no agent. */
  agentId?: string | null | undefined;
}

interface PickerProps {
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

/** Chooses the model, or the agent, that answers. */
export function Picker({ choice, onChoose }: PickerProps) {
  const texts = useChatTexts();
  const models = useQuery(modelsQuery).data?.items ?? [];
  const agents = useQuery(agentsQuery).data ?? [];
  const agent = agents.find(({ id }) => id === choice.agentId);
  const model = models.find(({ id }) => id === choice.model) ?? models[0];
  const groups: MenuGroup[] = [
    {
      key: "agents",
      label: texts.agents,
      items: [
        {
          key: "none",
          label: texts.noAgent,
          checked: !agent,
          onChoose: () => onChoose({ ...choice, agentId: null }),
        },
        ...agents.map(({ id, name, description }) => ({
          key: id,
          label: name,
          note: description || undefined,
          checked: id === agent?.id,
          onChoose: () => onChoose({ ...choice, agentId: id }),
        })),
      ],
    },
    {
      key: "models",
      label: texts.models,
      items: models.map(({ id, displayName, providerName }) => ({
        key: id,
        label: displayName,
        note: providerName,
        checked: id === model?.id,
        onChoose: () => onChoose({ ...choice, model: id }),
      })),
    },
  ];
  const name = agent?.name ?? model?.displayName ?? texts.defaultModel;
  return (
    <Menu
      label={`${texts.agent}: ${name}`}
      side="top"
      triggerClass={
        "flex min-h-8 max-w-full items-center gap-1 rounded-md px-2 text-muted " +
        "hover:bg-sunken hover:text-ink pointer-coarse:min-h-11"
      }
      trigger={
        <>
          <bdi className="truncate">{name}</bdi>
          <ChevronDown aria-hidden size={14} className="shrink-0" />
        </>
      }
      groups={groups}
    />
  );
}
