import { HighlightStyle, type TagStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The look of the code editor, in the colours of the page, which the shadow root inherits. */
export const codeTheme = EditorView.theme({
  "&": { flex: "1 1 auto", minHeight: "0", backgroundColor: "transparent", color: "var(--color-text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", fontSize: "12.5px", lineHeight: "20px" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--color-text)" },
  ".cm-cursor": { borderLeftColor: "var(--color-text)" },
  ".cm-gutters": {
    backgroundColor: "var(--color-surface)",
    color: "var(--color-text-3)",
    borderRight: "1px solid var(--color-hairline)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--color-sunken) 60%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--color-accent) 25%, transparent)",
  },
  ".cm-tooltip, .cm-panels": {
    backgroundColor: "var(--color-surface)",
    color: "var(--color-text)",
    border: "1px solid var(--color-hairline)",
    fontFamily: "var(--font-sans)",
    fontSize: "13px",
  },
  ".cm-diagnosticText": { whiteSpace: "pre-wrap" },
});

const colors: readonly TagStyle[] = [
  { tag: tags.propertyName, color: "var(--color-accent)" },
  { tag: [tags.string, tags.content], color: "var(--color-completed)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--color-unknown)" },
  { tag: tags.comment, color: "var(--color-text-3)" },
];

export const codeColors = HighlightStyle.define(colors);
