import type { en } from "./texts.en.ts";

export const de = {
  title: "Abläufe",
  tabs: { flows: "Abläufe", account: "Konto" },
  off: "Abläufe sind ausgeschaltet",
  offHint:
    "Diese Anlage ist nicht mit Langflow verbunden. Wer sie betreibt, setzt FLOWENGINE_BASE_URL " +
    "und FLOWENGINE_ADMIN_API_KEY.",
  empty: "Noch keine Abläufe",
  emptyHint:
    "Abläufe werden in Langflow gezeichnet. Hier stehen Ihre eigenen und die Ihnen gewährten.",
  showAccount: "Mein Konto dort zeigen",
  owned: "Ihr eigener",
  granted: "Ihnen gewährt",
  changed: (when: string) => `geändert ${when}`,
  count: (count: number) => (count === 1 ? "1 Ablauf" : `${count} Abläufe`),
  back: "Abläufe",
  input: "Eingabe",
  inputHint: "Sie geht an die Chat-Eingabe des Ablaufs.",
  remember: "Frühere Läufe auf dieser Seite beachten",
  run: "Ausführen",
  stop: "Anhalten",
  output: "Ausgabe",
  running: "Der Ablauf läuft.",
  noOutput: "Der Ablauf hat ohne Text geantwortet.",
  stopped: "Sie haben den Lauf angehalten.",
  took: (duration: string) => `dauerte ${duration}`,
  more: "Alles, was der Ablauf ausgegeben hat",
  copy: "Kopieren",
  copied: "Kopiert.",
  account: "Ihr Konto bei Langflow",
  accountHint:
    "Damit zeichnen Sie dort Abläufe. Parlance hat es angelegt und meldet Sie an.",
  noAccount: "Sie haben dort noch kein Konto.",
  makeAccount: "Mein Konto anlegen",
  username: "Name",
  password: "Kennwort",
  show: "Zeigen",
  hide: "Verbergen",
  key: "Ihr Schlüssel für Abläufe",
  keyHint:
    "Programme führen damit die Ihnen gewährten Abläufe aus, im Header X-API-Key. Er öffnet sonst nichts.",
  noKey: "Sie bekommen einen Schlüssel mit dem ersten Ablauf, der Ihnen gewährt wird.",
  keyFlows: (count: number) =>
    count === 1 ? "Er führt 1 Ablauf aus." : `Er führt ${count} Abläufe aus.`,
  health: "Langflow",
  up: (version: string) => `Langflow ${version} antwortet.`,
  down: "Langflow antwortet gerade nicht.",
  refused: "Langflow antwortet, darf aber nicht benutzt werden.",
} satisfies typeof en;
