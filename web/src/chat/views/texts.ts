import { texts } from "../../texts/language.ts";

const en = {
  title: (tool: string, server: string) => `${tool}, shown by ${server}`,
  by: (server: string) => `Shown by the tool server ${server}`,
  show: "Show",
  hide: "Hide",
  fill: "Full screen",
  unfill: "Leave full screen",
  log: (lines: number) => `Log (${lines})`,
  link: "The view wants to open a page",
  open: "Open it",
  message: "The view wants to send this message as yours",
  send: "Send it",
  call: (tool: string) => `The view wants to run ${tool}`,
  hint: "The tool server wrote the view. Allow only what you want yourself.",
  run: "Run it",
  deny: "No",
  notShown: "Open the chat of this answer to send messages.",
  failed: "The view cannot be shown.",
};
const de: typeof en = {
  title: (tool, server) => `${tool}, gezeigt von ${server}`,
  by: (server) => `Gezeigt vom Werkzeugserver ${server}`,
  show: "Zeigen",
  hide: "Ausblenden",
  fill: "Vollbild",
  unfill: "Vollbild verlassen",
  log: (lines) => `Protokoll (${lines})`,
  link: "Die Ansicht möchte eine Seite öffnen",
  open: "Öffnen",
  message: "Die Ansicht möchte diese Nachricht als Ihre senden",
  send: "Senden",
  call: (tool) => `Die Ansicht möchte ${tool} ausführen`,
  hint: "Der Werkzeugserver hat die Ansicht geschrieben. Erlauben Sie nur, was Sie selbst wollen.",
  run: "Ausführen",
  deny: "Nein",
  notShown: "Öffnen Sie den Chat dieser Antwort, um Nachrichten zu senden.",
  failed: "Die Ansicht kann nicht gezeigt werden.",
};

export const useViewTexts = texts({ en, de });
