import type { en } from "./texts.en.ts";

export const de = {
  title: "Gruppen",
  hint: "Was einer Gruppe freigegeben ist, ist allen darin freigegeben.",
  all: "Alle Gruppen",
  create: "Gruppe anlegen",
  empty: "Noch keine Gruppen",
  emptyHint:
    "Fassen Sie Personen zu einer Gruppe zusammen und geben Sie ihr Dokumente und Agenten in einem " +
    "Schritt frei.",
  nothing: "Nichts gefunden.",
  search: "Teil des Namens",
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
