import type { Database } from "../../../platform/db/database.ts";
import { NewTemplate } from "./contract.ts";
import { seedTemplate } from "./store.ts";

type Text = readonly [
  name: string,
  description: string,
  content: string,
  labels: Record<string, string>,
];

/** Each template in English and German. Its position in the list determines its id. */
const BUILT_IN: readonly { en: Text; de: Text }[] = [
  {
    en: [
      "Meeting minutes",
      "Minutes from notes",
      "Write minutes from these notes: participants, decisions, tasks with owner and date, open questions. Add nothing that the notes do not say.\n\n{{notes}}",
      { notes: "Notes" },
    ],
    de: [
      "Sitzungsprotokoll",
      "Protokoll aus Notizen",
      "Schreibe aus diesen Notizen ein Protokoll: Teilnehmende, Beschlüsse, Aufgaben mit Verantwortlichen und Termin, offene Fragen. Füge nichts hinzu, was die Notizen nicht sagen.\n\n{{notes}}",
      { notes: "Notizen" },
    ],
  },
  {
    en: [
      "Reply to an e-mail",
      "An answer in the tone that fits",
      "Write a {{tone}} reply to this e-mail. It should say: {{message}}\n\nThe e-mail:\n{{email}}",
      { tone: "Tone", message: "What the reply says", email: "E-mail" },
    ],
    de: [
      "Auf eine E-Mail antworten",
      "Eine Antwort im passenden Ton",
      "Schreibe eine {{tone}} Antwort auf diese E-Mail. Sie soll sagen: {{message}}\n\nDie E-Mail:\n{{email}}",
      { tone: "Ton", message: "Was die Antwort sagt", email: "E-Mail" },
    ],
  },
  {
    en: [
      "Plain language",
      "A text that everybody understands",
      "Rewrite this text so that somebody without special knowledge understands it. Short sentences, no jargon, nothing left out that matters.\n\n{{text}}",
      { text: "Text" },
    ],
    de: [
      "Einfache Sprache",
      "Ein Text, den alle verstehen",
      "Schreibe diesen Text so um, dass ihn jemand ohne Fachwissen versteht. Kurze Sätze, keine Fachwörter, nichts Wichtiges weglassen.\n\n{{text}}",
      { text: "Text" },
    ],
  },
  {
    en: [
      "Compare options",
      "A table of advantages and a recommendation",
      'Compare these options for the aim "{{aim}}": a table with advantages, disadvantages, costs and risks, then a recommendation with its reasons and what would change it.\n\n{{options}}',
      { aim: "Aim", options: "Options" },
    ],
    de: [
      "Möglichkeiten vergleichen",
      "Eine Tabelle der Vorteile und eine Empfehlung",
      "Vergleiche diese Möglichkeiten für das Ziel „{{aim}}“: eine Tabelle mit Vorteilen, Nachteilen, Kosten und Risiken, dann eine Empfehlung mit Gründen und was sie ändern würde.\n\n{{options}}",
      { aim: "Ziel", options: "Möglichkeiten" },
    ],
  },
  {
    en: [
      "Explain code",
      "What a piece of code does",
      "Explain what this code does, step by step, then name errors, risks and what you would simplify.\n\n```\n{{code}}\n```",
      { code: "Code" },
    ],
    de: [
      "Code erklären",
      "Was ein Stück Code tut",
      "Erkläre Schritt für Schritt, was dieser Code tut, nenne dann Fehler, Risiken und was du vereinfachen würdest.\n\n```\n{{code}}\n```",
      { code: "Code" },
    ],
  },
  {
    en: [
      "Job advertisement",
      "An advertisement without clichés",
      'Write an advertisement for the position "{{position}}". Tasks: {{tasks}}. What one must bring: {{requirements}}. Address everybody, promise nothing that is not said here.',
      { position: "Position", tasks: "Tasks", requirements: "Requirements" },
    ],
    de: [
      "Stellenanzeige",
      "Eine Anzeige ohne Floskeln",
      "Schreibe eine Anzeige für die Stelle „{{position}}“. Aufgaben: {{tasks}}. Was man mitbringen muss: {{requirements}}. Sprich alle an, versprich nichts, was hier nicht steht.",
      { position: "Stelle", tasks: "Aufgaben", requirements: "Anforderungen" },
    ],
  },
];

/** Inserts or updates the built-in templates. */
export async function seedTemplates(db: Database): Promise<void> {
  for (const [index, pair] of BUILT_IN.entries()) {
    for (const language of ["en", "de"] as const) {
      const [name, description, content, labels] = pair[language];
      const variables = Object.entries(labels).map(([variable, label]) => ({
        name: variable,
        label,
      }));
      const number = String(index + 1).padStart(4, "0");
      const id = `00000000-0000-7000-8000-0000000${language === "en" ? "1" : "2"}${number}`;
      const template = NewTemplate.parse({
        name,
        description,
        content,
        variables,
        language,
      });
      await seedTemplate(db, { ...template, id, ownerId: null, builtIn: true });
    }
  }
}
