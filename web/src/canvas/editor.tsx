import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { syntaxHighlighting, HighlightStyle } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useCanvasTexts } from "./texts.ts";
import { tags } from "@lezer/highlight";

interface EditorProps {
  /** Its accessible name. */
  label: string;
  /** Read once; another text takes another `key`. */
  text: string;
  isCode: boolean;
  onChange: (read: () => string) => void;
  onSave: () => void;
}

/**
 * The editor of a canvas. It is in a shadow root, where its styles are adopted style sheets:
 * the page's policy refuses the style elements that it would make in the document.
 */
export function Editor({ label, text, isCode, onChange, onSave }: EditorProps) {
  const texts = useCanvasTexts();
  const host = useRef<HTMLDivElement>(null);
  const calls = useRef({ onChange, onSave });
  useEffect(() => {
    calls.current = { onChange, onSave };
  });
  const first = useRef({ text, isCode, label, phrases: texts.find });
  useEffect(() => {
    const root = host.current && openRoot(host.current);
    if (!root) return undefined;
    const extensions = [
      ...extensionsFor(first.current),
      keymap.of([
        { key: "Mod-s", preventDefault: true, run: () => run(calls.current.onSave) },
      ]),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) calls.current.onChange(() => state.doc.toString());
      }),
    ];
    const state = EditorState.create({ doc: first.current.text, extensions });
    const view = new EditorView({ state, root, parent: root });
    view.focus();
    return () => view.destroy();
  }, []);
  return <div ref={host} className="min-h-0 flex-1 overflow-hidden md:px-2" />;
}

/** A host keeps its shadow root when React mounts it again. */
function openRoot(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: "open" });
}

function run(action: () => void): true {
  action();
  return true;
}

interface Looks {
  isCode: boolean;
  label: string;
  phrases: Record<string, string>;
}

function extensionsFor({ isCode, label, phrases }: Looks): Extension[] {
  return [
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: String(!isCode) }),
    search({ top: true }),
    highlightSelectionMatches(),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    isCode
      ? [
          lineNumbers(),
          EditorView.theme({ ".cm-content": { fontFamily: "var(--font-mono)" } }),
        ]
      : [
          markdown(),
          syntaxHighlighting(editorColors),
          EditorView.theme({ ".cm-content": { maxWidth: "46rem", marginInline: "auto" } }),
        ],
    editorLook,
  ];
}

const color = (name: string) => `var(--color-${name})`;

/** In the colours of the app, which reach into the shadow root as custom properties. */
const editorLook = EditorView.theme({
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

const editorColors = HighlightStyle.define([
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
