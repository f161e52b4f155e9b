import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorColors, editorLook } from "./editor-look.ts";
import { useCanvasTexts } from "./texts.ts";

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
      : [markdown(), syntaxHighlighting(editorColors)],
    editorLook,
  ];
}
