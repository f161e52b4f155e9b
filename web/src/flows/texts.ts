import { texts } from "../texts/language.ts";

const en = {
  title: "Flows",
  tabs: { flows: "Flows", account: "Account" },
  off: "Flows are switched off",
  offHint:
    "This installation is not connected to Langflow. Whoever runs it sets FLOWENGINE_BASE_URL " +
    "and FLOWENGINE_ADMIN_API_KEY.",
  empty: "No flows yet",
  emptyHint:
    "Flows are drawn in Langflow. Yours and those that an administrator granted you are here.",
  showAccount: "Show my account there",
  owned: "yours",
  granted: "granted to you",
  changed: (when: string) => `changed ${when}`,
  count: (count: number) => (count === 1 ? "1 flow" : `${count} flows`),
  back: "Flows",
  input: "Input",
  inputHint: "It goes to the chat input of the flow.",
  remember: "Remember earlier runs on this page",
  run: "Run",
  stop: "Stop",
  output: "Output",
  running: "The flow is running.",
  noOutput: "The flow answered without text.",
  stopped: "You stopped the run.",
  took: (duration: string) => `took ${duration}`,
  more: "Everything that the flow put out",
  copy: "Copy",
  copied: "Copied.",
  account: "Your account at Langflow",
  accountHint:
    "With it you draw flows there. Parlance made it for you and signs in for you.",
  noAccount: "You have no account there yet.",
  makeAccount: "Make my account",
  username: "Name",
  password: "Password",
  show: "Show",
  hide: "Hide",
  key: "Your key for flows",
  keyHint:
    "Programs run the flows granted to you with it, in the header X-API-Key. It opens nothing else.",
  noKey: "You get a key with the first flow that an administrator grants you.",
  keyFlows: (count: number) =>
    count === 1 ? "It runs 1 flow." : `It runs ${count} flows.`,
  health: "Langflow",
  up: (version: string) => `Langflow ${version} answers.`,
  down: "Langflow does not answer at the moment.",
  refused: "Langflow answers, but must not be used.",
};

const de = {
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
    "Programme führen damit die Ihnen gewährten Abläufe aus, in der Kopfzeile X-API-Key. Er öffnet sonst nichts.",
  noKey: "Sie bekommen einen Schlüssel mit dem ersten Ablauf, der Ihnen gewährt wird.",
  keyFlows: (count: number) =>
    count === 1 ? "Er führt 1 Ablauf aus." : `Er führt ${count} Abläufe aus.`,
  health: "Langflow",
  up: (version: string) => `Langflow ${version} antwortet.`,
  down: "Langflow antwortet gerade nicht.",
  refused: "Langflow antwortet, darf aber nicht benutzt werden.",
} satisfies typeof en;

export const useFlowTexts = texts({ en, de });
