import { isolate } from "../../texts/isolate.ts";
import { texts } from "../../texts/language.ts";

const en = {
  title: "Users",
  hint: "Everybody who has an account in your organisation.",
  kinds: {
    own: "Accounts",
    external: "Users of another issuer",
    deleted: "Deleted",
    provisioning: "Provisioning",
  },
  externalHint:
    "The organisation's own token issuer signs them in. They are known here from their first request on.",
  noExternal: "No user of another issuer came yet",
  noExternalHint:
    "Where the server accepts tokens of your own issuer, everybody who comes with one is listed here.",
  deletedHint:
    "Each service deletes or hands over its part of the data, and tries again when that fails. " +
    "After its last attempt, the message is in the dead letters of its queue.",
  noDeleted: "Nobody was deleted yet",
  noDeletedHint:
    "Who is deleted is listed here until nothing of their data is left, and after.",
  userId: "Id",
  deletedAt: "Deleted",
  goesTo: "Data",
  isDeleted: "is deleted",
  goesToUser: (name: string) => `goes to ${name}`,
  erasure: { waiting: "In progress", failed: "Not complete", done: "Complete" },
  partFailed: (service: string, attempt: number, reason: string) =>
    `${service}, attempt ${attempt}: ${reason}`,
  knownSince: "First request",
  actions: "Actions",
  disableTitle: (name: string) => `Disable ${name}?`,
  disableText:
    "Their tokens, keys, grants, rules and open streams end at once. Their data stays, and you can " +
    "enable them again.",
  externalDisabled: (name: string) => `${name} is disabled.`,
  externalEnabled: (name: string) => `${name} may come in again.`,
  all: "All users",
  create: "Create user",
  createdTitle: (name: string) => `${name} has an account`,
  passwordOnce: (email: string) =>
    `Give this password to ${email} in private. It is not shown again, and ` +
    "has to be changed at the first sign-in.",
  count: (count: number, text: string) => (count === 1 ? "1 user" : `${text} users`),
  nobody: "No user fits",
  nobodyHint: "Try other words, or take away a filter.",
  search: "Search by name or email",
  name: "Name",
  email: "Email",
  emailHint: "Used to sign in.",
  role: "Role",
  anyRole: "Any role",
  roles: "Roles",
  rolesHint:
    "They decide what the user may do. Someone with several may do what any of them allows. " +
    "Groups can add roles: see Access.",
  rolesOfGroups: "Roles of groups",
  throughGroup: "through the group",
  rolesEndSessions: "Changing roles signs the user out everywhere.",
  state: "State",
  anyState: "Any state",
  active: "Active",
  disabled: "Disabled",
  created: "Created",
  save: "Save",
  saved: "Saved.",
  tabsLabel: "Parts of the account",
  tabs: { account: "Account", access: "Access" },
  signIn: "Signing in",
  signInHint: "Where the user is signed in now.",
  disabledHint:
    "The account is disabled: nobody can sign in with it, and its API keys do not work.",
  sessions: "Open sessions",
  noSessions: "Signed in nowhere.",
  unknownProgram: "Unknown program",
  lastUsed: (ago: string) => `last used ${ago}`,
  endSessions: "Sign out everywhere",
  sessionsEnded: "All sessions have ended, and all programs are disconnected.",
  newPassword: "Set a new password",
  newPasswordText: (name: string) =>
    `A random password replaces that of ${name}, and all their sessions end. You see it once, ` +
    "and pass it on.",
  setPassword: "Set password",
  disableMany: "Disable",
  enableMany: "Enable",
  disableManyTitle: (count: number) =>
    count === 1 ? "Disable this account?" : `Disable ${count} accounts?`,
  disableManyText:
    "Nobody can sign in with them any more. Their sessions and API keys end, also when you enable the " +
    "accounts again.",
  manyDisabled: (count: number) =>
    count === 1 ? "1 account is disabled." : `${count} accounts are disabled.`,
  manyEnabled: (count: number) =>
    count === 1 ? "1 account is enabled." : `${count} accounts are enabled.`,
  deleteMany: "Delete",
  deleteManyTitle: (count: number) =>
    count === 1 ? "Delete this account?" : `Delete ${count} accounts?`,
  deleteManyText: "The accounts end at once. This cannot be undone.",
  manyDeleted: (count: number) =>
    count === 1 ? "1 account is deleted." : `${count} accounts are deleted.`,
  addToGroup: "Add to a group",
  addToGroupTitle: (count: number) =>
    count === 1 ? "Add 1 account to a group" : `Add ${count} accounts to a group`,
  group: "Group",
  groupHint: "Type a part of its name and choose.",
  groupIs: (name: string) => `Chosen: ${isolate(name)}`,
  manyAdded: (count: number, group: string) =>
    count === 1
      ? `1 account is in the group ${isolate(group)}.`
      : `${count} accounts are in the group ${isolate(group)}.`,
  disable: "Disable account",
  enable: "Enable account",
  nowDisabled: "The account is disabled. Its sessions and API keys have ended.",
  nowEnabled: "The account is enabled.",
  data: "Data",
  dataHint:
    "The export has everything that is stored about the user, one JSON object per line.",
  export: "Export data",
  delete: "Delete user",
  deleted: (name: string) => `${name} is deleted.`,
  deleteTitle: (name: string) => `Delete ${name}`,
  deleteText: "The account ends at once. This cannot be undone.",
  fate: "Their conversations, documents and agents",
  fates: { transfer: "Give them to another user", delete: "Delete them too" },
  fateHints: {
    transfer: "Shares and links to them keep working.",
    delete: "Also what others were given to use.",
  },
  heir: "Who receives them",
  heirHint: "Type a part of a name and choose.",
  heirIs: (name: string) => `Chosen: ${name}`,
  groups: "Groups",
  groupsHint: "What is shared with a group is shared with its members.",
  noGroups: "In no group.",
  permissions: "Permissions",
  permissionsHint: (roles: readonly string[]) =>
    `As the roles of the user say: ${roles.join(", ")}. What is shared decides in addition.`,
};

