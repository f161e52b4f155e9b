import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ComponentProps, useEffect, useState } from "react";
import type { VisibleListedAgent } from "../../../src/services/core/agents/contract.ts";
import { useModels } from "../shell/use-models.ts";
import { formatNumber } from "../texts/format.ts";
import { formatPrice } from "../texts/format-price.ts";
import { FloatingMenu } from "../ui/floating-menu.tsx";
import { Glyph } from "../ui/glyph.tsx";
import type { MenuGroup, MenuItem } from "../ui/menu.tsx";
import { favoriteModelsQuery, useFavoriteModel } from "./favorite-queries.ts";
import type { Choice } from "./choice.ts";
import { usePickerTexts } from "./picker-texts.ts";
import { agentsQuery } from "./queries.ts";

export interface PickerMenuProps extends Pick<
  ComponentProps<typeof FloatingMenu>,
  "label" | "trigger" | "triggerClass"
> {
  choice: Choice;
  onChoose: (choice: Choice) => void;
  /** The agent that is chosen, as far as the user may see it. */
  agentId: string | undefined;
  /** The model that answers where no agent does. */
  modelId: string | undefined;
}

/** The agents and models that can answer, favourites first. */
export function PickerMenu(props: PickerMenuProps & { isOpenAtFirst: boolean }) {
  const { label, trigger, triggerClass, isOpenAtFirst } = props;
  const texts = usePickerTexts();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const agents = useAgentGroups(props);
  const models = useModelGroups(props, isOpen);
  return (
    <FloatingMenu
      label={label}
      trigger={trigger}
      triggerClass={triggerClass}
      isOpenAtFirst={isOpenAtFirst}
      side="roomier"
      groups={[
        ...agents.favorites,
        ...models.favorites,
        ...agents.others,
        ...models.others,
      ]}
      search={texts.search}
      onOpenChange={setOpen}
    />
  );
}

interface Groups {
  favorites: MenuGroup[];
  others: MenuGroup[];
}

const filled = (groups: MenuGroup[]) => groups.filter(({ items }) => items.length > 0);

function useAgentGroups({ choice, onChoose, agentId }: PickerMenuProps): Groups {
  const texts = usePickerTexts();
  const { favorites = [], others = [] } = useQuery(agentsQuery).data ?? {};
  const toItem = ({ id, name, description, icon }: VisibleListedAgent): MenuItem => ({
    key: id,
    label: name,
    tile: <Glyph value={icon} id={id} name={name} size="small" />,
    note: description || undefined,
    checked: id === agentId,
    onChoose: () => onChoose({ ...choice, agentId: id }),
  });
  const none: MenuItem = {
    key: "none",
    label: texts.noAgent,
    icon: X,
    onChoose: () => onChoose({ ...choice, agentId: null }),
  };
  // a model that is chosen says that there is no agent
  const leave = agentId === undefined ? [] : [{ key: "none", items: [none] }];
  return {
    favorites: filled([
      {
        key: "favorites",
        label: texts.favoriteAgents,
        items: favorites.map(toItem),
      },
    ]),
    others: [
      ...filled([{ key: "agents", label: texts.agents, items: others.map(toItem) }]),
      ...leave,
    ],
  };
}

type Model = NonNullable<ReturnType<typeof useModels>>[number];

/** What a model is chosen by: how much it reads, whether it sees, its price. */
function factsOf(facts: Model, texts: ReturnType<typeof usePickerTexts>): string {
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

/** Favourites, then all others by their providers; the offline one is apart. */
function useModelGroups(props: PickerMenuProps, isOpen: boolean): Groups {
  const { choice, onChoose, modelId } = props;
  const texts = usePickerTexts();
  const models = useModels() ?? [];
  const { data: starred } = useQuery(favoriteModelsQuery);
  const toggle = useFavoriteModel();
  const listed = useAtOpening(starred, isOpen) ?? [];
  const toItem = (one: Model): MenuItem => {
    const isOn = starred?.includes(one.id) ?? false;
    return {
      key: one.id,
      label: one.displayName,
      note: factsOf(one, texts) || undefined,
      tile: (
        <Glyph value={null} id={one.providerName} name={one.displayName} size="small" />
      ),
      // of an agent its own, unless one was chosen
      checked: one.id === (choice.agentId ? choice.model : modelId),
      onChoose: () => onChoose({ ...choice, model: one.id }),
      star: {
        label: texts.favorite(one.displayName),
        isOn,
        onToggle: () => toggle({ id: one.id, isFavorite: !isOn }),
      },
    };
  };
  const isOffline = ({ providerKind }: Model) => providerKind === "offline";
  const others = models.filter(({ id }) => !listed.includes(id));
  const providers = Map.groupBy(
    others.toSorted((one, other) => Number(isOffline(one)) - Number(isOffline(other))),
    ({ providerName }) => providerName,
  );
  return {
    // what is gone, or not permitted any more, is not among the models
    favorites: filled([
      {
        key: "favorite-models",
        label: texts.favoriteModels,
        items: models.filter(({ id }) => listed.includes(id)).map(toItem),
      },
    ]),
    others: [...providers].map(([name, own]) => ({
      key: `provider:${name}`,
      label: own[0]?.providerDisplayName ?? name,
      items: own.map(toItem),
    })),
  };
}

/** A value as it was when the menu opened: nothing moves away under the pointer or the focus. */
function useAtOpening<Value>(value: Value | undefined, isOpen: boolean): Value | undefined {
  const [kept, setKept] = useState<Value>();
  useEffect(() => {
    if (!isOpen) setKept(undefined);
    else if (kept === undefined && value !== undefined) setKept(() => value);
  }, [isOpen, kept, value]);
  return isOpen ? (kept ?? value) : value;
}
