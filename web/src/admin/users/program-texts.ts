import { texts } from "../../texts/language.ts";

const en = {
  tab: "Programs",
  title: "Programs that use tools for users",
  hint: "Clients of the Model Context Protocol that users signed in to, such as an editor.",
  empty: "No program has signed in",
  emptyHint: "When a user connects a program to the tools here, it is listed.",
  ofUser: "Programs that use tools for this user",
  none: "No program has signed in.",
  program: "Program",
  user: "User",
  may: "May",
  uses: "use tools",
  destructive: "also run destructive tools unasked",
  connected: "Connected",
  times: (count: number) => `${count} times`,
  used: (ago: string) => `used ${ago}`,
  unused: "not used yet",
  actions: "Actions",
  end: "Disconnect",
  endTitle: "Disconnect the program?",
  endText: (program: string, user: string) =>
    `${program} can use no tools for ${user} from then on, on none of their machines, until they ` +
    "connect it again.",
  ended: "The program is disconnected.",
};

const de = {
  tab: "Programme",
  title: "Programme, die Werkzeuge für Personen verwenden",
  hint: "Clients des Model Context Protocol, bei denen sich Personen angemeldet haben, etwa ein Editor.",
  empty: "Kein Programm hat sich angemeldet",
  emptyHint:
    "Verbindet jemand ein Programm mit den Werkzeugen hier, steht es in dieser Liste.",
  ofUser: "Programme, die Werkzeuge für diese Person verwenden",
  none: "Kein Programm hat sich angemeldet.",
  program: "Programm",
  user: "Person",
  may: "Darf",
  uses: "Werkzeuge verwenden",
  destructive: "auch zerstörende Werkzeuge ungefragt ausführen",
  connected: "Verbunden",
  times: (count: number) => `${count}-mal`,
  used: (ago: string) => `verwendet ${ago}`,
  unused: "noch nicht verwendet",
  actions: "Aktionen",
  end: "Trennen",
  endTitle: "Programm trennen?",
  endText: (program: string, user: string) =>
    `${program} kann dann für ${user} keine Werkzeuge mehr verwenden, auf keinem Rechner, bis es ` +
    "neu verbunden wird.",
  ended: "Das Programm ist getrennt.",
} satisfies typeof en;

export const useProgramTexts = texts({ en, de });
