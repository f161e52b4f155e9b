import { texts } from "../../texts/language.ts";

const en = {
  title: "Flow permissions",
  hint: "People run their own flows, and those that are granted here. Every change is in the audit log.",
  off: "Flows are switched off",
  offHint: "Set FLOWENGINE_BASE_URL and FLOWENGINE_ADMIN_API_KEY to connect Langflow.",
  flow: "Flow",
  flowHint:
    "Part of its name: flows of the operator's account, your own, and those granted before",
  subject: "Person or group",
  subjectHint: "The beginning of a name. Of a group, those get it who are members now.",
  group: "group",
  change: "Choose another",
  grant: "Grant",
  revoke: "Revoke",
  granted: (name: string) => `${name} may run the flow.`,
  grantedGroup: (count: number) =>
    count === 1 ? "1 member may run the flow." : `${count} members may run the flow.`,
  revoked: "The permission is revoked. Runs of the flow end.",
  nothingRevoked: "Nobody there had this permission.",
  who: "Who has what",
  ofFlow: (name: string) => `Only ${name}`,
  showAll: "Show all",
  none: "No flow is granted yet.",
  person: "Person",
  by: "Granted by",
  when: "When",
  onlyThis: (name: string) => `Show only ${name}`,
  revokeOf: (flow: string, person: string) => `Revoke ${flow} from ${person}`,
};

const de = {
  title: "Rechte an Abläufen",
  hint: "Alle führen ihre eigenen Abläufe aus und die hier gewährten. Jede Änderung steht im Protokoll.",
  off: "Abläufe sind ausgeschaltet",
  offHint:
    "Setzen Sie FLOWENGINE_BASE_URL und FLOWENGINE_ADMIN_API_KEY, um Langflow zu verbinden.",
  flow: "Ablauf",
  flowHint: "Teil des Namens: Abläufe des Betriebskontos, Ihre eigenen und schon gewährte",
  subject: "Person oder Gruppe",
  subjectHint:
    "Der Anfang eines Namens. Bei einer Gruppe bekommen ihn die jetzigen Mitglieder.",
  group: "Gruppe",
  change: "Andere wählen",
  grant: "Gewähren",
  revoke: "Entziehen",
  granted: (name: string) => `${name} darf den Ablauf ausführen.`,
  grantedGroup: (count: number) =>
    count === 1
      ? "1 Mitglied darf den Ablauf ausführen."
      : `${count} Mitglieder dürfen den Ablauf ausführen.`,
  revoked: "Das Recht ist entzogen. Laufende Abläufe enden.",
  nothingRevoked: "Dort hatte niemand dieses Recht.",
  who: "Wer was darf",
  ofFlow: (name: string) => `Nur ${name}`,
  showAll: "Alle zeigen",
  none: "Noch ist kein Ablauf gewährt.",
  person: "Person",
  by: "Gewährt von",
  when: "Wann",
  onlyThis: (name: string) => `Nur ${name} zeigen`,
  revokeOf: (flow: string, person: string) => `${person} das Recht an ${flow} entziehen`,
} satisfies typeof en;

export const useFlowAdminTexts = texts({ en, de });