const de = {
  title: "Benutzer",
  hint: "Alle, die in Ihrer Organisation ein Konto haben.",
  kinds: {
    own: "Konten",
    external: "Benutzer eines anderen Ausstellers",
    deleted: "Gelöscht",
    provisioning: "Bereitstellung",
  },
  externalHint:
    "Der Token-Aussteller der Organisation meldet sie an. Hier sind sie ab ihrer ersten Anfrage bekannt.",
  noExternal: "Noch kam niemand von einem anderen Aussteller",
  noExternalHint:
    "Wo der Server Token Ihres eigenen Ausstellers annimmt, stehen hier alle, die damit kamen.",
  deletedHint:
    "Jeder Dienst löscht oder übergibt seinen Teil der Daten und versucht es nach einem Fehler " +
    "erneut. Nach dem letzten Versuch liegt die Nachricht bei den unzustellbaren seiner Warteschlange.",
  noDeleted: "Noch wurde niemand gelöscht",
  noDeletedHint:
    "Wer gelöscht wird, steht hier, bis von den Daten nichts übrig ist, und danach.",
  userId: "Kennung",
  deletedAt: "Gelöscht",
  goesTo: "Daten",
  isDeleted: "werden gelöscht",
  goesToUser: (name: string) => `gehen an ${name}`,
  erasure: { waiting: "In Arbeit", failed: "Nicht vollständig", done: "Vollständig" },
  partFailed: (service: string, attempt: number, reason: string) =>
    `${service}, Versuch ${attempt}: ${reason}`,
  knownSince: "Erste Anfrage",
  actions: "Aktionen",
  disableTitle: (name: string) => `${name} deaktivieren?`,
  disableText:
    "Token, Schlüssel, Rechte, Regeln und offene Verbindungen der Person enden sofort. Ihre Daten " +
    "bleiben, und Sie können sie wieder aktivieren.",
  externalDisabled: (name: string) => `${name} ist deaktiviert.`,
  externalEnabled: (name: string) => `${name} ist wieder aktiviert.`,
  all: "Alle Benutzer",
  create: "Benutzer anlegen",
  createdTitle: (name: string) => `${name} hat ein Konto`,
  passwordOnce: (email: string) =>
    `Geben Sie dieses Kennwort vertraulich an ${email}. Es wird nicht noch einmal angezeigt und ` +
    "muss bei der ersten Anmeldung geändert werden.",
  count: (count: number, text: string) => (count === 1 ? "1 Konto" : `${text} Konten`),
  nobody: "Niemand passt dazu",
  nobodyHint: "Versuchen Sie andere Wörter, oder nehmen Sie einen Filter weg.",
  search: "Nach Name oder E-Mail suchen",
  name: "Name",
  email: "E-Mail",
  emailHint: "Dient zur Anmeldung.",
  role: "Rolle",
  anyRole: "Jede Rolle",
  roles: "Rollen",
  rolesHint:
    "Sie entscheiden, was die Person tun darf. Bei mehreren gilt, was irgendeine davon erlaubt." +
    " Gruppen können weitere geben: siehe „Zugriff“.",
  rolesOfGroups: "Rollen von Gruppen",
  throughGroup: "über die Gruppe",
  rolesEndSessions: "Neue Rollen melden die Person überall ab.",
  state: "Zustand",
  anyState: "Jeder Zustand",
  active: "Aktiv",
  disabled: "Deaktiviert",
  created: "Angelegt",
  save: "Speichern",
  saved: "Gespeichert.",
  tabsLabel: "Teile des Kontos",
  tabs: { account: "Konto", access: "Zugriff" },
  signIn: "Anmeldung",
  signInHint: "Wo die Person gerade angemeldet ist.",
  disabledHint:
    "Das Konto ist deaktiviert: Niemand kann sich damit anmelden, und seine API-Schlüssel gelten nicht.",
  sessions: "Offene Sitzungen",
  noSessions: "Nirgends angemeldet.",
  unknownProgram: "Unbekanntes Programm",
  lastUsed: (ago: string) => `zuletzt benutzt ${ago}`,
  endSessions: "Überall abmelden",
  sessionsEnded: "Alle Sitzungen sind beendet und alle Programme getrennt.",
  newPassword: "Neues Kennwort setzen",
  newPasswordText: (name: string) =>
    `Ein zufälliges Kennwort ersetzt das von ${name}, und alle Sitzungen enden. Sie sehen es ` +
    "einmal und geben es weiter.",
  setPassword: "Kennwort setzen",
  disableMany: "Deaktivieren",
  enableMany: "Aktivieren",
  disableManyTitle: (count: number) =>
    count === 1 ? "Dieses Konto deaktivieren?" : `${count} Konten deaktivieren?`,
  disableManyText:
    "Niemand kann sich mehr damit anmelden. Sitzungen und API-Schlüssel enden, auch wenn Sie die " +
    "Konten wieder aktivieren.",
  manyDisabled: (count: number) =>
    count === 1 ? "1 Konto ist deaktiviert." : `${count} Konten sind deaktiviert.`,
  manyEnabled: (count: number) =>
    count === 1 ? "1 Konto ist aktiviert." : `${count} Konten sind aktiviert.`,
  deleteMany: "Löschen",
  deleteManyTitle: (count: number) =>
    count === 1 ? "Dieses Konto löschen?" : `${count} Konten löschen?`,
  deleteManyText: "Die Konten enden sofort. Das lässt sich nicht rückgängig machen.",
  manyDeleted: (count: number) =>
    count === 1 ? "1 Konto ist gelöscht." : `${count} Konten sind gelöscht.`,
  addToGroup: "In eine Gruppe aufnehmen",
  addToGroupTitle: (count: number) =>
    count === 1
      ? "1 Konto in eine Gruppe aufnehmen"
      : `${count} Konten in eine Gruppe aufnehmen`,
  group: "Gruppe",
  groupHint: "Einen Teil des Namens eingeben und auswählen.",
  groupIs: (name: string) => `Ausgewählt: ${isolate(name)}`,
  manyAdded: (count: number, group: string) =>
    count === 1
      ? `1 Konto ist in der Gruppe ${isolate(group)}.`
      : `${count} Konten sind in der Gruppe ${isolate(group)}.`,
  disable: "Konto deaktivieren",
  enable: "Konto aktivieren",
  nowDisabled: "Das Konto ist deaktiviert. Sitzungen und API-Schlüssel sind beendet.",
  nowEnabled: "Das Konto ist aktiviert.",
  data: "Daten",
  dataHint:
    "Der Export enthält alles, was über die Person gespeichert ist, ein JSON-Objekt je Zeile.",
  export: "Daten exportieren",
  delete: "Benutzer löschen",
  deleted: (name: string) => `${name} ist gelöscht.`,
  deleteTitle: (name: string) => `${name} löschen`,
  deleteText: "Das Konto endet sofort. Das lässt sich nicht rückgängig machen.",
  fate: "Unterhaltungen, Dokumente und Agenten der Person",
  fates: { transfer: "Jemand anderem geben", delete: "Ebenfalls löschen" },
  fateHints: {
    transfer: "Freigaben und Links darauf gelten weiter.",
    delete: "Auch das, was andere mitbenutzen.",
  },
  heir: "Wer sie erhält",
  heirHint: "Einen Teil des Namens eingeben und auswählen.",
  heirIs: (name: string) => `Ausgewählt: ${name}`,
  groups: "Gruppen",
  groupsHint: "Was einer Gruppe freigegeben ist, ist ihren Mitgliedern freigegeben.",
  noGroups: "In keiner Gruppe.",
  permissions: "Rechte",
  permissionsHint: (roles: readonly string[]) =>
    `Nach den Rollen der Person: ${roles.join(", ")}. Dazu kommt, was ihr freigegeben ist.`,
} satisfies typeof en;

export const useUserTexts = texts({ en, de });
