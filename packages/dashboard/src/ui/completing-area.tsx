import {
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from "react";
import { cx } from "./cx.ts";
import { controlClass, Field } from "./field.tsx";

/** What can take the place of a part of the text. */
export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly options: readonly CompletionOption[];
}

export interface CompletionOption {
  readonly text: string;
  /** The type in a word. */
  readonly type: string;
  readonly detail: string;
}

/** What fits at the cursor. `isAsked`: the person asked for it by Ctrl+Space. */
export type CompletionsAt = (text: string, cursor: number, isAsked: boolean) => Completions | undefined;

interface CompletingAreaProps extends Pick<
  ComponentProps<"textarea">,
  "placeholder" | "maxLength" | "onBlur" | "onKeyDown"
> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly note?: string | undefined;
  readonly problem?: string | undefined;
  readonly warning?: string | undefined;
  readonly isLabelHidden?: boolean;
  readonly rows: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly completionsAt: CompletionsAt;
}

/** A text in which names are completed from a list: an ARIA combobox. Enter takes an option only after an arrow key. */
export function CompletingArea({
  label,
  hint,
  note,
  problem,
  warning,
  isLabelHidden = false,
  rows,
  value,
  onChange,
  completionsAt,
  onBlur,
  onKeyDown,
  ...area
}: CompletingAreaProps): ReactElement {
  const listId = useId();
  const element = useRef<HTMLTextAreaElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState<Completions>();
  const [active, setActive] = useState(-1);
  const open = (completions: Completions | undefined): void => {
    setShown(completions);
    setActive(-1);
  };
  const close = (): void => open(undefined);
  const take = ({ text }: CompletionOption): void => {
    if (shown === undefined || element.current === null) return;
    const { from, to } = shown;
    element.current.setRangeText(text, from, to, "end");
    onChange(element.current.value);
    close();
  };
  const move = (to: number): void => {
    setActive(to);
    list.current?.children[to]?.scrollIntoView({ block: "nearest" });
  };
  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { selectionEnd } = event.currentTarget;
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      open(completionsAt(value, selectionEnd, true));
      return;
    }
    const count = shown?.options.length ?? 0;
    const option = shown?.options[active];
    if (shown !== undefined && event.key === "ArrowDown") move((active + 1) % count);
    else if (shown !== undefined && event.key === "ArrowUp") move((active <= 0 ? count : active) - 1);
    else if (option !== undefined && event.key === "Enter") take(option);
    else if (shown !== undefined && event.key === "Escape") close();
    else {
      if (event.key === "ArrowLeft" || event.key === "ArrowRight" || event.key === "Enter") close();
      onKeyDown?.(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Field label={label} hint={hint} problem={problem} warning={warning} note={note} isLabelHidden={isLabelHidden}>
      {(attributes) => (
        <div className="relative">
          <textarea
            {...area}
            {...attributes}
            ref={element}
            role="combobox"
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-expanded={shown !== undefined}
            aria-controls={shown === undefined ? undefined : listId}
            aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
            aria-keyshortcuts="Control+Space"
            rows={rows}
            spellCheck={false}
            autoComplete="off"
            value={value}
            onChange={({ target }) => {
              onChange(target.value);
              open(completionsAt(target.value, target.selectionEnd, false));
            }}
            onKeyDown={key}
            onBlur={(event) => {
              close();
              onBlur?.(event);
            }}
            className={cx(controlClass, "block py-1.5 font-mono text-code")}
          />
          {shown !== undefined && (
            <ul
              ref={list}
              id={listId}
              role="listbox"
              aria-label={`Values for ${label}`}
              className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-control border border-control bg-surface py-1 shadow-dialog"
            >
              {shown.options.map((option, index) => (
                <li
                  key={option.text}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  // The pointer must not take the focus from the text.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => take(option)}
                  className="cursor-pointer px-2.5 py-1 hover:bg-sunken aria-selected:bg-sunken pointer-coarse:py-2.5"
                >
                  <span className="flex items-baseline justify-between gap-3">
                    <span className="font-mono text-code wrap-anywhere">{option.text}</span>
                    <span className="shrink-0 text-small text-text-3">{option.type}</span>
                  </span>
                  <span className="block text-small wrap-anywhere text-text-2">{option.detail}</span>
                </li>
              ))}
            </ul>
          )}
          <span role="status" className="sr-only">
            {shown !== undefined && `${shown.options.length} values. Down chooses one.`}
          </span>
        </div>
      )}
    </Field>
  );
}
