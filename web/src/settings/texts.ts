import { texts } from "../texts/language.ts";

const en = {
  title: "Settings",
  tabs: {
    profile: "Profile",
    preferences: "Preferences",
    security: "Password and sessions",
    tools: "Tools",
    connections: "Connections",
    keys: "API keys",
    data: "Your data",
  },
  profile: {
    name: "Name",
    nameHint: "Others see it when you share something.",
    email: "Email",
    emailHint: "An administrator can change it.",
    roles: "Roles",
    rolesHint: "They decide what you may do. An administrator grants them.",
    save: "Save name",
    saved: "Your name is saved.",
  },
  preferences: {
    theme: "Appearance",
    language: "Language",
    hint: "Kept in this browser.",
    keyboard: "Keyboard shortcuts",
    keyboardHint: "Press ? anywhere outside a text field to see them all.",
  },
  password: {
    title: "Password",
    hint: "Changing it ends all your other sessions.",
    current: "Current password",
    next: "New password",
    rule: (min: number) => `At least ${min} characters.`,
    change: "Change password",
    changed: "Your password is changed. Your other sessions have ended.",
    wrong: "This is not your current password.",
  },
  sessions: {
    title: "Sessions",
    hint: "Where you are signed in.",
    current: "This browser",
    unknown: "Unknown program",
    token: "access token",
    used: (ago: string) => `Last used ${ago}`,
    started: (date: string) => `signed in ${date}`,
    end: "End session",
    endOthers: "End all others",
    ended: "The session has ended.",
    othersEnded: (count: number) =>
      count === 1 ? "1 other session has ended." : `${count} other sessions have ended.`,
  },
  keys: {
    title: "API keys",
    hint: "Programs act in your name with a key. Give each program its own, with what it needs.",
    create: "Create a key",
    empty: "No keys yet",
    emptyHint: "A key lets a program call the API as you, within the limits that you set.",
    name: "Name",
    nameHint: "Which program uses it.",
    expires: "Expires",
    expiry: { "30": "In 30 days", "90": "In 90 days", "365": "In a year", never: "Never" },
    scope: "What it may do",
    everything: "Everything that you may do, except administration",
    chosen: "Only what is chosen below",
    chooseOne: "Choose at least one permission.",
    created: "Your new key",
    once: "Copy it now: it is not shown again.",
    all: "everything but administration",
    permissions: (count: number) => (count === 1 ? "1 permission" : `${count} permissions`),
    until: (date: string) => `until ${date}`,
    expired: (date: string) => `expired ${date}`,
    forever: "does not expire",
    used: (ago: string) => `last used ${ago}`,
    unused: "never used",
    revoke: "Revoke",
    revokeTitle: "Revoke this key?",
    revokeText: (name: string) =>
      `Programs that use “${name}” stop working at once. This cannot be undone.`,
    revoked: "The key is revoked.",
  },
  tools: {
    title: "Tools that are always allowed",
    hint: "They run without asking, until you are asked again or the tool changes.",
    empty: "Every tool asks you first",
    emptyHint:
      "Before a tool changes something, the answer waits for you. What you then always allow " +
      "stands here.",
    allowed: (ago: string) => `allowed ${ago}`,
    revoke: "Ask again",
    revoked: (name: string) => `${name} asks before it runs.`,
  },
  connections: {
    title: "Connections",
    hint: "Your accounts at tool servers. Answers that you ask for use them, and nobody else's do.",
    empty: "No tool server asks you to sign in",
    emptyHint: "When a tool needs your account at its server, you can connect it here.",
    states: {
      none: "Not connected",
      connected: "Connected",
      expired: "Expired",
      incomplete: "More rights needed",
    },
    stateHints: {
      none: "Its tools cannot be used in your answers yet.",
      connected: "Its tools are called with your account.",
      expired: "Connect again to use its tools.",
      incomplete: "A tool needs more than you granted. Connect again to grant it.",
    },
    since: (ago: string) => `connected ${ago}`,
    lists: "the list of tools is read with it",
    connect: "Connect",
    again: "Connect again",
    disconnect: "Disconnect",
    connected: (server: string) => `Your account at ${server} is connected.`,
    disconnected: (server: string) => `Your account at ${server} is disconnected.`,
    noAnswer: "The sign-in sent nothing back. Connect again.",
    back: "Back",
  },
  data: {
    title: "Export your data",
    hint:
      "Everything that Parlance stores about you: conversations, documents, agents, settings. One " +
      "JSON object per line.",
    download: "Download",
  },
};

const de = {
  title: "Einstellungen",
  tabs: {
    profile: "Profil",
    preferences: "Darstellung",
    security: "Kennwort und Sitzungen",
    tools: "Werkzeuge",
    connections: "Verbindungen",
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
  connections: {
    title: "Verbindungen",
    hint: "Ihre Konten bei Werkzeugservern. Antworten, um die Sie bitten, verwenden sie; die anderer nicht.",
    empty: "Kein Werkzeugserver verlangt eine Anmeldung",
    emptyHint:
      "Wenn ein Werkzeug Ihr Konto bei seinem Server braucht, können Sie es hier verbinden.",
    states: {
      none: "Nicht verbunden",
      connected: "Verbunden",
      expired: "Abgelaufen",
      incomplete: "Weitere Rechte nötig",
    },
    stateHints: {
      none: "Seine Werkzeuge sind in Ihren Antworten noch nicht verwendbar.",
      connected: "Seine Werkzeuge werden mit Ihrem Konto aufgerufen.",
      expired: "Verbinden Sie es erneut, um seine Werkzeuge zu verwenden.",
      incomplete:
        "Ein Werkzeug braucht mehr, als Sie erlaubt haben. Verbinden Sie es erneut, um das zu erlauben.",
    },
    since: (ago: string) => `verbunden ${ago}`,
    lists: "damit wird die Werkzeugliste gelesen",
    connect: "Verbinden",
    again: "Erneut verbinden",
    disconnect: "Trennen",
    connected: (server: string) => `Ihr Konto bei ${server} ist verbunden.`,
    disconnected: (server: string) => `Ihr Konto bei ${server} ist getrennt.`,
    noAnswer: "Die Anmeldung hat nichts zurückgesandt. Verbinden Sie erneut.",
    back: "Zurück",
  },
  data: {
    title: "Ihre Daten exportieren",
    hint:
      "Alles, was Parlance über Sie speichert: Unterhaltungen, Dokumente, Agenten, Einstellungen. " +
      "Ein JSON-Objekt je Zeile.",
    download: "Herunterladen",
  },
} satisfies typeof en;

export const useSettingsTexts = texts({ en, de });
