import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";

const en = {
  search: "Find an agent or a model",
  context: (tokens: string) => `${tokens} context`,
  seesImages: "sees images",
  favoriteAgents: "Favourite agents",
  favoriteModels: "Favourite models",
  favorite: (name: string) => `Favourite: ${isolate(name)}`,
  agents: "Agents",
  noAgent: "No agent",
};

const de = {
  search: "Agenten oder Modell finden",
  context: (tokens) => `Kontext ${tokens}`,
  seesImages: "sieht Bilder",
  favoriteAgents: "Favorisierte Agenten",
  favoriteModels: "Favorisierte Modelle",
  favorite: (name) => `Favorit: ${isolate(name)}`,
  agents: "Agenten",
  noAgent: "Kein Agent",
} satisfies typeof en;

export const usePickerTexts = texts({ en, de });
