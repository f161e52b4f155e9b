/** What people read of an agent: its name, what it is for, and its questions to begin with. */
export interface AgentWords {
  name: string;
  description: string;
  starters: string[];
}

/** The words of the built-in agents in German, by id. */
export const builtInAgentsDe: Readonly<Record<string, AgentWords>> = {
  "00000000-0000-7000-8000-000000000001": {
    name: "Assistenz",
    description: "Beantwortet Fragen aller Art, kurz und mit Begründung.",
    starters: ["Was können Sie für mich tun?", "Helfen Sie mir, meine Woche zu planen."],
  },
  "00000000-0000-7000-8000-000000000002": {
    name: "Lektorat",
    description: "Verbessert Texte, ohne zu ändern, was sie sagen.",
    starters: [
      "Verbessern Sie diese E-Mail: …",
      "Machen Sie diesen Absatz leichter lesbar: …",
    ],
  },
  "00000000-0000-7000-8000-000000000003": {
    name: "Zusammenfassung",
    description: "Sagt in wenigen Sätzen, was ein langer Text sagt.",
    starters: ["Fassen Sie dieses Protokoll zusammen: …"],
  },
  "00000000-0000-7000-8000-000000000004": {
    name: "Dokumente",
    description:
      "Antwortet aus allen Dokumenten, die Sie sehen dürfen, und nennt die Quellen.",
    starters: ["Was sagen unsere Dokumente über …?"],
  },
  "00000000-0000-7000-8000-000000000005": {
    name: "Recherche",
    description:
      "Plant, sucht und liest im Web innerhalb eines Budgets und schreibt einen Bericht, dessen Quellenangaben geprüft sind.",
    starters: ["Was ist bekannt über …?", "Vergleichen Sie … und …: Was spricht wofür?"],
  },
};
