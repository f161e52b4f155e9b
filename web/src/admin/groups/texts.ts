import { texts } from "../../texts/language.ts";

export const en = {
  title: "Groups",
  hint: "What is shared with a group is shared with everybody in it.",
  all: "All groups",
  create: "Create group",
  empty: "No groups yet",
  emptyHint:
    "Gather people in a group, then share documents and agents with it in one step.",
  nothing: "Nothing found.",
  search: "Search by name",
  name: "Name",
  description: "Description",
  origin: "Members from",
  local: "here",
  external: "Identity provider",
  externalName: "Name at the identity provider",
  externalNameHint:
    "Users whose sign-in names this group are members. Leave empty for none.",
  externalHint: (name: string) =>
    `Also everybody whose identity provider names the group “${name}” at sign-in.`,
  actions: (name: string) => `Actions for ${name}`,
  change: "Change",
  save: "Save",
  saved: "Saved.",
  delete: "Delete",
  deleted: (name: string) => `The group ${name} is deleted.`,
  deleteTitle: (name: string) => `Delete the group ${name}`,
  deleteText:
    "Every share with the group ends, and its members lose the roles they have through it. " +
    "They stay users. This cannot be undone.",
  members: "Members",
  membersHint: "Everybody in the group, and through what.",
  memberCount: (count: number) => (count === 1 ? "1 member" : `${count} members`),
  addMember: "Add somebody by name or email",
  searchMembers: (count: string) => `Search among ${count} members`,
  noMembers: "Nobody is in this group yet.",
  remove: "Remove",
  removed: (name: string) => `${name} is no longer in the group.`,
  sources: {
    added: "added here",
    provider: "by the identity provider",
    through: (group: string) => `through ${group}`,
    throughProvider: (group: string) => `through ${group}, by the identity provider`,
  },
  nested: "Groups inside",
  nestedHint: "Their members are members here too.",
  noNested: "No group is in this one.",
  addGroup: "Add a group by name",
  unnested: (name: string) => `${name} is no longer in the group.`,
  roles: "Roles",
  rolesHint:
    "Everybody in the group has these roles beside their own, from their next request on.",
  noRoles: "The group has no roles. Its members have only their own.",
  changeRoles: "Change roles",
  parents: "Is in",
  parentsHint: "Members here are members of these too.",
};

const de = {
  title: "Gruppen",
  hint: "Was einer Gruppe freigegeben ist, ist allen darin freigegeben.",
  all: "Alle Gruppen",
  create: "Gruppe anlegen",
  empty: "Noch keine Gruppen",
  emptyHint:
    "Fassen Sie Personen zu einer Gruppe zusammen und geben Sie ihr Dokumente und Agenten in einem " +
    "Schritt frei.",
  nothing: "Nichts gefunden.",
  search: "Nach Namen suchen",
  name: "Name",
  description: "Beschreibung",
  origin: "Mitglieder von",
  local: "hier",
  external: "Anmeldedienst",
  externalName: "Name beim Anmeldedienst",
  externalNameHint:
    "Wessen Anmeldung diese Gruppe nennt, ist Mitglied. Leer lassen, wenn es keine gibt.",
  externalHint: (name: string) =>
    `Dazu alle, deren Anmeldedienst bei der Anmeldung die Gruppe „${name}“ nennt.`,
  actions: (name: string) => `Aktionen für ${name}`,
  change: "Ändern",
  save: "Speichern",
  saved: "Gespeichert.",
  delete: "Löschen",
  deleted: (name: string) => `Die Gruppe ${name} ist gelöscht.`,
  deleteTitle: (name: string) => `Gruppe ${name} löschen`,
  deleteText:
    "Jede Freigabe an die Gruppe endet, und ihre Mitglieder verlieren die Rollen, die sie durch sie " +
    "haben. Die Konten bleiben. Das lässt sich nicht rückgängig machen.",
  members: "Mitglieder",
  membersHint: "Alle in der Gruppe, und wodurch.",
  memberCount: (count: number) => (count === 1 ? "1 Mitglied" : `${count} Mitglieder`),
  addMember: "Jemanden nach Name oder E-Mail hinzufügen",
  searchMembers: (count: string) => `Unter ${count} Mitgliedern suchen`,
  noMembers: "In dieser Gruppe ist noch niemand.",
  remove: "Entfernen",
  removed: (name: string) => `${name} ist nicht mehr in der Gruppe.`,
  sources: {
    added: "hier hinzugefügt",
    provider: "durch den Anmeldedienst",
    through: (group: string) => `über ${group}`,
    throughProvider: (group: string) => `über ${group}, durch den Anmeldedienst`,
  },
  nested: "Gruppen darin",
  nestedHint: "Deren Mitglieder sind auch hier Mitglieder.",
  noNested: "In dieser Gruppe ist keine andere.",
  addGroup: "Eine Gruppe nach Namen hinzufügen",
  unnested: (name: string) => `${name} ist nicht mehr in der Gruppe.`,
  roles: "Rollen",
  rolesHint:
    "Alle in der Gruppe haben diese Rollen neben ihren eigenen, von ihrer nächsten Anfrage an.",
  noRoles: "Die Gruppe hat keine Rollen. Ihre Mitglieder haben nur ihre eigenen.",
  changeRoles: "Rollen ändern",
  parents: "Ist enthalten in",
  parentsHint: "Mitglieder hier sind auch deren Mitglieder.",
} satisfies typeof en;

export const useGroupTexts = texts({ en, de });
