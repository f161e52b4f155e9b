import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { modelsQuery } from "../shell/queries.ts";
import { useModels } from "../shell/use-models.ts";
import { useWhenIdle } from "../shell/use-when-idle.ts";
import { menuOf } from "../ui/menu.tsx";
import type { Choice } from "./choice.ts";
import type { PickerMenuProps } from "./picker-menu.tsx";
import { agentQuery, agentsQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

interface PickerProps {
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

const PickerMenu = menuOf<PickerMenuProps>(
  async () => (await import("./picker-menu.tsx")).PickerMenu,
);

/** Chooses the model, or the agent, that answers. */
export function Picker({ choice, onChoose }: PickerProps) {
  const texts = useChatTexts();
  useWhenIdle(PickerMenu.preload);
  const agent = useAgent(choice.agentId);
  const models = useModels() ?? [];
  const model = models.find(({ id }) => id === choice.model) ?? models[0];
  const isUnknown = awaitsFirst(useQuery(modelsQuery));
  const name = agent?.name ?? model?.displayName ?? texts.defaultModel;
  // a button that grew with its name would move, one made again would close its open menu
  if (isUnknown) return <span className="ml-auto" />;
  return (
    <PickerMenu
      label={`${texts.agent}: ${name}`}
      triggerClass={
        "ml-auto flex min-h-8.5 min-w-0 items-center gap-1.5 rounded-full px-2.5 text-sm font-medium " +
        "text-muted " +
        "hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
      }
      trigger={
        <>
          <bdi className="truncate">{name}</bdi>
          <ChevronDown aria-hidden size={14} className="shrink-0" />
        </>
      }
      choice={choice}
      onChoose={onChoose}
      agentId={agent?.id}
      modelId={model?.id}
    />
  );
}

/** The agent that is chosen, as far as the user may see it. */
function useAgent(id: string | null | undefined) {
  const { favorites = [], others = [] } = useQuery(agentsQuery).data ?? {};
  const listed = [...favorites, ...others].find((agent) => agent.id === id);
  const named = useQuery({ ...agentQuery(id), enabled: Boolean(id) && !listed });
  return listed ?? (id ? named.data : undefined);
}
