import { isolate } from "../../texts/isolate.ts";
import { texts } from "../../texts/language.ts";

const en = {
  title: "Labels",
  of: (names: string) => `Labels: ${names}. What they mean`,
  add: "Add label",
  none: "Nothing here carries a label.",
  save: "Save",
  choose: "Labels of its own",
  from: {
    own: "put on this",
    folder: "from a folder above it",
    carried: "came with what was read",
  },
  kept: "Only administrators take it off here.",
  providersAll: "Models of all providers may read it.",
  providers: (names: string) => `Only models of these providers may read it: ${names}.`,
  noProviders: "No provider's model may read it.",
  openWorld: {
    allowed: "After it, tools may be called as usual.",
    ask: "After it, tools that leave the installation or change something ask first.",
    refused: "After it, no tool that leaves the installation runs.",
  },
  sharingAll: "It may be shared with anybody.",
  sharingNobody: "It may be shared with nobody.",
  sharingGroups: (count: number) =>
    count === 1
      ? "It may be shared within one group alone."
      : `It may be shared within ${count} groups alone.`,
  carries: (names: string) => `Made from what carries ${names}`,
  asks: (name: string) =>
    `It asks because this conversation has read what carries the label ${isolate(name)}.`,
};

const de = {
  title: "Kennzeichnungen",
  of: (names: string) => `Kennzeichnungen: ${names}. Was sie bedeuten`,
  add: "Kennzeichnen",
  none: "Hier ist nichts gekennzeichnet.",
  save: "Speichern",
  choose: "Eigene Kennzeichnungen",
  from: {
    own: "hier angebracht",
    folder: "von einem Ordner darüber",
    carried: "kam mit dem, was gelesen wurde",
  },
  kept: "Hier nimmt sie nur die Administration ab.",
  providersAll: "Modelle aller Anbieter dürfen es lesen.",
  providers: (names: string) => `Nur Modelle dieser Anbieter dürfen es lesen: ${names}.`,
  noProviders: "Kein Modell eines Anbieters darf es lesen.",
  openWorld: {
    allowed: "Danach laufen Werkzeuge wie sonst.",
    ask: "Danach fragen Werkzeuge, die nach außen gehen oder etwas ändern, zuerst.",
    refused: "Danach läuft kein Werkzeug, das nach außen geht.",
  },
  sharingAll: "Es darf allen freigegeben werden.",
  sharingNobody: "Es darf niemandem freigegeben werden.",
  sharingGroups: (count: number) =>
    count === 1
      ? "Es darf nur in einer Gruppe freigegeben werden."
      : `Es darf nur in ${count} Gruppen freigegeben werden.`,
  carries: (names: string) => `Entstanden aus etwas mit ${names}`,
  asks: (name: string) =>
    `Es fragt, weil diese Unterhaltung etwas mit der Kennzeichnung ${isolate(name)} gelesen hat.`,
} satisfies typeof en;

export const useLabelTexts = texts({ en, de });
