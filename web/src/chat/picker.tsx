import { useQuery } from "@tanstack/react-query";
import { ChevronDown, X } from "lucide-react";
import { Menu, type MenuGroup, type MenuItem } from "../ui/menu.tsx";
import type { VisibleListedAgent } from "../../../src/services/core/agents/contract.ts";
import { Glyph } from "../ui/glyph.tsx";
import { agentQuery, agentsQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { modelsQuery } from "../shell/queries.ts";
import { useModels } from "../shell/use-models.ts";
import { formatNumber } from "../texts/format.ts";
import { formatPrice } from "../texts/format-price.ts";

/** The model or agent that answers. `undefined`: as before, or the default. */
export interface Choice {
  model?: string | undefined;
  /** `null`: no agent. */
  agentId?: string | null | undefined;
  /** Names of tools and toolsets, in chats without an agent. */
  tools?: string[] | undefined;
}

interface PickerProps {
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

/** Chooses the model, or the agent, that answers. */
export function Picker(props: PickerProps) {
  const texts = useChatTexts();
  const { agent, groups: agents } = useAgents(props);
  const { model, groups: models } = useModelGroups(props);
  const isUnknown = awaitsFirst(useQuery(modelsQuery));
  const name = agent?.name ?? model?.displayName ?? texts.defaultModel;
  // a button that grew with its name would move, one made again would close its open menu
  if (isUnknown) return <span className="ml-auto" />;
  return (
    <Menu
      label={`${texts.agent}: ${name}`}
      side="roomier"
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
      groups={[...agents, ...models]}
      search={texts.pickerSearch}
    />
  );
}

/** The agent that is chosen, and all that can be. */
function useAgents({ choice, onChoose }: PickerProps) {
  const texts = useChatTexts();
  const { favorites = [], others = [] } = useQuery(agentsQuery).data ?? {};
  const listed = [...favorites, ...others].find(({ id }) => id === choice.agentId);
  const named = useQuery({
    ...agentQuery(choice.agentId),
    enabled: Boolean(choice.agentId) && !listed,
  });
  const agent = listed ?? (choice.agentId ? named.data : undefined);
  const toItem = ({ id, name, description, icon }: VisibleListedAgent): MenuItem => ({
    key: id,
    label: name,
    tile: <Glyph value={icon} id={id} name={name} size="small" />,
    note: description || undefined,
    checked: id === agent?.id,
    onChoose: () => onChoose({ ...choice, agentId: id }),
  });
  const none: MenuItem = {
    key: "none",
    label: texts.noAgent,
    icon: X,
    onChoose: () => onChoose({ ...choice, agentId: null }),
  };
  const favorite: MenuGroup = {
    key: "favorites",
    label: texts.favorites,
    items: favorites.map(toItem),
  };
  const rest: MenuGroup = {
    key: "agents",
    label: texts.agents,
    items: others.map(toItem),
  };
  const groups = [favorite, rest].filter(({ items }) => items.length > 0);
  // a model that is chosen says that there is no agent
  const leave = agent ? [{ key: "none", items: [none] }] : [];
  return { agent, groups: [...groups, ...leave] };
}

type Model = NonNullable<ReturnType<typeof useModels>>[number];

/** What a model is chosen by: how much it reads, whether it sees, its price. */
function factsOf(facts: Model, texts: ReturnType<typeof useChatTexts>): string {
  const { contextWindow, capabilities, pricing } = facts;
  const tokens =
    contextWindow !== undefined && formatNumber(contextWindow, { notation: "compact" });
  return [
    tokens && texts.context(tokens),
    capabilities.vision && !capabilities.visionAssumed && texts.seesImages,
    pricing && formatPrice(pricing),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The model that is chosen, and all that can be, by their providers; the offline one is apart. */
function useModelGroups({ choice, onChoose }: PickerProps) {
  const texts = useChatTexts();
  const models = useModels() ?? [];
  const model = models.find(({ id }) => id === choice.model) ?? models[0];
  const toItem = (one: Model): MenuItem => ({
    key: one.id,
    label: one.displayName,
    note: factsOf(one, texts) || undefined,
    tile: <Glyph value={null} id={one.providerName} name={one.displayName} size="small" />,
    // of an agent its own, unless one was chosen
    checked: one.id === (choice.agentId ? choice.model : model?.id),
    onChoose: () => onChoose({ ...choice, model: one.id }),
  });
  const isOffline = ({ providerKind }: Model) => providerKind === "offline";
  const providers = Map.groupBy(
    models.toSorted((one, other) => Number(isOffline(one)) - Number(isOffline(other))),
    ({ providerName }) => providerName,
  );
  const groups = [...providers].map(([name, own]): MenuGroup => ({
    key: `provider:${name}`,
    label: own[0]?.providerDisplayName ?? name,
    items: own.map(toItem),
  }));
  return { model, groups };
}
