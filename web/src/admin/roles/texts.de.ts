import type {
  PermissionResource,
  PermissionVerb,
} from "../../../../src/services/users/contract-permissions.ts";
import { nameOf } from "../../texts/name-of.ts";
import type { en } from "./texts.en.ts";
import type { Rule } from "./rules.ts";

const VERBS: Record<PermissionVerb | "manage", string> = {
  manage: "Alles außer Verwaltung",
  read: "Lesen",
  export: "Exportieren",
  create: "Anlegen",
  update: "Ändern",
  delete: "Löschen",
  use: "Benutzen",
  run: "Ausführen",
  administer: "Verwalten",
  search: "Durchsuchen",
  process: "Verarbeiten",
  approve: "Genehmigen",
};
const RESOURCES: Record<PermissionResource, string> = {
  account: "Eigenes Konto",
  agent: "Agenten",
  audit: "Protokoll",
  automation: "Automatisierung",
  branding: "Erscheinungsbild",
  budget: "Budgets",
  canvas: "Texte neben Unterhaltungen",
  code: "Code in Antworten",
  conversation: "Unterhaltungen",
  conversion: "Textwerkzeuge",
  directory: "Verzeichnis",
  document: "Dokumente",
  flow: "Abläufe",
  group: "Gruppen",
  image: "Bilder",
  label: "Kennzeichnungen",
  lock: "Bearbeitungssperren",
  mark: "Markierungen und Schlagwörter",
  model: "Modelle",
  queue: "Warteschlangen",
  role: "Rollen",
  share: "Freigaben",
  template: "Vorlagen",
  tool: "Werkzeuge",
  usage: "Verbrauch",
  user: "Benutzer",
  web: "Web",
};
const BUILT_IN: Record<string, string> = {
  admin: "Alles, auch was der Verwaltung vorbehalten ist",
  user: "Alles, was nicht der Verwaltung vorbehalten ist",
  reader: "Liest Eigenes und Freigegebenes und ändert nichts",
};
const resource = (name: string) => nameOf(RESOURCES, name);

export const de = {
  title: "Rollen",
  hint: "Eine Rolle ist eine Menge von Rechten. Jedes Konto hat eine oder mehrere.",
  all: "Alle Rollen",
  create: "Rolle anlegen",
  created: (name: string) => `Die Rolle ${name} gibt es jetzt. Geben Sie sie einem Konto.`,
  copy: "Kopieren",
  copyOf: (name: string) => `Kopie von ${name}`,
  name: "Name",
  nameHint: "Kleinbuchstaben, Ziffern und Bindestriche.",
  description: "Beschreibung",
  describe: ({
    name,
    description,
    builtIn,
  }: {
    name: string;
    description: string;
    builtIn: boolean;
  }) => (builtIn && BUILT_IN[name]) || description,
  builtIn: "eingebaut",
  builtInHint: "Eingebaute Rollen lassen sich nicht ändern.",
  permissions: "Rechte",
  countOf: (count: number, all: number) => `${count} von ${all}`,
  actionsLabel: "Aktionen",
  actions: (name: string) => `Aktionen für ${name}`,
  delete: "Löschen",
  deleted: (name: string) => `Die Rolle ${name} ist gelöscht.`,
  deleteTitle: (name: string) => `Rolle ${name} löschen`,
  deleteText:
    "Nur eine Rolle, die niemand hat, lässt sich löschen. Das lässt sich nicht rückgängig machen.",
  save: "Speichern",
  saved: "Gespeichert. Es gilt ab der nächsten Anfrage.",
  discard: "Änderungen verwerfen",
  changeHint: "Was Sie wählen, bleibt in diesem Browser, bis Sie es speichern.",
  general: "Allgemein",
  generalHint: "Das gilt auch für Rechte, die spätere Versionen hinzufügen.",
  rule: ({ action, subject, inverted }: Rule) => {
    const what = subject === "all" ? "" : `: ${resource(subject)}`;
    const verb = nameOf(VERBS, action);
    const of =
      subject === "all" && action !== "manage" ? `Alles: ${verb}` : `${verb}${what}`;
    return inverted ? `Verboten: ${of}` : of;
  },
  resource,
  effects: { none: "—", allow: "Erlauben", forbid: "Verbieten", several: "Mehrere Regeln" },
  asGeneral: "Wie allgemein",
  addCondition: "Bedingung hinzufügen",
  condition: "Nur wenn",
  conditionHint: 'Felder der Anfrage als JSON: {"model": {"$in": ["openai/gpt-5"]}}',
  conditionInvalid: "Das ist kein JSON-Objekt.",
  onlyIf: (conditions: string) => `nur wenn ${conditions}`,
  show: "Anzeigen",
  shown: { all: "Alle Rechte", allowed: "Was erlaubt ist", missing: "Was fehlt" },
  outcomes: {
    yes: "Erlaubt",
    no: "Nicht erlaubt",
    conditional: "Hängt von der Anfrage ab",
    forbidden: "Verboten, was auch immer andere Rollen gestatten",
  },
  matrix: "Nebeneinander",
  matrixHint:
    "Was jede Rolle gestattet. Ein Strich überlässt es anderen Rollen der Person, ein durchgestrichener Kreis verbietet es.",
  onlyDifferent: "Nur wo sie sich unterscheiden",
  granted: (role: string) => `durch die Rolle ${role}`,
  forbidden: (role: string) => `verboten durch die Rolle ${role}`,
} satisfies typeof en;
