import { isolate } from "../texts/isolate.ts";

export const en = {
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
