import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";

const en = {
  title: (name: string) => `Share “${name}”`,
  find: "Add people or groups",
  as: "May",
  roles: {
    viewer: "read",
    commenter: "read and react",
    editor: "change",
    owner: "change, share and delete",
  },
  people: "Who has access",
  group: "group",
  onlyYou: "Only you.",
  gone: "deleted",
  remove: "Remove",
  sharedBy: (name: string, when: string) => `shared by ${isolate(name)}, ${when}`,
  removed: (name: string) => `${name} no longer has access.`,
  shared: (name: string) => `${name} has access now.`,
  link: "Link",
  linkHint: "Everybody in your organisation who has the link and is signed in.",
  linkOn: "May be opened by link",
  linkUntil: (date: string) => `The link works until ${date}.`,
  linkFew: (count: number) =>
    count === 1 ? "1 chosen person may use it." : `${count} chosen people may use it.`,
  copy: "Copy link",
  copied: "The link is copied.",
  why: "Why you can see this",
  ownedBy: (name: string) => `It belongs to ${name}.`,
  may: (what: string) => `You may ${what}.`,
  goneOwner: "a former user",
  goneGranter: "A former user",
  itself: "it",
  folder: (name: string) => (name === "" ? "a folder above it" : `the folder ${name}`),
  because: {
    owner: (what: string) => `You own ${what}`,
    user: (by: string, what: string) => `${by} shared ${what} with you`,
    group: (by: string, what: string, group: string) =>
      `${by} shared ${what} with your group ${group}`,
    link: (what: string) => `A link opens ${what} to you`,
  },
  notOwner: "Only owners see and change who has access.",
};

const de = {
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

export const useSharingTexts = texts({ en, de });
