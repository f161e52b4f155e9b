import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const color = (name: string) => `var(--color-${name})`;

/** In the colours of the app, which reach into the shadow root as custom properties. */
export const editorLook = EditorView.theme({
  "&": {
    height: "100%",
    color: color("ink"),
    backgroundColor: color("page"),
    fontSize: "1rem",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { lineHeight: "1.65", fontFamily: "inherit", padding: "0.5rem 0" },
  ".cm-content": { caretColor: color("ink"), padding: "0 1rem 4rem" },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: color("ink") },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: color("mark"),
  },
  ".cm-selectionBackground": { background: color("sunken") },
  ".cm-gutters": { background: color("page"), color: color("muted"), border: "none" },
  ".cm-panels": {
    background: color("rail"),
    color: color("ink"),
    borderColor: color("hairline"),
  },
  ".cm-panel.cm-search": { padding: "0.5rem 2rem 0.5rem 1rem", fontSize: "0.875rem" },
  ".cm-panel.cm-search [name=close]": { color: "inherit", fontSize: "1.25rem" },
  ".cm-textfield": {
    background: color("raised"),
    color: color("ink"),
    border: `1px solid ${color("control")}`,
    borderRadius: "6px",
    padding: "0.25rem 0.5rem",
  },
  ".cm-button": {
    background: color("raised"),
    color: color("ink"),
    border: `1px solid ${color("control")}`,
    borderRadius: "6px",
    padding: "0.25rem 0.5rem",
  },
  ".cm-searchMatch": { background: color("mark"), color: color("ink") },
  ".cm-searchMatch-selected": { outline: `2px solid ${color("accent")}` },
});

export const editorColors = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600", color: color("accent") },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: color("accent") },
  { tag: tags.monospace, fontFamily: "var(--font-mono)", fontSize: "0.9em" },
  {
    tag: [tags.quote, tags.processingInstruction, tags.contentSeparator],
    color: color("muted"),
  },
]);
