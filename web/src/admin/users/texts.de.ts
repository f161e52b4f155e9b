import type { en } from "./texts.en.ts";

export const de = {
  title: "Benutzer",
  hint: "Alle, die in Ihrer Organisation ein Konto haben.",
  kinds: { own: "Konten", external: "Benutzer eines anderen Ausstellers" },
  externalHint:
    "Der Token-Aussteller der Organisation meldet sie an. Hier sind sie ab ihrer ersten Anfrage bekannt.",
  noExternal: "Noch kam niemand von einem anderen Aussteller",
  noExternalHint:
    "Wo der Server Tokens Ihres eigenen Ausstellers annimmt, stehen hier alle, die damit kamen.",
  knownSince: "Erste Anfrage",
  actions: "Aktionen",
  disableTitle: (name: string) => `${name} deaktivieren?`,
  disableText:
    "Tokens, Schlüssel, Rechte, Regeln und offene Verbindungen der Person enden sofort. Ihre Daten " +
    "bleiben, und Sie können sie wieder aktivieren.",
  externalDisabled: (name: string) => `${name} ist deaktiviert.`,
  externalEnabled: (name: string) => `${name} ist wieder aktiviert.`,
  all: "Alle Benutzer",
  create: "Benutzer anlegen",
  createdTitle: (name: string) => `${name} hat ein Konto`,
  passwordOnce: (email: string) =>
    `Geben Sie dieses Kennwort vertraulich an ${email}. Es wird nicht noch einmal angezeigt und ` +
    "lässt sich nach der Anmeldung in den Einstellungen ändern.",
  count: (count: number, text: string) => (count === 1 ? "1 Konto" : `${text} Konten`),
  nobody: "Niemand passt dazu",
  nobodyHint: "Versuchen Sie andere Wörter, oder nehmen Sie einen Filter weg.",
  search: "Teil des Namens oder der E-Mail",
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
  sessionsEnded: "Alle Sitzungen sind beendet.",
  newPassword: "Neues Kennwort setzen",
  newPasswordText: (name: string) =>
    `Ein zufälliges Kennwort ersetzt das von ${name}, und alle Sitzungen enden. Sie sehen es ` +
    "einmal und geben es weiter.",
  setPassword: "Kennwort setzen",
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
