import { texts } from "../texts/language.ts";

/** Of the programs that use tools for somebody, and of the page that connects one. */
const en = {
  toolsTitle: "With which tools",
  onlyTools: (names: string) => `only ${names}`,
  title: "Programs that use tools for you",
  hint: "Clients of the Model Context Protocol that you signed in to, such as an editor.",
  empty: "No program has signed in.",
  since: (ago: string) => `connected ${ago}`,
  used: (ago: string) => `used ${ago}`,
  unused: "not used yet",
  destructive: "may run destructive tools",
  times: (count: number) => `connected ${count} times`,
  end: "Disconnect",
  endTitle: "Disconnect the program?",
  endText: (name: string) =>
    `${name} can use no tools for you from then on, on any machine, until you sign in there again.`,
  ended: "The program is disconnected.",
  authorize: "Connect a program",
  noRequest: "This address lacks what the program asks for. Connect it again from there.",
  wants: (name: string) =>
    `The program that calls itself "${name}" wants to use tools for you.`,
  saidBy: "Who says that it is this program",
  saidByNobody: "Nobody but the program itself",
  returnsTo: "Where your browser goes next",
  ownMachine: (host: string) => `a program on this machine (${host})`,
  onlyIf: "Go on only if you have just begun this yourself.",
  scopesTitle: "It may",
  scopes: { "tool:use": "Use tools", "tool:approve": "Run destructive tools unasked" },
  scopeHints: {
    "tool:use": "Those that your roles permit, and that destroy nothing.",
    "tool:approve":
      "Tools that may change or delete something run without asking you here.",
  },
  allow: "Allow",
  refuse: "Refuse",
};

const de = {
  toolsTitle: "Mit welchen Werkzeugen",
  onlyTools: (names: string) => `nur ${names}`,
  title: "Programme, die für Sie Werkzeuge benutzen",
  hint: "Clients des Model Context Protocol, bei denen Sie sich angemeldet haben, etwa ein Editor.",
  empty: "Kein Programm ist angemeldet.",
  since: (ago: string) => `verbunden ${ago}`,
  used: (ago: string) => `benutzt ${ago}`,
  unused: "noch nicht benutzt",
  destructive: "darf zerstörende Werkzeuge ausführen",
  times: (count: number) => `${count}-mal verbunden`,
  end: "Trennen",
  endTitle: "Das Programm trennen?",
  endText: (name: string) =>
    `${name} kann dann auf keinem Rechner mehr Werkzeuge für Sie benutzen, bis Sie sich dort neu anmelden.`,
  ended: "Das Programm ist getrennt.",
  authorize: "Ein Programm verbinden",
  noRequest:
    "Dieser Adresse fehlt, worum das Programm bittet. Verbinden Sie es von dort aus erneut.",
  wants: (name: string) =>
    `Das Programm, das sich „${name}“ nennt, möchte für Sie Werkzeuge benutzen.`,
  saidBy: "Wer sagt, dass es dieses Programm ist",
  saidByNobody: "Niemand außer dem Programm selbst",
  returnsTo: "Wohin Ihr Browser dann geht",
  ownMachine: (host: string) => `ein Programm auf diesem Rechner (${host})`,
  onlyIf: "Fahren Sie nur fort, wenn Sie das gerade selbst begonnen haben.",
  scopesTitle: "Es darf",
  scopes: {
    "tool:use": "Werkzeuge benutzen",
    "tool:approve": "Zerstörende Werkzeuge ungefragt ausführen",
  },
  scopeHints: {
    "tool:use": "Solche, die Ihre Rollen erlauben und die nichts zerstören.",
    "tool:approve":
      "Werkzeuge, die etwas ändern oder löschen können, laufen, ohne Sie hier zu fragen.",
  },
  allow: "Erlauben",
  refuse: "Ablehnen",
} satisfies typeof en;

export const useClientTexts = texts({ en, de });
