import { texts } from "../../texts/language.ts";

const en = {
  title: "Overview",
  hint: "How the installation is doing now, and what needs you first.",
  needs: "Needs attention",
  nothing: "Nothing needs your attention",
  nothingHint: "Problems with providers, tool servers, jobs and budgets appear here.",
  needed: {
    part: (name: string) => `${name} does not work as it should`,
    partDown: (name: string) => `${name} does not answer`,
    job: (name: string) => `Failed: ${name}`,
    unreachable: (services: string) => `No answer from ${services}`,
    deadLetters: (name: string) => `${name}: some work failed`,
    provider: (name: string) => `${name} fails`,
    serverDown: (name: string) => `The tool server ${name} is down`,
    serverSignedOut: (name: string) => `The tool server ${name} waits for a sign-in`,
    withheld: (count: number) =>
      count === 1
        ? "1 tool waits for your approval"
        : `${count} tools wait for your approval`,
    budget: (name: string) => `The budget “${name}” is nearly used up`,
    budgetUsedUp: (name: string) => `The budget “${name}” is used up`,
  },
  detail: {
    part: "Part of the system",
    job: "Background job; it is tried again by itself",
    unreachable: "Service of this installation",
    deadLetters: (count: string) => `${count} given up after every attempt`,
    provider: (ago: string) => `Its last call failed ${ago}`,
    serverDown: "Its tools cannot be used; it is tried again every few seconds",
    serverSignedOut: "Connect an account to read its list of tools",
    withheld: "New or changed: until then no answer can use it",
    budget: (share: string) => `${share} used`,
  },
  now: "At a glance",
  users: "Users",
  providers: "Model providers",
  servers: "Tool servers",
  jobs: "Background jobs",
  waiting: "Waiting work",
  calls: "Calls to models",
  lastDay: "in the last 24 hours",
  allWell: "all well",
  allReady: "all ready",
  failing: (count: number) => `${count} failing`,
  notReady: (count: number) => `${count} not ready`,
  accounts: "with an account",
  inQueues: "in queues",
  dayChart: (calls: string) => `${calls} calls to models in the last 24 hours, by hour`,
};

const de = {
  title: "Überblick",
  hint: "Wie es der Installation gerade geht und was zuerst Ihre Aufmerksamkeit braucht.",
  needs: "Braucht Aufmerksamkeit",
  nothing: "Nichts braucht Ihre Aufmerksamkeit",
  nothingHint:
    "Probleme mit Anbietern, Werkzeugservern, Aufgaben und Budgets erscheinen hier.",
  needed: {
    part: (name) => `${name}: funktioniert nicht wie vorgesehen`,
    partDown: (name) => `${name}: antwortet nicht`,
    job: (name) => `Gescheitert: ${name}`,
    unreachable: (services) => `Keine Antwort von ${services}`,
    deadLetters: (name) => `${name}: Einiges ist gescheitert`,
    provider: (name) => `${name} versagt`,
    serverDown: (name) => `Der Werkzeugserver ${name} ist ausgefallen`,
    serverSignedOut: (name) => `Der Werkzeugserver ${name} wartet auf eine Anmeldung`,
    withheld: (count) =>
      count === 1
        ? "1 Werkzeug wartet auf Ihre Freigabe"
        : `${count} Werkzeuge warten auf Ihre Freigabe`,
    budget: (name) => `Das Budget „${name}“ ist fast aufgebraucht`,
    budgetUsedUp: (name) => `Das Budget „${name}“ ist aufgebraucht`,
  },
  detail: {
    part: "Teil des Systems",
    job: "Hintergrundaufgabe; sie wird von selbst wiederholt",
    unreachable: "Dienst dieser Installation",
    deadLetters: (count) => `${count} nach allen Versuchen aufgegeben`,
    provider: (ago) => `Der letzte Aufruf ist ${ago} gescheitert`,
    serverDown:
      "Seine Werkzeuge sind nicht verwendbar; alle paar Sekunden wird es wieder versucht",
    serverSignedOut: "Verbinden Sie ein Konto, damit seine Werkzeugliste gelesen wird",
    withheld: "Neu oder geändert: bis dahin kann keine Antwort es verwenden",
    budget: (share) => `${share} verbraucht`,
  },
  now: "Auf einen Blick",
  users: "Benutzer",
  providers: "Modellanbieter",
  servers: "Werkzeugserver",
  jobs: "Hintergrundaufgaben",
  waiting: "Wartende Arbeit",
  calls: "Modellaufrufe",
  lastDay: "in den letzten 24 Stunden",
  allWell: "alle in Ordnung",
  allReady: "alle bereit",
  failing: (count) => `${count} gescheitert`,
  notReady: (count) => `${count} nicht bereit`,
  accounts: "mit einem Konto",
  inQueues: "in Warteschlangen",
  dayChart: (calls) => `${calls} Modellaufrufe in den letzten 24 Stunden, nach Stunden`,
} satisfies typeof en;

export const useOverviewTexts = texts({ en, de });
