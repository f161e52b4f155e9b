import type { en } from "./texts.en.ts";

export const de = {
  title: "Sperren",
  hint:
    "Solange jemand eine Arbeitsfläche oder einen Agenten bearbeitet, können andere das nicht. Eine " +
    "Sperre endet beim Verlassen, oder bald nachdem der Browser fort ist.",
  none: "Gerade bearbeitet niemand etwas",
  noneHint:
    "Eine Sperre, die andere vom Bearbeiten abhält, stünde hier und ließe sich lösen.",
  holder: "Gehalten von",
  gone: "einer gelöschten Person",
  thing: "Gesperrt",
  kinds: {
    conversation: "Arbeitsflächen einer Unterhaltung",
    folder: "Ein Ordner",
    document: "Ein Dokument",
    agent: "Ein Agent",
    template: "Eine Vorlage",
  },
  of: (name: string) => `von ${name}`,
  since: "Seit",
  until: "Endet ohne Verlängerung",
  actions: "Aktionen",
} satisfies typeof en;
