import { texts } from "../../texts/language.ts";

const en = {
  title: "Locks",
  hint:
    "While somebody edits a canvas or an agent, others cannot change it. A lock ends when they leave, " +
    "or soon after their browser is gone.",
  none: "Nobody edits anything right now",
  noneHint: "A lock that keeps others from editing would be listed here, to be released.",
  holder: "Held by",
  gone: "a user who is gone",
  thing: "Locked",
  kinds: {
    conversation: "Canvases of a conversation",
    folder: "A folder",
    document: "A document",
    agent: "An agent",
    template: "A template",
  },
  of: (name: string) => `of ${name}`,
  since: "Since",
  until: "Ends, if not renewed",
  actions: "Actions",
};

const de = {
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

export const useLocksTexts = texts({ en, de });
