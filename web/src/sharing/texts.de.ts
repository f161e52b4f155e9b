import { isolate } from "../texts/isolate.ts";
import type { en } from "./texts.en.ts";

export const de = {
  title: (name: string) => `„${name}“ freigeben`,
  find: "Personen oder Gruppen hinzufügen",
  as: "Darf",
  roles: {
    viewer: "lesen",
    commenter: "lesen und reagieren",
    editor: "ändern",
    owner: "ändern, freigeben und löschen",
  },
  people: "Wer Zugriff hat",
  group: "Gruppe",
  onlyYou: "Nur Sie.",
  gone: "gelöscht",
  remove: "Entfernen",
  sharedBy: (name: string, when: string) => `freigegeben von ${isolate(name)}, ${when}`,
  removed: (name: string) => `${name} hat keinen Zugriff mehr.`,
  shared: (name: string) => `${name} hat jetzt Zugriff.`,
  link: "Link",
  linkHint: "Alle in Ihrer Organisation, die den Link haben und angemeldet sind.",
  linkOn: "Lässt sich per Link öffnen",
  linkUntil: (date: string) => `Der Link gilt bis ${date}.`,
  linkFew: (count: number) =>
    count === 1
      ? "1 ausgewählte Person darf ihn nutzen."
      : `${count} ausgewählte Personen dürfen ihn nutzen.`,
  copy: "Link kopieren",
  copied: "Der Link ist kopiert.",
  why: "Warum Sie das sehen",
  ownedBy: (name: string) => `Es gehört ${name}.`,
  may: (what: string) => `Sie dürfen ${what}.`,
  goneOwner: "einer früheren Person",
  goneGranter: "Eine frühere Person",
  itself: "es",
  folder: (name: string) => (name === "" ? "einen Ordner darüber" : `den Ordner ${name}`),
  because: {
    owner: (what: string) => `Sie besitzen ${what}`,
    user: (by: string, what: string) => `${by} hat ${what} für Sie freigegeben`,
    group: (by: string, what: string, group: string) =>
      `${by} hat ${what} für Ihre Gruppe ${group} freigegeben`,
    link: (what: string) => `Ein Link öffnet ${what} für Sie`,
  },
  notOwner: "Nur wer Eigentümer ist, sieht und ändert, wer Zugriff hat.",
} satisfies typeof en;
