import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type KeyBinding } from "@codemirror/view";
import { useEffect, useImperativeHandle, useRef, type ReactElement } from "react";
import { flushSync } from "react-dom";
import type { CodeEditorProps, CodePlace } from "./code-place.ts";
import { codeColors, codeTheme } from "./code-theme.ts";
import { offsetOf } from "./text-place.ts";

/** Marks a change that did not come from the person. */
const fromOutside = Annotation.define<boolean>();

/**
 * CodeMirror in a shadow root: there its styles are constructed style sheets, which the content security policy allows,
 * while it would add a style element to the page itself.
 */
export function CodeEditor(props: CodeEditorProps): ReactElement {
  const { id, label, description, isInvalid, value, rows, problems, markedLines, shown, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  const attributes = useRef(new Compartment());
  const language = useRef(new Compartment());
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          attributes.current.of([]),
          language.current.of([]),
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          indentOnInput(),
          syntaxHighlighting(codeColors),
          codeTheme,
          keymap.of([leaveByTab, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
          EditorView.updateListener.of((update) => {
            const isOwn = update.transactions.every((one) => one.annotation(fromOutside) !== true);
            if (!update.docChanged || !isOwn) return;
            // At once: a later rendering would show an older value, and undo the keys pressed since.
            flushSync(() => latest.current.onChange(update.state.doc.toString()));
          }),
          EditorView.domEventHandlers({ blur: () => latest.current.onBlur?.(), beforeinput: replaceSelected }),
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    });
  }, [value]);

  const isJson = value.trimStart() === "" || /^\s*[[{]/.test(value);
  useEffect(() => {
    view.current?.dispatch({
      effects: [
        language.current.reconfigure(isJson ? json() : yaml()),
        attributes.current.reconfigure(contentAttributes(label, description, isInvalid)),
      ],
    });
  }, [isJson, label, description, isInvalid]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const marked = markedLines.map((line) => ({
      line,
      column: 1,
      severity: "error" as const,
      message: "A problem of this line is listed below.",
    }));
    const given = problems.length > 0 ? problems : marked;
    editor.dispatch(
      setDiagnostics(
        editor.state,
        given.map((one): Diagnostic => ({
          ...rangeOf(editor.state, one),
          severity: one.severity,
          message: one.message,
        })),
      ),
    );
  }, [problems, markedLines, value]);

  const goTo = (place: CodePlace): void => {
    const editor = view.current;
    if (editor === null) return;
    const anchor = offsetOf(editor.state.doc.toString(), place);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  };
  useImperativeHandle(ref, () => ({ goTo }), []);
  useEffect(() => {
    if (shown !== undefined) goTo(shown);
  }, [shown]);
  return (
    <div
      ref={host}
      id={id}
      style={{ minHeight: `${rows * lineHeight}px` }}
      className="flex max-h-[75dvh] min-w-0 flex-col overflow-hidden rounded-control border border-control bg-surface focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent"
      // The text is undone as typed, not by acts of the page around it.
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) event.stopPropagation();
      }}
    />
  );
}

const lineHeight = 20;

/** After Esc the key Tab leaves the text, also where Esc itself ends a selection. */
const leaveByTab: KeyBinding = {
  key: "Escape",
  run: (view) => {
    view.setTabFocusMode(2_000);
    return false;
  },
};

/**
 * Typing over a selection. Left to the browser, it gives the new text the colours of the old one by an inline style,
 * which the content security policy refuses.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  if (event.inputType !== "insertText" || event.data === null || view.composing) return false;
  if (view.state.selection.main.empty) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

function contentAttributes(label: string, description: string, isInvalid: boolean): Extension {
  return EditorView.contentAttributes.of({
    // In the sequence of Tab by its attribute, not only by being editable.
    tabindex: "0",
    "aria-label": label,
    "aria-description": description,
    ...(isInvalid && { "aria-invalid": "true" }),
  });
}

/** From the place of a problem to the end of its line. */
function rangeOf(state: EditorState, { line, column }: CodePlace): { readonly from: number; readonly to: number } {
  const { from, to } = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  const start = Math.min(from + column - 1, to);
  return { from: start, to: Math.max(start, to) };
}
