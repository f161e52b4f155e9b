import type { en } from "./texts.en.ts";

export const de = {
  title: "Einstellungen",
  tabs: {
    profile: "Profil",
    preferences: "Darstellung",
    security: "Kennwort und Sitzungen",
    tools: "Werkzeuge",
    keys: "API-Schlüssel",
    data: "Ihre Daten",
  },
  profile: {
    name: "Name",
    nameHint: "Andere sehen ihn, wenn Sie etwas freigeben.",
    email: "E-Mail",
    emailHint: "Die Administration kann sie ändern.",
    roles: "Rollen",
    rolesHint: "Sie legen fest, was Sie dürfen. Die Administration vergibt sie.",
    save: "Namen speichern",
    saved: "Ihr Name ist gespeichert.",
  },
  preferences: {
    theme: "Darstellung",
    language: "Sprache",
    hint: "In diesem Browser gespeichert.",
    keyboard: "Tastenkürzel",
    keyboardHint: "Mit ? außerhalb von Textfeldern werden alle angezeigt.",
  },
  password: {
    title: "Kennwort",
    hint: "Eine Änderung beendet alle Ihre anderen Sitzungen.",
    current: "Bisheriges Kennwort",
    next: "Neues Kennwort",
    rule: (min: number) => `Mindestens ${min} Zeichen.`,
    change: "Kennwort ändern",
    changed: "Ihr Kennwort ist geändert. Ihre anderen Sitzungen sind beendet.",
    wrong: "Das ist nicht Ihr bisheriges Kennwort.",
  },
  sessions: {
    title: "Sitzungen",
    hint: "Wo Sie angemeldet sind.",
    current: "Dieser Browser",
    unknown: "Unbekanntes Programm",
    token: "Zugriffstoken",
    used: (ago: string) => `Zuletzt verwendet ${ago}`,
    started: (date: string) => `angemeldet am ${date}`,
    end: "Sitzung beenden",
    endOthers: "Alle anderen beenden",
    ended: "Die Sitzung ist beendet.",
    othersEnded: (count: number) =>
      count === 1
        ? "1 andere Sitzung ist beendet."
        : `${count} andere Sitzungen sind beendet.`,
  },
  keys: {
    title: "API-Schlüssel",
    hint:
      "Mit einem Schlüssel handeln Programme in Ihrem Namen. Geben Sie jedem Programm einen " +
      "eigenen, mit dem, was es braucht.",
    create: "Schlüssel erstellen",
    empty: "Noch keine Schlüssel",
    emptyHint:
      "Mit einem Schlüssel ruft ein Programm die API in Ihrem Namen auf, in den Grenzen, die Sie " +
      "setzen.",
    name: "Name",
    nameHint: "Welches Programm ihn verwendet.",
    expires: "Läuft ab",
    expiry: {
      "30": "In 30 Tagen",
      "90": "In 90 Tagen",
      "365": "In einem Jahr",
      never: "Nie",
    },
    scope: "Was er darf",
    everything: "Alles, was Sie dürfen, außer Administration",
    chosen: "Nur, was unten gewählt ist",
    chooseOne: "Wählen Sie mindestens eine Berechtigung.",
    created: "Ihr neuer Schlüssel",
    once: "Kopieren Sie ihn jetzt: Er wird nicht noch einmal angezeigt.",
    all: "alles außer Administration",
    permissions: (count: number) =>
      count === 1 ? "1 Berechtigung" : `${count} Berechtigungen`,
    until: (date: string) => `bis ${date}`,
    expired: (date: string) => `abgelaufen am ${date}`,
    forever: "läuft nicht ab",
    used: (ago: string) => `zuletzt verwendet ${ago}`,
    unused: "nie verwendet",
    revoke: "Widerrufen",
    revokeTitle: "Diesen Schlüssel widerrufen?",
    revokeText: (name: string) =>
      `Programme mit „${name}“ funktionieren sofort nicht mehr. Das lässt sich nicht rückgängig ` +
      "machen.",
    revoked: "Der Schlüssel ist widerrufen.",
  },
  tools: {
    title: "Immer erlaubte Werkzeuge",
    hint: "Sie laufen ohne Rückfrage, bis Sie wieder gefragt werden wollen oder sich das Werkzeug ändert.",
    empty: "Jedes Werkzeug fragt Sie vorher",
    emptyHint:
      "Bevor ein Werkzeug etwas ändert, wartet die Antwort auf Sie. Was Sie dann immer erlauben, " +
      "steht hier.",
    allowed: (ago: string) => `erlaubt ${ago}`,
    revoke: "Wieder fragen",
    revoked: (name: string) => `${name} fragt, bevor es läuft.`,
  },
  data: {
    title: "Ihre Daten exportieren",
    hint:
      "Alles, was Parlance über Sie speichert: Unterhaltungen, Dokumente, Agenten, Einstellungen. " +
      "Ein JSON-Objekt je Zeile.",
    download: "Herunterladen",
  },
} satisfies typeof en;
