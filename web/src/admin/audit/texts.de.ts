import type { en } from "./texts.en.ts";

export const de = {
  title: "Protokoll",
  hint:
    "Wer was geändert hat, das Neueste zuerst. Wählen Sie einen Namen, eine Aktion oder ein Ding, " +
    "um nur dessen Einträge zu sehen.",
  count: (count: string) => `${count} Einträge`,
  nothing: "Kein Eintrag passt",
  nothingHint:
    "Jede Änderung durch die Verwaltung und jede Freigabe wird hier festgehalten.",
  action: "Aktion, etwa share.",
  resource: "Art des Dings",
  actor: "Wer",
  from: "Von",
  to: "Bis",
  showAll: "Alles zeigen",
  formats: { csv: "Als CSV exportieren", json: "Als JSON exportieren" },
  actors: (id: string) => (id === "service" ? "Ein Dienst" : id),
  details: "Einzelheiten",
} satisfies typeof en;
