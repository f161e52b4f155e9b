import type { en } from "./texts.en.ts";

export const de = {
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
